"""Change of words between two periods, against people's judgments (DWUG EN), and corrections.

`prt` was named as the measure to recommend before these figures were seen. Half of DWUG EN (23 of
its 46 words) is in the data; its uses are from 1810–1860 and 1960–2010. The encoders are the
one that comes with the package, and mpnet from the folder EXRPCA_ENCODERS or the Hub. What they
make of the texts is kept in the folder EXRPCA_VECTORS.
"""

from __future__ import annotations

import dataclasses
import itertools
import lzma
import os
import tempfile
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy.stats import binom, rankdata, spearmanr
from sklearn.metrics import (
    adjusted_rand_score,
    average_precision_score,
    normalized_mutual_info_score,
)

from benchmarks.harness import data_file, number, results, table, timed, vectors_folder
from exrpca.contextual import Encoder, Occurrences, encode, induce
from exrpca.contextual.compare import compare
from exrpca.contextual.encode import DEFAULT_WINDOW
from exrpca.contextual.find import find_occurrences
from exrpca.contextual.targets import find_targets
from exrpca.evaluation import WsiData, read_wsi, score_clusterings
from exrpca.text import Corpus, Tokenizer
from exrpca.text.lemmas import Lemmas

PACKAGES = ("numpy", "scipy", "onnxruntime")

ENCODERS = ("minilm", "mpnet")
MEASURES = ("prt", "apd", "jsd")
NAMES = {
    "prt": "prt: prototypes",
    "apd": "apd: average pairwise distance",
    "jsd": "jsd of induced senses",
    "jsd, n_senses": "jsd of as many induced senses as people found",
    "jsd of people's senses": "jsd of people's senses",
    "number": "number of people's senses",
    "length": "difference of mean sentence lengths",
    "frequency": "frequency in Wikipedia today",
}
N_SPLITS = 1000
LABELED = {"semeval": "wsi/semeval-2010", "coarse": "wsi/coarsewsd-20"}
N_CORRECTED = 20
N_LINES = 5_000  # of the text, for timing
DRAWS = 199
N_RESAMPLES = 2000


@cache
def uses() -> pd.DataFrame:
    return pd.read_csv(data_file("wsi/dwug-en/uses.csv.xz"), keep_default_na=False)


@cache
def judged() -> pd.DataFrame:
    return pd.read_csv(data_file("wsi/dwug-en/change.csv")).set_index("lemma")


def encoder(name: str) -> Encoder:
    folder = Path(os.environ.get("EXRPCA_ENCODERS", ".")) / f"{name}-int8"
    return Encoder(folder if folder.exists() else name)


@cache
def occurrences(name: str) -> Occurrences:
    """Return the uses of DWUG EN, encoded."""
    return encoded(name, "dwug", uses())


def encoded(name: str, dataset: str, table: pd.DataFrame) -> Occurrences:
    """Encode a table of texts, with as much context as `encode` takes, or read what was encoded."""
    path = vectors_folder() / f"occurrences-{dataset}-{name}.parquet"
    if not path.exists():
        texts = table[["left", "target", "right"]].itertuples(index=False, name=None)
        vectors = encoder(name).encode([near(*text) for text in texts])
        Occurrences.from_arrays(table["word"].tolist(), vectors).save(path)
    return Occurrences.load(path)


def near(left: str, target: str, right: str) -> tuple[str, str, str]:
    """Return a target with as many words on each side as `encode` takes."""
    before, after = left.split()[-DEFAULT_WINDOW:], right.split()[:DEFAULT_WINDOW]
    return " ".join([*before, ""]), target, " ".join(["", *after])


