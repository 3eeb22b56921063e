"""X = L + E + S for any matrix: scikit-learn estimators that know no word."""

from exrpca.decomposition.base import Iteration
from exrpca.decomposition.exrpca import ExRPCA

__all__ = ["ExRPCA", "Iteration"]
