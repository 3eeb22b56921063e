"""What several commands do with vectors, and with the data they are compared with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exrpca.cli.options import parse_list
from exrpca.cli.output import remark, remarked_warnings
from exrpca.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.cleaning import SenseDecomposition
    from exrpca.evaluation import WordPairs
    from exrpca.senses import SenseVectors
    from exrpca.text.tokens import TokenizerName


def decomposed(senses: SenseVectors, method: str, rank: int, *, quiet: bool) -> SenseDecomposition:
    """Decompose the differences of senses, and show that work is going on."""
    from exrpca.cleaning import SenseDecomposition
    from exrpca.progress import progress_bar

    with progress_bar("Finding components", None, show=not quiet):
        return SenseDecomposition.fit(senses, method=method, rank=rank)


def check_encoder(corpus: list[Path] | None, encoder: str | None) -> None:
    """Refuse --encoder without --corpus."""
    if encoder is not None and not corpus:
        raise InputError("--encoder needs --corpus as well, a text whose sentences it can judge")


def judged_pairs(
    senses: SenseVectors,
    lost: float,
    *,
    corpus: list[Path] | None,
    encoder: str | None,
    words: list[str] | None = None,
    quiet: bool,
) -> pd.DataFrame:
    """Judge all pairs of senses, with progress bars."""
    from exrpca.cleaning import detect

    with remarked_warnings(quiet=quiet):
        return detect(
            senses,
            lost=lost,
            corpus=corpus or None,
            encoder=encoder,
            words=words,
            progress=not quiet,
        )


def asked_word(senses: SenseVectors, word: str, *, quiet: bool) -> str:
    """Return the word of the vectors that a person means, and say so if it is another form."""
    from exrpca.text import find_word

    found = find_word(senses, word)
    if found != word:
        remark(f"no word {word!r}: showing {found!r}", quiet=quiet)
    return found


def sense_number(senses: SenseVectors, word: str, sense: str) -> int:
    """Return the number of a sense that is given by its label, or by its number."""
    named = int(sense) if (word, sense) not in senses and sense.isdigit() else sense
    first = int(senses.offsets[senses.index(word)])
    return senses.row(word, named) - first


def add_labels(table: pd.DataFrame, senses: SenseVectors, word: str) -> None:
    """Add the labels of a word's senses to a table with a column `sense`, if there are labels."""
    if senses.labels is not None:
        labels = senses.labels[senses.rows(word)]
        place = list(table.columns).index("sense")
        table.insert(place + 1, "label", [labels[sense] for sense in table["sense"]])


def remark_choice(senses: SenseVectors, *, quiet: bool) -> None:
    """Say what chooses the senses, if it is not their centers."""
    from exrpca.text.choice import how_chosen

    if senses.centers is None or senses.globals is None:
        remark(f"senses are chosen by {how_chosen(senses)}", quiet=quiet)


def rated_pairs(
    scws: Path | None,
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
    return datasets + (
        [read_word_pairs(path) for path in word_pairs] if word_pairs else [wordsim353()]
    )


def chosen_methods(text: str, senses: SenseVectors, *, quiet: bool) -> list[str]:
    """Return the methods in a list; "all" means those available, with a remark on the others."""
    from exrpca.evaluation.methods import METHODS, missing_methods

    if text != "all":
        return parse_list(text)
    missing = missing_methods(senses)
    for name, reason in missing.items():
        remark(f"Without the baseline {name}: {reason}", quiet=quiet)
    return [name for name in METHODS if name not in missing]
