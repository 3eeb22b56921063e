"""What the two convex estimators share: parameters, and the attributes that a solution gives."""

from __future__ import annotations

from typing import Literal

import numpy as np

from exrpca.decomposition._convex.parts import Parts
from exrpca.decomposition._convex.problem import Problem, Solution, Stopping
from exrpca.decomposition._convex.shrinkage import energy
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.gram import signed
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.rank import share_of_variance
from exrpca.decomposition.base import RobustDecomposition
from exrpca.decomposition.exrpca import ExRPCA
from exrpca.decomposition.iteration import Callback


class ConvexDecomposition(RobustDecomposition):
    """An estimator that solves the convex problem."""

    n_components: int | float | Literal["auto"] | None
    center: bool
    tol: float
    max_iter: int
    callback: Callback | None
    rank_: int
    objective_: float

    def _check_parameters(self, shape: tuple[int, int]) -> None:
        if self.n_components is not None:
            self._check_rank(shape)
        self._check_integer("max_iter")
        self._check_choices(missing=("error", "impute"), scores=("robust", "linear"))

    def _problem(self, blocks: Blocks, lambda1: float, lambda2: float) -> Problem:
        n, d = blocks.shape
        return Problem(lambda1, lambda2, self.center, wide=n < d, impute=self._accepts_nan())

    def _stopping(self) -> Stopping:
        return Stopping(self.tol, self.max_iter, self.callback)

    def _keep(self, blocks: Blocks, shift: Floats, solution: Solution, parts: Parts) -> None:
        """Set the fitted attributes."""
        n, dtype = blocks.shape[0], blocks.dtype
        low_rank = solution.low_rank
        self._n_wanted = self._n_kept(blocks, shift, low_rank.values)
        k = min(self._n_wanted, low_rank.rank)
        values = low_rank.values[:k]
        mean_energy = float(parts.sums @ parts.sums) / n if self.center else 0.0
        total = max(energy(parts.moments) - mean_energy, np.finfo(float).tiny)
        degrees = max(n - int(self.center), 1)
        self.n_components_ = k
        self.components_ = signed(low_rank.basis.T[:k]).astype(dtype)
        self.mean_ = (low_rank.mean + shift).astype(dtype)
        self.singular_values_ = values.astype(dtype)
        self.explained_variance_ = (values**2 / degrees).astype(dtype)
        self.explained_variance_ratio_ = (values**2 / total).astype(dtype)
        n_left = min(blocks.shape) - k
        left = max(total - float(values @ values), 0.0)
        self.noise_variance_ = left / degrees / n_left if n_left > 0 else 0.0
        self.noise_scale_ = parts.noise_scale
        self.sparse_ = parts.sparse
        self.rank_ = low_rank.rank
        self.objective_ = float(solution.objective)
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged

    def _n_kept(self, blocks: Blocks, shift: Floats, values: Floats) -> int:
        """Return how many of L's components to keep, given its singular values."""
        if self.n_components == "auto":
            chooser = ExRPCA("auto", center=self.center, missing=self.missing)
            return chooser._rank(blocks, shift)
        if self.n_components is None or len(values) == 0:
            return len(values)
        if isinstance(self.n_components, int | np.integer):
            return int(self.n_components)
        return share_of_variance(float(self.n_components))(values**2, blocks.shape)
