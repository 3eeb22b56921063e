"""X = L + E + S for any matrix: scikit-learn estimators that know no word."""

from exrpca.decomposition.base import Iteration
from exrpca.decomposition.convex import ConvexExRPCA
from exrpca.decomposition.exrpca import ExRPCA
from exrpca.decomposition.pursuit import RobustPCA

__all__ = ["ConvexExRPCA", "ExRPCA", "Iteration", "RobustPCA"]
