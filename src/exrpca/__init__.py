"""Tells real word senses from pseudo senses in multi-sense vectors; cleans and merges them.

>>> import exrpca
>>> senses = exrpca.make_senses(n_words=300).senses
>>> cleaned = exrpca.clean(senses, method="exrpca", rank=3)
>>> cleaned
<SenseVectors: 300 words, 600 senses, 50 dimensions, counts, centers, globals>
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exrpca.analysis import diagnose
    from exrpca.cleaning import clean, detect, merge
    from exrpca.contextual import Encoder, Occurrences, assign, compare, encode, induce, report
    from exrpca.errors import InputError
    from exrpca.evaluation import evaluate
    from exrpca.explorer import show
    from exrpca.senses import (
        DifferenceMatrix,
        SenseVectors,
        bundled,
        load,
        make_senses,
        save,
        to_gensim,
    )
    from exrpca.text import disambiguate, retag, tag
    from exrpca.training import train

__version__ = "0.3.0"

# Where each public name lives. A name is imported when first used: numba and scikit-learn
# take a second to load, which `exrpca --help` should not.
_HOMES = {
    "DifferenceMatrix": "exrpca.senses",
    "Encoder": "exrpca.contextual",
    "InputError": "exrpca.errors",
    "Occurrences": "exrpca.contextual",
    "SenseVectors": "exrpca.senses",
    "assign": "exrpca.contextual",
    "bundled": "exrpca.senses",
    "clean": "exrpca.cleaning",
    "compare": "exrpca.contextual",
    "detect": "exrpca.cleaning",
    "diagnose": "exrpca.analysis",
    "disambiguate": "exrpca.text",
    "encode": "exrpca.contextual",
    "evaluate": "exrpca.evaluation",
    "induce": "exrpca.contextual",
    "load": "exrpca.senses",
    "make_senses": "exrpca.senses",
    "merge": "exrpca.cleaning",
    "report": "exrpca.contextual",
    "retag": "exrpca.text",
    "save": "exrpca.senses",
    "show": "exrpca.explorer",
    "tag": "exrpca.text",
    "to_gensim": "exrpca.senses",
    "train": "exrpca.training",
}

__all__ = [
    "DifferenceMatrix",
    "Encoder",
    "InputError",
    "Occurrences",
    "SenseVectors",
    "__version__",
    "assign",
    "bundled",
    "clean",
    "compare",
    "detect",
    "diagnose",
    "disambiguate",
    "encode",
    "evaluate",
    "induce",
    "load",
    "make_senses",
    "merge",
    "report",
    "retag",
    "save",
    "show",
    "tag",
    "to_gensim",
    "train",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'exrpca' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
