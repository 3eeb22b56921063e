"""Which word a form belongs to, by the dictionaries of simplemma: "banks" to "bank"."""

from __future__ import annotations

from exrpca.errors import InputError

_WITHOUT_SPACES = ("zh", "ja", "th", "lo", "my", "km")


class Lemmas:
    """The words of forms in a language; found when they are asked for, unlike those of a table.

    Parameters
    ----------
    language : str
        A code such as "en" or "de".

    Examples
    --------
    >>> lemmas = Lemmas("en")
    >>> lemmas.get("banks"), lemmas.get("mice"), lemmas.get("bank")
    ('bank', 'mouse', 'bank')
    """

    def __init__(self, language: str) -> None:
        if language in _WITHOUT_SPACES:
            raise InputError(
                f"language={language!r} is written without spaces: split the text into words "
                "first, with jieba (Chinese), fugashi (Japanese) or pythainlp (Thai), and pass "
                "tokenizer='whitespace', language='none'"
            )
        try:
            import simplemma
        except ImportError:
            raise InputError(
                "lemmas need simplemma: pip install 'exrpca[contextual]', or language='none'"
            ) from None
        self._language = language
        self._lemmatize = simplemma.lemmatize
        try:
            self.get("a")
        except ValueError:
            raise InputError(
                f"language={language!r} is no language that simplemma knows, such as en, de, fr, "
                "es or ru: pass forms= with a table, or language='none'"
            ) from None

    def get(self, form: str) -> str | None:
        """Return the word that a form belongs to."""
        return self._lemmatize(form, lang=self._language)
