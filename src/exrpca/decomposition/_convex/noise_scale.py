"""An estimate of the scale of the dense noise, and the penalties that follow from it."""

from __future__ import annotations

import numpy as np

from exrpca.decomposition._convex.shrinkage import Shrinkage, moments_of
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.finite import refuse_unusable
from exrpca.decomposition._matrix.quantiles import NORMAL_OVER_MAD
from exrpca.decomposition._matrix.shift import sampled_rows
from exrpca.decomposition._matrix.types import Floats

_ROWS_PER_FEATURE = 16
_ITERATIONS = 100


def penalties(scale: float, n_rows: int, n_features: int) -> tuple[float, float]:
    """Return how far to shrink singular values (τ), and the largest noise of an element (δ).

    Noise alone has singular values up to b = σ(√n + √d). Shrinking by twice that leaves the right
    rank where noise and outliers meet. An element outside 3σ is hardly noise.
    """
    return 2 * scale * (np.sqrt(n_rows) + np.sqrt(n_features)), 3 * scale


def noise_scale_of_sample(blocks: Blocks, shift: Floats, *, center: bool, impute: bool) -> float:
    """Estimate the standard deviation of the noise on a sample of the rows.

    Steps of the convex problem alternate with estimates from the median of |X − L|, which a few
    large outliers do not move, until the estimate settles.
    """
    rows = sampled_rows(blocks, _ROWS_PER_FEATURE * blocks.shape[1], shift)
    x = rows.astype(np.float64)
    refuse_unusable(x, blocks, allow_nan=impute)
    low_rank: Floats = np.nanmedian(x, axis=0) * np.ones_like(x) if center else np.zeros_like(x)
    scale = NORMAL_OVER_MAD * float(np.nanmedian(np.abs(x - low_rank)))
    for _ in range(_ITERATIONS):
        tau, delta = penalties(scale, *x.shape)
        point = low_rank + np.clip(np.nan_to_num(x - low_rank), -delta, delta)
        moments, sums = moments_of(point, wide=len(x) < x.shape[1])
        step = Shrinkage.of(moments, sums if center else None, len(x), tau)
        if 2 * step.rank > min(x.shape):
            # So many components would leave ever less to call noise, down to nothing.
            break
        # Without the shrinkage, which would look like noise.
        low_rank = step.mean + (point - step.mean) @ step.basis @ step.basis.T
        last, scale = scale, NORMAL_OVER_MAD * float(np.nanmedian(np.abs(x - low_rank)))
        if abs(scale - last) <= 1e-3 * last:
            break
    # If there is no noise, use weights for noise at the level of rounding.
    rounding = float(np.sqrt(np.finfo(blocks.dtype).eps * np.nanmean(x**2)))
    return max(scale, rounding) or 1.0
