"""Senses induced from contextual vectors, and other clusterings, against people's labels.

The vectors are made by the encoder in EXRPCA_DATA, 20 words on each side of the target, and kept in
the folder EXRPCA_VECTORS. Every way gets the same vectors, centered as `induce` centers them.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.metrics import silhouette_score

from benchmarks.harness import (
    data_file,
    own_memory,
    results,
    table,
    timed,
    vectors_folder,
)
from exrpca.contextual import VECTORS, Encoder, Occurrences, assign, induce
from exrpca.contextual.assignment import closeness
from exrpca.contextual.centering import CenteredVectors
from exrpca.contextual.decision import SAMPLE, Decision
from exrpca.contextual.draw import drawn_rows
from exrpca.contextual.pooling import VectorName
from exrpca.contextual.split import cut_in_two
from exrpca.contextual.strength import ENOUGH, strength_needed
from exrpca.decomposition import ExRPCA
from exrpca.evaluation import WsiData, read_wsi, score_clusterings, word_measures

PACKAGES = ("numpy", "scipy", "scikit-learn", "onnxruntime")

DATASETS = {
    "semeval": "wsi/semeval-2010",
    "coarse": "wsi/coarsewsd-20",
    "semcor": "wsi/semcor-wsi/dev.csv",
}
WINDOW = 20
SEEDS = (0, 1, 2)
DEFAULT = 0.25
LOST = (0.1, 0.2, DEFAULT, 0.3, 0.45, 0.6)
N_RESAMPLES = 5000

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


# --- the occurrences ------------------------------------------------------------------------------


def occurrences_of(name: str, data: WsiData, vector: VectorName = "target+context") -> Occurrences:
    """Encode the occurrences of a data set, or read them if they were encoded before."""
    kind = "" if vector == "target+context" else f"-{vector}"
    path = vectors_folder() / f"occurrences-{name}{kind}.parquet"
    words = data.table["word"].tolist()
    if path.exists():
        return Occurrences.load(path)
    encoder = Encoder(data_file("encoder-minilm"), vector=vector)
    texts = data.table[["left", "target", "right"]].itertuples(index=False)
    vectors = encoder.encode([_near(*text) for text in texts])
    occurrences = Occurrences.from_arrays(words, vectors)
    occurrences.save(path)
    return occurrences


def _near(left: str, target: str, right: str) -> tuple[str, str, str]:
    before, after = left.split()[-WINDOW:], right.split()[:WINDOW]
    return " ".join([*before, ""]), target, " ".join(["", *after])


# --- other ways to cluster the occurrences of a word ----------------------------------------------


def k_means(x: Floats, k: int) -> Integers:
    if len(x) <= k:
        return np.arange(len(x))
    return np.asarray(KMeans(k, n_init=3, random_state=0).fit(x).labels_)


def linkage_by_silhouette(x: Floats) -> Integers:
    """Average linkage with the number of clusters, 2 to 5, that has the best silhouette."""
    best, found = -2.0, np.zeros(len(x), dtype=np.int64)
    if len(x) < 3:
        return found
    distances = np.sqrt(np.maximum(2 - 2 * x @ x.T, 0))
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), "average")
    for k in range(2, min(5, len(x) - 1) + 1):
        labels = fcluster(tree, k, "maxclust")
        if 1 < len(np.unique(labels)) < len(x):
            score = silhouette_score(distances, labels, metric="precomputed")
            if score > best:
                best, found = score, labels.astype(np.int64)
    return found


def hdbscan(x: Floats) -> Integers:
    """HDBSCAN; what is in no cluster is one more cluster."""
    if len(x) < 5:
        return np.zeros(len(x), dtype=np.int64)
    smallest = max(3, len(x) // 20)
    found = HDBSCAN(min_cluster_size=smallest, allow_single_cluster=True, copy=True).fit_predict(x)
    return np.asarray(np.where(found < 0, found.max() + 1, found))


def k_means_by_bic(x: Floats) -> Integers:
    """K-means with the number of clusters, 1 to 6, that has the best BIC, as X-means judges it."""
    n, dim = x.shape
    best, found = np.inf, np.zeros(n, dtype=np.int64)
    for k in range(1, min(6, n - 1) + 1):
        labels = k_means(x, k)
        sizes = np.bincount(labels)
        squares = sum(((x[labels == j] - x[labels == j].mean(0)) ** 2).sum() for j in range(k))
        variance = max(float(squares) / (dim * max(n - k, 1)), 1e-9)
        likelihood = (
            (sizes * np.log(sizes / n)).sum()
            - n * dim / 2 * np.log(2 * np.pi * variance)
            - (n - k) * dim / 2
        )
        bic = (k * dim + k) * np.log(n) - 2 * likelihood
        if bic < best:
            best, found = bic, labels
    return found


PEERS: dict[str, Callable[[Floats], Integers]] = {
    "k-means, 2": partial(k_means, k=2),
    "k-means, 4": partial(k_means, k=4),
    "k-means, 8": partial(k_means, k=8),
    "average linkage, silhouette": linkage_by_silhouette,
    "HDBSCAN": hdbscan,
    "k-means, BIC (X-means)": k_means_by_bic,
}


def by_word(cluster: Callable[[Floats], Integers], occurrences: Occurrences) -> Integers:
    """Cluster the occurrences of each word."""
    rows = [rows for _, rows in occurrences.by_word()]
    centered = CenteredVectors.around_mean(occurrences.vectors, rows)
    found = np.zeros(len(occurrences), dtype=np.int64)
    for own in rows:
        found[own] = cluster(centered.of(own))
    return found


def induced(occurrences: Occurrences, **options: Any) -> Integers:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of few occurrences
        return induce(occurrences, **options)[1]["sense"].to_numpy(np.int64)


# --- quality --------------------------------------------------------------------------------------


def quality(name: str) -> dict[str, Any]:
    """Score every way on a data set, and `induce` along its dial and over seeds."""
    data = read_wsi(data_file(DATASETS[name]))
    occurrences = occurrences_of(name, data)
    induced_with = cache(partial(induced, occurrences))  # the default is in both rows
    dial = {f"{lost}": induced_with(lost=lost, seed=0) for lost in LOST}
    seeds = {f"{seed}": induced_with(lost=DEFAULT, seed=seed) for seed in SEEDS}
    clusterings = {
        # what comes first is what the others are compared with
        "one": np.zeros(len(data), dtype=np.int64),
        "induce": dial[f"{DEFAULT}"],
        **{peer: by_word(cluster, occurrences) for peer, cluster in PEERS.items()},
    }
    return {
        "words": data.n_words,
        "occurrences": len(data),
        "rows": list(scored(data, clusterings)),
        "dial": list(scored(data, {"one": clusterings["one"], **dial})),
        "seeds": list(scored(data, {"one": clusterings["one"], **seeds})),
    }


def scored(data: WsiData, clusterings: Mapping[str, Integers]) -> Iterator[dict[str, Any]]:
    """Yield for each clustering its measures with intervals, and the difference to one cluster."""
    scores = score_clusterings(data, clusterings, n_resamples=N_RESAMPLES)
    for clustering, own in scores.groupby("clustering", sort=False):
        if clustering != "one":
            measures = {str(measure): _measure(rows) for measure, rows in own.groupby("measure")}
            yield {"clustering": clustering, **measures}


def _measure(rows: pd.DataFrame) -> dict[str, float]:
    columns = ("value", "low", "high", "difference", "difference_low", "difference_high")
    return {column: float(rows[column].iloc[0]) for column in columns}


# --- which words are split wrongly ----------------------------------------------------------------

SIZES = (2, 3, 6, 20, 50, 10_000)
WORST = 12


def wrong_words(name: str) -> dict[str, Any]:
    """Compare `induce` with one cluster word by word."""
    data = read_wsi(data_file(DATASETS[name]))
    table = word_measures(data, induced(occurrences_of(name, data)))
    one = word_measures(data, np.zeros(len(data)))
    table["difference"] = table["b3"] - one["b3"]
    split = table["clusters"] > 1
    rows = []
    for low, high in itertools.pairwise(SIZES):
        own = table["occurrences"].between(low, high - 1)
        if own.any():
            rows.append(
                {
                    "from": low,
                    "to": high - 1,
                    "words": int(own.sum()),
                    "split": int((own & split).sum()),
                    "one label": int((own & split & (table["senses"] == 1)).sum()),
                    "better": int((own & (table["difference"] > 0)).sum()),
                    "difference": float(table["difference"][own].sum() / len(table)),
                }
            )
    frequent = table[table["occurrences"] >= ENOUGH].sort_values("difference")
    return {
        "rows": rows,
        "worst": frequent.index[:WORST].tolist(),
        "best": frequent.index[::-1][:WORST].tolist(),
    }


# --- what is chance, and what probabilities say ---------------------------------------------------

ROUND_SIZES, ROUND_WORDS, ROUND_DIM = (5, 10, 20, 30, 40, 60, 100, 150), 100, 100
PROBABILITIES = (0.5, 0.8, 0.95, 0.995, 1.001)


def round_clouds() -> dict[str, float]:
    """Return for some numbers of occurrences how many words without senses are split."""
    rng = np.random.default_rng(0)
    shares = {}
    for m in ROUND_SIZES:
        words = np.repeat([f"w{i}" for i in range(ROUND_WORDS)], m)
        vectors = rng.standard_normal((len(words), ROUND_DIM))
        found = induced(Occurrences.from_arrays(words, vectors))
        shares[f"{m}"] = float(pd.Series(found).groupby(words).nunique().gt(1).mean())
    return shares


def probabilities(name: str) -> list[dict[str, float]]:
    """Induce on every second occurrence; ask of the others whether the sense has their label.

    The label of a sense is that of most of its occurrences. Only words with several senses count.
    """
    data = read_wsi(data_file(DATASETS[name]))
    occurrences = occurrences_of(name, data)
    gold = data.table["gold"].to_numpy(dtype=object)
    word = np.array(occurrences.words, dtype=object)[occurrences.word_of]
    seen = np.arange(len(word)) % 2 == 0
    first, second = (
        Occurrences.from_arrays(word[half], occurrences.vectors[half]) for half in (seen, ~seen)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        senses, table = induce(first)
    label = table.assign(gold=gold[seen]).groupby(["word", "sense"])["gold"].agg(_most_frequent)
    new = assign(senses, second).assign(gold=gold[~seen])
    new = new[[w in senses and len(senses[w]) > 1 for w in new["word"]]]
    keys = pd.MultiIndex.from_frame(new[["word", "sense"]])
    right = label.reindex(keys).to_numpy() == new["gold"].to_numpy()
    stated = new["probability"].to_numpy()
    rows = []
    for low, high in itertools.pairwise(PROBABILITIES):
        own = (stated >= low) & (stated < high)
        rows.append(
            {
                "low": low,
                "occurrences": int(own.sum()),
                "stated": float(stated[own].mean()),
                "right": float(right[own].mean()),
            }
        )
    return rows


def _most_frequent(labels: pd.Series[Any]) -> Any:
    return labels.mode().iloc[0]


def cuts_that_help(name: str) -> list[float]:
    """Return how strong those first cuts of words are that raise B³."""
    data = read_wsi(data_file(DATASETS[name]))
    occurrences = occurrences_of(name, data)
    words = drawn_rows(occurrences, seed=0)
    centered = CenteredVectors.around_mean(occurrences.vectors, words.values())
    decision = Decision.learn(centered, words, lost=DEFAULT, seed=0, cut=True)
    sides, strengths = np.zeros(len(data), dtype=np.int64), {}
    for word, rows in words.items():
        if len(rows) > 1:
            x = centered.of(rows[:SAMPLE])
            side, strengths[word] = decision.cut(word, x, x @ x.T, np.arange(len(x)))
            means = np.stack([x[~side].mean(axis=0), x[side].mean(axis=0)])
            sides[rows] = closeness(centered.of(rows), means).argmax(axis=1)
    gain = word_measures(data, sides)["b3"] - word_measures(data, np.zeros(len(data)))["b3"]
    return sorted(found for word, found in strengths.items() if gain[word] > 0)


def lost_cuts() -> dict[str, dict[str, float]]:
    """Return the share of the first cuts that help and are not made, for each `lost`."""
    found = {name: np.array(cuts_that_help(name)) for name in DATASETS}
    return {
        f"{lost}": {
            name: float((own <= strength_needed(lost)).mean()) for name, own in found.items()
        }
        for lost in LOST
    }


def first_cuts() -> dict[str, dict[str, float]]:
    """Return the ARI of cutting words in two, by what the vectors are made of."""
    found: dict[str, dict[str, float]] = {}
    for name, path in DATASETS.items():
        data = read_wsi(data_file(path))
        for vector in VECTORS:
            occurrences = occurrences_of(name, data, vector)
            table = word_measures(data, by_word(_cut, occurrences))
            enough = table["occurrences"] >= ENOUGH
            found.setdefault(vector, {})[name] = float(table["ari"][enough].mean())
    return found


def _cut(x: Floats) -> Integers:
    return cut_in_two(x @ x.T).astype(np.int64) if len(x) > 1 else np.zeros(len(x), dtype=np.int64)


def shared_component() -> dict[str, float]:
    """Return the cosine of the leading components that PCA and Ex-RPCA find in first cuts."""
    cosines = {}
    for name, path in DATASETS.items():
        occurrences = occurrences_of(name, read_wsi(data_file(path)))
        rows = [own for _, own in occurrences.by_word()]
        centered = CenteredVectors.around_mean(occurrences.vectors, rows)
        words = [centered.of(own[:SAMPLE]) for own in rows if len(own) >= ENOUGH]
        differences = np.stack([difference(x, cut_in_two(x @ x.T)) for x in words])
        pca = np.linalg.svd(differences, full_matrices=False)[2][0]
        robust = ExRPCA(1, scale="global").fit(differences).components_[0]
        cosines[name] = float(abs(pca @ robust))
    return cosines


# --- cost -----------------------------------------------------------------------------------------


def cost() -> dict[str, Any]:
    """Measure the time for SemCor-WSI, and the memory for a million random occurrences."""
    name = "semcor"
    occurrences = occurrences_of(name, read_wsi(data_file(DATASETS[name])))
    seconds, _ = timed(partial(induced, occurrences))
    n, dim, words = 1_000_000, 384, 200
    rng = np.random.default_rng(0)
    vectors = np.empty((n, dim), dtype=np.float16)
    for start in range(0, n, 10_000):
        vectors[start : start + 10_000] = rng.standard_normal((10_000, dim), dtype=np.float32)
    many = Occurrences(tuple(f"w{i}" for i in range(words)), rng.integers(words, size=n), vectors)
    many_seconds, _ = timed(partial(induced, many))
    return {
        "occurrences": len(occurrences),
        "seconds": seconds,
        "many occurrences": n,
        "many seconds": many_seconds,
        "many peak bytes": own_memory("VmHWM"),
    }


SECTIONS = {
    **{name: partial(quality, name) for name in DATASETS},
    "wrong": partial(wrong_words, "semcor"),
    "round": round_clouds,
    "probabilities": lambda: {name: probabilities(name) for name in DATASETS},
    "cuts": first_cuts,
    "lost": lost_cuts,
    "shared": shared_component,
    "cost": cost,
}


# --- for the docs ---------------------------------------------------------------------------------

TITLES = {"semeval": "SemEval-2010", "coarse": "CoarseWSD-20", "semcor": "SemCor-WSI dev"}


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("induction")
    names = [row["clustering"] for row in found["semeval"]["rows"]]
    return {
        "quality": table(_row(found, "rows", "method", name, "ari") for name in names),
        "gains": table(_row(found, "rows", "method", name, "difference") for name in names),
        "dial": table(_row(found, "dial", "lost", f"{lost}", "ari") for lost in LOST),
        "lost": table(_lost(found["lost"])),
        "seeds": table([_seeds(found)]),
        "published": _published(found["semeval"]),
        "wrong": table(_wrong(row) for row in found["wrong"]["rows"]),
        "worst": ", ".join(_lemma(word) for word in found["wrong"]["worst"]),
        "best": ", ".join(_lemma(word) for word in found["wrong"]["best"]),
        "round": table(
            [{"occurrences": "split", **{m: f"{x:.0%}" for m, x in found["round"].items()}}]
        ),
        "probabilities": table(_probabilities(found["probabilities"])),
        "shared": f"{min(found['shared'].values()):.3f}",
        "cuts": table(
            {"vector": vector, **{TITLES[name]: f"{ari:.3f}" for name, ari in row.items()}}
            for vector, row in found["cuts"].items()
        ),
        "seconds": f"{found['cost']['seconds']:.0f}",
        "load": f"{found['conditions']['cost']['load_average']:.1f}",
        "many_seconds": f"{found['cost']['many seconds']:.0f}",
        "many_gigabytes": f"{found['cost']['many peak bytes'] / 1e9:.1f}",
    }


def _row(found: Any, part: str, title: str, clustering: str, kind: str) -> dict[str, str]:
    row = {title: clustering}
    for name, heading in TITLES.items():
        own = next(row for row in found[name][part] if row["clustering"] == clustering)
        if kind == "difference":
            b3 = own["b3"]
            interval = f"[{100 * b3['difference_low']:.1f}, {100 * b3['difference_high']:.1f}]"
            row[heading] = f"{100 * b3['difference']:+.1f} {interval}"
        else:
            row[heading] = f"{100 * own['b3']['value']:.1f} / {own['ari']['value']:.3f}"
    return row


def _wrong(row: Any) -> dict[str, str]:
    sizes = f"{row['from']}" if row["from"] == row["to"] else f"{row['from']} to {row['to']}"
    return {
        "occurrences": sizes if row["to"] < SIZES[-1] - 1 else f"{row['from']} and more",
        "words": f"{row['words']}",
        "split": f"{row['split']}",
        "of these with one label": f"{row['one label']}",
        "of these better by B³": f"{row['better']}",
        "part of the difference": f"{100 * row['difference']:+.1f}",
    }


def _lemma(word: str) -> str:
    return word.rpartition(".")[0]


def _probabilities(found: Any) -> Iterator[dict[str, str]]:
    for i, low in enumerate(PROBABILITIES[:-1]):
        high = min(PROBABILITIES[i + 1], 1)
        yield {"probability": f"{low} to {high}"} | {
            TITLES[name]: f"{rows[i]['right']:.2f} of {rows[i]['occurrences']:,}"
            for name, rows in found.items()
        }


def _lost(found: Any) -> Iterator[dict[str, str]]:
    for lost, shares in found.items():
        yield {"lost": lost} | {TITLES[name]: f"{share:.2f}" for name, share in shares.items()}


def _published(found: Any) -> str:
    own = next(row for row in found["rows"] if row["clustering"] == "induce")
    v, f, k = (own[measure]["value"] for measure in ("v_measure", "paired_f", "clusters"))
    return f"{100 * v:.1f} / {100 * f:.1f} / {k:.1f}"


def _seeds(found: Any) -> dict[str, str]:
    row = {}
    for name, heading in TITLES.items():
        own = [row for row in found[name]["seeds"] if row["clustering"].isdigit()]
        b3 = [100 * seed["b3"]["value"] for seed in own]
        ari = [seed["ari"]["value"] for seed in own]
        row[heading] = f"{min(b3):.1f}–{max(b3):.1f} / {min(ari):.3f}–{max(ari):.3f}"
    return row
