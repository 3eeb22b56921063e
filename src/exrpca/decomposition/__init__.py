"""X = L + E + S for any matrix: scikit-learn estimators that know nothing about words."""

from exrpca.decomposition.base import Iteration, RobustFitWarning
from exrpca.decomposition.convex_exrpca import ConvexExRPCA
from exrpca.decomposition.exrpca import ExRPCA
from exrpca.decomposition.outlier_map import outlier_map
from exrpca.decomposition.planted import PlantedMatrix, make_low_rank
from exrpca.decomposition.robust_pca import RobustPCA
from exrpca.decomposition.row_distances import RowDiagnostics

__all__ = [
    "ConvexExRPCA",
    "ExRPCA",
    "Iteration",
    "PlantedMatrix",
    "RobustFitWarning",
    "RobustPCA",
    "RowDiagnostics",
    "make_low_rank",
    "outlier_map",
]
