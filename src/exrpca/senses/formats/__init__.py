"""The files multi-sense vectors come in: one module a format, one registry."""

from exrpca.senses.formats.gensim_vectors import to_gensim
from exrpca.senses.formats.key_patterns import KEY_PATTERNS
from exrpca.senses.formats.registry import FORMATS, READERS, WRITERS, load, save

__all__ = ["FORMATS", "KEY_PATTERNS", "READERS", "WRITERS", "load", "save", "to_gensim"]
