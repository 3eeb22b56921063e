"""One fitted decomposition of senses; cleaning, detecting pseudo pairs, merging pseudo senses."""

from exrpca.cleaning.clean import clean
from exrpca.cleaning.decompositions import DECOMPOSITIONS
from exrpca.cleaning.detect import detect
from exrpca.cleaning.merge import merge
from exrpca.cleaning.projector import Projector
from exrpca.cleaning.scores import SCORES
from exrpca.cleaning.sense_decomposition import SenseDecomposition

__all__ = [
    "DECOMPOSITIONS",
    "SCORES",
    "Projector",
    "SenseDecomposition",
    "clean",
    "detect",
    "merge",
]
