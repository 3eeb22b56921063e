"""`exrpca demo`: what exrpca does for a table, for sense vectors and for a text, offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli.detect import remark_detection
from exrpca.cli.options import TableStyle
from exrpca.cli.output import counted, print_table, remark

if TYPE_CHECKING:
    from exrpca.contextual import Report

# Rows and columns of scikit-learn's table of wines whose decimal point the demo moves.
_BROKEN_CELLS = ((17, "alcohol"), (60, "hue"), (101, "magnesium"))
_WORDS_OF_VECTORS = ("bank", "plant", "prime")
_COLUMNS_OF_PAIRS = ["word", "sense_a", "sense_b", "shared", "neighbors_a", "neighbors_b"]
_WORDS_OF_TEXT = ["cell", "mouse", "organ", "pitch", "plant", "rock"]
# How many words of a sentence are shown on each side of its target.
_CONTEXT = 4


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the report.")
    ] = Path("exrpca-demo"),
) -> None:
    """Show what exrpca does with a table, with sense vectors and with a text.

    All three come with it, so this works offline.
    """
    from exrpca.files import check_output_folder

    check_output_folder(output)
    _show_cells()
    _show_verdicts()
    output.mkdir(parents=True, exist_ok=True)
    report = output / "senses.html"
    _show_senses(report)
    print(f"\nAll {counted(len(_WORDS_OF_TEXT), 'word')} with their sentences: {report}")
    print("Next, with your own text:  exrpca senses TEXT --words bank,cell -o senses.html")


def _show_cells() -> None:
    from sklearn.datasets import load_wine

    from exrpca.decomposition import ExRPCA

    table = load_wine(as_frame=True).data
    for row, column in _BROKEN_CELLS:
        table.loc[row, column] *= 10
    cells = ExRPCA("auto", units="robust").fit(table).outlying_cells(table)
    print(f"A table of {len(table)} wines. Three decimal points were moved. Where?\n")
    print_table(
        cells.drop(columns="z").round(1),
        TableStyle.TABLE,
        title="1. Cells that do not fit the rest of their row (ExRPCA)",
    )
    moved = [cell in _BROKEN_CELLS for cell in zip(cells["row"], cells["column"], strict=True)]
    print(
        f"{sum(moved)} of the 3; {counted(len(moved) - sum(moved), 'other cell')}, just unusual.\n"
    )


def _show_verdicts() -> None:
    from exrpca.analysis import describe_pairs
    from exrpca.cleaning import detect, merge
    from exrpca.cleaning.detect import DEFAULT_LOST
    from exrpca.senses import bundled

    senses = bundled()
    pairs = detect(senses)
    shown = describe_pairs(senses, pairs, list(_WORDS_OF_VECTORS), n_neighbors=3)
    print(f"Vectors with several senses per word: {senses!r}. Which senses are real?\n")
    print_table(
        shown[[*_COLUMNS_OF_PAIRS, "verdict"]],
        TableStyle.TABLE,
        title="2. Senses that share few neighbors are real (exrpca detect)",
    )
    remark_detection(pairs, DEFAULT_LOST, quiet=False)
    merged = merge(senses, pairs)[0]
    print(f"exrpca merge joins the pseudo senses: {len(merged.vectors):,} senses are left.\n")


def _show_senses(path: Path) -> None:
    from exrpca.contextual import encode, induce, report
    from exrpca.text import bundled_text

    remark("Reading a text of 480 passages with a small transformer ...\n", quiet=False)
    _, assigned = induce(encode(bundled_text(), words=_WORDS_OF_TEXT))
    made = report(assigned, path)
    table = made.senses.assign(
        share=made.senses["share"].map("{:.0%}".format), sentence=_sentences(made)
    )
    print_table(
        table[["word", "sense", "share", "name", "sentence"]],
        TableStyle.TABLE,
        title="3. The meanings of words in a text (exrpca encode, exrpca induce)",
    )


def _sentences(made: Report) -> list[str]:
    """Return a part of the most typical sentence of each sense, the word in capital letters."""
    parts = made.concordance[["left", "target", "right"]].astype(str)
    whole = (parts["left"] + parts["target"] + parts["right"]).str.split().str.join(" ")
    shown = []
    for typical in made.senses["sentences"]:
        left, target, right = parts.loc[(whole == typical[0]).idxmax()]
        near = [*left.split()[-_CONTEXT:], target.upper(), *right.split()[:_CONTEXT]]
        shown.append(" ".join(near))
    return shown
