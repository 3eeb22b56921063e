"""`show`: the page in a notebook."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from importlib.util import find_spec

from exrpca.errors import InputError
from exrpca.files import atomic_path
from exrpca.senses import SenseVectors


class Page:
    """A page that a notebook shows; `show` makes it.

    Parameters
    ----------
    text : str
        The page as one HTML document.
    height : int, default 800
        Of the frame that a notebook shows it in, in pixels.

    Examples
    --------
    >>> Page("<p>Hello</p>")
    <Page of 1 KB: a notebook shows it, save() writes it>
    """

    def __init__(self, text: str, height: int = 800) -> None:
        self._text = text
        self._height = height

    def __repr__(self) -> str:
        size = len(self._text) // 1024 + 1
        return f"<Page of {size:,} KB: a notebook shows it, save() writes it>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self._text)}" title="exrpca" sandbox="allow-scripts" '
            f'style="width: 100%; height: {self._height}px; border: 1px solid #85888e"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page into one HTML file, which works offline."""
        with atomic_path(path) as temporary:
            temporary.write_text(self._text, encoding="utf-8")


def show(
    senses: SenseVectors,
    words: Sequence[str] = (),
    *,
    with_map: bool = False,
    name: str = "",
    height: int = 800,
) -> Page:
    """Show the senses of some words in a notebook: neighbors, verdicts, what merging would join.

    It is the page of `exrpca explore`, without what needs a running program: other words,
    sentences of your own, and giving verdicts.

    Parameters
    ----------
    senses : SenseVectors
        With at least one word that has two senses.
    words : sequence of str
        By default, clear examples of each verdict.
    with_map : bool, default False
        Add the map of all senses, which takes a while to compute the first time.
    name : str, default ""
        What the page calls the vectors.
    height : int, default 800
        Of the frame in the notebook, in pixels.

    Returns
    -------
    Page
        A notebook shows it. Its method `save` writes it as one HTML file that works offline.

    Examples
    --------
    >>> import exrpca
    >>> senses = exrpca.make_senses(n_words=200).senses
    >>> page = show(senses, senses.words[:3])
    >>> "senses" in page._repr_html_()
    True
    """
    if find_spec("fastapi") is None:
        raise InputError("the page needs more packages: pip install 'exrpca[explore]'")
    from exrpca.explorer.exploration import Exploration
    from exrpca.explorer.export import exported_page

    page = exported_page(Exploration(senses, name, []), words, with_map=with_map)
    return Page(page, height)
