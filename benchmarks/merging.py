"""What merging does to people's senses and to similarity, next to random merges of the same size.

The bundled vectors come with the package. Others are those that `training_quality` trains into the
folder EXRPCA_VECTORS. `lost` was chosen on these data sets, so they are development sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from benchmarks.harness import SkippedError, data_file, results, table, vectors_folder
from exrpca import bundled, detect, merge
from exrpca.analysis import describe_pairs
from exrpca.cleaning.detect import DEFAULT_LOST, verdicts
from exrpca.cleaning.merge import merged_rows
from exrpca.evaluation import (
    WsiData,
    evaluate,
    read_scws,
    read_wsi,
    sense_clusters,
    word_measures,
)
from exrpca.senses import DifferenceMatrix, SenseVectors, load

PACKAGES = ("numpy", "scipy", "pandas")
# Runs of the default recipe that are judged together: one run cannot tell a tenth of an ARI of 0.1
# from chance.
RUNS = {f"default300-seed{seed}": f"300-d, seed {seed}" for seed in (2, 3, 4)}
VECTORS = ("bundled", *RUNS, "default100", "mssg300", "npmssg300")
DATASETS = ("semeval-2010", "coarsewsd-20", "semcor-wsi/dev.csv")
LOST = (DEFAULT_LOST, 0.3)
DEFAULT = f"merged, lost={DEFAULT_LOST:g}"
SHOWN = {
    **RUNS,
    "together": "300-d, the three seeds together",
}
N_RANDOM = 5
N_RESAMPLES = 2000
SIMILARITIES = ("localSim", "avgSimC", "globalSim")
# the paper's Table 3, and ten more chosen before looking at any of their senses
WORDS = (
    *("prime", "yard", "engine", "cat"),
    *("bank", "rock", "apple", "bass", "spring", "cell", "plant", "star", "court", "wave"),
)

Rows = NDArray[np.int64]


def measure(name: str) -> dict[str, Any]:
    """Merge the vectors of a name and score them before and after."""
    return describe(vectors(name), detected(name))


@cache
def detected(name: str) -> pd.DataFrame:
    """Return the pairs of the vectors of a name."""
    return detect(vectors(name))


def vectors(name: str) -> SenseVectors:
    """Return the bundled vectors, or trained ones."""
    if name == "bundled":
        return bundled()
    path = vectors_folder() / f"{name}.parquet"
    if not path.exists():
        raise SkippedError(f"{path} does not exist; the benchmark training_quality makes it")
    return load(path)


def measure_together() -> dict[str, Any]:
    """Score several runs of the default recipe together: the mean ARI of each word."""
    before: dict[str, list[pd.Series[float]]] = {name: [] for name in DATASETS}
    after: dict[str, list[pd.Series[float]]] = {name: [] for name in DATASETS}
    left: dict[str, list[float]] = {name: [] for name in DATASETS}
    for run in RUNS:
        senses = vectors(run)
        new_row = merged_rows(senses, detected(run))
        for name in DATASETS:
            data, chosen, rows = labeled(senses, name)
            before[name].append(word_measures(data, chosen)["ari"])
            after[name].append(word_measures(data, through(chosen, new_row))["ari"])
            left[name].append(len(np.unique(new_row[rows])) / len(rows))
    return {
        "runs": len(RUNS),
        "labels": [
            {
                "dataset": read_wsi(data_file(f"wsi/{name}")).name,
                "vectors": DEFAULT,
                "senses_left": float(np.mean(left[name])),
                "ari_kept": kept(_mean_of(before[name]), _mean_of(after[name])),
            }
            for name in DATASETS
        ],
    }


def _mean_of(runs: list[pd.Series[float]]) -> pd.Series[float]:
    """Return the mean over runs for each word."""
    return pd.concat(runs, axis=1).mean(axis=1, skipna=False)


def describe(senses: SenseVectors, pairs: pd.DataFrame) -> dict[str, Any]:
    """Return what is found, and the scores before and after merging."""
    probability = pairs["probability"].to_numpy()
    new_rows = {
        lost: merged_rows(senses, pairs.assign(verdict=verdicts(probability, lost)))
        for lost in LOST
    }
    several = senses.n_senses > 1
    merged = merge(senses, pairs)[0]
    words = [word for word in WORDS if word in senses]
    return {
        "pairs": len(pairs),
        "verdicts": pairs["verdict"].value_counts().to_dict(),
        "senses": [len(senses.vectors), len(merged.vectors)],
        "words_that_keep_two": float((merged.n_senses[several] > 1).mean()),
        "labels": [row for name in DATASETS for row in on_labels(senses, new_rows, name)],
        "similarity": on_similarity({"as trained": senses, "merged": merged}),
        "words": describe_pairs(senses, pairs, words).to_dict("records"),
    }


def on_labels(senses: SenseVectors, new_rows: Mapping[float, Rows], name: str) -> list[Any]:
    """Return the agreement with people's labels, as trained, merged and merged at random.

    A merged sense keeps the centers of its parts, so an occurrence gets the sense that its old
    sense became.
    """
    data, chosen, rows = labeled(senses, name)
    trained = word_measures(data, chosen)
    found = [{"dataset": data.name, "vectors": "as trained", **means(trained)}]
    rng = np.random.default_rng(0)
    for lost, new_row in new_rows.items():
        n_joined = len(rows) - len(np.unique(new_row[rows]))
        at_random = [
            through(chosen, joined_at_random(senses, rows, n_joined, rng)) for _ in range(N_RANDOM)
        ]
        random_ari = [word_measures(data, clusters)["ari"].mean() for clusters in at_random]
        merged = word_measures(data, through(chosen, new_row))
        found.append(
            {
                "dataset": data.name,
                "vectors": f"merged, lost={lost:g}",
                "senses_left": 1 - n_joined / len(rows),
                **means(merged),
                "ari_kept": kept(trained["ari"], merged["ari"]),
                "random_ari": float(np.mean(random_ari)),
                "random_sd": float(np.std(random_ari)),
            }
        )
    return found


def labeled(senses: SenseVectors, name: str) -> tuple[WsiData, Rows, Rows]:
    """Return a data set, the sense of each of its occurrences, and all senses of its words."""
    data = read_wsi(data_file(f"wsi/{name}"))
    chosen = sense_clusters(senses, data)
    words = np.unique(senses.word_of_row[chosen[chosen >= 0]])
    return data, chosen, np.flatnonzero(np.isin(senses.word_of_row, words))


def through(chosen: Rows, new_row: Rows) -> Rows:
    """Return the new row of each occurrence; −1, no word of the vocabulary, stays."""
    return np.where(chosen >= 0, new_row[np.maximum(chosen, 0)], -1)


def means(measures: pd.DataFrame) -> dict[str, float]:
    """Return ARI, B³ and the number of clusters, averaged over words."""
    return {key: float(measures[key].mean()) for key in ("ari", "b3", "clusters")}


def kept(before: pd.Series[float], after: pd.Series[float]) -> dict[str, float]:
    """Return mean ARI after over before, and 95% bounds: words are resampled, both together."""
    both = np.column_stack([before, after])
    both = both[np.isfinite(both).all(axis=1)]  # words with one gold sense have no ARI
    drawn = np.random.default_rng(0).integers(len(both), size=(N_RESAMPLES, len(both)))
    sums = both[drawn].sum(axis=1)
    low, high = np.quantile(sums[:, 1] / sums[:, 0], [0.025, 0.975]).tolist()
    return {"ratio": float(np.divide(*both.sum(axis=0)[::-1])), "low": low, "high": high}


def joined_at_random(
    senses: SenseVectors, rows: Rows, n_joined: int, rng: np.random.Generator
) -> Rows:
    """Return new rows after random pairs of senses were joined, until as many rows are gone."""
    differences = DifferenceMatrix(senses)
    pairs = rng.permutation(np.flatnonzero(np.isin(differences.rows_a, rows)))
    n = len(senses.vectors)
    low, high = 0, len(pairs)
    while True:  # how many joined pairs leave that number of rows: found by halving
        middle = (low + high) // 2
        a, b = differences.rows_a[pairs[:middle]], differences.rows_b[pairs[:middle]]
        n_left, new_row = connected_components(coo_array((np.ones(middle), (a, b)), (n, n)))
        if n - n_left == n_joined or high - low <= 1:
            return np.asarray(new_row)
        low, high = (low, middle) if n - n_left > n_joined else (middle, high)


def on_similarity(variants: Mapping[str, SenseVectors]) -> list[dict[str, Any]]:
    """Return the correlations with SCWS, in percent."""
    scws = read_scws(data_file("scws/ratings.txt"))
    rows = []
    for name, senses in variants.items():
        rho = evaluate(senses, scws).set_index("measure")["rho"]
        rows.append({"vectors": name, **{m: 100 * float(rho[m]) for m in SIMILARITIES}})
    return rows


SECTIONS = {
    **{name: partial(measure, name) for name in VECTORS},
    "together": measure_together,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of README and docs."""
    found = results("merging")
    texts = {}
    own = found["bundled"]
    ran = [run for run in RUNS if run in found]
    runs = {kind: _means([found[run][kind] for run in ran]) for kind in ("labels", "similarity")}
    for name, sections in (("bundled", own), ("runs", runs)):
        texts[f"{name}.labels"] = table(_label_row(row) for row in sections["labels"])
        texts[f"{name}.similarity"] = table(_rounded(row) for row in sections["similarity"])
    return {
        **texts,
        "summary": table(_summary(runs["labels"])),
        "kept": table(_kept_row(found, name) for name in SECTIONS if name in found),
        "words": table(_pair_row(row) for row in own["words"]),
        "keep_two": f"{own['words_that_keep_two']:.0%}",
        "left": f"{own['senses'][1] / own['senses'][0]:.0%}",
    }


