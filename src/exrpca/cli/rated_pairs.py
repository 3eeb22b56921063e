"""The options that choose the rated word pairs that vectors are scored on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli.output import remark
from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.evaluation import WordPairs
    from exrpca.senses import SenseVectors
    from exrpca.text.tokens import TokenizerName

ScwsFile = Annotated[
    Path | None,
    typer.Option(
        "--scws",
        metavar="FILE",
        show_default="the copy of `exrpca datasets get scws`",
        help="SCWS's ratings.txt.",
    ),
]
Ws353File = Annotated[
    Path | None,
    typer.Option(
        "--ws353", metavar="FILE", show_default="the bundled one", help="A file of WordSim-353."
    ),
]
WordPairsFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--word-pairs",
        metavar="FILE",
        show_default="none",
        help="A file with a word, a word and a rating per line; can be given several times.",
    ),
]
Methods = Annotated[
    str,
    typer.Option(
        "--methods",
        metavar="LIST",
        help="Any of none, collapsed, abtt, pca, exrpca, convex, rpca, wordnet, neighbors; "
        "or all, which leaves out what is not available.",
    ),
]
Ranks = Annotated[
    str, typer.Option("--ranks", metavar="LIST", help="Numbers of components, e.g. 1-5,10.")
]


def rated_pairs(
    scws: Path | None,
    ws353: Path | None,
    word_pairs: list[Path] | None,
    *,
    tokenizer: TokenizerName = "whitespace",
    quiet: bool,
) -> list[WordPairs]:
    """Return the data sets asked for; SCWS is left out, with a remark, if it is not found."""
    from exrpca.evaluation import read_scws, read_word_pairs, wordsim353
    from exrpca.evaluation.download import cached

    scws = scws or cached("scws")
    datasets = []
    if scws is None:
        remark("Without SCWS, which `exrpca datasets get scws` fetches.", quiet=quiet)
    else:
        datasets.append(read_scws(scws, tokenizer=tokenizer))
    datasets.append(wordsim353() if ws353 is None else read_word_pairs(ws353, name="WS-353"))
    return datasets + [read_word_pairs(path) for path in word_pairs or []]


def parse_ranks(text: str) -> list[int]:
    """Return the numbers in a list such as "1-3,10".

    Examples
    --------
    >>> parse_ranks("1-3,10")
    [1, 2, 3, 10]
    """
    ranks: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        try:
            ranks |= set(range(int(first), int(last if dash else first) + 1))
        except ValueError:
            raise InputError(
                f"--ranks {text}: expected numbers and ranges such as 1-5,10"
            ) from None
    if not ranks:
        raise InputError(f"--ranks {text}: no rank in this list")
    return sorted(ranks)


def chosen_methods(text: str, senses: SenseVectors, *, quiet: bool) -> list[str]:
    """Return the methods in a list; "all" means those available, with a remark on the others."""
    from exrpca.evaluation.methods import METHODS, missing_methods

    if text != "all":
        return parse_list(text)
    missing = missing_methods(senses)
    for name, reason in missing.items():
        remark(f"Without the baseline {name}: {reason}", quiet=quiet)
    return [name for name in METHODS if name not in missing]


def parse_list(text: str) -> list[str]:
    """Return the names in a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]
