"""The paper's tables and figures as data frames and plots."""

from exrpca.analysis.components import component_pairs, describe_components
from exrpca.analysis.decomposed import Decomposed
from exrpca.analysis.pairs import describe_pairs, noisiest_words
from exrpca.analysis.residual import outside_share, outside_shares
from exrpca.analysis.sweep import collapsed_scores, sweep

__all__ = [
    "Decomposed",
    "collapsed_scores",
    "component_pairs",
    "describe_components",
    "describe_pairs",
    "noisiest_words",
    "outside_share",
    "outside_shares",
    "sweep",
]
