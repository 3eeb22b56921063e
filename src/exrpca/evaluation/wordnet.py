"""WordNet, from the user's NLTK data."""

from __future__ import annotations

from typing import Any

from exrpca.errors import InputError


def load_wordnet() -> Any:
    """Return NLTK's WordNet reader; bad input when NLTK or its data are not installed.

    NLTK looks for the data in its usual folders and in those of the environment variable
    NLTK_DATA.
    """
    try:
        from nltk.corpus import wordnet
    except ImportError:
        raise InputError("WordNet needs NLTK: pip install 'exrpca[wordnet]'") from None
    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise InputError(
            "WordNet's data were not found: python -m nltk.downloader wordnet, "
            "or set NLTK_DATA to the folder that has them"
        ) from None
    return wordnet
