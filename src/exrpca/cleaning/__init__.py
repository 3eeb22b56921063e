"""One fitted decomposition of senses; cleaning, detecting pseudo pairs, merging pseudo senses.

`DECOMPOSITIONS` has the estimator of each method that finds components, by name.

>>> from exrpca.cleaning import DECOMPOSITIONS
>>> list(DECOMPOSITIONS)
['pca', 'exrpca', 'convex', 'rpca']
"""

from exrpca.cleaning.clean import clean
from exrpca.cleaning.decompositions import DECOMPOSITIONS
from exrpca.cleaning.detect import detect
from exrpca.cleaning.given_verdicts import read_verdicts, with_verdicts, write_verdicts
from exrpca.cleaning.merge import merge
from exrpca.cleaning.projector import Projector
from exrpca.cleaning.real_share import RealShare
from exrpca.cleaning.sense_decomposition import SenseDecomposition
from exrpca.cleaning.shared_directions import SharedDirections, find_shared_directions

__all__ = [
    "DECOMPOSITIONS",
    "Projector",
    "RealShare",
    "SenseDecomposition",
    "SharedDirections",
    "clean",
    "detect",
    "find_shared_directions",
    "merge",
    "read_verdicts",
    "with_verdicts",
    "write_verdicts",
]
