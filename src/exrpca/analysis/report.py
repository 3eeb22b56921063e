"""A report of sections, written as Markdown and as one self-contained HTML file."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from exrpca.files import atomic_path

# Matplotlib is loaded for figures only: most commands have none, and it complains where it cannot
# write to the user's folders.
if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; background: #fff; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { padding: 0.25rem 0.6rem; text-align: left; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; } td { font-variant-numeric: tabular-nums; }
img { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True, eq=False)
class Section:
    """A heading with sentences, tables and perhaps a figure under it.

    Attributes
    ----------
    title : str
    text : sequence of str
        Paragraphs of plain text.
    tables : sequence of DataFrame
    figure : Figure or None
    figure_name : str
        The name of the figure's files, without an ending; also its description.
    """

    title: str
    text: Sequence[str] = ()
    tables: Sequence[pd.DataFrame] = field(default_factory=tuple)
    figure: Figure | None = None
    figure_name: str = ""


def write_report(title: str, sections: Sequence[Section], folder: Path) -> list[Path]:
    """Write report.md, report.html and the figures as PNG and SVG; return the files."""
    from exrpca.analysis.plots import save_figure

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for section in sections:
        for ending in ("png", "svg") if section.figure else ():
            path = folder / f"{section.figure_name}.{ending}"
            save_figure(section.figure, path)  # type: ignore[arg-type]
            written.append(path)
    for name, text in (
        ("report.md", markdown(title, sections)),
        ("report.html", html_page(title, sections)),
    ):
        with atomic_path(folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
        written.append(folder / name)
    return written


def markdown(title: str, sections: Sequence[Section]) -> str:
    """Return the report as Markdown; figures are links to PNG files next to it."""
    parts = [f"# {title}"]
    for section in sections:
        parts += [f"## {section.title}", *section.text]
        parts += [markdown_table(table) for table in section.tables]
        if section.figure:
            parts.append(f"![{section.title}]({section.figure_name}.png)")
    return "\n\n".join(parts) + "\n"


def markdown_table(table: pd.DataFrame) -> str:
    r"""Return a data frame as a Markdown table.

    Examples
    --------
    >>> print(markdown_table(pd.DataFrame({"word": ["a|b"], "outlier_norm": [0.12345]})))
    | word | outlier norm |
    |---|---|
    | a\|b | 0.123 |
    """
    rows = [_headings(table), ["---"] * table.shape[1]]
    rows += [[_cell(value) for value in row] for row in table.itertuples(index=False)]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    lines[1] = lines[1].replace(" ", "")
    return "\n".join(lines)


def html_page(title: str, sections: Sequence[Section]) -> str:
    """Return the report as one HTML page with its figures inside."""
    body = [f"<h1>{html.escape(title)}</h1>"]
    for section in sections:
        body.append(f"<h2>{html.escape(section.title)}</h2>")
        body += [f"<p>{html.escape(paragraph)}</p>" for paragraph in section.text]
        body += [_html_table(table) for table in section.tables]
        if section.figure:
            body.append(_html_figure(section.figure, section.title))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _html_table(table: pd.DataFrame) -> str:
    cells = table.map(_cell)
    cells.columns = _headings(table)
    return f'<div class="table">{cells.to_html(index=False, border=0)}</div>'


def _html_figure(figure: Figure, description: str) -> str:
    from exrpca.analysis.plots import write_figure

    picture = io.BytesIO()
    write_figure(figure, picture, "svg")
    data = base64.b64encode(picture.getvalue()).decode()
    return f'<img alt="{html.escape(description)}" src="data:image/svg+xml;base64,{data}">'


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:.3f}"
    if value is None or value is pd.NA:
        return ""
    return str(value)


def _headings(table: pd.DataFrame) -> list[str]:
    return [str(name).replace("_", " ") for name in table.columns]
