"""Whether numbers have one mode or two: how far apart two normal distributions are in a fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.compiling import cached_njit

# Standard deviations below which two normal distributions of one width have one mode.
ONE_MODE = 2.0

# Of samples of one normal distribution, whatever their size, 19 of 20 have a smaller likelihood
# ratio of two against one.
_CHANCE = 6.0

# The shares of the numbers that are in the second distribution at the start.
_STARTS = (0.2, 0.5, 0.8)


def valley(places: NDArray[Any], rounds: int = 30) -> float:
    """Return the distance of two normal distributions of one width, fitted by EM, in that width.

    Beyond 2 it is shrunk toward 2, as much as a likelihood ratio that comes about by chance
    explains: 1 − 6 / ratio of the rest is left, or nothing.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> one, two = rng.normal(size=500), rng.normal(size=500) + 5 * (np.arange(500) < 200)
    >>> valley(one) < 2 < 4 < valley(two)
    True
    """
    places = np.asarray(places, dtype=np.float64)
    places = (places - places.mean()) / max(places.std(), 1e-12)
    fits = [_fit_two(places, cut, rounds) for cut in np.quantile(places, _STARTS)]
    likelihood, answer = max(fits, key=lambda fit: fit[0])
    if answer > ONE_MODE:
        ratio = 2 * likelihood + len(places)  # twice the log likelihood of one normal is −n
        answer = ONE_MODE + (answer - ONE_MODE) * max(0.0, 1 - _CHANCE / max(ratio, _CHANCE))
    return float(max(answer, 0.5))


@cached_njit()
def _fit_two(places: NDArray[np.float64], cut: float, rounds: int) -> tuple[float, float]:
    """Return the log likelihood of two distributions, and their distance; all beyond `cut` first.

    The log likelihood lacks the constant that one normal distribution has as well.
    """
    n = len(places)
    second = (places > cut).astype(np.float64)  # how probably each number is in the second
    likelihood, distance = -np.inf, 1.0
    for turn in range(rounds):
        last = turn == rounds - 1
        total, sum_1, sum_2 = 0.0, 0.0, 0.0
        for i in range(n):
            total += second[i]
            sum_2 += second[i] * places[i]
            sum_1 += (1 - second[i]) * places[i]
        share = min(max(total / n, 1 / n), 1 - 1 / n)
        mean_2, mean_1 = sum_2 / max(total, 1e-9), sum_1 / max(n - total, 1e-9)
        squares = 0.0
        for i in range(n):
            squares += second[i] * (places[i] - mean_2) ** 2
            squares += (1 - second[i]) * (places[i] - mean_1) ** 2
        variance = max(squares / n, 0.02)
        log_share, log_rest = np.log(share), np.log(1 - share)
        likelihood = -n / 2 * np.log(variance)
        for i in range(n):
            log_2 = log_share - (places[i] - mean_2) ** 2 / (2 * variance)
            log_1 = log_rest - (places[i] - mean_1) ** 2 / (2 * variance)
            second[i] = 1 / (1 + np.exp(log_1 - log_2))
            if last:
                likelihood += max(log_1, log_2) + np.log1p(np.exp(-abs(log_2 - log_1)))
        distance = abs(mean_2 - mean_1) / np.sqrt(variance)
    return likelihood, distance
