"""What the two convex estimators share: parameters, and the attributes that a solution gives."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy.sparse

from exrpca.decomposition._convex.parts import Parts
from exrpca.decomposition._convex.problem import Problem, Solution, Stopping
from exrpca.decomposition._convex.shrinkage import energy
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.gram import signed
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.rank import n_holding
from exrpca.decomposition._rounds.robust_scores import robust_scores
from exrpca.decomposition._rounds.start import spread
from exrpca.decomposition.base import Callback, RobustDecomposition
from exrpca.decomposition.exrpca import ExRPCA

# How many times the noise of its feature an element may be away from the components. More than in
# ExRPCA: what pursuit leaves on real data has long tails.
THRESHOLD = 8.0


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
        self._keep_rows(blocks)

    def _n_kept(self, blocks: Blocks, shift: Floats, values: Floats) -> int:
        """Return how many of L's components to keep, given its singular values."""
        if self.n_components == "auto":
            chooser = ExRPCA("auto", center=self.center, missing=self.missing)
            return chooser._rank(blocks, shift)
        if isinstance(self.n_components, int | np.integer):
            return int(self.n_components)
        if self.n_components is None or len(values) == 0:
            return len(values)
        return n_holding(float(self.n_components), values**2)

    def _solved(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        """Return L and S of the rows as the problem defines them."""
        raise NotImplementedError

    def _fitted_model(self) -> Model:
        """Return the components, the noise of each feature around them, and the scores' variances.

        They begin with L, and are measured again without what the nuclear norm shrinks.
        """
        fitted = self._fitted_rows
        if fitted.model is None:
            low_rank, _ = self._solved(fitted.rows)
            first = self._model_around((low_rank - self.mean_) @ self.components_.T)
            scores, _ = robust_scores(fitted.rows, np.zeros(len(self.mean_)), first)
            fitted.model = self._model_around(scores)
        return fitted.model

    def _model_around(self, scores: Floats) -> Model:
        """Return the model, given the scores of the rows that were kept."""
        rows = self.mean_ + scores @ self.components_
        unit = spread(np.abs(self._fitted_rows.rows - rows))
        return Model(self.mean_, self.components_, THRESHOLD, unit, scores.var(axis=0))
