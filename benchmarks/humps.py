"""What a text adds to the verdicts of `detect`: on people's labels, and on pseudowords.

The text is that of the training. With people's labels, pairs are merged step by step in the order
of the score, with and without the text, and at the defaults. With pseudowords, the score tells
real pairs from pseudo ones. Those of `pseudowords` join nouns of different lexicographer files of
WordNet; related ones join nouns of the same file, such as robert+louis.
"""

from __future__ import annotations

import os
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import roc_auc_score

from benchmarks.harness import SkippedError, data_file, results, table, vectors_folder
from benchmarks.merging import DATASETS, SHOWN, through
from benchmarks.pseudowords import N_RESAMPLES, Material, Run
from exrpca import SenseVectors, bundled, detect, load
from exrpca.cleaning.merge import merged_rows
from exrpca.cleaning.text_evidence import TWO_HUMPS
from exrpca.cleaning.verdicts import DEFAULT_LOST
from exrpca.evaluation import WsiData, read_wsi, sense_clusters, word_measures
from exrpca.senses import DifferenceMatrix
from exrpca.text import Corpus

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "numba")
TEXT = "enwiki-65m.txt.xz"
# The shares of senses that are gone when ARI is taken.
REMOVED = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
# Model, seed, and whether the words that are joined are related.
RUNS = {
    "unrelated, MSSG": ("MSSG", 2, False),
    "unrelated, NP-MSSG": ("NP-MSSG", 2, False),
    "related, MSSG": ("MSSG", 11, True),
}

Floats = NDArray[Any]
Integers = NDArray[np.int64]


# --- people's labels -----------------------------------------------------------------------------


def measure_labels(name: str) -> dict[str, Any]:
    """Merge vectors by their own score, and by the text as well."""
    senses = bundled() if name == "bundled" else _trained(name)
    alone = detect(senses)
    start = time.process_time()
    with_text = detect(senses, corpus=data_file(TEXT))
    seconds = time.process_time() - start
    sets = [read_wsi(data_file(f"wsi/{name}")) for name in DATASETS]
    return {
        "cpu seconds": seconds,
        "lost": DEFAULT_LOST,
        "text": str(with_text.attrs["text"]),
        "verdicts": _counted(alone["verdict"] + " → " + with_text["verdict"]),
        "removed": REMOVED,
        "rows": [on_labels(senses, alone, with_text, data) for data in sets],
    }


def _trained(name: str) -> SenseVectors:
    path = vectors_folder() / f"{name}.parquet"
    if not path.exists():
        raise SkippedError(f"{path} does not exist; the benchmark training_quality makes it")
    return load(path)


def _counted(values: pd.Series) -> dict[str, int]:
    return {str(key): int(n) for key, n in values.value_counts().items()}


def on_labels(
    senses: SenseVectors, alone: pd.DataFrame, with_text: pd.DataFrame, data: WsiData
) -> dict[str, Any]:
    """Return the mean ARI of merging in order and at the defaults, with and without the text."""
    chosen = sense_clusters(senses, data)
    rows = np.flatnonzero(np.isin(senses.word_of_row, senses.word_of_row[chosen[chosen >= 0]]))
    in_order, merged = {}, {}
    scores = {"vectors": alone["score"], "text": with_text["score"]}
    scores["both ways"] = both_ways(alone["score"], with_text["humps"])
    for name, score in scores.items():
        in_order[name] = merged_in_order(senses, score.to_numpy(), data, chosen, rows)
    for name, pairs in (("vectors", alone), ("text", with_text)):
        new_row = merged_rows(senses, pairs)
        merged[name] = float(word_measures(data, through(chosen, new_row))["ari"].mean())
        merged[f"{name} left"] = len(np.unique(new_row[rows])) / len(rows)
    changes = {name: in_order[name] - in_order["vectors"] for name in ("text", "both ways")}
    return {
        "dataset": data.name,
        "as trained": float(word_measures(data, chosen)["ari"].mean()),
        "merged": merged,
        "in order": float(in_order["vectors"].mean()),
        "change": {name: float(change.mean()) for name, change in changes.items()},
        "error": {n: float(change.std() / np.sqrt(len(change))) for n, change in changes.items()},
        **apart(senses, with_text["humps"].to_numpy(), data, chosen),
    }


