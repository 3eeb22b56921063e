"""The arguments and options that several commands share, and what they say."""

from __future__ import annotations

import inspect
import logging
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from exrpca.errors import InputError
from exrpca.journal import InterruptedOutputWarning

if TYPE_CHECKING:
    from exrpca.senses import SenseVectors


class TableStyle(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


VectorsFile = Annotated[
    Path, typer.Argument(metavar="VECTORS", help="A file of sense vectors in any known format.")
]
OutputFile = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")
]
TableFormat = Annotated[TableStyle, typer.Option("--format", help="How to print the table.")]


def _set_verbosity(context: typer.Context, parameter: typer.CallbackParam, quiet: bool) -> bool:
    """Let warnings and the log be shown or not; commands see to their own remarks."""
    source = context.get_parameter_source(parameter.name or "")
    if quiet:
        warnings.simplefilter("ignore", UserWarning)
        # it is about files of an earlier run, which no other remark will mention
        warnings.simplefilter("always", InterruptedOutputWarning)
    elif source is not None and source.name == "COMMANDLINE":
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
        logging.getLogger("exrpca").setLevel(logging.INFO)
    return quiet


Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet/--verbose",
        "-q/-v",
        callback=_set_verbosity,
        show_default="neither",
        help="Hide progress bars and notes; or show each step and its time.",
    ),
]
Reader = Annotated[
    str | None,
    typer.Option(
        "--reader",
        metavar="NAME",
        show_default="by content",
        help="Read this format: parquet, mssg, word2vec, word2vec-binary, three-files, table, npz, "
        "npy, adagram.",
    ),
]
Writer = Annotated[
    str | None,
    typer.Option(
        "--writer",
        metavar="NAME",
        show_default="by file extension",
        help="Write this format: parquet, mssg, word2vec, word2vec-binary, three-files.",
    ),
]
KeyPattern = Annotated[
    str | None,
    typer.Option(
        "--key-pattern",
        metavar="NAME",
        show_default="detected from the keys",
        help="How keys combine a word and its sense: word#0, word_s0, word:0, word|0, word_0, "
        "word%1:00:00::, word.n.01, word-n-0, word_bn:00000000n, bn:00000000n__word, word|NOUN, "
        "word.",
    ),
]
KeyRegex = Annotated[
    str | None,
    typer.Option(
        "--key-regex",
        metavar="REGEX",
        show_default="none",
        help="For other keys: a regular expression with the groups (?P<word>…) and (?P<sense>…).",
    ),
]
ColumnNames = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        show_default="word, sense, vector",
        help="For tables with other column names, such as word=lemma,vector=emb.",
    ),
]
Method = Annotated[
    str, typer.Option("--method", "-m", help="How components are found: exrpca, pca, rpca, convex.")
]
Rank = Annotated[int, typer.Option("--rank", "-k", help="How many components.")]
Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, show_default="all cores", help="Threads to use."),
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Continue the unfinished run of this output, or start one."),
]
Lost = Annotated[
    float,
    typer.Option("--lost", help="The expected share of real pairs that may be called pseudo."),
]
JudgeCorpus = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus",
        metavar="TEXT",
        show_default="none",
        help="A text with the words, whose sentences decide instead of neighbors; can be given "
        "several times.",
    ),
]
Words = Annotated[
    str | None,
    typer.Option(
        "--words",
        metavar="LIST",
        show_default="none",
        help="Words separated by commas, or a file with one word per line.",
    ),
]
CorpusFiles = Annotated[
    list[str],
    typer.Argument(
        help="Text files, plain or compressed (gz, bz2, xz, zst), or folders; - is standard input."
    ),
]
TextOutput = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        show_default="standard output",
        help="The file to write.",
    ),
]
FormsTable = Annotated[
    Path | None,
    typer.Option(
        "--forms",
        metavar="CSV",
        show_default="none",
        help="A table of word forms, with the columns form and word.",
    ),
]
Window = Annotated[
    int | None,
    typer.Option(
        "--window",
        min=1,
        show_default="as in training, or 5",
        help="The number of context tokens on each side.",
    ),
]
# The names of exrpca.text.tokens, which would take half a second to import for --help.
Tokenizer = Annotated[
    Literal["words", "whitespace"],
    typer.Option(
        "--tokenizer", help="How to find tokens; whitespace is for text that is already tokenized."
    ),
]

ScwsFile = Annotated[
    Path | None,
    typer.Option(
        "--scws",
        metavar="FILE",
        show_default="the copy of `exrpca datasets get scws`",
        help="SCWS's ratings.txt.",
    ),
]
WordPairsFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--word-pairs",
        metavar="FILE",
        show_default="WordSim-353",
        help="A file with a word, a word and a rating per line, instead of WordSim-353; can be "
        "given several times.",
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


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file of vectors, as the options of a command say.

    A command that has a parameter of this type and is decorated by `reads_vectors` has the options
    `--reader`, `--key-pattern`, `--key-regex` and `--columns`.
    """

    reader: str | None = None
    key_pattern: str | None = None
    key_regex: str | None = None
    columns: str | None = None

    def load(self, path: Path, *, quiet: bool) -> SenseVectors:
        """Read a file of vectors."""
        from exrpca.senses import load

        return load(
            path,
            reader=self.reader,
            key_pattern=self.key_pattern,
            key_regex=self.key_regex,
            columns=_parsed(self.columns),
            progress=not quiet,
        )


Command = Callable[..., None]


def gathers(parameter: str, options: Mapping[str, Any], make: Callable[..., Any]) -> Any:
    """Return a decorator that replaces one parameter of a command by several options.

    An option that the command has itself is left out.

    Parameters
    ----------
    parameter : str
    options : mapping
        The annotation of each option.
    make : callable
        Makes the value of the parameter from those of the options.
    """

    def decorate(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True)
        added = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
            )
            for name, annotation in options.items()
            if name not in own.parameters
        ]

        def run(**given: Any) -> None:
            made = make(**{option.name: given.pop(option.name) for option in added})
            command(**given, **{parameter: made})

        parameters = [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, old in own.parameters.items()
            for each in (added if name == parameter else [old])
        ]
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        run.__doc__, run.__name__ = command.__doc__, command.__name__
        return run

    return decorate


AS_FOUND = ReadOptions()
reads_vectors = gathers(
    "read",
    {
        "reader": Reader,
        "key_pattern": KeyPattern,
        "key_regex": KeyRegex,
        "columns": ColumnNames,
    },
    ReadOptions,
)


def _parsed(columns: str | None) -> dict[str, str] | None:
    """Return what `--columns word=lemma,vector=emb` says."""
    if columns is None:
        return None
    pairs = [part.partition("=") for part in columns.split(",")]
    if not all(role and sign and name for role, sign, name in pairs):
        raise InputError(f"--columns {columns!r}: expected for example word=lemma,vector=emb")
    return {role.strip(): name.strip() for role, _, name in pairs}


def words_given(text: str) -> list[str]:
    """Return the words that `--words` names, itself or in a file.

    Examples
    --------
    >>> words_given("bank, cell")
    ['bank', 'cell']
    """
    if not Path(text).is_file():
        if Path(text).suffix in (".txt", ".csv", ".tsv"):
            raise InputError("no such file", path=text)
        return parse_list(text)
    from exrpca.tables import read_words

    return read_words(text)


def parse_list(text: str) -> list[str]:
    """Return the names in a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


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