def measured(name: str) -> pd.DataFrame:
    """Return the measures of each word, by its lemma."""
    own, period = occurrences(name), uses()["grouping"].astype(str)
    numbers = {str(word): int(n) for word, n in baselines()["number"].items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        _, assigned = induce(own)
        found = compare(assigned.assign(period=period), own, by="period", draws=DRAWS)
        _, assigned = induce(own, n_senses=numbers)
        with_numbers = compare(assigned.assign(period=period), by="period", draws=DRAWS)
    found = found.set_index("word")
    found["jsd, n_senses"] = with_numbers.set_index("word")["jsd"]
    return found


@cache
def baselines() -> pd.DataFrame:
    """Return measures that need no encoder: people's own senses, sentence lengths, frequency."""
    gold = uses().assign(sense=uses()["gold"].astype(int), period=uses()["grouping"].astype(str))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = compare(gold, by="period", draws=DRAWS).set_index("word")
    lengths = gold["left"].str.len() + gold["right"].str.len()
    means = lengths.groupby([gold["word"], gold["period"]]).mean().unstack()
    return pd.DataFrame(
        {
            "jsd of people's senses": found["jsd"],
            "number": gold[gold["sense"] >= 0].groupby("word")["sense"].nunique().astype(float),
            "length": (means["1"] - means["2"]).abs(),
            "frequency": frequencies(list(found.index)),
        }
    )


def frequencies(lemmas: list[str]) -> pd.Series[float]:
    """Return how often Wikipedia has each word; DWUG EN has 100 uses of each, however common."""
    counts: Counter[str] = Counter()
    with lzma.open(data_file("enwiki-65m.txt.xz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            counts.update(line.split())
    return pd.Series({lemma: float(counts[lemma.split("_")[0]]) for lemma in lemmas})


def agreement(value: pd.Series[float]) -> dict[str, Any]:
    """Return how well a measure agrees with people's judgments of change."""
    gold = judged().loc[value.index]
    graded, binary = gold["change_graded"].to_numpy(), gold["change_binary"].to_numpy()
    rng = np.random.default_rng(0)
    resampled = []
    for _ in range(N_RESAMPLES):
        words = rng.integers(len(value), size=len(value))
        ranks = rankdata(value.to_numpy()[words]), rankdata(graded[words])
        with np.errstate(invalid="ignore"):  # all drawn words may have one value
            resampled.append(np.corrcoef(*ranks)[0, 1])
    return {
        "spearman": float(spearmanr(value, graded)[0]),
        "interval": np.nanpercentile(resampled, [2.5, 97.5]).tolist(),
        "average_precision": float(average_precision_score(binary, value)),
    }


def measure_people() -> dict[str, Any]:
    """Compare each measure with people's judgments."""
    own = baselines()
    agreements = {"none": {str(name): agreement(own[name]) for name in own}}
    for name in ENCODERS:
        values = measured(name)
        measures = (*MEASURES, "jsd, n_senses")
        agreements[name] = {measure: agreement(values[measure]) for measure in measures}
    changed = judged()["change_binary"]
    return {"n_words": len(changed), "n_changed": int(changed.sum()), "agreement": agreements}


def measure_why() -> dict[str, Any]:
    """Ask what induced senses follow: people's senses, or the style of a period."""
    gold, period = uses()["gold"].astype(int), uses()["grouping"]
    changed = judged()["change_binary"]
    found = {}
    for name in ENCODERS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            sense = induce(occurrences(name))[1]["sense"]
        rows = {}
        for word, own in uses().groupby("word").groups.items():
            known = own[gold[own] >= 0]
            rows[str(word)] = {
                "ari": adjusted_rand_score(gold[known], sense[known]),
                "period": normalized_mutual_info_score(period[own], sense[own]),
                "n": sense[own].nunique(),
            }
        of_words = pd.DataFrame(rows).T
        found[name] = {
            "ari": float(of_words["ari"].mean()),
            "one sense": int((of_words["n"] == 1).sum()),
            "changed": float(of_words["period"][changed == 1].mean()),
            "stable": float(of_words["period"][changed == 0].mean()),
        }
    return found


def measure_corrections() -> dict[str, Any]:
    """Score senses with and without 20 corrected occurrences per word, simulated from labels."""
    found: dict[str, Any] = {}
    for name in ENCODERS:
        for dataset, path in LABELED.items():
            data = read_wsi(data_file(path))
            own = encoded(name, dataset, data.table)
            found.setdefault(name, {})[data.name] = corrected_scores(data, own)
    return found


def corrected_scores(data: WsiData, own: Occurrences) -> dict[str, Any]:
    texts = pa.table({"left": [str(row) for row in range(len(own))]})
    words = data.table["word"]
    own = Occurrences(own.words, own.word_of, own.vectors, texts)
    rng = np.random.default_rng(0)
    rows = np.concatenate(
        [rng.permutation(rows)[:N_CORRECTED] for rows in words.groupby(words).indices.values()]
    )
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        path = Path(folder) / "corrections.csv"
        labels = data.table.groupby("word")["gold"].transform(lambda gold: pd.factorize(gold)[0])
        said = {"word": words[rows], "to": labels[rows], "left": [str(row) for row in rows]}
        moves = pd.DataFrame(said).assign(step=1, action="move", sense=0)
        moves[["name", "source", "target", "right"]] = ""
        moves.to_csv(path, index=False)
        without = induce(own)[1]["sense"].to_numpy()
        corrected = induce(own, corrections=path)[1]["sense"].to_numpy()
    clusterings = {"without": without, "with": corrected}
    rest = np.setdiff1d(np.arange(len(own)), rows)
    others = dataclasses.replace(data, table=data.table.iloc[rest].reset_index(drop=True))
    return {
        "all": _scores(data, clusterings),
        "others": _scores(others, {name: found[rest] for name, found in clusterings.items()}),
        "n_lost": _n_lost(labels, words, rows, corrected),
    }


def _n_lost(labels: pd.Series[int], words: pd.Series[str], rows: Any, sense: Any) -> int:
    """Count the corrected occurrences that are not exactly with those of the same label."""
    table_of = pd.DataFrame({"word": words[rows], "label": labels[rows], "sense": sense[rows]})
    one_sense = table_of.groupby(["word", "label"])["sense"].transform("nunique") == 1
    one_label = table_of.groupby(["word", "sense"])["label"].transform("nunique") == 1
    return int((~(one_sense & one_label)).sum())


def _scores(data: WsiData, clusterings: dict[str, Any]) -> dict[str, Any]:
    scores = score_clusterings(data, clusterings, n_resamples=N_RESAMPLES)
    wanted = scores[scores["measure"].isin(["b3", "ari"])].set_index(["clustering", "measure"])
    columns = ["value", "difference", "difference_low", "difference_high"]
    return {
        f"{clustering} {measure}": wanted.loc[(clustering, measure), columns].to_dict()
        for clustering in clusterings
        for measure in ("b3", "ari")
    }


def measure_chance() -> dict[str, Any]:
    """Count how often p is at most 0.05 when one period of a word is split at random."""
    shares = {}
    for name in ENCODERS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            _, assigned = induce(occurrences(name))
        rng = np.random.default_rng(0)
        blocks = [rows for _, rows in uses().groupby(["word", "grouping"]).indices.items()]
        p = []
        for split in range(N_SPLITS):
            rows = blocks[split % len(blocks)]
            half = rng.permutation(np.arange(len(rows)) % 2)
            p.append(_p_values(assigned.iloc[rows], occurrences(name), rows, half, split))
        below = (pd.DataFrame(p) <= 0.05).mean()
        shares[name] = below.to_dict()
    low, high = (float(binom.ppf(q, N_SPLITS, 0.05)) / N_SPLITS for q in (0.025, 0.975))
    return {"n_splits": N_SPLITS, "draws": DRAWS, "expected": [low, high], "shares": shares}


def _p_values(
    assigned: pd.DataFrame, all_of: Occurrences, rows: Any, half: Any, seed: int
) -> dict[str, float]:
    table_of = assigned.assign(half=half.astype(str)).reset_index(drop=True)
    own = Occurrences.from_arrays(table_of["word"].tolist(), all_of.vectors[rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        row = compare(table_of, own, by="half", draws=DRAWS, seed=seed).iloc[0]
    return {measure: float(row[f"{measure}_p"]) for measure in MEASURES}


def measure_scale() -> dict[str, Any]:
    """Time each step per worker, for an extrapolation to large texts."""
    words = ["bank", "cell", "plant", "record", "web"]
    with tempfile.TemporaryDirectory() as folder:
        text, kept = Path(folder) / "text.txt", Path(folder) / "kept.parquet"
        with lzma.open(data_file("enwiki-65m.txt.xz"), "rt", encoding="utf-8") as lines:
            text.write_text("".join(itertools.islice(lines, N_LINES)), encoding="utf-8")
        n_tokens = len(text.read_text(encoding="utf-8").split())
        tokenizer = Tokenizer("words")
        targets = find_targets(words, Lemmas("en"), Corpus(text), tokenizer)
        seconds_reading, _ = timed(
            lambda: find_occurrences(
                Corpus(text),
                targets,
                tokenizer=tokenizer,
                per_word=1000,
                window=20,
                names=True,
                report=lambda *_: None,
            )
        )
        seconds, found = timed(
            lambda: encode(text, words=words, encoder=Encoder("minilm", threads=1), output=kept)
        )
        size = kept.stat().st_size
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        seconds_inducing, _ = timed(lambda: induce(found))
    return {
        "tokens": n_tokens,
        "tokens_per_second": n_tokens / seconds_reading,
        "occurrences": len(found),
        "encoded_per_second": len(found) / max(seconds - seconds_reading, 1e-9),
        "induced_per_second": len(found) / seconds_inducing,
        "bytes_per_occurrence": size / len(found),
    }


SECTIONS = {
    "people": measure_people,
    "chance": measure_chance,
    "why": measure_why,
    "corrections": measure_corrections,
    "scale": measure_scale,
}


def scale_fills(found: dict[str, float]) -> dict[str, str]:
    """Return the speeds, and what they mean for a billion tokens and a million occurrences."""
    return {
        "tokens_per_second": f"{found['tokens_per_second']:,.0f}",
        "encoded_per_second": f"{found['encoded_per_second']:,.0f}",
        "induced_per_second": f"{found['induced_per_second']:,.0f}",
        "bytes_per_occurrence": f"{found['bytes_per_occurrence']:,.0f}",
        "hours_reading": number(1e9 / found["tokens_per_second"] / 3600, 1),
        "hours_encoding": number(1e6 / found["encoded_per_second"] / 3600, 1),
        "hours_inducing": number(1e6 / found["induced_per_second"] / 3600, 1),
        "gigabytes": number(1e6 * found["bytes_per_occurrence"] / 1e9, 1),
    }


def fills() -> dict[str, str]:
    """Return the tables that the docs quote."""
    found = results("change")
    people, chance = found["people"], found["chance"]
    rows = [
        {
            "encoder": encoder,
            "measure": NAMES[name],
            "Spearman with graded change": "{:.2f} ({:.2f} to {:.2f})".format(
                own["spearman"], *own["interval"]
            ),
            "average precision, changed or not": number(own["average_precision"], 2),
        }
        for encoder, measures in people["agreement"].items()
        for name, own in measures.items()
    ]
    by_chance = [
        {"encoder": encoder, **{name: f"{share:.1%}" for name, share in shares.items()}}
        for encoder, shares in chance["shares"].items()
    ]
    low, high = chance["expected"]
    follows = [
        {
            "encoder": encoder,
            "ARI with people's senses": number(own["ari"], 2),
            "words with one sense": str(own["one sense"]),
            "changed words: agreement with the period": number(own["changed"], 3),
            "stable words: agreement with the period": number(own["stable"], 3),
        }
        for encoder, own in found["why"].items()
    ]
    corrected = [
        {
            "encoder": encoder,
            "data": dataset,
            "without": f"{100 * own[part]['without b3']['value']:.1f}",
            f"with {N_CORRECTED} per word": f"{100 * own[part]['with b3']['value']:.1f}",
            "gain": "{:+.1f} ({:.1f} to {:.1f})".format(
                *(
                    100 * own[part]["with b3"][name]
                    for name in ("difference", "difference_low", "difference_high")
                )
            ),
            "scored on": {"all": "all occurrences", "others": "those that were not corrected"}[
                part
            ],
        }
        for encoder, datasets in found["corrections"].items()
        for dataset, own in datasets.items()
        for part in ("all", "others")
    ]
    return {
        **scale_fills(found["scale"]),
        "why": table(follows),
        "corrections": table(corrected),
        "n_lost": str(
            sum(own["n_lost"] for sets in found["corrections"].values() for own in sets.values())
        ),
        "people": table(rows),
        "n_words": str(people["n_words"]),
        "n_changed": str(people["n_changed"]),
        "chance": table(by_chance),
        "n_splits": f"{chance['n_splits']:,}",
        "expected": f"{low:.1%} to {high:.1%}",
    }
