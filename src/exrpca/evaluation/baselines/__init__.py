"""Other ways to improve sense vectors, to compare with ours in every table."""

from exrpca.evaluation.baselines.all_but_the_top import all_but_the_top
from exrpca.evaluation.baselines.neighbor_map import neighbor_map
from exrpca.evaluation.baselines.wordnet_map import wordnet_map

__all__ = ["all_but_the_top", "neighbor_map", "wordnet_map"]
