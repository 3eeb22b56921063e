"""How verdicts on pairs agree with people and with an encoder, on several kinds of vectors.

The bundled vectors come with the package. All others are in the folder EXRPCA_VECTORS, as
`exrpca train` makes them from Wikipedia (65 million tokens; the first 18 and 1.5 million words of
it), except `sense2vec-9m`: word2vec (gensim, 100 dimensions) of 9 million words, each with its
part of speech as the sense, by the lexicon and rules of the tagger in textblob. The vectors hardly
ever choose the rarer tag of a word there, so its pairs cannot be compared with labels of sentences.
`shuffled-6m` is trained on 6 million words in random order. `judged-occurrences` holds up to 60
occurrences of each of 392 words, evenly spaced by frequency, in the 18 million, encoded by the
encoder that comes with the package.

The section `version_0_2` has the correlations of the score of version 0.2 on the same pairs. It
reads `old-KIND.npy`, the column `score` of that version, from the folder EXRPCA_VECTORS.
"""

from __future__ import annotations

import functools
import itertools
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import jensenshannon
from scipy.special import expit
from scipy.stats import rankdata, spearmanr
from sklearn.linear_model import LogisticRegression

from benchmarks.harness import SkippedError, data_file, results, table, vectors_folder
from exrpca import SenseVectors, bundled, detect, load
from exrpca.cleaning import SenseDecomposition
from exrpca.cleaning.detect import DEFAULT_LOST, verdicts
from exrpca.cleaning.merge import merged_rows
from exrpca.cleaning.shared_neighbors import candidate_words, nearest_words
from exrpca.contextual import Encoder, Occurrences, judge_labels
from exrpca.evaluation import read_wsi, sense_clusters, word_measures
from exrpca.senses import DifferenceMatrix
from exrpca.senses.cosine import unit_vectors
from exrpca.text import Lookup, Tokenizer
from exrpca.text.choice import sense_cosines
from exrpca.text.context import ContextSettings
from exrpca.text.in_context import numbered

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "onnxruntime")
KINDS = {
    "bundled": "bundled, 100-d",
    "recipe-65m-s2": "default recipe, 65M, 300-d",
    "recipe-18m-100d": "default recipe, 18M, 100-d",
    "npmssg-preset-65m": "NP-MSSG, paper's settings, 65M, 300-d",
    "mssg-preset-18m": "MSSG, paper's settings, 18M, 300-d",
}
UNLABELED = {"sense2vec-9m": "word2vec of word|tag, 9M, 100-d"}
NOISE = {
    "recipe-1.5m": "default recipe, 1.5M, 300-d",
    "recipe-1.5m-100d": "default recipe, 1.5M, 100-d",
    "shuffled-6m": "default recipe, shuffled text, 6M, 100-d",
}
DATASETS = {
    "CoarseWSD-20": "coarsewsd-20",
    "SemEval-2010": "semeval-2010",
    "SemCor-WSI": "semcor-wsi/dev.csv",
}
SIZES = (20, 50, 100, 200)
# Both senses of a pair need this many occurrences that people, or the encoder, have seen.
FEWEST = 5
N_RESAMPLES = 1000
# The encoder is clear about a pair if its two strictnesses agree: the default of `induce`, and half
# of the cuts that people make.
PSEUDO_BELOW, REAL_FROM = 0.15, 0.5
LOST = (0.1, 0.2, 0.3, 0.4, 0.5)
RUNS = {f"default300-seed{seed}": f"default recipe, 65M, 300-d, seed {seed}" for seed in (2, 3, 4)}
MERGED = ("bundled", *RUNS)
BINS = (0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)

Rows = NDArray[np.int64]


def vectors(name: str) -> SenseVectors:
    """Return the vectors of a name."""
    if name == "bundled":
        return bundled()
    path = vectors_folder() / f"{name}.parquet"
    if not path.exists():
        raise SkippedError(f"{path} does not exist")
    return load(path)


