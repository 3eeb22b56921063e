"""Change of words between two periods, against people's judgments (DWUG EN).

`prt` was named as the measure to recommend before these figures were seen. Half of DWUG EN (23 of
its 46 words) is in the data; its uses are from 1810–1860 and 1960–2010. The encoders are
MiniLM, in EXRPCA_DATA, and those in the folder EXRPCA_ENCODERS.
"""

from __future__ import annotations

import lzma
import os
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom, rankdata, spearmanr
from sklearn.metrics import average_precision_score

from benchmarks.harness import data_file, number, results, table, vectors_folder
from exrpca.contextual import Encoder, Occurrences, induce
from exrpca.contextual.compare import compare

PACKAGES = ("numpy", "scipy", "onnxruntime")

MEASURES = ("prt", "apd", "jsd")
NAMES = {
    "prt": "prt: prototypes",
    "apd": "apd: average pairwise distance",
    "jsd": "jsd of induced senses",
    "jsd of people's senses": "jsd of people's senses",
    "length": "difference of mean sentence lengths",
    "frequency": "frequency in Wikipedia today",
}
N_SPLITS = 1000
DRAWS = 199
N_RESAMPLES = 2000


@cache
def uses() -> pd.DataFrame:
    return pd.read_csv(data_file("wsi/dwug-en/uses.csv.xz"), keep_default_na=False)


@cache
def judged() -> pd.DataFrame:
    return pd.read_csv(data_file("wsi/dwug-en/change.csv")).set_index("lemma")


def encoders() -> dict[str, Path]:
    """Return the folders of the encoders that can be found."""
    found = {"minilm": data_file("encoder-minilm")}
    folder = os.environ.get("EXRPCA_ENCODERS")
    for path in sorted(Path(folder).iterdir()) if folder else []:
        if (path / "tokenizer.json").exists():
            found[path.name] = path
    return found


@cache
def occurrences(name: str) -> Occurrences:
    path = vectors_folder() / f"occurrences-dwug-{name}.parquet"
    if not path.exists():
        texts = uses()[["left", "target", "right"]].itertuples(index=False, name=None)
        vectors = Encoder(encoders()[name]).encode(list(texts))
        Occurrences.from_arrays(uses()["word"].tolist(), vectors).save(path)
    return Occurrences.load(path)


def measured(name: str) -> pd.DataFrame:
    """Return the measures of each word, by its lemma."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        _, assigned = induce(occurrences(name))
        assigned["period"] = uses()["grouping"].astype(str)
        return compare(assigned, occurrences(name), by="period", draws=DRAWS).set_index("word")


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
    for name in encoders():
        values = measured(name)
        agreements[name] = {measure: agreement(values[measure]) for measure in MEASURES}
    changed = judged()["change_binary"]
    return {"n_words": len(changed), "n_changed": int(changed.sum()), "agreement": agreements}


def measure_chance() -> dict[str, Any]:
    """Count how often p is at most 0.05 when one period of a word is split at random."""
    shares = {}
    for name in encoders():
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


SECTIONS = {"people": measure_people, "chance": measure_chance}


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
    return {
        "people": table(rows),
        "n_words": str(people["n_words"]),
        "n_changed": str(people["n_changed"]),
        "chance": table(by_chance),
        "n_splits": f"{chance['n_splits']:,}",
        "expected": f"{low:.1%} to {high:.1%}",
    }
