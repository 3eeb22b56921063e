"""Multi-sense word vectors: the type, its file formats, the matrix of sense differences."""

from exrpca.senses.bundled_vectors import bundled
from exrpca.senses.differences import DifferenceMatrix
from exrpca.senses.example import Example
from exrpca.senses.formats import load, save, to_gensim
from exrpca.senses.planted import PlantedSenses, make_senses
from exrpca.senses.sense_vectors import SenseVectors

__all__ = [
    "DifferenceMatrix",
    "Example",
    "PlantedSenses",
    "SenseVectors",
    "bundled",
    "load",
    "make_senses",
    "save",
    "to_gensim",
]
