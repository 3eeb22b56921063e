"""Similarity measures, data sets, baselines.

`MEASURES` has the names of the similarity measures:

>>> from exrpca.evaluation import MEASURES
>>> MEASURES
('globalSim', 'avgSim', 'avgSimC', 'localSim', 'maxSim')
"""

from exrpca.evaluation.correlation import Bootstrap, Interval, spearman
from exrpca.evaluation.evaluate import compare, evaluate
from exrpca.evaluation.scws import read_scws
from exrpca.evaluation.similarity import MEASURES, PairSimilarity
from exrpca.evaluation.word_pairs import Context, WordPairs, read_word_pairs, wordsim353

__all__ = [
    "MEASURES",
    "Bootstrap",
    "Context",
    "Interval",
    "PairSimilarity",
    "WordPairs",
    "compare",
    "evaluate",
    "read_scws",
    "read_word_pairs",
    "spearman",
    "wordsim353",
]
