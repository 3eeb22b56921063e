"""Agreement with people: similarity of words, induction of word senses; data sets, baselines.

`MEASURES` has the names of the similarity measures:

>>> from exrpca.evaluation import MEASURES
>>> MEASURES
('globalSim', 'avgSim', 'avgSimC', 'localSim', 'maxSim')

`WSI_MEASURES` names what `score_clusterings` measures.
"""

from exrpca.evaluation.correlation import Bootstrap, Interval, spearman
from exrpca.evaluation.similarity import MEASURES, PairSimilarity, compare_vectors, evaluate
from exrpca.evaluation.word_pairs import (
    Context,
    WordPairs,
    read_scws,
    read_word_pairs,
    wordsim353,
)
from exrpca.evaluation.wsi.data import WsiData
from exrpca.evaluation.wsi.evaluate import evaluate_wsi, score_clusterings, sense_clusters
from exrpca.evaluation.wsi.fuzzy import fuzzy_b_cubed, fuzzy_nmi
from exrpca.evaluation.wsi.measures import WSI_MEASURES, word_measures
from exrpca.evaluation.wsi.readers import read_wsi

__all__ = [
    "MEASURES",
    "WSI_MEASURES",
    "Bootstrap",
    "Context",
    "Interval",
    "PairSimilarity",
    "WordPairs",
    "WsiData",
    "compare_vectors",
    "evaluate",
    "evaluate_wsi",
    "fuzzy_b_cubed",
    "fuzzy_nmi",
    "read_scws",
    "read_word_pairs",
    "read_wsi",
    "score_clusterings",
    "sense_clusters",
    "spearman",
    "word_measures",
    "wordsim353",
]
