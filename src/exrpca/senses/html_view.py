"""What a notebook shows for `SenseVectors`: its size and its first words."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from exrpca.senses.sense_vectors import SenseVectors

_N_WORDS = 5
# Senses of one word that are listed.
_N_SENSES = 8


def html_view(senses: SenseVectors) -> str:
    """Return a line with the sizes and a table with the first words, as HTML."""
    first = senses.select(senses.words[:_N_WORDS])
    columns: dict[str, list[str]] = {
        "word": list(first.words),
        "senses": [f"{n:,}" for n in first.n_senses],
    }
    if first.labels is not None:
        columns["labels"] = [_listed(first.labels[first.rows(word)]) for word in first]
    if first.counts is not None:
        columns["counts"] = [
            _listed([f"{n:,}" for n in first.counts[first.rows(word)]]) for word in first
        ]
    table = pd.DataFrame(columns).to_html(index=False, border=0)
    more = len(senses) - len(first)
    rest = f"<p>and {more:,} more words</p>" if more else ""
    return f"<div><p>{escape(repr(senses).strip('<>'))}</p>{table}{rest}</div>"


def _listed(values: list[str] | tuple[str, ...]) -> str:
    more = len(values) > _N_SENSES
    return ", ".join(values[:_N_SENSES]) + (", …" if more else "")
