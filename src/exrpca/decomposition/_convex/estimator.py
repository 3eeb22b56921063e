"""What the two convex estimators share: parameters, and the attributes that a solution gives."""

from __future__ import annotations

import numpy as np

from exrpca.decomposition._convex.parts import Parts
from exrpca.decomposition._convex.problem import Solution, Stopping
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.gram import signed
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition.base import RobustDecomposition
from exrpca.decomposition.iteration import Callback


class ConvexDecomposition(RobustDecomposition):
    """An estimator that solves the convex problem."""

    n_components: int | None
    center: bool
    tol: float
    max_iter: int
    callback: Callback | None
    rank_: int
    objective_: float

    def _check_parameters(self, n_features: int) -> None:
        if self.n_components is not None:
            self._check_integer("n_components", most=n_features)
        self._check_integer("max_iter")

    def _stopping(self) -> Stopping:
        return Stopping(self.tol, self.max_iter, self.callback)

    def _keep(self, blocks: Blocks, shift: Floats, solution: Solution, parts: Parts) -> None:
        """Set the fitted attributes."""
        n, dtype = blocks.shape[0], blocks.dtype
        low_rank = solution.low_rank
        k = low_rank.rank if self.n_components is None else self.n_components
        squares = low_rank.values[:k] ** 2
        mean_energy = float(parts.sums @ parts.sums) / n if self.center else 0.0
        energy = float(np.trace(parts.gram)) - mean_energy
        self.components_ = signed(low_rank.basis.T[:k]).astype(dtype)
        self.mean_ = (low_rank.mean + shift).astype(dtype)
        self.explained_variance_ = (squares / max(n - int(self.center), 1)).astype(dtype)
        self.explained_variance_ratio_ = (squares / max(energy, np.finfo(float).tiny)).astype(dtype)
        self.noise_scale_ = parts.noise_scale
        self.sparse_ = parts.sparse
        self.rank_ = low_rank.rank
        self.objective_ = float(solution.objective)
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged
