"""`show`: the page in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from exrpca.errors import InputError
from exrpca.senses import SenseVectors

if TYPE_CHECKING:
    from exrpca.explorer.export import Page


def show(
    senses: SenseVectors, words: Sequence[str] = (), *, name: str = "", height: int = 800
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
    >>> page = show(exrpca.make_senses(n_words=200).senses, ["word_0"])
    >>> page.save("page.html")  # doctest: +SKIP
    """
    if find_spec("fastapi") is None:
        raise InputError("the page needs more packages: pip install 'exrpca[explore]'")
    from exrpca.explorer.exploration import Exploration
    from exrpca.explorer.export import Page, exported_page

    return Page(exported_page(Exploration(senses, name, []), words), height)
