"""The files that a report can be: a workbook, a page to print, JSON, a CSV concordance."""

from __future__ import annotations

import html
import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.contextual.report import Report

# The limits of a sheet in Excel.
_MOST_ROWS = 1_048_575
_MOST_CHARACTERS = 32_767

# Spreadsheets take a cell of a CSV file that begins so for a formula; an apostrophe stops that.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

# Widths of columns in characters; others are 14.
_WIDTHS = {"sense": 7, "name": 34, "count": 8, "left": 60, "right": 60, "sentences": 100}

# What a comparison has a list of senses in.
_LISTS = ("gained", "lost")

# What a page shows of each measure of a comparison.
_MEASURES = {
    "prt": "distance of prototypes (prt)",
    "apd": "average pairwise distance (apd)",
    "jsd": "divergence of shares (jsd)",
}

# A page in a browser becomes slow with more rows.
_PAGE_ROWS = 200

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem;
  border-bottom: 1px solid #d5d9de; }
h3 { font-size: 1rem; margin-bottom: .2rem; } h3 small { color: #57606a; font-weight: normal; }
table { border-collapse: collapse; font-size: .9rem; margin: .5rem 0 1rem; }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #e4e7eb; }
th:first-child, td:first-child { text-align: left; }
.bar { display: inline-block; height: .6em; background: #2f6db3; border-radius: 2px; }
.lines { display: grid; grid-template-columns: 1fr auto 1fr; font-size: .85rem; }
.lines > * { padding: .1rem .3rem; border-bottom: 1px solid #eef0f2; overflow-wrap: anywhere; }
.lines > :nth-child(3n+1) { text-align: right; } .lines b { white-space: nowrap; }
details { margin: .4rem 0 1rem; } summary { cursor: pointer; color: #2f6db3; }
@media print { body { font-size: 10pt; margin: 0; max-width: none; }
  h2 { break-after: avoid; } h3 { break-after: avoid; } }
"""


def check_workbook(path: str | os.PathLike[str], n_rows: int) -> None:
    """Refuse a workbook that cannot be written."""
    if importlib.util.find_spec("xlsxwriter") is None:
        raise InputError(
            "a workbook needs XlsxWriter: pip install 'exrpca[report]', or name a .csv", path=path
        )
    if n_rows > _MOST_ROWS:
        raise InputError(
            f"a sheet holds {_MOST_ROWS:,} rows, and there are {n_rows:,} occurrences: name a .csv",
            path=path,
        )


def _workbook(report: Report, path: Path) -> None:
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    senses = report.senses.assign(sentences=report.senses["sentences"].map("\n".join))
    lists = {name: report.changes[name].map(_joined) for name in _LISTS if name in report.changes}
    sheets = {
        "senses": senses,
        "shares": report.shares,
        "changes": report.changes.assign(**lists),
        "concordance": report.concordance,
    }
    with pd.ExcelWriter(path, engine="xlsxwriter", engine_kwargs={"options": options}) as book:
        for name, table in sheets.items():
            if len(table):
                _sheet(book, name, table)


def _joined(senses: Any) -> str:
    return ", ".join(map(str, senses))


def _sheet(book: Any, name: str, table: pd.DataFrame) -> None:
    """Write a table with a header that stays in sight, filters, and a layout for printing."""
    text = table.select_dtypes(exclude="number").columns
    table = table.assign(**{c: table[c].astype("string").str[:_MOST_CHARACTERS] for c in text})
    table.to_excel(book, sheet_name=name, index=False)
    sheet = book.sheets[name]
    wrapped = book.book.add_format({"text_wrap": True, "valign": "top"})
    percent = book.book.add_format({"num_format": "0%", "valign": "top"})
    right = book.book.add_format({"text_wrap": True, "align": "right", "valign": "top"})
    formats = {"left": right, "share": percent, "low": percent, "high": percent}
    for place, column in enumerate(table.columns):
        sheet.set_column(place, place, _WIDTHS.get(column, 14), formats.get(column, wrapped))
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(table), len(table.columns) - 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)


def _csv(report: Report, path: Path) -> None:
    table = report.concordance
    text = table.select_dtypes(exclude="number").columns
    safe = {c: table[c].astype("string").map(_no_formula, na_action="ignore") for c in text}
    # spreadsheets recognize UTF-8 by its mark
    table.assign(**safe).to_csv(path, index=False, encoding="utf-8-sig", lineterminator="\n")


def _no_formula(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _json(report: Report, path: Path) -> None:
    tables = {
        name: json.loads(getattr(report, name).to_json(orient="records", double_precision=10))
        for name in ("senses", "shares", "changes", "concordance")
    }
    path.write_text(json.dumps(tables, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _html(report: Report, path: Path) -> None:
    words = report.senses["word"].drop_duplicates()
    title = f"Senses of {words.iloc[0] if len(words) == 1 else f'{len(words):,} words'}"
    body = "\n".join(_word_section(report, word) for word in words)
    path.write_text(
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}</h1>\n{body}\n</body></html>\n",
        encoding="utf-8",
    )


def _word_section(report: Report, word: str) -> str:
    senses = report.senses[report.senses["word"] == word]
    total = int(senses["count"].sum())
    parts = [
        f"<h2>{_text(word)}</h2><p>{total:,} occurrences, {len(senses)} "
        f"{'sense' if len(senses) == 1 else 'senses'}</p>"
    ]
    shares = report.shares[report.shares["word"] == word]
    if len(shares):
        parts.append(_shares_table(shares))
    if len(report.changes):
        parts.append(_changes_table(report.changes[report.changes["word"] == word]))
    for row in senses.to_dict("records"):
        count = f"{row['count']:,} ({row['share']:.0%})"
        parts.append(f"<h3>{row['sense']}: {_text(row['name'])} <small>{count}</small></h3>")
        parts.append("".join(f"<p>{_text(sentence)}</p>" for sentence in row["sentences"]))
        of_word = report.concordance[report.concordance["word"] == word]
        parts.append(_lines(of_word[of_word["sense"] == row["sense"]]))
    return "\n".join(parts)


def _shares_table(shares: pd.DataFrame) -> str:
    groups = sorted(shares["group"].unique())
    head = "".join(f"<th>{_text(group)}</th>" for group in groups)
    rows = []
    for (sense, name), own in shares.groupby(["sense", "name"]):
        by_group = own.set_index("group")
        cells = "".join(_share_cell(by_group.loc[group]) for group in groups)
        rows.append(f"<tr><td>{sense}: {_text(name)}</td>{cells}</tr>")
    return f"<table><tr><th>share of each sense</th>{head}</tr>{''.join(rows)}</table>"


def _share_cell(row: Any) -> str:
    width = f"{60 * row['share']:.0f}px"
    interval = f"{row['low']:.0%} to {row['high']:.0%}"
    return (
        f'<td title="{row["count"]} occurrences; 95%: {interval}">'
        f'<span class="bar" style="width:{width}"></span> {row["share"]:.0%} '
        f"<small>({interval})</small></td>"
    )


def _changes_table(changes: pd.DataFrame) -> str:
    if changes.empty:
        return ""
    measures = [name for name in _MEASURES if name in changes]
    head = "".join(f"<th>{_MEASURES[name]}</th>" for name in measures)
    rows = []
    for row in changes.to_dict("records"):
        cells = "".join(
            f"<td>{row[name]:.2f} <small>({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f}), "
            f"q = {row[f'{name}_q']:.3f}</small></td>"
            for name in measures
        )
        lists = "".join(f"<td>{_text(_joined(row[name]))}</td>" for name in _LISTS)
        groups = f"{_text(row['group_a'])} to {_text(row['group_b'])}"
        rows.append(f"<tr><td>{groups}</td>{cells}{lists}</tr>")
    return (
        f"<table><tr><th>difference</th>{head}<th>gained</th><th>lost</th></tr>"
        f"{''.join(rows)}</table>"
    )


def _lines(own: pd.DataFrame) -> str:
    if not {"left", "target", "right"} <= set(own.columns):
        return ""
    shown = own.head(_PAGE_ROWS)
    cells = "".join(
        f"<span>{_text(left)}</span><b>{_text(target)}</b><span>{_text(right)}</span>"
        for left, target, right in zip(shown["left"], shown["target"], shown["right"], strict=True)
    )
    more = "" if len(own) <= _PAGE_ROWS else f", the first {_PAGE_ROWS} of {len(own):,}"
    return (
        f'<details><summary>Concordance{more}</summary><div class="lines">{cells}</div></details>'
    )


def _text(value: object) -> str:
    return html.escape("" if pd.isna(value) else str(value))  # type: ignore[call-overload]


# By the ending of the file's name.
WRITERS: dict[str, Callable[[Any, Path], None]] = {
    ".xlsx": _workbook,
    ".html": _html,
    ".json": _json,
    ".csv": _csv,
}
