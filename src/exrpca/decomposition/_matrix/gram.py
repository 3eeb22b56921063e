"""PCA from a Gram matrix: the leading directions and the scale of the noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from exrpca.decomposition._matrix import Floats


@dataclass(frozen=True)
class Spectrum:
    """PCA of a matrix known by its Gram matrix."""

    mean: Floats
    components: Floats  # orthonormal rows, by decreasing eigenvalue
    values: Floats  # their eigenvalues: the energy along each
    variances: Floats  # per row along each component
    energy: float  # the sum of all eigenvalues
    noise_scale: float  # the standard deviation of what the components leave
    noise_scales: Floats  # the same for each feature, and never below rounding
    spreads: Floats  # the standard deviation of each feature

    @property
    def ratios(self) -> Floats:
        """Each component's share of the energy."""
        return self.values / self.energy if self.energy > 0 else np.zeros_like(self.values)

    @property
    def noise_energy(self) -> float:
        """What the components leave: ‖E‖²."""
        return float(max(self.energy - self.values.sum(), 0.0))


def leading(
    gram: Floats,
    sums: Floats | None,
    n_rows: int,
    n_components: int,
    noisy: Floats,
    dtype: np.dtype[Any],
) -> Spectrum:
    """Return the leading components of the matrix with this Gram matrix.

    Parameters
    ----------
    gram : array of shape (d, d)
        The sum of the rows' outer products.
    sums : array of shape (d,) or None
        The sum of the rows, to center them; None to leave them as they are.
    n_rows, n_components : int
        The number of rows, and of components to return.
    noisy : array of shape (d,)
        The number of elements of each feature that have noise.
    dtype : dtype
        The precision of the Gram matrix. Noise below its rounding counts as none.
    """
    d = len(gram)
    mean = np.zeros(d)
    if sums is not None:
        mean = sums / n_rows
        gram = gram - n_rows * np.outer(mean, mean)
    # The noise needs no pass over the matrix: it is what these eigenvalues leave of the trace.
    values, vectors = scipy.linalg.eigh(gram, subset_by_index=[d - n_components, d - 1])
    values = np.maximum(values[::-1], 0.0)
    components = signed(vectors.T[::-1])
    return _spectrum(
        mean, components, values, np.diag(gram), n_rows - int(sums is not None), noisy, dtype
    )


def leading_of_wide(rows: Floats, n_components: int, noisy: Floats, *, center: bool) -> Spectrum:
    """Return the leading components of a dense matrix with more columns than rows.

    The same as `leading`, from the Gram matrix of n_rows × n_rows. The rows are centered in place.
    """
    n, d = rows.shape
    mean = rows.mean(axis=0, dtype=np.float64) if center else np.zeros(d)
    rows -= mean.astype(rows.dtype)
    gram = (rows @ rows.T).astype(np.float64)
    values, vectors = scipy.linalg.eigh(gram, subset_by_index=[n - n_components, n - 1])
    values = np.maximum(values[::-1], 0.0)
    # QR rather than a division by √value, which may be 0: then it completes the basis.
    directions = (vectors.T[::-1].astype(rows.dtype) @ rows).astype(np.float64)
    components = signed(np.linalg.qr(directions.T)[0].T)
    energies = np.einsum("ij,ij->j", rows, rows, dtype=np.float64)
    return _spectrum(mean, components, values, energies, n - int(center), noisy, rows.dtype)


def _spectrum(
    mean: Floats,
    components: Floats,
    values: Floats,
    energies: Floats,
    degrees: int,
    noisy: Floats,
    dtype: np.dtype[Any],
) -> Spectrum:
    """Return the PCA with the noise that it leaves; `energies` are those of the features."""
    energy = float(energies.sum())
    left = energy - values.sum()
    n_noisy = float(noisy.sum())
    rounding = 10 * np.finfo(dtype).eps + len(mean) * np.finfo(np.float64).eps
    noise_scale = float(np.sqrt(left / max(n_noisy, 1.0))) if left > rounding * energy else 0.0
    least = rounding * np.maximum(energies, 0.0) + rounding**2 * max(energy, 0.0)
    each = np.maximum(energies - values @ components**2, least)
    noise_scales = np.sqrt(each / np.maximum(noisy, 1.0))
    variances = values / max(degrees, 1)
    spreads = np.sqrt(np.maximum(energies, 0.0) / max(degrees, 1))
    return Spectrum(
        mean, components, values, variances, max(energy, 0.0), noise_scale, noise_scales, spreads
    )


def signed(components: Floats) -> Floats:
    """Return the components with signs that make the largest coefficient of each positive."""
    largest = np.abs(components).argmax(axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    return np.ascontiguousarray(components * np.where(signs == 0, 1.0, signs)[:, None])
