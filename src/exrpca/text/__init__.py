"""Text: corpora, tokens, looking words up, contexts, choosing a sense, tagging.

`TOKENIZERS` has the names of the ways to find the tokens of a text; `Tokenizer` describes them:

>>> from exrpca.text import TOKENIZERS
>>> TOKENIZERS
('words', 'whitespace')
"""

from exrpca.text.bundled_text import bundled_text
from exrpca.text.context import ContextSettings
from exrpca.text.corpus import Corpus
from exrpca.text.disambiguation import ReadToken, context_words, disambiguate, read_context
from exrpca.text.lookup import Lookup, find_word
from exrpca.text.tagging import Retagged, Tagged, read_mapping, retag, tag
from exrpca.text.tokens import TOKENIZERS, Tokenizer

__all__ = [
    "TOKENIZERS",
    "ContextSettings",
    "Corpus",
    "Lookup",
    "ReadToken",
    "Retagged",
    "Tagged",
    "Tokenizer",
    "bundled_text",
    "context_words",
    "disambiguate",
    "find_word",
    "read_context",
    "read_mapping",
    "retag",
    "tag",
]
