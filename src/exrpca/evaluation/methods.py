"""The paper's Table 4 for any vectors: every method at every rank, on every data set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from exrpca.cleaning import DECOMPOSITIONS, Projector, SenseDecomposition
from exrpca.errors import InputError
from exrpca.evaluation.baselines import all_but_the_top, neighbor_map, wordnet_map
from exrpca.evaluation.similarity import PairSimilarity
from exrpca.evaluation.word_pairs import WordPairs
from exrpca.evaluation.wordnet import load_wordnet
from exrpca.progress import ProgressCallback
from exrpca.senses import SenseVectors
from exrpca.text.choice import Rule

# The original vectors, and the baselines that have no rank.
RANKLESS: Mapping[str, Callable[[SenseVectors], SenseVectors]] = {
    "none": lambda senses: senses,
    "collapsed": SenseVectors.collapse,
    "wordnet": wordnet_map,
    "neighbors": neighbor_map,
}
METHODS: tuple[str, ...] = ("none", "collapsed", "abtt", *DECOMPOSITIONS, "wordnet", "neighbors")
_COLUMNS = [
    *("method", "rank", "dataset", "measure", "rho", "low", "high"),
    *("gain", "gain_low", "gain_high", "used", "total"),
]


class Variant(NamedTuple):
    """Sense vectors after one method at one rank (None where a method has none)."""

    method: str
    rank: int | None
    senses: SenseVectors


def compare_methods(
    senses: SenseVectors,
    datasets: Sequence[WordPairs],
    *,
    methods: Sequence[str] = METHODS,
    ranks: Sequence[int] = (1, 2, 3, 4, 5),
    rule: Rule = "inverse",
    window: int | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    on_progress: ProgressCallback | None = None,
) -> pd.DataFrame:
    """Score sense vectors as they are and after each method at each rank.

    Parameters
    ----------
    senses : SenseVectors
    datasets : sequence of WordPairs
    methods : sequence of str
        Of `METHODS`: "none", "collapsed", "abtt", "pca", "exrpca", "convex", "rpca",
        "wordnet", "neighbors".
    ranks : sequence of int
        For the methods that remove components.
    rule, window, n_resamples, seed
        As for `evaluate`.
    on_progress : callable, optional
        Told how many variants are done, and which comes next.

    Returns
    -------
    DataFrame
        `method`, `rank`, `dataset`, `measure`, `rho` with its 95% interval from `low` to `high`,
        the `gain` over the vectors as they are with the interval of the paired difference,
        `gain_low` to `gain_high`, and how many pairs of the `total` were `used`. globalSim,
        which no method changes, is listed once, with the method "none".

    Examples
    --------
    >>> from exrpca import bundled
    >>> from exrpca.evaluation import wordsim353
    >>> scores = compare_methods(bundled(), [wordsim353()], methods=["none", "pca"], ranks=[2])
    >>> scores[scores["measure"] == "avgSim"][["method", "rank", "rho", "gain"]].round(2)
      method  rank   rho  gain
    1   none  <NA>  0.67  0.00
    3    pca     2  0.65 -0.02
    """
    _check(senses, methods, ranks)
    trained = []
    for data in datasets:
        pairs = PairSimilarity(senses, data, rule=rule, window=window)
        bootstrap = pairs.bootstrap(n_resamples=n_resamples, seed=seed)
        trained.append((pairs, bootstrap, pairs.scores()))
    rows = []
    for done, (method, rank, vectors) in enumerate(variants(senses, methods, ranks)):
        if on_progress is not None:
            on_progress(done, f"{method} {rank or ''}")
        for pairs, bootstrap, before in trained:
            after = PairSimilarity(vectors, pairs.data, rule=rule, window=window).scores()
            for measure, score in after.items():
                if measure != "globalSim" or method == "none":
                    keys = method, rank, pairs.data.name, measure
                    values = bootstrap.correlation(score)
                    gains = bootstrap.difference(score, before[measure])
                    rows.append((*keys, *values, *gains, len(pairs.used), len(pairs.data)))
    return pd.DataFrame(rows, columns=_COLUMNS).astype({"rank": "Int64"})


def _check(senses: SenseVectors, methods: Sequence[str], ranks: Sequence[int]) -> None:
    """Refuse methods and ranks that are not possible, now and not after an hour."""
    missing = missing_methods(senses) if {"wordnet", "neighbors"} & set(methods) else {}
    for method in methods:
        if method not in METHODS:
            raise InputError(f"method {method!r} must be one of {', '.join(METHODS)}")
        if method in missing:
            raise InputError(f"no baseline {method!r}: {missing[method]}")
    for rank in ranks:
        if not 1 <= rank <= senses.dim - 1:
            raise InputError(f"rank={rank} must be between 1 and {senses.dim - 1}")


def missing_methods(senses: SenseVectors) -> dict[str, str]:
    """Return the baselines that are not available for these vectors or on this machine, and why.

    Examples
    --------
    >>> senses = SenseVectors(["a"], [[1.0, 2.0]], [1])
    >>> missing_methods(senses)["neighbors"]
    'there are no global vectors'
    """
    missing = {} if senses.globals is not None else {"neighbors": "there are no global vectors"}
    try:
        load_wordnet()
    except InputError as error:
        missing["wordnet"] = str(error)
    return missing


def variants(
    senses: SenseVectors, methods: Sequence[str], ranks: Sequence[int]
) -> Iterator[Variant]:
    """Yield the vectors after each method at each rank."""
    for method in methods:
        if method in RANKLESS:
            yield Variant(method, None, RANKLESS[method](senses))
        elif method == "abtt":
            for rank in ranks:
                yield Variant(method, rank, all_but_the_top(senses, rank))
        else:
            yield from _cleaned(senses, method, ranks)


def n_variants(methods: Sequence[str], ranks: Sequence[int]) -> int:
    """Return how many variants there will be; for progress bars."""
    return sum(1 if method in RANKLESS else len(ranks) for method in methods)


def _cleaned(senses: SenseVectors, method: str, ranks: Sequence[int]) -> Iterator[Variant]:
    """Yield cleaned vectors; ranks above the number of components found are left out."""
    decomposition = None
    for rank in ranks:
        # Ex-RPCA finds other outliers at each rank; the components of the others are nested
        if decomposition is None or method == "exrpca":
            needed = rank if method == "exrpca" else max(ranks)
            decomposition = SenseDecomposition.fit(senses, method=method, rank=needed)
        if rank <= decomposition.rank:
            vectors = Projector(decomposition.components[:rank]).apply(senses.vectors)
            yield Variant(method, rank, senses.replace(vectors=vectors))
