"""`exrpca durel`: uses for people to annotate with DURel, and how far their judgments agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import Quiet, TableFormat, TableStyle
from exrpca.cli.output import counted, print_table, remark
from exrpca.cli.report import AssignedFile
from exrpca.errors import InputError


def durel(
    assigned: AssignedFile,
    uses: Annotated[
        Path | None,
        typer.Option(
            "--uses",
            metavar="FOLDER",
            show_default="none",
            help="Write the occurrences of each word to FOLDER/WORD/uses.csv, to be annotated.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="COLUMN", show_default="none", help="With --uses: the grouping."
        ),
    ] = None,
    annotation: Annotated[
        list[Path] | None,
        typer.Option(
            "--annotation",
            metavar="FILE",
            show_default="none",
            help="judgments.csv or clusters of people, to compare the senses with (repeatable).",
        ),
    ] = None,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Exchange occurrences with DURel and word usage graphs (WUG).

    Writes uses for people to annotate, and compares their judgments or
    clusters with the senses: per word, the share of pairs that agree, or the
    adjusted Rand index.
    """
    from exrpca.contextual.assigned import read_assigned
    from exrpca.contextual.wug import agreement, read_annotation, write_uses

    if (uses is None) == (annotation is None):
        raise InputError("pass either --uses or --annotation")
    if uses is not None and uses.exists() and not uses.is_dir():
        raise InputError("is no folder", path=uses)
    table = read_assigned(assigned)
    if uses is not None:
        paths = write_uses(table, uses, by=by)
        remark(
            f"{uses}: {counted(len(table), 'use')} in {counted(len(paths), 'file')}", quiet=quiet
        )
    if annotation is not None:
        for path in annotation:
            print_table(agreement(table, read_annotation(path)), form)