def both_ways(score: pd.Series, humps: pd.Series) -> pd.Series:
    """Return the score if one hump counted against a pair as much as two count for it."""
    unusual = (humps - humps.mean()) / humps.std()
    return score + 0.5 * score.std() * unusual.fillna(0.0)


def apart(senses: SenseVectors, humps: Floats, data: WsiData, chosen: Integers) -> dict[str, Any]:
    """Return how different people's labels of two senses are, for pairs with one hump and two.

    The measure is the squared distance of the shares of labels, less what chance adds.
    """
    labels, codes = pd.factorize(data.table["gold"])[0], pd.factorize(data.table["word"])[0]
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    differences = DifferenceMatrix(senses)
    pair_of = dict(
        zip(zip(differences.rows_a, differences.rows_b, strict=True), humps, strict=True)
    )
    for word in np.unique(codes):
        here = (codes == word) & (chosen >= 0)
        n_labels = pd.crosstab(chosen[here], labels[here])
        n_labels = n_labels[n_labels.sum(axis=1) >= 2]
        if n_labels.shape[1] < 2:
            continue
        counted = dict(zip(n_labels.index, n_labels.to_numpy(dtype=float), strict=True))
        for a, b in (
            (a, b) for a in counted for b in counted if np.isfinite(pair_of.get((a, b), np.nan))
        ):
            weight = 1 / (1 / counted[a].sum() + 1 / counted[b].sum())
            found[bool(pair_of[a, b] >= TWO_HUMPS)].append((unlike(counted[a], counted[b]), weight))
    row = {}
    for two, name in ((False, "one hump"), (True, "two humps")):
        values, weights = np.array(found[two]).T
        row[f"labels, {name}"] = float(np.average(values, weights=weights))
        row[f"pairs, {name}"] = len(values)
    return row


def unlike(a: Floats, b: Floats) -> float:
    """Return the squared distance of two distributions, given by counts, less what chance adds."""
    p, q = a / a.sum(), b / b.sum()
    by_chance = (p * (1 - p)).sum() / (a.sum() - 1) + (q * (1 - q)).sum() / (b.sum() - 1)
    return float(((p - q) ** 2).sum() - by_chance)


def merged_in_order(
    senses: SenseVectors, score: Floats, data: WsiData, chosen: Integers, rows: Integers
) -> Floats:
    """Return the ARI of each word, averaged over the shares of senses that are gone."""
    differences = DifferenceMatrix(senses)
    pairs = np.flatnonzero(np.isin(differences.rows_a, rows))
    joins = joins_in_order(differences, pairs, score[pairs], senses)
    each = [
        word_measures(data, through(chosen, after(joins[: round(share * len(rows))], senses)))
        for share in REMOVED
    ]
    return np.asarray(np.mean([found["ari"].dropna().to_numpy() for found in each], axis=0))


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


# --- pseudowords ---------------------------------------------------------------------------------


class RelatedMaterial(Material):
    """Pseudowords of two nouns that belong to the same lexicographer file of WordNet."""

    def kept_apart(self, a: str, b: str) -> bool:
        """Return whether two words make no pseudoword: those of different files."""
        return self.synset[a] != self.synset[b]