@functools.cache
def detected(kind: str) -> tuple[pd.DataFrame, str]:
    """Return the pairs of some vectors, and the warning of `detect`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        pairs = detect(vectors(kind))
    return pairs, str(caught[0].message) if caught else ""


# --- people --------------------------------------------------------------------------------------


def measure_people() -> list[dict[str, Any]]:
    """Return how several scores order pairs, compared with people's labels."""
    found = []
    for kind in KINDS:
        senses = vectors(kind)
        for dataset, path in DATASETS.items():
            pairs = people_pairs(senses, path)
            scores = scores_of(senses, pairs)
            words = pairs["word"].to_numpy()
            apart = pairs["apart"].to_numpy()
            row = {"kind": kind, "dataset": dataset, "pairs": len(pairs)}
            for name, score in scores.items():
                row[name] = float(spearmanr(score, apart)[0])
            row["interval"] = interval(scores["shared 100"], apart, words)
            row["ahead_of_cosine"] = interval(
                scores["shared 100"], apart, words, than=scores["cosine"]
            )
            found.append(row)
    return found


def measure_version_0_2() -> dict[str, dict[str, float]]:
    """Return how the score of version 0.2 orders the same pairs."""
    found: dict[str, dict[str, float]] = {}
    for kind in KINDS:
        senses = vectors(kind)
        path = vectors_folder() / f"old-{kind}.npy"
        if not path.exists():
            raise SkippedError(f"{path} does not exist")
        differences, score = DifferenceMatrix(senses), np.load(path)
        if not np.isfinite(score).any():
            continue
        of_pair = dict(
            zip(zip(differences.rows_a, differences.rows_b, strict=True), score, strict=True)
        )
        found[kind] = {}
        for dataset, data in DATASETS.items():
            pairs = people_pairs(senses, data)
            own = [of_pair[pair] for pair in zip(pairs["a"], pairs["b"], strict=True)]
            found[kind][dataset] = float(spearmanr(own, pairs["apart"])[0])
    return found


def people_pairs(senses: SenseVectors, path: str) -> pd.DataFrame:
    """Return pairs of senses with the divergence of their label distributions, in bits."""
    data = read_wsi(data_file(f"wsi/{path}"))
    labels = data.table.assign(row=sense_clusters(senses, data))
    rows = []
    for word, own in labels[labels["row"] >= 0].groupby("word"):
        counts = pd.crosstab(own["row"], own["gold"])
        counts = counts[counts.sum(axis=1) >= FEWEST]
        for i, b in enumerate(counts.index):
            for a in counts.index[:i]:
                apart = jensenshannon(counts.loc[a], counts.loc[b], base=2) ** 2
                rows.append({"word": word, "a": a, "b": b, "apart": apart})
    return pd.DataFrame(rows)


def scores_of(senses: SenseVectors, pairs: pd.DataFrame) -> dict[str, NDArray[Any]]:
    """Return scores of pairs: the higher, the less alike."""
    rows = np.unique(pairs[["a", "b"]].to_numpy())
    near = nearest_words(senses, rows, candidate_words(senses), max(SIZES))
    a, b = (np.searchsorted(rows, pairs[side]) for side in ("a", "b"))
    scores: dict[str, NDArray[Any]] = {}
    for size in SIZES:
        both = [
            len(np.intersect1d(near[i, :size], near[j, :size])) for i, j in zip(a, b, strict=True)
        ]
        scores[f"shared {size}"] = -np.array(both)
    unit = unit_vectors(senses.vectors)
    scores["cosine"] = -(unit[pairs["a"]] * unit[pairs["b"]]).sum(axis=1)
    differences = DifferenceMatrix(senses)
    place = dict(
        zip(
            zip(differences.rows_a, differences.rows_b, strict=True),
            range(len(differences)),
            strict=True,
        )
    )
    at = [place[pair] for pair in zip(pairs["a"], pairs["b"], strict=True)]
    scores["outlier norm"] = SenseDecomposition.fit(senses).outlier_norm[at]
    return scores


def interval(
    score: NDArray[Any],
    apart: NDArray[Any],
    words: NDArray[Any],
    than: NDArray[Any] | None = None,
) -> list[float]:
    """Return 95% bounds of a rank correlation, or of what it is ahead; words are resampled."""
    rng = np.random.default_rng(0)
    rows_of = list(pd.Series(range(len(words))).groupby(words).indices.values())
    drawn = []
    for _ in range(N_RESAMPLES):
        rows = np.concatenate([rows_of[i] for i in rng.integers(len(rows_of), size=len(rows_of))])
        value = correlation(score[rows], apart[rows])
        drawn.append(value if than is None else value - correlation(than[rows], apart[rows]))
    return [float(bound) for bound in np.nanquantile(drawn, [0.025, 0.975])]