def _means(runs: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the rows of several runs with the mean of every number."""
    return [
        {
            key: float(np.mean([row[key] for row in rows])) if isinstance(value, float) else value
            for key, value in rows[0].items()
        }
        for rows in zip(*runs, strict=True)
    ]


def _summary(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return one row per data set: ARI as trained, merged and merged at random."""
    trained = {row["dataset"]: row for row in rows if row["vectors"] == "as trained"}
    merged = {row["dataset"]: row for row in rows if row["vectors"] == DEFAULT}
    return [
        {
            "data set": name,
            "ARI as trained": f"{trained[name]['ari']:.3f}",
            "merged": f"{row['ari']:.3f}",
            "merged at random": f"{row['random_ari']:.3f}",
            "senses left": f"{row['senses_left']:.0%}",
        }
        for name, row in merged.items()
    ]


def _kept_row(found: Mapping[str, Any], name: str) -> dict[str, str]:
    rows = [row for row in found[name]["labels"] if row["vectors"] == DEFAULT]
    return {"vectors": SHOWN.get(name, name), **{row["dataset"]: _kept(row) for row in rows}}


def _kept(row: Mapping[str, Any]) -> str:
    ratio, low, high = (row["ari_kept"][key] for key in ("ratio", "low", "high"))
    return f"{ratio:.2f} ({low:.2f}–{high:.2f}) with {row['senses_left']:.0%}"


def _label_row(row: Mapping[str, Any]) -> dict[str, str]:
    shown = {
        "data set": row["dataset"],
        "vectors": row["vectors"],
        "ARI": f"{row['ari']:.3f}",
        "B³": f"{100 * row['b3']:.1f}",
        "clusters": f"{row['clusters']:.2f}",
    }
    if "random_ari" in row:
        shown["senses left"] = f"{row['senses_left']:.0%}"
        shown["ARI, random merges"] = f"{row['random_ari']:.3f} ± {row['random_sd']:.3f}"
    return shown


def _rounded(row: Mapping[str, Any]) -> dict[str, str]:
    return {key: value if isinstance(value, str) else f"{value:.1f}" for key, value in row.items()}


def _pair_row(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "word": row["word"],
        "senses": f"{row['sense_a']}, {row['sense_b']}",
        "neighbors": row["neighbors_a"],
        "neighbors of the other": row["neighbors_b"],
        "shared": f"{row['shared']}",
        "such as": row["examples"],
        "probability": "" if pd.isna(row["probability"]) else f"{row['probability']:.2f}",
        "verdict": row["verdict"],
    }
