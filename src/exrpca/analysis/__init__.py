"""The paper's tables and figures as data frames and plots, from a `SenseDecomposition`."""

from exrpca.analysis.components import component_pairs, describe_components
from exrpca.analysis.diagnosis import Diagnosis, diagnose
from exrpca.analysis.pairs import describe_pairs
from exrpca.analysis.spectrum import beside_pca, outside_share, outside_shares, spectrum
from exrpca.analysis.sweep import collapsed_scores, sweep

__all__ = [
    "Diagnosis",
    "beside_pca",
    "collapsed_scores",
    "component_pairs",
    "describe_components",
    "describe_pairs",
    "diagnose",
    "outside_share",
    "outside_shares",
    "spectrum",
    "sweep",
]
