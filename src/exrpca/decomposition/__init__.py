"""X = L + E + S for any matrix: scikit-learn estimators that know nothing about words."""

from exrpca.decomposition.base import Iteration, RobustFitWarning
from exrpca.decomposition.convex_exrpca import ConvexExRPCA
from exrpca.decomposition.exrpca import ExRPCA
from exrpca.decomposition.pictures import cell_map, outlier_map
from exrpca.decomposition.planted import PlantedMatrix, make_low_rank
from exrpca.decomposition.robust_pca import RobustPCA

__all__ = [
    "ConvexExRPCA",
    "ExRPCA",
    "Iteration",
    "PlantedMatrix",
    "RobustFitWarning",
    "RobustPCA",
    "cell_map",
    "make_low_rank",
    "outlier_map",
]
