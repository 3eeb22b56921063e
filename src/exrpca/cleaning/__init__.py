"""One fitted decomposition of senses; cleaning, detecting pseudo pairs, merging pseudo senses.

`DECOMPOSITIONS` has the estimator of each method that finds components, by name. `SCORES` has the
scores that `detect` can judge pairs by, by name.

>>> from exrpca.cleaning import DECOMPOSITIONS, SCORES
>>> list(DECOMPOSITIONS)
['pca', 'exrpca', 'convex', 'rpca']
>>> list(SCORES)
['surprise', 'outlier_norm', 'residual', 'cosine', 'cosine_cleaned', 'centers']
"""

from exrpca.cleaning.clean import clean
from exrpca.cleaning.decompositions import DECOMPOSITIONS
from exrpca.cleaning.detect import detect
from exrpca.cleaning.given_verdicts import read_verdicts, with_verdicts, write_verdicts
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
    "read_verdicts",
    "with_verdicts",
    "write_verdicts",
]