def correlation(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Return Spearman's correlation, without its p value."""
    ranks = rankdata(x), rankdata(y)
    return float(np.corrcoef(*ranks)[0, 1]) if min(map(np.ptp, ranks)) > 0 else float("nan")


# --- the encoder ---------------------------------------------------------------------------------


def measure_calibration() -> dict[str, Any]:
    """Return the curve of each kind, and probabilities beside what the encoder says.

    Kinds whose neighbors `detect` finds to be noise have no probabilities.
    """
    kinds = [kind for kind in KINDS if not detected(kind)[1]]
    pairs = pd.concat([judged_pairs(kind) for kind in kinds], ignore_index=True)
    clear = pairs[(pairs["judge"] < PSEUDO_BELOW) | (pairs["judge"] >= REAL_FROM)].copy()
    clear["real"] = clear["judge"] >= REAL_FROM
    clear["log"] = np.log1p(clear["shared"])
    half = clear["word"].map(lambda word: sum(word.encode()) % 2)
    clear["left_out"] = np.nan
    for kind in kinds:
        for side in (0, 1):  # a word is never in both parts
            fitted = line(clear[(clear["kind"] != kind) & (half == side)])
            asked = ((clear["kind"] == kind) & (half != side)).to_numpy()
            clear.loc[asked, "left_out"] = probability(fitted, clear["log"].to_numpy()[asked])
    return {
        "pairs": len(pairs),
        "clear": len(clear),
        "words": int(pairs["word"].nunique()),
        "line": line(clear),
        "kinds": [
            {
                "kind": kind,
                "pairs": len(own),
                "clear": len(used := clear[clear["kind"] == kind]),
                "real": float(used["real"].mean()),
                "line": line(used),
                "shared": float(spearmanr(-own["shared"], own["judge"])[0]),
                "cosine": float(spearmanr(-own["cosine"], own["judge"])[0]),
            }
            for kind, own in pairs.groupby("kind", sort=False)
        ],
        "left_out": reliability(clear["left_out"], clear["real"]),
        "rule": reliability(clear["probability"], clear["real"]),
        "people": people_reliability(),
    }


def line(pairs: pd.DataFrame) -> list[float]:
    """Return level and slope of the log odds that a pair is real, by log(1 + shared)."""
    model = LogisticRegression(C=1e6).fit(pairs[["log"]].to_numpy(), pairs["real"])
    return [float(model.intercept_[0]), float(model.coef_[0, 0])]


def probability(fitted: list[float], log: NDArray[Any]) -> NDArray[Any]:
    """Return the probability that a pair is real."""
    level, slope = fitted
    return np.asarray(expit(level + slope * log))


def judged_pairs(kind: str) -> pd.DataFrame:
    """Return pairs with what the encoder and what `detect` says of them."""
    senses = vectors(kind)
    occurrences = Occurrences.load(vectors_folder() / "judged-occurrences.parquet")
    lookup, tokens = Lookup(senses), Tokenizer().tokens
    place = np.array([lookup[word] for word in occurrences.words])[occurrences.word_of]
    rows = np.flatnonzero((place >= 0) & (senses.n_senses[place] > 1))
    assert occurrences.texts is not None  # noqa: S101 - `encode` keeps them
    texts = occurrences.texts.take(rows)
    sides = (
        (tokens(text, lookup.knows) for text in texts.column(s).to_pylist())
        for s in ("left", "right")
    )
    places = numbered(lookup, place[rows].tolist(), *sides)
    labels = sense_cosines(senses, *places, ContextSettings.of(senses)).best()
    names = [occurrences.words[i] for i in occurrences.word_of[rows]]
    labeled = Occurrences.from_arrays(names, occurrences.vectors[rows], labels=labels)
    judged = judge_labels(labeled)
    judged = judged[judged[["n_a", "n_b"]].min(axis=1) >= FEWEST]
    judged = judged.rename(
        columns={"label_a": "sense_a", "label_b": "sense_b", "probability": "judge"}
    )
    both = judged.merge(detected(kind)[0], on=["word", "sense_a", "sense_b"])
    return both.assign(kind=kind)


def people_reliability() -> list[dict[str, float]]:
    """Return probabilities beside the share of pairs whose main labels differ, by people."""
    found = []
    for kind in KINDS:
        senses, probabilities = vectors(kind), detected(kind)[0]["probability"]
        for path in DATASETS.values():
            data = read_wsi(data_file(f"wsi/{path}"))
            labels = data.table.assign(row=sense_clusters(senses, data))
            main = labels.groupby(["word", "row"])["gold"].agg(lambda gold: gold.mode()[0])
            pairs = people_pairs(senses, path)
            differs = [
                main[word, a] != main[word, b]
                for word, a, b in pairs[["word", "a", "b"]].itertuples(index=False)
            ]
            differences = DifferenceMatrix(senses)
            keys = zip(differences.rows_a, differences.rows_b, strict=True)
            of_pair = dict(zip(keys, probabilities, strict=True))
            p = [of_pair[pair] for pair in zip(pairs["a"], pairs["b"], strict=True)]
            found.append(pd.DataFrame({"probability": p, "real": differs}))
    both = pd.concat(found).dropna()
    return reliability(both["probability"], both["real"])


def reliability(p: pd.Series[float], real: pd.Series[bool]) -> list[dict[str, float]]:
    """Return the share of real pairs among those of about one probability."""
    found = []
    for low, high in itertools.pairwise(BINS):
        own = real[(p > low) & (p <= high)]
        if len(own):
            found.append({"low": low, "high": high, "pairs": len(own), "real": float(own.mean())})
    return found


# --- the encoder on people's data ----------------------------------------------------------------


def measure_judge() -> list[dict[str, Any]]:
    """Return how the judge orders pairs and merges them, by the sentences that people labeled."""
    found = []
    for dataset, path in DATASETS.items():
        data = read_wsi(data_file(f"wsi/{path}"))
        encoded = encoded_sentences(path)
        for kind in MERGED[:2]:
            senses = vectors(kind)
            chosen = sense_clusters(senses, data)
            rows = np.flatnonzero(chosen >= 0)
            # two entries of a data set may be one word of the vectors
            words = [senses.words[senses.word_of_row[row]] for row in chosen[rows]]
            labels = chosen[rows] - senses.offsets[senses.word_of_row[chosen[rows]]]
            judged = judge_labels(Occurrences.from_arrays(words, encoded[rows], labels=labels))
            first = senses.offsets[[senses.index(word) for word in judged["word"]]]
            judged = judged.assign(a=first + judged["label_a"], b=first + judged["label_b"])
            pairs = people_pairs(senses, path).merge(judged, on=["a", "b"], suffixes=("", "_of"))
            own = np.flatnonzero(np.isin(senses.word_of_row, senses.word_of_row[chosen[rows]]))
            trained = means(word_measures(data, chosen))
            base: dict[str, Any] = {"kind": kind, "dataset": dataset}
            rho = float(spearmanr(pairs["strength"], pairs["apart"])[0])
            found.append({**base, "pairs": len(pairs), "judge": rho, "left": 1.0, **trained})
            for lost in (DEFAULT_LOST, 0.3, 0.4):
                verdict = verdicts(judged["probability"].to_numpy(), lost)
                new_row = merged_rows(senses, judged_table(senses, judged, verdict))
                merged = np.where(chosen >= 0, new_row[np.maximum(chosen, 0)], -1)
                left = len(np.unique(new_row[own])) / len(own)
                measured = means(word_measures(data, merged))
                found.append({**base, "lost": lost, "left": left, **measured})
    return found


def encoded_sentences(path: str) -> NDArray[np.float16]:
    """Return the vectors of the sentences of a data set, each encoded once."""
    cache = vectors_folder() / f"encoded-{path.partition('/')[0]}.npy"
    if not cache.exists():
        table = read_wsi(data_file(f"wsi/{path}")).table
        encoder = Encoder()
        near = [
            (" ".join([*left.split()[-20:], ""]), target, " ".join(["", *right.split()[:20]]))
            for left, target, right in table[["left", "target", "right"]].itertuples(index=False)
        ]
        np.save(cache, encoder.encode(near))
    return np.asarray(np.load(cache))


def judged_table(
    senses: SenseVectors, judged: pd.DataFrame, verdict: NDArray[np.object_]
) -> pd.DataFrame:
    """Return all pairs of the judged words: what was not judged is undecided."""
    pairs = DifferenceMatrix(senses).pairs
    pairs = pairs[pairs["word"].isin(judged["word"])]
    names = {"label_a": "sense_a", "label_b": "sense_b"}
    known = judged.assign(verdict=verdict).rename(columns=names)
    known = known[["word", "sense_a", "sense_b", "verdict", "probability"]]
    both = pairs.merge(known, "left", on=["word", "sense_a", "sense_b"])
    return both.fillna({"verdict": "undecided", "probability": 1.0})


# --- merging, noise, time ------------------------------------------------------------------------


def measure_merging() -> list[dict[str, Any]]:
    """Return ARI and B³ against the senses left, by shared neighbors, by cosine and at random."""
    found = []
    for kind in MERGED:
        senses, pairs = vectors(kind), detected(kind)[0]
        order = {
            "shared": pairs,
            "cosine": pairs.assign(probability=-pairs["cosine"]),
            "random": pairs.assign(probability=np.random.default_rng(0).random(len(pairs))),
        }
        for dataset, path in DATASETS.items():
            data = read_wsi(data_file(f"wsi/{path}"))
            chosen = sense_clusters(senses, data)
            words = np.unique(senses.word_of_row[chosen[chosen >= 0]])
            own = np.flatnonzero(np.isin(senses.word_of_row, words))
            trained = word_measures(data, chosen)
            base: dict[str, Any] = {"kind": kind, "dataset": dataset}
            found.append({**base, "by": "as trained", "left": 1.0, **means(trained)})
            for lost in LOST:
                n_pseudo = (verdicts(pairs["probability"].to_numpy(), lost) == "pseudo").sum()
                for by, ordered in order.items():
                    lowest = ordered["probability"].rank(method="first") <= n_pseudo
                    verdict = np.where(lowest, "pseudo", "undecided")
                    new_row = merged_rows(senses, ordered.assign(verdict=verdict))
                    merged = np.where(chosen >= 0, new_row[np.maximum(chosen, 0)], -1)
                    left = len(np.unique(new_row[own])) / len(own)
                    measured = means(word_measures(data, merged))
                    found.append({**base, "by": by, "lost": lost, "left": left, **measured})
    return found


def means(measures: pd.DataFrame) -> dict[str, float]:
    """Return ARI and B³, averaged over words."""
    return {key: float(measures[key].mean()) for key in ("ari", "b3")}


def measure_verdicts() -> list[dict[str, Any]]:
    """Return how many pairs of each kind are decided, also where neighbors are noise."""
    found = []
    for kind in (*KINDS, *UNLABELED, *NOISE):
        pairs, warning = detected(kind)
        shares = pairs["verdict"].value_counts(normalize=True)
        found.append(
            {
                "kind": kind,
                "pairs": len(pairs),
                **{v: float(shares.get(v, 0)) for v in ("real", "pseudo", "undecided")},
                "warning": warning,
            }
        )
    return found


def measure_time() -> dict[str, float]:
    """Time 100,000 pairs of 33,334 words in 100 dimensions, each with three senses.

    The time of all threads together does not depend on what else the machine does.
    """
    n = 33_334
    rng = np.random.default_rng(0)
    words = rng.standard_normal((n, 1, 100), dtype=np.float32)
    rows = words + rng.standard_normal((n, 3, 100), dtype=np.float32)
    senses = SenseVectors(map(str, range(n)), rows.reshape(-1, 100), [3] * n)
    detect(senses.select(map(str, range(1000))))  # compiles
    start, began = time.process_time(), time.perf_counter()
    pairs = detect(senses)
    return {
        "pairs": len(pairs),
        "cpu_seconds": time.process_time() - start,
        "seconds": time.perf_counter() - began,
    }


SECTIONS: dict[str, Callable[[], Any]] = {
    "people": measure_people,
    "version_0_2": measure_version_0_2,
    "calibration": measure_calibration,
    "judge": measure_judge,
    "merging": measure_merging,
    "verdicts": measure_verdicts,
    "time": measure_time,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("verdicts")
    names = {**KINDS, **UNLABELED, **NOISE}
    texts = {
        "people": table(_people_row(row, found["version_0_2"]) for row in found["people"]),
        "means": table(_means(found["people"], found["version_0_2"])),
        "verdicts": table(
            {
                "vectors": names[row["kind"]],
                "pairs": f"{row['pairs']:,}",
                **{v: f"{row[v]:.0%}" for v in ("real", "pseudo", "undecided")},
                "warned": "yes" if row["warning"] else "",
            }
            for row in found["verdicts"]
        ),
    }
    for section, filled in (
        ("calibration", _calibration),
        ("judge", _judge),
        ("merging", _merging),
        ("time", _time),
    ):
        if section in found:
            texts |= filled(found[section])
    return texts


def _calibration(found: dict[str, Any]) -> dict[str, str]:
    kinds = table(
        {
            "vectors": KINDS[row["kind"]],
            "pairs": f"{row['pairs']:,}",
            "shared neighbors": f"{row['shared']:.2f}",
            "cosine": f"{row['cosine']:.2f}",
            "even odds at": f"{np.expm1(-row['line'][0] / row['line'][1]):.1f}",
            "slope": f"{row['line'][1]:.2f}",
        }
        for row in found["kinds"]
    )
    level, slope = found["line"]
    return {
        "kinds": kinds,
        "reliability": table(_reliability(found)),
        "words": f"{found['words']:,}",
        "clear": f"{found['clear']:,}",
        "slope": f"{slope:.2f}",
        "even": f"{np.expm1(-level / slope):.1f}",
    }


def _judge(found: list[dict[str, Any]]) -> dict[str, str]:
    return {"judge": table(_judge_row(row) for row in found)}


def _merging(found: list[dict[str, Any]]) -> dict[str, str]:
    return {"merging": table(_merging_row(row) for row in found)}


def _time(found: dict[str, float]) -> dict[str, str]:
    return {"pairs": f"{found['pairs']:,}", "seconds": f"{found['cpu_seconds']:.0f}"}


def _people_row(row: dict[str, Any], before: dict[str, dict[str, float]]) -> dict[str, str]:
    low, high = row["interval"]
    ahead = row["ahead_of_cosine"]
    old = before.get(row["kind"], {}).get(row["dataset"])
    return {
        "vectors": KINDS[row["kind"]],
        "data set": row["dataset"],
        "pairs": f"{row['pairs']}",
        **{str(size): f"{row[f'shared {size}']:.2f}" for size in SIZES},
        "interval of 100": f"{low:.2f} to {high:.2f}",
        "cosine": f"{row['cosine']:.2f}",
        "100 − cosine": f"{ahead[0]:.2f} to {ahead[1]:.2f}",
        "‖S_p‖": f"{row['outlier norm']:.2f}",
        "version 0.2": "" if old is None else f"{old:.2f}",
    }


def _means(rows: list[dict[str, Any]], before: dict[str, dict[str, float]]) -> list[dict[str, str]]:
    shown = []
    for kind, name in KINDS.items():
        own = [row for row in rows if row["kind"] == kind]
        of = {
            key: np.mean([row[key] for row in own])
            for key in ("shared 100", "cosine", "outlier norm")
        }
        old = before.get(kind)
        shown.append(
            {
                "vectors": name,
                "100 shared neighbors": f"{of['shared 100']:.2f}",
                "cosine": f"{of['cosine']:.2f}",
                "‖S_p‖": f"{of['outlier norm']:.2f}",
                "version 0.2": "" if old is None else f"{np.mean(list(old.values())):.2f}",
            }
        )
    return shown


def _reliability(calibration: dict[str, Any]) -> list[dict[str, str]]:
    def cells(name: str, key: str, low: float) -> dict[str, str]:
        row = next((row for row in calibration[key] if row["low"] == low), None)
        return {name: "" if row is None else f"{row['real']:.2f} of {row['pairs']}"}

    return [
        {
            "probability": f"{row['low']:.1f} to {row['high']:.1f}",
            **cells("real by the encoder, kind and words left out", "left_out", row["low"]),
            **cells("real by the encoder, the rule", "rule", row["low"]),
            **cells("main labels differ, by people", "people", row["low"]),
        }
        for row in calibration["people"]
    ]


def _merging_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "vectors": {**KINDS, **RUNS}[row["kind"]],
        "data set": row["dataset"],
        "merged by": row["by"],
        "lost": f"{row['lost']:g}" if "lost" in row else "",
        "senses left": f"{row['left']:.0%}",
        "ARI": f"{row['ari']:.3f}",
        "B³": f"{100 * row['b3']:.1f}",
    }


def _judge_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "vectors": {**KINDS, **RUNS}[row["kind"]],
        "data set": row["dataset"],
        "correlation with people": f"{row['judge']:.2f}" if "judge" in row else "",
        "lost": f"{row['lost']:g}" if "lost" in row else "as trained",
        "senses left": f"{row['left']:.0%}",
        "ARI": f"{row['ari']:.3f}",
        "B³": f"{100 * row['b3']:.1f}",
    }
