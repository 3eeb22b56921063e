"""Finds the pseudo senses in multi-sense word vectors, and cleans them away.

>>> import exrpca
>>> senses = exrpca.make_senses(n_words=300).senses
>>> cleaned = exrpca.clean(senses, method="exrpca", rank=3)
>>> cleaned
<SenseVectors: 300 words, 600 senses, 50 dimensions, counts, centers, globals>
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exrpca.cleaning import clean
    from exrpca.errors import InputError
    from exrpca.senses import DifferenceMatrix, SenseVectors, load, make_senses, save

__version__ = "0.1.0"

# Where each public name lives. A name is imported when first used: numba and scikit-learn
# take a second to load, which `exrpca --help` should not.
_HOMES = {
    "DifferenceMatrix": "exrpca.senses",
    "InputError": "exrpca.errors",
    "SenseVectors": "exrpca.senses",
    "clean": "exrpca.cleaning",
    "load": "exrpca.senses",
    "make_senses": "exrpca.senses",
    "save": "exrpca.senses",
}

__all__ = [
    "DifferenceMatrix",
    "InputError",
    "SenseVectors",
    "__version__",
    "clean",
    "load",
    "make_senses",
    "save",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'exrpca' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
