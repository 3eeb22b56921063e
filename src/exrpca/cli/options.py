"""The arguments and options that several commands share."""

from __future__ import annotations

import logging
import warnings
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from exrpca.journal import InterruptedOutputWarning


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
Lost = Annotated[
    float,
    typer.Option("--lost", help="The expected share of real pairs that may be called pseudo."),
]
# The rules of exrpca.text.choice, which would take half a second to import for --help.
ProbabilityRule = Annotated[
    Literal["inverse", "shifted"],
    typer.Option("--rule", help="How cosines with the centers become probabilities."),
]
