"""The rounds over a whole matrix, in the cheaper way for its shape.

A tall matrix is known by its Gram matrix of n_features × n_features, which is computed once and
then told of changes. A wide one would have a Gram matrix larger than itself: it is kept in one
block, and each round computes the Gram matrix of n_samples × n_samples again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import refuse_non_finite, sums_of
from exrpca.decomposition._matrix.gram import Spectrum, leading, leading_of_wide
from exrpca.decomposition._matrix.sparse_rows import (
    SparseRows,
    joined,
    only_observed,
    stacked,
    without,
)
from exrpca.decomposition._rounds.compiled import compiled, inlined
from exrpca.decomposition._rounds.outliers import Model, find_outliers
from exrpca.decomposition._rounds.robust_scores import robust_scores
from exrpca.decomposition._rounds.row_weights import RowLimits

# What a block keeps from round to round: S of the rows that count, and which rows these are (None
# for all of them).
State = tuple[SparseRows, NDArray[np.bool_] | None]


@dataclass(frozen=True)
class Settings:
    """What does not change from round to round."""

    n_components: int
    center: bool
    impute: bool  # whether NaN is a gap to fill
    accumulate: bool  # whether what is taken out stays, and the noise is that of all elements
    robust: bool  # whether the first round fits each row robustly, see `robust_scores`


@dataclass(frozen=True)
class Start:
    """Where rounds begin: a model, and S block by block if it is known already."""

    model: Model
    sparse: list[Any] | None = None
    least_noise: float = 0.0  # the noise of a feature, at least, over the feature's spread
    limits: RowLimits | None = None  # for rows to count; None if all do


class Alternation(Protocol):
    """Rounds in progress: what is taken out, and the PCA of the rest."""

    states: list[Any]  # a `State` for each block
    outlying: Floats  # how many elements of each feature are in S
    n_rows: int  # that count
    spectrum: Spectrum

    def next(self, model: Model) -> float:
        """Take out what stands out from the model; return the relative change of X − S."""
        ...


def begin(blocks: Blocks, shift: Floats, start: Start, settings: Settings) -> Alternation:
    """Take out what stands out from `start`."""
    n, d = blocks.shape
    kind: Any = WideAlternation if n < d else TallAlternation
    rounds: Alternation = kind(blocks, shift, start, settings)
    return rounds


class TallAlternation:
    """Rounds on the Gram matrix of n_features × n_features."""

    def __init__(self, blocks: Blocks, shift: Floats, start: Start, settings: Settings) -> None:
        self._blocks, self._shift, self._settings = blocks, shift, settings
        totals, self.states = blocks.run(_first_round, start.sparse, shift, start, settings)
        self._gram, self._sums, self.outlying, n_rows = totals
        self.n_rows = int(n_rows)
        if not np.isfinite(self._gram).all():
            refuse_non_finite(blocks, allow_nan=settings.impute)
        self._update_spectrum()

    def next(self, model: Model) -> float:
        """Take out what stands out from the model; return the relative change of X − S."""
        totals, self.states = self._blocks.run(
            _next_round, self.states, self._shift, model, self._settings
        )
        half, sums_change, squares, self.outlying = totals
        self._gram -= half + half.T
        self._sums += sums_change
        self._update_spectrum()
        return float(np.sqrt(squares / max(np.trace(self._gram), np.finfo(float).tiny)))

    def _update_spectrum(self) -> None:
        settings, dtype = self._settings, self._blocks.dtype
        sums = self._sums if settings.center else None
        noisy = _noisy(self, settings)
        self.spectrum = leading(self._gram, sums, self.n_rows, settings.n_components, noisy, dtype)


class WideAlternation:
    """Rounds on the Gram matrix of n_samples × n_samples."""

    def __init__(self, blocks: Blocks, shift: Floats, start: Start, settings: Settings) -> None:
        self._blocks, self._shift, self._settings = blocks, shift, settings
        totals, states = blocks.run(_first_wide_round, start.sparse, shift, start, settings)
        if not np.isfinite(totals[0]):
            refuse_non_finite(blocks, allow_nan=settings.impute)
        self._take(states, totals[1])

    def next(self, model: Model) -> float:
        """Take out what stands out from the model; return the relative change of X − S."""
        totals, states = self._blocks.run(
            _next_wide_round, self.states, self._shift, model, self._settings
        )
        energy, outlying, squares = totals
        self._take(states, outlying)
        return float(np.sqrt(squares / max(float(energy), np.finfo(float).tiny)))

    def _take(self, states: list[Any], outlying: Floats) -> None:
        [(state, rest)] = states
        self.states, self.outlying, self.n_rows = [state], outlying, len(rest)
        settings, noisy = self._settings, _noisy(self, self._settings)
        self.spectrum = leading_of_wide(rest, settings.n_components, noisy, center=settings.center)


def _noisy(rounds: Alternation, settings: Settings) -> Floats:
    """Return the number of elements of each feature that the noise is measured on."""
    taken_out = np.zeros_like(rounds.outlying) if settings.accumulate else rounds.outlying
    return rounds.n_rows - taken_out.astype(np.float64)


def _first_round(
    x: Floats, sparse: SparseRows | None, shift: Floats, start: Start, settings: Settings
) -> tuple[tuple[Any, ...], State]:
    """Take out what stands out from the model, unless it is known; sum the rest's Gram matrix."""
    state = _begun(x, sparse, shift, start, settings)
    x, shift = _counting(x, state), shift.astype(x.dtype)
    z = without(x, shift, state[0], fill_nan=settings.impute)
    return (*sums_of(z), _counts(state[0], x.shape[1]), len(x)), state