def measure_pseudowords(name: str) -> dict[str, Any]:
    """Score the labeled pairs of one run, with and without the text."""
    model, seed, related = RUNS[name]
    os.environ.setdefault("NLTK_DATA", str(data_file("nltk_data")))
    cache = vectors_folder() / ("pseudowords-related" if related else "pseudowords")
    cache.mkdir(exist_ok=True)
    text: Path = data_file(TEXT)
    material = (RelatedMaterial if related else Material)(text, cache)
    run = Run(material, model, seed)
    pairs = detect(run.senses, corpus=material.pseudowords(seed).join(Corpus(text)))
    scores = {"vectors": detect(run.senses)["score"].to_numpy()[run.rows]}
    scores["text"] = pairs["score"].to_numpy()[run.rows]
    humps = pairs["humps"].to_numpy()[run.rows]
    scores["humps"] = np.where(np.isfinite(humps), humps, np.nanmean(humps))
    found = {key: auc_of(run, values) for key, values in scores.items()}
    verdict = pairs["verdict"].iloc[run.rows].to_numpy()
    return {
        "seed": seed,
        "real": int(run.real.sum()),
        "pseudo": int((~run.real).sum()),
        **{key: float(auc) for key, (auc, _) in found.items()},
        "error": float((found["text"][1] - found["vectors"][1]).std()),
        "two humps": {
            "real": float((humps[run.real] >= TWO_HUMPS).mean()),
            "pseudo": float((humps[~run.real] >= TWO_HUMPS).mean()),
        },
        "verdicts": {
            "real": _counted(pd.Series(verdict[run.real])),
            "pseudo": _counted(pd.Series(verdict[~run.real])),
        },
    }


def auc_of(run: Run, values: Floats) -> tuple[float, Floats]:
    """Return the ROC-AUC of a score, and those of resampled pairs."""
    rng = np.random.default_rng(0)
    share = np.full(len(run.real), 1 / len(run.real))
    drawn = [run.weights * rng.multinomial(len(run.real), share) for _ in range(N_RESAMPLES)]
    again = [roc_auc_score(run.real, values, sample_weight=weights) for weights in drawn]
    return float(roc_auc_score(run.real, values, sample_weight=run.weights)), np.array(again)


LABELED = ("bundled", "default300")
SECTIONS = {
    **{name: partial(measure_labels, name) for name in LABELED},
    **{name: partial(measure_pseudowords, name) for name in RUNS},
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("humps")
    labels = [(name, row) for name in LABELED if name in found for row in found[name]["rows"]]
    return {
        "seconds": f"{found['bundled']['cpu seconds']:.0f}",
        "two_humps": f"{TWO_HUMPS:g}",
        "removed": f"{max(REMOVED):.0%}",
        "pseudowords": table(_pseudoword_row(name, found[name]) for name in RUNS if name in found),
        "labels": table(_label_row(*each) for each in labels),
        "lost": f"{found['bundled']['lost']:g}",
        "merged": table(_merged_row(*each) for each in labels),
    }


def _pseudoword_row(name: str, row: dict[str, Any]) -> dict[str, str]:
    return {
        "pseudowords": name,
        "vectors": f"{row['vectors']:.3f}",
        "humps alone": f"{row['humps']:.3f}",
        "vectors and text": f"{row['text']:.3f}",
        "change": f"{row['text'] - row['vectors']:+.3f} ± {row['error']:.3f}",
        "two humps, real": f"{row['two humps']['real']:.0%}",
        "two humps, pseudo": f"{row['two humps']['pseudo']:.0%}",
    }


def _label_row(vectors: str, row: dict[str, Any]) -> dict[str, str]:
    return {
        "vectors": SHOWN.get(vectors, vectors),
        "data set": row["dataset"],
        "labels apart, one hump": f"{row['labels, one hump']:.2f} ({row['pairs, one hump']} pairs)",
        "two humps": f"{row['labels, two humps']:.2f} ({row['pairs, two humps']} pairs)",
        "ARI, merged in order": f"{row['in order']:.3f}",
        "… with the text": _change(row, "text"),
        "… if one hump counted against a pair": _change(row, "both ways"),
    }


def _change(row: dict[str, Any], name: str) -> str:
    return f"{row['change'][name]:+.4f} ± {row['error'][name]:.4f}"


def _merged_row(vectors: str, row: dict[str, Any]) -> dict[str, str]:
    merged = row["merged"]
    return {
        "vectors": SHOWN.get(vectors, vectors),
        "data set": row["dataset"],
        "ARI as trained": f"{row['as trained']:.3f}",
        "merged": f"{merged['vectors']:.3f} with {merged['vectors left']:.0%}",
        "merged with the text": f"{merged['text']:.3f} with {merged['text left']:.0%}",
    }
