"""Senses induced from contextual vectors, and other clusterings, against people's labels.

The rows are encoders, each with a layer and what its vectors are made of, 20 words on each side of
the target. Vectors are kept in the folder EXRPCA_VECTORS; mpnet is expected in EXRPCA_ENCODERS, in
a folder `mpnet-int8`. Other ways to cluster get the same vectors, centered as `induce` does it.

`benchmarks/data/induce-0.2.json` has the senses that version 0.2 found at its default (MiniLM in
half precision, target and context), one digit per occurrence. All differences are from them.
"""

from __future__ import annotations

import itertools
import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.metrics import silhouette_score

from benchmarks.harness import (
    SkippedError,
    data_file,
    own_memory,
    results,
    table,
    timed,
    vectors_folder,
)
from exrpca.contextual import (
    Encoder,
    Occurrences,
    assign,
    decision,
    forms,
    induce,
    strength,
    valley,
)
from exrpca.contextual.centering import CenteredVectors
from exrpca.contextual.draw import drawn_rows
from exrpca.contextual.pooling import VectorName
from exrpca.contextual.strength import DEFAULT_LOST, ENOUGH
from exrpca.evaluation import WsiData, read_wsi, score_clusterings, word_measures

PACKAGES = ("numpy", "scipy", "scikit-learn", "onnxruntime")

DATASETS = {
    "semeval": "wsi/semeval-2010",
    "coarse": "wsi/coarsewsd-20",
    "semcor": "wsi/semcor-wsi/dev.csv",
    "dwug": "wsi/dwug-en/uses.csv.xz",
}
BEFORE = Path(__file__).parent / "data" / "induce-0.2.json"
WINDOW = 20
SEEDS = (0, 1, 2)
LOST = (0.1, DEFAULT_LOST, 0.2, 0.3, 0.45)
N_RESAMPLES = 5000

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class Row(NamedTuple):
    """An encoder, one of its layers, and what the vectors are made of."""

    encoder: str
    layer: int
    vector: VectorName

    def __str__(self) -> str:
        return f"{self.encoder}, layer {self.layer}, {self.vector.replace('+', ' + ')}"


MINILM, MPNET = Row("minilm", 6, "target+context"), Row("mpnet", 12, "target")
ROWS = (
    MINILM,
    Row("minilm", 4, "target+context"),
    Row("minilm", 6, "target"),
    MPNET,
    *(Row("mpnet", layer, "target") for layer in (11, 10, 9, 8)),
    Row("mpnet", 12, "target+context"),
)


# --- the occurrences ------------------------------------------------------------------------------


@cache
def labeled(name: str) -> WsiData:
    """Return the words that people labeled."""
    return read_wsi(data_file(DATASETS[name]))


def occurrences_of(name: str, row: Row = MINILM) -> Occurrences:
    """Encode the occurrences of a data set, or read them if they were encoded before."""
    file = f"occurrences-{name}-{row.encoder}-{row.layer}-{row.vector}.parquet"
    path = vectors_folder() / file
    if path.exists():
        return Occurrences.load(path)
    table = labeled(name).table
    encoder = Encoder(_encoder(row.encoder), vector=row.vector, layer=row.layer)
    texts = table[["left", "target", "right"]].itertuples(index=False)
    vectors = encoder.encode([_near(*text) for text in texts])
    occurrences = Occurrences.from_arrays(
        table["word"].tolist(), vectors, texts=pa.table({"target": table["target"].tolist()})
    )
    occurrences.save(path)
    return occurrences


def _encoder(name: str) -> str | Path:
    if name == "minilm":
        return name
    folder = Path(os.environ.get("EXRPCA_ENCODERS", "")) / f"{name}-int8"
    if not folder.is_dir():
        raise SkippedError(f"needs {name}-int8 in the folder EXRPCA_ENCODERS")
    return folder


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
    """Score `induce` on the vectors of each row, along its dial and over seeds, and the peers."""
    data = labeled(name)
    before = np.array(list(json.loads(BEFORE.read_text())[name]), dtype=np.int64)
    found = {str(row): induced(occurrences_of(name, row)) for row in ROWS}
    best = occurrences_of(name, MPNET)
    peers = {peer: by_word(cluster, best) for peer, cluster in PEERS.items()}
    return {
        "words": data.n_words,
        "occurrences": len(data),
        "rows": list(scored(data, {"0.2": before, **found})),
        "peers": list(scored(data, {"induce": found[str(MPNET)], **peers})),
        **{row.encoder: dial_and_seeds(name, row, found[str(row)]) for row in (MINILM, MPNET)},
    }


def dial_and_seeds(name: str, row: Row, default: Integers) -> dict[str, Any]:
    """Score `induce` along its dial and over seeds; the differences are from its default."""
    run = partial(induced, occurrences_of(name, row))
    dial = {f"{lost}": default if lost == DEFAULT_LOST else run(lost=lost) for lost in LOST}
    seeds = {f"{seed}": run(seed=seed) if seed else default for seed in SEEDS}
    return {
        part: list(scored(labeled(name), ways)) for part, ways in (("dial", dial), ("seeds", seeds))
    }


