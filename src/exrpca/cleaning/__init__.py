"""One fitted decomposition of senses; cleaning, detecting pseudo pairs, merging pseudo senses.

`DECOMPOSITIONS` has the estimator of each method that finds components, by name.

>>> from exrpca.cleaning import DECOMPOSITIONS
>>> list(DECOMPOSITIONS)
['pca', 'exrpca', 'convex', 'rpca']
"""

from exrpca.cleaning.clean import SharedDirections, clean, find_shared_directions
from exrpca.cleaning.detect import detect, summary
from exrpca.cleaning.given_verdicts import read_verdicts, with_verdicts, write_verdicts
from exrpca.cleaning.merge import merge
from exrpca.cleaning.projector import Projector
from exrpca.cleaning.sense_decomposition import DECOMPOSITIONS, SenseDecomposition

__all__ = [
    "DECOMPOSITIONS",
    "Projector",
    "SenseDecomposition",
    "SharedDirections",
    "clean",
    "detect",
    "find_shared_directions",
    "merge",
    "read_verdicts",
    "summary",
    "with_verdicts",
    "write_verdicts",
]