def _next_round(
    x: Floats, state: State, shift: Floats, model: Model, settings: Settings
) -> tuple[tuple[Any, ...], State]:
    """Take out what stands out from the model; sum what that changes."""
    x, shift = _counting(x, state), shift.astype(x.dtype)
    new = find_outliers(x, shift, state[0], model, accumulate=settings.accumulate)
    return (*gram_change(x, shift, state[0], new), _counts(new, x.shape[1])), (new, state[1])


def _first_wide_round(
    x: Floats, sparse: SparseRows | None, shift: Floats, start: Start, settings: Settings
) -> tuple[tuple[Any, ...], tuple[State, Floats]]:
    """Take out what stands out from the model, unless it is known; keep what is left."""
    state = _begun(x, sparse, shift, start, settings)
    x, shift = _counting(x, state), shift.astype(x.dtype)
    rest = without(x, shift, state[0], fill_nan=settings.impute)
    return (np.vdot(rest, rest), _counts(state[0], x.shape[1])), (state, rest)


def _next_wide_round(
    x: Floats, state: State, shift: Floats, model: Model, settings: Settings
) -> tuple[tuple[Any, ...], tuple[State, Floats]]:
    """Take out what stands out from the model; keep what is left, and sum what changed."""
    x, shift = _counting(x, state), shift.astype(x.dtype)
    old, kept = state
    new = find_outliers(x, shift, old, model, accumulate=settings.accumulate)
    change = stacked([old], x.shape[1]) - stacked([new], x.shape[1])
    rest = without(x, shift, new, fill_nan=settings.impute)
    squares = np.vdot(change.data, change.data)
    return (np.vdot(rest, rest), _counts(new, x.shape[1]), squares), ((new, kept), rest)


def _begun(
    x: Floats, sparse: SparseRows | None, shift: Floats, start: Start, settings: Settings
) -> State:
    """Take out what stands out in rows met for the first time, and rows beyond the limits."""
    if sparse is not None:
        return sparse, None
    shift = shift.astype(x.dtype)
    if not settings.robust:
        return find_outliers(x, shift, None, start.model), None
    scores, found = robust_scores(x, shift, start.model)
    if start.limits is None:
        return found, None
    kept = start.limits.kept(x, shift, scores, found, start.model)
    return found.of_rows(kept), kept


