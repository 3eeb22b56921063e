"""Contextual vectors: encoders, and occurrences of words in a text.

`VECTORS` names what the vector of an occurrence can be made of.
"""

from exrpca.contextual.encode import encode
from exrpca.contextual.encoder import VECTORS, Encoder
from exrpca.contextual.occurrences import Occurrences

__all__ = ["VECTORS", "Encoder", "Occurrences", "encode"]
