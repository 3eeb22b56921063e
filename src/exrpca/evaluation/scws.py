"""Stanford's Contextual Word Similarities: pairs of words rated in context."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import numpy as np

from exrpca.errors import InputError
from exrpca.evaluation.word_pairs import Context, WordPairs
from exrpca.files import open_plain
from exrpca.text.tokens import Tokenizer, TokenizerName

Split = Callable[[str], list[str]]

_N_RATINGS = 10
# id, word, part of speech, word, part of speech, context, context, mean rating, the ratings
_N_FIELDS = 8 + _N_RATINGS
_TARGET = re.compile(r"<b>(.*?)</b>")


def read_scws(
    path: str | os.PathLike[str], *, tokenizer: TokenizerName = "whitespace"
) -> WordPairs:
    r"""Read the file `ratings.txt` of SCWS, or a file in its format.

    Each line has 18 fields separated by tabs. The word is marked once in its context, as
    `<b> word </b>`. `exrpca datasets get scws` fetches the file.

    Parameters
    ----------
    path : path-like
    tokenizer : {"words", "whitespace"}, default "whitespace"
        How the contexts become tokens; see `Tokenizer`. Those of SCWS are tokenized already.

    Returns
    -------
    WordPairs
        With contexts.

    References
    ----------
    Huang, Socher, Manning, Ng (2012). Improving Word Representations via Global Context and
    Multiple Word Prototypes. ACL 2012, 873-882.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> contexts = ["the river <b> bank </b> was", "a <b> loan </b> ."]
    >>> line = "\t".join(["1", "bank", "n", "loan", "n", *contexts, *["2.0"] * 11])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ratings.txt"
    >>> _ = path.write_text(f"{line}\n{line}\n")
    >>> read_scws(path).contexts[0][0]
    Context(left=('the', 'river'), right=('was',))
    """
    words, ratings, contexts = [], [], []
    split = Tokenizer(tokenizer).tokens
    with open_plain(path) as file:
        for number, line in enumerate(file, 1):
            try:
                text = line.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise InputError("is not UTF-8 text", path=path, line=number) from None
            if not text.strip():
                continue
            try:
                pair, rating, context = _parse(text, split)
            except ValueError as error:
                raise InputError(str(error), path=path, line=number) from None
            words.append(pair)
            ratings.append(rating)
            contexts.append(context)
    if len(words) < 2:
        raise InputError(f"{len(words)} word pairs, expected at least 2", path=path)
    return WordPairs("SCWS", tuple(words), np.array(ratings), tuple(contexts))


def _parse(text: str, split: Split) -> tuple[tuple[str, str], float, tuple[Context, Context]]:
    fields = text.split("\t")
    if len(fields) != _N_FIELDS:
        raise ValueError(
            f"{len(fields)} tab-separated fields, expected {_N_FIELDS} (SCWS's ratings.txt: id, "
            "word, part of speech, word, part of speech, 2 contexts, mean rating, 10 ratings)"
        )
    pair = fields[1].strip(), fields[3].strip()
    if not all(pair):
        raise ValueError("a word is empty")
    ratings = [_rating(field) for field in fields[7:]]
    return pair, ratings[0], (_context(fields[5], split), _context(fields[6], split))


def _rating(field: str) -> float:
    try:
        rating = float(field)
    except ValueError:
        raise ValueError(f"the rating {field!r} is not a number") from None
    if not 0 <= rating <= 10:
        raise ValueError(f"the rating {field} is not between 0 and 10")
    return rating


def _context(text: str, split: Split) -> Context:
    targets = list(_TARGET.finditer(text))
    if len(targets) != 1:
        raise ValueError(f"a context has {len(targets)} words marked <b> … </b>, expected 1")
    start, end = targets[0].span()
    return Context(tuple(split(text[:start])), tuple(split(text[end:])))