def _counting(x: Floats, state: State) -> Floats:
    """Return the rows that count."""
    return x if state[1] is None else x[state[1]]


def _counts(outlying: SparseRows, n_features: int) -> NDArray[np.int64]:
    """Return how many elements of each feature are taken out."""
    return np.bincount(outlying.indices, minlength=n_features)


def whole_sparse_part(
    x: Floats, state: State, shift: Floats, model: Model, settings: Settings
) -> tuple[tuple[Any, ...], State]:
    """Return S of all rows, without missing values."""
    found, kept = state
    if kept is not None and not kept.all():
        _, others = robust_scores(x[~kept], shift, model)
        places = np.argsort(np.concatenate([np.flatnonzero(kept), np.flatnonzero(~kept)]))
        found = joined(found, others).of_rows(places)
    return (), (only_observed(x, found) if settings.impute else found, kept)


def gram_change(
    x: Floats, shift: Floats, old: SparseRows, new: SparseRows
) -> tuple[Floats, Floats, float]:
    """Return what a new sparse part changes: half the Gram matrix's change, the sums', and ‖Δ‖².

    With Δ = S_new − S_old and M the mean of the old and the new x − shift − S, the Gram matrix
    changes by −(ΔᵀM + MᵀΔ). Only ΔᵀM is returned; it costs a row of M for each changed element.
    """
    d = x.shape[1]
    half, sums = np.zeros((d, d), x.dtype), np.zeros(d)
    delta, middle = np.zeros(d, x.dtype), np.empty(d, x.dtype)
    norm = _add_changes(x, shift, *old.arrays, *new.arrays, delta, middle, half, sums)
    return half, sums, norm


# Arrays are arguments and are not cut into rows: arrays made in compiled code, and slices of them,
# would double the time that it takes to compile.
@compiled
def _add_changes(  # type: ignore[no-untyped-def]
    x, shift, old_ptr, old_indices, old_values, ptr, indices, values, delta, middle, half, sums
):
    """Add up `half` and `sums`, and return ‖Δ‖²; `delta` is 0, before and after."""
    norm = 0.0
    for i in range(x.shape[0]):
        for p in range(old_ptr[i], old_ptr[i + 1]):
            delta[old_indices[p]] = -old_values[p]
        for p in range(ptr[i], ptr[i + 1]):
            delta[indices[p]] += values[p]
        is_ready = False
        n_old = old_ptr[i + 1] - old_ptr[i]
        for p in range(n_old + ptr[i + 1] - ptr[i]):
            j = old_indices[old_ptr[i] + p] if p < n_old else indices[ptr[i] + p - n_old]
            change = delta[j]
            if change == 0:  # or the element is in both, and was counted
                continue
            if not is_ready:
                is_ready = True
                _fill_middle(
                    x, shift, i, old_ptr, old_indices, old_values, ptr, indices, values, middle
                )
            norm += change * change
            sums[j] -= change
            delta[j] = 0
            for t in range(x.shape[1]):
                half[j, t] += change * middle[t]
    return norm


@inlined
def _fill_middle(x, shift, i, old_ptr, old_indices, old_values, ptr, indices, values, middle):  # type: ignore[no-untyped-def]
    """Fill `middle` with a row of M."""
    zero, half = x.dtype.type(0), x.dtype.type(0.5)
    for j in range(x.shape[1]):
        middle[j] = x[i, j] - shift[j] if x[i, j] == x[i, j] else zero
    for p in range(old_ptr[i], old_ptr[i + 1]):
        middle[old_indices[p]] -= half * old_values[p]
    for p in range(ptr[i], ptr[i + 1]):
        middle[indices[p]] -= half * values[p]
