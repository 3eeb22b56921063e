"""The arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer


class TableStyle(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


VectorsFile = Annotated[
    Path, typer.Argument(metavar="VECTORS", help="A file of sense vectors, in any known format.")
]
OutputFile = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")
]
TableFormat = Annotated[TableStyle, typer.Option("--format", help="How to print the table.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress bar and no remarks.")]
Reader = Annotated[
    str | None,
    typer.Option("--reader", metavar="NAME", help="Read this format, whatever the content."),
]
Writer = Annotated[
    str | None,
    typer.Option("--writer", metavar="NAME", help="Write this format, whatever the file's ending."),
]
KeyPattern = Annotated[
    str | None,
    typer.Option(
        "--key-pattern", metavar="NAME", help="How keys name a word and its sense (word2vec)."
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
