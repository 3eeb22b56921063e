"""The files multi-sense vectors come in: one module per format, one registry."""

from exrpca.senses.formats.gensim_vectors import to_gensim
from exrpca.senses.formats.key_patterns import KEY_PATTERNS
from exrpca.senses.formats.key_writing import key_pattern_of
from exrpca.senses.formats.output_plan import OutputPlan, parts_of, plan_output, save
from exrpca.senses.formats.registry import FORMATS, READERS, WRITERS, load

__all__ = [
    "FORMATS",
    "KEY_PATTERNS",
    "READERS",
    "WRITERS",
    "OutputPlan",
    "key_pattern_of",
    "load",
    "parts_of",
    "plan_output",
    "save",
    "to_gensim",
]
