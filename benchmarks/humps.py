"""Whether a text orders pairs of senses better than their vectors do.

Contexts of two senses of a word may form one cloud or two. The line between the two is found with
one half of the contexts, and the other half is fitted by one normal distribution and by two. Pairs
are merged step by step in the order of a score, and people's labels say what that costs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from benchmarks.harness import data_file, results, table
from benchmarks.merging import DATASETS, through
from exrpca import SenseVectors, bundled, detect
from exrpca.cleaning.pair_geometry import cosine_distances
from exrpca.cleaning.usual import CountFeatures, Usual
from exrpca.contextual.strength import valley
from exrpca.evaluation import WsiData, read_wsi, sense_clusters, word_measures
from exrpca.senses import DifferenceMatrix
from exrpca.text import Corpus
from exrpca.text.choice import ChoiceBasis, sense_cosines
from exrpca.text.context import ContextSettings, context_vectors, windows
from exrpca.text.lookup import Lookup
from exrpca.text.tagging import numbered_blocks

PACKAGES = ("numpy", "scipy", "pandas")
N_TOKENS = 20_000_000
N_CONTEXTS = 200
# The shares of senses that are gone when ARI is taken.
REMOVED = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
# With fewer contexts of a sense in each half, nothing is said about a pair.
_FEWEST = 4

Floats = NDArray[Any]
Integers = NDArray[np.int64]


def measure() -> dict[str, Any]:
    """Merge the bundled vectors in several orders."""
    senses = bundled()
    sets = [read_wsi(data_file(f"wsi/{name}")) for name in DATASETS]
    chosen = [sense_clusters(senses, data) for data in sets]
    known = np.concatenate([rows[rows >= 0] for rows in chosen])
    differences = DifferenceMatrix(senses)
    words = np.unique(senses.word_of_row[known])
    pairs = np.flatnonzero(np.isin(senses.word_of_row[differences.rows_a], words))
    orders = scores(senses, differences, pairs, humps_of(senses, differences, pairs))
    merged = [
        merged_in_order(senses, differences, pairs, orders, data, rows)
        for data, rows in zip(sets, chosen, strict=True)
    ]
    return {
        "tokens": N_TOKENS,
        "contexts": N_CONTEXTS,
        "removed": REMOVED,
        "pairs": len(pairs),
        "rows": merged,
    }


def scores(
    senses: SenseVectors, differences: DifferenceMatrix, pairs: Integers, humps: Floats
) -> dict[str, Floats]:
    """Return the scores that order the pairs, each with and without the humps."""
    a, b = differences.rows_a, differences.rows_b
    features = CountFeatures(senses.counts, len(a))(a, b)
    assert senses.mean_centers is not None  # noqa: S101 - the bundled vectors have centers
    angles = np.zeros(len(pairs))
    for rows in (senses.mean_centers, senses.vectors):
        distances = cosine_distances(rows - rows.mean(axis=0), a, b)
        angles += Usual(distances, features).deviations(distances, features)[pairs]
    score = detect(senses)["score"].to_numpy()[pairs]
    known = np.isfinite(humps)
    usual = Usual(humps[known], features[pairs][known])
    of_humps = np.zeros(len(pairs))
    of_humps[known] = usual.deviations(humps[known], features[pairs][known])
    return {
        "angles": angles,
        "angles + humps": angles + of_humps,
        "detect": score,
        "detect + humps": score + of_humps,
    }


# --- contexts ------------------------------------------------------------------------------------


def humps_of(senses: SenseVectors, differences: DifferenceMatrix, pairs: Integers) -> Floats:
    """Return how far two humps are apart between the senses of each pair; NaN if nobody knows."""
    tokens, starts = numbered_text(senses)
    words = senses.word_of_row[differences.rows_a[pairs]]
    at = sampled(tokens, np.unique(words))
    settings = ContextSettings.of(senses)
    best = sense_cosines(senses, tokens, starts, at, settings).best()
    contexts = context_vectors(
        ChoiceBasis.of(senses).word_vectors, tokens, windows(starts, at, settings)
    )
    contexts /= np.maximum(np.linalg.norm(contexts, axis=1, keepdims=True), 1e-9)
    begins = np.searchsorted(tokens[at], words)
    ends = np.searchsorted(tokens[at], words, side="right")
    sense_of_row = np.arange(len(senses.vectors)) - senses.offsets[senses.word_of_row]
    found = np.full(len(pairs), np.nan)
    for i, pair in enumerate(pairs):
        here = slice(begins[i], ends[i])
        first = best[here] == sense_of_row[differences.rows_a[pair]]
        second = best[here] == sense_of_row[differences.rows_b[pair]]
        either = first | second
        found[i] = hump_distance(contexts[here][either], second[either])
    return found


def numbered_text(senses: SenseVectors) -> tuple[Integers, Integers]:
    """Return the words of the first lines of the corpus, and where each line starts."""
    all_tokens, all_starts, n = [], [np.zeros(1, dtype=np.int64)], 0
    lines = Corpus(data_file("enwiki-65m.txt.xz"))
    for _, tokens, starts in numbered_blocks(lines, Lookup(senses).__getitem__):
        all_tokens.append(tokens)
        all_starts.append(starts[1:] + n)
        n += len(tokens)
        if n >= N_TOKENS:
            break
    return np.concatenate(all_tokens), np.concatenate(all_starts)


def sampled(tokens: Integers, words: Integers) -> Integers:
    """Return places of these words, at most `N_CONTEXTS` of each, in the order of the words."""
    at = np.random.default_rng(0).permutation(np.flatnonzero(np.isin(tokens, words)))
    at = at[np.argsort(tokens[at], kind="stable")]
    place = np.arange(len(at)) - np.searchsorted(tokens[at], tokens[at])
    return np.asarray(at[place < N_CONTEXTS])


def hump_distance(contexts: Floats, second: NDArray[np.bool_]) -> float:
    """Return the distance of two humps on directions found with the other half of the contexts."""
    half = np.arange(len(contexts)) % 2 == 0
    found = []
    for given, tested in ((half, ~half), (~half, half)):
        sides = contexts[given & second], contexts[given & ~second]
        if min(map(len, sides)) < _FEWEST:
            return np.nan
        direction = sides[0].mean(axis=0) - sides[1].mean(axis=0)
        found.append(valley((contexts[tested] @ direction).astype(np.float64)))
    return float(np.mean(found))


# --- merging -------------------------------------------------------------------------------------


def merged_in_order(
    senses: SenseVectors,
    differences: DifferenceMatrix,
    pairs: Integers,
    orders: dict[str, Floats],
    data: WsiData,
    chosen: Integers,
) -> dict[str, Any]:
    """Return the mean ARI on the way, by order, and what the humps change."""
    of_set = np.isin(differences.rows_a[pairs], np.flatnonzero(_rows_of(senses, chosen)))
    n_rows = int(_rows_of(senses, chosen).sum())
    ari = {}
    for name, score in orders.items():
        joins = joins_in_order(differences, pairs[of_set], score[of_set], senses)
        each = [
            word_measures(data, through(chosen, after(joins[: round(share * n_rows)], senses)))
            for share in REMOVED
        ]
        ari[name] = np.mean([found["ari"].dropna().to_numpy() for found in each], axis=0)
    row: dict[str, Any] = {name: float(values.mean()) for name, values in ari.items()}
    for name in ("angles", "detect"):
        change = ari[f"{name} + humps"] - ari[name]
        row[f"{name} change"] = float(change.mean())
        row[f"{name} error"] = float(change.std() / np.sqrt(len(change)))
    as_trained = float(word_measures(data, chosen)["ari"].mean())
    return {"dataset": data.name, "as trained": as_trained, **row}


def _rows_of(senses: SenseVectors, chosen: Integers) -> NDArray[np.bool_]:
    return np.isin(senses.word_of_row, senses.word_of_row[chosen[chosen >= 0]])


def joins_in_order(
    differences: DifferenceMatrix, pairs: Integers, score: Floats, senses: SenseVectors
) -> list[tuple[float, int, int]]:
    """Return which rows are joined, the most alike first, by complete linkage."""
    rank = np.argsort(np.argsort(score, kind="stable")).astype(np.float64)
    words = senses.word_of_row[differences.rows_a[pairs]]
    edges = np.flatnonzero(np.diff(words, prepend=-1, append=-1))
    found = []
    for begin, end in pairwise(edges):
        tree = linkage(rank[begin:end], "complete")
        first = int(differences.rows_a[pairs[begin]])
        member = list(range(first, first + len(tree) + 1))  # one row of each group
        for a, b, height, _ in tree:
            found.append((float(height), member[int(a)], member[int(b)]))
            member.append(member[int(a)])
    return sorted(found)


def after(joins: list[tuple[float, int, int]], senses: SenseVectors) -> Integers:
    """Return the new row of each row when these are joined."""
    n = len(senses.vectors)
    _, a, b = np.array(joins).T.astype(np.int64)
    return np.asarray(connected_components(coo_array((np.ones(len(a)), (a, b)), (n, n)))[1])


SECTIONS = {"orders": measure}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the table and numbers of the docs."""
    found = results("humps")["orders"]
    return {
        "contexts": f"{found['contexts']:,}",
        "tokens": f"{found['tokens'] / 1e6:.0f} million",
        "removed": f"{max(found['removed']):.0%}",
        "orders": table(_row(row) for row in found["rows"]),
    }


def _row(row: dict[str, Any]) -> dict[str, str]:
    def change(name: str) -> str:
        return f"{row[f'{name} change']:+.4f} ± {row[f'{name} error']:.4f}"

    return {
        "data set": row["dataset"],
        "as trained": f"{row['as trained']:.3f}",
        "merged by angles": f"{row['angles']:.3f}",
        "… and humps": change("angles"),
        "merged by `detect`": f"{row['detect']:.3f}",
        "… and humps ": change("detect"),
    }