def scored(data: WsiData, clusterings: Mapping[str, Integers]) -> Iterator[dict[str, Any]]:
    """Yield for each clustering its measures with intervals, and the difference to the first."""
    scores = score_clusterings(data, clusterings, n_resamples=N_RESAMPLES)
    for clustering, own in scores.groupby("clustering", sort=False):
        measures = {str(measure): _measure(rows) for measure, rows in own.groupby("measure")}
        yield {"clustering": clustering, **measures}


def _measure(rows: pd.DataFrame) -> dict[str, float]:
    columns = ("value", "low", "high", "difference", "difference_low", "difference_high")
    return {column: round(float(rows[column].iloc[0]), 5) for column in columns}


# --- what each part of the rule is worth ----------------------------------------------------------

# For each part, what takes it out: a constant of a module, and another value for it.
PARTS: dict[str, tuple[ModuleType, str, float] | None] = {
    "the rule": None,
    "forms not taken out": (forms, "_PSEUDO_OCCURRENCES", np.inf),
    "valleys not shrunk by chance": (valley, "_CHANCE", 1e-9),
    "parts as easily cut as words": (decision, "_BELOW_WHOLE", 1),
    "parts never cut": (decision, "_BELOW_WHOLE", np.inf),
    "distances not shrunk": (strength, "_PSEUDO_OCCURRENCES", 1e-9),
    "no valley": (strength, "ENOUGH", np.inf),
}


def parts() -> dict[str, Any]:
    """Return B³ and ARI of the rule without each part."""
    found: dict[str, Any] = {}
    for name in DATASETS:
        occurrences = occurrences_of(name, MPNET)
        for part, change in PARTS.items():
            with ExitStack() as stack:
                if change is not None:
                    module, constant, value = change
                    stack.enter_context(mock.patch.object(module, constant, value))
                table = word_measures(labeled(name), induced(occurrences))
            values = {"b3": float(table["b3"].mean()), "ari": float(table["ari"].mean())}
            found.setdefault(part, {})[name] = values
    return found


# --- which words are split wrongly ----------------------------------------------------------------

SIZES = (2, 3, 6, 20, 50, 10_000)
WORST = 12


def wrong_words(name: str) -> dict[str, Any]:
    """Compare `induce` with one cluster word by word."""
    data = labeled(name)
    table = word_measures(data, induced(occurrences_of(name)))
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
PROBABILITIES = (0, 0.6, 0.7, 0.79, 1)


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


def probabilities(name: str, row: Row) -> list[dict[str, float]]:
    """Induce on every second occurrence; ask of the others whether the sense has their label.

    The label of a sense is that of most of its occurrences. Only words with several senses count.
    """
    data = labeled(name)
    occurrences = occurrences_of(name, row)
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


def cuts_that_help(name: str, row: Row) -> list[float]:
    """Return how strong those first cuts of words are that raise B³."""
    data, occurrences = labeled(name), occurrences_of(name, row)
    words = drawn_rows(occurrences, seed=0)
    centered = CenteredVectors.around_mean(occurrences.vectors, words.values())
    learned = decision.Decision.learn(centered, words, seed=0)
    form = forms.forms_of(occurrences)
    sides, strengths = np.zeros(len(data), dtype=np.int64), {}
    for word, rows in words.items():
        if len(rows) > 1:
            drawn = rows[: decision.SAMPLE]
            x = forms.without_forms(centered.of(drawn), form[drawn])
            side, strengths[word] = learned.cut(word, x @ x.T)
            sides[drawn] = side
    gain = word_measures(data, sides)["b3"] - word_measures(data, np.zeros(len(data)))["b3"]
    return sorted(found for word, found in strengths.items() if gain[word] > 0)


def lost_cuts() -> dict[str, dict[str, float]]:
    """Return the share of the first cuts that help and are not made, for each `lost`."""
    found = {
        (row.encoder, name): np.array(cuts_that_help(name, row))
        for row, name in itertools.product((MINILM, MPNET), DATASETS)
    }
    return {
        f"{lost}": {
            f"{encoder} {name}": float((own <= strength.strength_needed(lost)).mean())
            for (encoder, name), own in found.items()
        }
        for lost in LOST
    }


# --- cost -----------------------------------------------------------------------------------------


def cost() -> dict[str, Any]:
    """Measure the time for SemCor-WSI, and the memory for a million random occurrences."""
    name = "semcor"
    occurrences = occurrences_of(name)
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
    "probabilities": lambda: {
        row.encoder: {name: probabilities(name, row) for name in DATASETS}
        for row in (MINILM, MPNET)
    },
    "parts": parts,
    "lost": lost_cuts,
    "cost": cost,
}


# --- for the docs ---------------------------------------------------------------------------------

