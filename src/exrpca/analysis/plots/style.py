"""What all pictures share: colors, markers, and how they are written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from exrpca.errors import InputError
from exrpca.files import atomic_path

# Okabe and Ito's colors, which color-blind people can tell apart; yellow is too pale for lines.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "p", "h")  # all with room for a number
GRAY = "#666666"

_FORMATS = (".png", ".svg")
_DPI = 200


def check_figure_path(path: str | os.PathLike[str]) -> str:
    """Return "png" or "svg", whichever the file's ending says; any other is bad input."""
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        raise InputError(f"ends with {ending!r}, expected {' or '.join(_FORMATS)}", path=path)
    return ending[1:]


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as PNG or SVG, whichever the file's ending says."""
    form = check_figure_path(path)
    with atomic_path(path) as temporary:
        write_figure(figure, temporary, form)


def write_figure(figure: Figure, file: Path | BinaryIO, form: str) -> None:
    """Write a figure to a file or stream; figures made alike give the same bytes."""
    # without these, an SVG file has the date and random names in it
    metadata = {"Date": None} if form == "svg" else None
    with rc_context({"svg.hashsalt": "exrpca"}):
        figure.savefig(file, format=form, dpi=_DPI, metadata=metadata)


def tidy(axes: Axes) -> None:
    """Remove the top and right lines of the frame and draw a light grid behind the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
