"""Fill the tables and numbers of README and docs from the results of the benchmarks.

Usage: python -m scripts.fill_docs

`<!-- fill: NAME -->…<!-- end -->` marks a place, in a sentence or on lines of its own. NAME is a
benchmark and a key of its `fills()`, such as `decomposition.exrpca.times_pca`. A name such as
`induction.quality[induce, CoarseWSD-20]` is one cell of a table: its row, by the first column, and
its column. What is between the marks is replaced, so that no number is ever typed.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

from benchmarks import BENCHMARKS
from exrpca.files import atomic_path

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
MARKED = re.compile(r"(<!-- fill: ([^<>]+) -->)(.*?)(<!-- end -->)", re.DOTALL)
CELL = re.compile(r"(\S+)\[(.+), (.+)\]")


@cache
def fills() -> dict[str, str]:
    """Return everything that can be filled in, by name."""
    return {
        f"{benchmark}.{key}": text
        for benchmark in BENCHMARKS
        for key, text in importlib.import_module(f"benchmarks.{benchmark}").fills().items()
    }


def value(name: str) -> str:
    """Return what belongs at a place: everything under a name, or a cell of a table."""
    if found := CELL.fullmatch(name):
        return cell(fills()[found[1]], found[2], found[3])
    return fills()[name]


def cell(table: str, row: str, column: str) -> str:
    r"""Return a cell of a Markdown table.

    Examples
    --------
    >>> cell("| method | a | b |\n|---|---|---|\n| PCA | 1.0 | 2.0 |", "PCA", "b")
    '2.0'
    """
    lines = [[part.strip() for part in line.strip("|").split("|")] for line in table.splitlines()]
    values = next(line for line in lines if line[0] == row)
    return values[lines[0].index(column)]


def filled(page: str) -> str:
    """Return a page with its tables and numbers filled in again."""

    def fill(place: re.Match[str]) -> str:
        text = value(place[2])
        on_own_lines = "\n" in place[3]
        return f"{place[1]}\n\n{text}\n\n{place[4]}" if on_own_lines else place[1] + text + place[4]

    return MARKED.sub(fill, page)


def main() -> None:
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        if filled(page) != page:
            with atomic_path(path) as temporary:
                temporary.write_text(filled(page), encoding="utf-8")
            print(f"filled {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
