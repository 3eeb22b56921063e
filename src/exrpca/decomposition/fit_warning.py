"""The warning that a fit may not mean what it seems to mean."""

from __future__ import annotations

import warnings

import numpy as np

from exrpca.decomposition._matrix.types import Floats

# A larger share of elements in S deserves a warning.
MOST_ASIDE = 0.25
# So do features that differ by more than this factor under one σ,
_EQUAL_SPREADS = 10.0
# and noise whose standard deviation is more than so many times what its median says.
_LONG_TAILS = 2.0

# From the functions here to the line that calls `fit` of an `ExRPCA`.
_STACK_LEVEL = 4


class RobustFitWarning(UserWarning):
    """A robust fit whose result should not be trusted without a look.

    For example, more than a quarter of the elements were set aside as outliers.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", RobustFitWarning)  # raise it as an error
    >>> warnings.resetwarnings()
    """


def warn_of_unequal_features(spreads: Floats) -> None:
    """Warn if one σ measures the noise of features that differ in scale."""
    spreads = spreads[spreads > 0]
    if len(spreads) > 1 and spreads.max() > _EQUAL_SPREADS * np.median(spreads):
        warnings.warn(
            f"one feature has {spreads.max() / np.median(spreads):.3g} times the spread of a "
            "typical one, and scale='global' measures the noise of all by one number: use "
            "scale='feature', or standardize the features",
            RobustFitWarning,
            stacklevel=_STACK_LEVEL,
        )


def warn_of_many_outliers(share: float, rank: int, threshold: float) -> None:
    """Warn if S holds a large share of the elements."""
    if share > MOST_ASIDE:
        warnings.warn(
            f"{share:.0%} of the elements were set aside as outliers: the rank {rank} or "
            f"threshold={threshold:g} may be too small for this matrix, or its features have no "
            "common structure",
            RobustFitWarning,
            stacklevel=_STACK_LEVEL,
        )


def warn_of_long_tails(tails: float) -> None:
    """Warn if what the components leave is far from normal noise."""
    if tails > _LONG_TAILS:
        warnings.warn(
            f"the residuals are far from normal noise: their standard deviation is {tails:.1f} "
            "times what the typical one shows. What was set aside may be rare instead of wrong: "
            "look at sparse_, or pass a larger threshold or rank",
            RobustFitWarning,
            stacklevel=_STACK_LEVEL,
        )
