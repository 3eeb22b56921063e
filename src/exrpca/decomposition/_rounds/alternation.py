"""The rounds over a whole matrix, in the cheaper way for its shape.

A tall matrix is known by its Gram matrix of n_features × n_features, which is computed once and
then told of changes. A wide one would have a Gram matrix larger than itself: it is held in one
block, and each round computes the Gram matrix of n_samples × n_samples again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.finite import refuse_non_finite
from exrpca.decomposition._matrix.gram import (
    Spectrum,
    along,
    along_wide,
    leading,
    leading_of_wide,
)
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.steps import (
    first_round,
    first_wide_round,
    next_round,
    next_wide_round,
)


@dataclass(frozen=True)
class Settings:
    """What does not change from round to round."""

    n_components: int
    center: bool
    impute: bool  # whether NaN is a gap to fill
    accumulate: bool  # whether what is set aside stays, and the noise is that of all elements
    robust: bool  # whether the first round fits each row robustly, see `robust_scores`
    plane: tuple[Floats, Floats] | None = None  # mean and components, if the rounds must keep them

    def noisy(self, shape: tuple[int, int], aside: Floats) -> Floats:
        """Return the number of elements of each feature that the noise is measured on."""
        return np.full(shape[1], float(shape[0])) - (0.0 if self.accumulate else aside)


@dataclass(frozen=True)
class Start:
    """Where rounds begin: a model, and S block by block if it is known already."""

    model: Model
    states: list[Any] | None = None
    least_noise: float = 0.0  # the noise of a feature, at least, over the feature's spread
    held: bool = False  # whether the subspace stays that of the model


class Alternation(Protocol):
    """Rounds in progress: what is set aside, and the PCA of the rest."""

    states: list[Any]  # S, block by block
    aside: Floats  # how many elements of each feature are in S
    spectrum: Spectrum

    def next(self, model: Model) -> float:
        """Set aside what stands out from the model; return the relative change of X − S."""
        ...


def begin(blocks: Blocks, shift: Floats, start: Start, settings: Settings) -> Alternation:
    """Set aside what stands out from `start`."""
    n, d = blocks.shape
    kind: Any = WideAlternation if n < d else TallAlternation
    rounds: Alternation = kind(blocks, shift, start, settings)
    return rounds


class TallAlternation:
    """Rounds on the Gram matrix of n_features × n_features."""

    def __init__(self, blocks: Blocks, shift: Floats, start: Start, settings: Settings) -> None:
        self._blocks, self._shift, self._settings = blocks, shift, settings
        totals, self.states = blocks.run(
            first_round, start.states, shift, start.model, settings.impute, settings.robust
        )
        self._gram, self._sums, self.aside = totals
        if not np.isfinite(self._gram).all():
            refuse_non_finite(blocks, allow_nan=settings.impute)
        self._update_spectrum()

    def next(self, model: Model) -> float:
        """Set aside what stands out from the model; return the relative change of X − S."""
        totals, self.states = self._blocks.run(
            next_round, self.states, self._shift, model, self._settings.accumulate
        )
        half, sums_change, squares, self.aside = totals
        self._gram -= half + half.T
        self._sums += sums_change
        self._update_spectrum()
        return float(np.sqrt(squares / max(np.trace(self._gram), np.finfo(float).tiny)))

    def _update_spectrum(self) -> None:
        settings, n_rows, dtype = self._settings, self._blocks.shape[0], self._blocks.dtype
        noisy = settings.noisy(self._blocks.shape, self.aside)
        if settings.plane is not None:
            self.spectrum = along(settings.plane, self._gram, self._sums, n_rows, noisy, dtype)
            return
        sums = self._sums if settings.center else None
        self.spectrum = leading(self._gram, sums, n_rows, settings.n_components, noisy, dtype)


class WideAlternation:
    """Rounds on the Gram matrix of n_samples × n_samples."""

    def __init__(self, blocks: Blocks, shift: Floats, start: Start, settings: Settings) -> None:
        self._blocks, self._shift, self._settings = blocks, shift, settings
        totals, states = blocks.run(
            first_wide_round, start.states, shift, start.model, settings.impute, settings.robust
        )
        if not np.isfinite(totals[0]):
            refuse_non_finite(blocks, allow_nan=settings.impute)
        self._take(states, totals[1])

    def next(self, model: Model) -> float:
        """Set aside what stands out from the model; return the relative change of X − S."""
        settings = self._settings
        totals, states = self._blocks.run(
            next_wide_round, self.states, self._shift, model, settings.accumulate, settings.impute
        )
        energy, aside, squares = totals
        self._take(states, aside)
        return float(np.sqrt(squares / max(float(energy), np.finfo(float).tiny)))

    def _take(self, states: list[Any], aside: Floats) -> None:
        [(sparse, rest)] = states
        self.states, self.aside = [sparse], aside
        settings, noisy = self._settings, self._settings.noisy(self._blocks.shape, aside)
        if settings.plane is not None:
            self.spectrum = along_wide(settings.plane, rest, noisy)
        else:
            self.spectrum = leading_of_wide(
                rest, settings.n_components, noisy, center=settings.center
            )