TITLES = {
    "semeval": "SemEval-2010",
    "coarse": "CoarseWSD-20",
    "semcor": "SemCor-WSI dev",
    "dwug": "DWUG EN, half",
}
ENCODERS = ("minilm", "mpnet")


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("induction")
    names = [row["clustering"] for row in found["semeval"]["rows"]]
    dials = {
        f"dial.{encoder}": table(
            _values({name: found[name][encoder]["dial"] for name in TITLES}, f"{lost}", "lost")
            for lost in LOST
        )
        for encoder in ENCODERS
    }
    peers = {name: found[name]["peers"] for name in TITLES}
    rows = {name: found[name]["rows"] for name in TITLES}
    return {
        "encoders": table(_values(rows, name, "vectors") for name in names),
        "differences": table(
            _differences(rows, f"{row}", measure)
            for row in (MINILM, MPNET)
            for measure in ("b3", "ari", "avg")
        ),
        "avg": table(_ranks(found["semeval"]["rows"], name) for name in names),
        "peers": table(
            _values(peers, row["clustering"], "method") for row in found["semeval"]["peers"]
        ),
        **dials,
        "held_out": table(_held_out(found)),
        "parts": table(_parts(found["parts"])),
        "lost": table(_lost(found["lost"])),
        "seeds": table(_seeds(found, encoder) for encoder in ENCODERS),
        "wrong": table(_wrong(row) for row in found["wrong"]["rows"]),
        "worst": ", ".join(_lemma(word) for word in found["wrong"]["worst"]),
        "best": ", ".join(_lemma(word) for word in found["wrong"]["best"]),
        "round": table(
            [{"occurrences": "split", **{m: f"{x:.0%}" for m, x in found["round"].items()}}]
        ),
        "probabilities": table(_probabilities(found["probabilities"]["mpnet"])),
        "seconds": f"{found['cost']['seconds']:.0f}",
        "load": f"{found['conditions']['cost']['load_average']:.1f}",
        "many_seconds": f"{found['cost']['many seconds']:.0f}",
        "many_gigabytes": f"{found['cost']['many peak bytes'] / 1e9:.1f}",
    }


def _own(rows: Any, clustering: str) -> Any:
    return next(row for row in rows if row["clustering"] == clustering)


def _values(rows: Mapping[str, Any], clustering: str, title: str) -> dict[str, str]:
    cells = {title: clustering}
    for name, heading in TITLES.items():
        own = _own(rows[name], clustering)
        cells[heading] = f"{100 * own['b3']['value']:.1f} / {own['ari']['value']:.3f}"
    return cells


def _differences(rows: Mapping[str, Any], clustering: str, measure: str) -> dict[str, str]:
    cells = {"vectors": clustering, "× 100": {"b3": "B³", "ari": "ARI", "avg": "AVG"}[measure]}
    for name, heading in TITLES.items():
        own = _own(rows[name], clustering)[measure]
        low, high = 100 * own["difference_low"], 100 * own["difference_high"]
        cells[heading] = f"{100 * own['difference']:+.1f} [{low:.1f}, {high:.1f}]"
    return cells


def _ranks(rows: Any, clustering: str) -> dict[str, str]:
    own = _own(rows, clustering)
    headings = {"avg": "AVG", "v_measure": "V-measure", "paired_f": "paired F"}
    return {
        "vectors": clustering,
        **{title: f"{100 * own[measure]['value']:.1f}" for measure, title in headings.items()},
        "clusters": f"{own['clusters']['value']:.1f}",
    }


def _held_out(found: Any) -> Iterator[dict[str, str]]:
    """Yield for each encoder the values at the `lost` that is best on the three other sets."""
    for encoder in ENCODERS:
        dials = {name: found[name][encoder]["dial"] for name in TITLES}
        gain = {
            (name, f"{lost}"): sum(
                _own(dial, f"{lost}")[measure]["value"] for measure in ("b3", "ari")
            )
            for name, dial in dials.items()
            for lost in LOST
        }
        cells = {"encoder": encoder}
        for name, heading in TITLES.items():
            best = max(
                (f"{lost}" for lost in LOST),
                key=lambda lost: sum(gain[other, lost] for other in TITLES if other != name),
            )
            value = _values(dials, best, "lost")[heading]
            cells[heading] = f"{value} (lost {best})"
        yield cells


def _parts(found: Any) -> Iterator[dict[str, str]]:
    for part, values in found.items():
        yield {"": part} | {
            heading: f"{100 * values[name]['b3']:.1f} / {values[name]['ari']:.3f}"
            for name, heading in TITLES.items()
        }


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
        yield {"lost": lost} | {
            f"{encoder}, {TITLES[name]}": f"{shares[f'{encoder} {name}']:.2f}"
            for encoder in ENCODERS
            for name in TITLES
        }


def _seeds(found: Any, encoder: str) -> dict[str, str]:
    cells = {"encoder": encoder}
    for name, heading in TITLES.items():
        own = [row for row in found[name][encoder]["seeds"] if row["clustering"].isdigit()]
        b3 = [100 * seed["b3"]["value"] for seed in own]
        ari = [seed["ari"]["value"] for seed in own]
        cells[heading] = f"{min(b3):.1f}–{max(b3):.1f} / {min(ari):.3f}–{max(ari):.3f}"
    return cells
