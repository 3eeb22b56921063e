"""The warning that a fit may not mean what it seems to mean."""

from __future__ import annotations

# A larger share of elements in S deserves a warning.
MOST_ASIDE = 0.25


class RobustFitWarning(UserWarning):
    """A robust fit whose result should not be trusted without a look.

    For example, more than a quarter of the elements were set aside as outliers.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", RobustFitWarning)  # raise it as an error
    >>> warnings.resetwarnings()
    """
