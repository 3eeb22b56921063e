"""Multi-sense word vectors: the type, its file formats, the matrix of sense differences."""

from exrpca.senses.sense_vectors import SenseVectors

__all__ = ["SenseVectors"]
