"""What the recipes of training are worth: SCWS before and after Ex-RPCA, senses, neighbors.

Vectors that are not in the folder EXRPCA_VECTORS are trained into it with 2 threads, which takes
minutes for each recipe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

import exrpca
from benchmarks.harness import data_file, results, table, vectors_folder
from exrpca.evaluation import WordPairs, evaluate, read_scws, wordsim353

PACKAGES = ("numpy", "numba")
THREADS = 2
RANKS = range(1, 6)
WORDS = (
    *("prime", "yard", "engine", "cat", "bank", "apple"),
    *("plant", "rock", "fox", "bass", "star", "cell"),
)
# file name without ending: what is passed to `exrpca.train`
RECIPES: dict[str, dict[str, Any]] = {
    "npmssg300": {"preset": "neelakantan2014"},
    "mssg300": {"preset": "neelakantan2014", "model": "mssg"},
    "default300": {},
    "default300-seed2": {"seed": 2},
    "default300-seed3": {"seed": 3},
    "default300-seed4": {"seed": 4},
    "default100": {"dim": 100},
}


def scores(senses: exrpca.SenseVectors, data: WordPairs) -> dict[str, float]:
    table = evaluate(senses, data, n_resamples=100)
    found = dict(zip(table["measure"], (100 * table["rho"]).round(1).tolist(), strict=True))
    return {**found, "used": int(table["used"].iloc[0]), "total": len(data)}


def neighbors(senses: exrpca.SenseVectors, word: str) -> list[str]:
    return [
        ", ".join(dict.fromkeys(senses.neighbors(word, sense, 6)["neighbor"]))
        for sense in range(len(senses[word]))
    ]


def describe(senses: exrpca.SenseVectors, scws: WordPairs) -> dict[str, Any]:
    collapsed = senses.collapse()
    cleaned = {
        str(rank): scores(exrpca.clean(senses, method="exrpca", rank=rank), scws) for rank in RANKS
    }
    return {
        "settings": senses.metadata["training"],
        "tokens": senses.metadata["tokens"],
        "words": len(senses),
        "mean_senses": round(float(senses.n_senses.mean()), 2),
        "scws": {
            "as trained": scores(senses, scws),
            "collapsed": scores(collapsed, scws),
            **{f"exrpca rank {rank}": row for rank, row in cleaned.items()},
        },
        "ws353": {
            "as trained": scores(senses, wordsim353()),
            "collapsed": scores(collapsed, wordsim353()),
        },
        "neighbors": {word: neighbors(senses, word) for word in WORDS if word in senses},
    }


def trained(name: str) -> exrpca.SenseVectors:
    """Return the vectors of a recipe, from the folder or trained into it."""
    path = vectors_folder() / f"{name}.parquet"
    if path.exists():
        return exrpca.load(path)
    corpus = data_file("enwiki-65m.txt.xz")
    return exrpca.train(corpus, output=path, threads=THREADS, progress=True, **RECIPES[name])


def measure(name: str) -> dict[str, Any]:
    """Describe the vectors of a recipe, or the bundled ones."""
    scws = read_scws(data_file("scws/ratings.txt"))
    return describe(exrpca.bundled() if name == "bundled" else trained(name), scws)


SECTIONS = {name: partial(measure, name) for name in (*RECIPES, "bundled")}


# --- for the docs --------------------------------------------------------------------------------

# What a table calls them: the runs it takes the mean of.
PRESETS = {
    "`neelakantan2014`, NP-MSSG, 300-d": ["npmssg300"],
    "`neelakantan2014` with `--model mssg`, 300-d": ["mssg300"],
    "`default`, 300-d": ["default300"],
    "`default`, 100-d": ["default100"],
}
# The rows of the README: the same vectors by the names a reader knows.
SUMMARY = {
    "NP-MSSG": "npmssg300",
    "MSSG, 3 senses": "mssg300",
    "our default recipe": "default300",
}


def fills() -> dict[str, str]:
    """Return the tables and numbers of README and docs."""
    found = results("training_quality")
    return {
        "summary": table(
            {"vectors": shown, **_summary(found[name])} for shown, name in SUMMARY.items()
        ),
        "presets": table(
            {"vectors": shown, **_mean_scores([found[run] for run in runs])}
            for shown, runs in PRESETS.items()
        ),
        "neighbors": _neighbors_table(found),
        **_sizes(found["default100"]),
        **_bundled_numbers(found["bundled"]),
    }


def _summary(found: Mapping[str, Any]) -> dict[str, str]:
    cleaned = {name: row["localSim"] for name, row in found["scws"].items() if "exrpca" in name}
    best = max(cleaned, key=lambda name: cleaned[name])
    return {
        "as trained": f"{found['scws']['as trained']['localSim']:.1f}",
        "cleaned, best of ranks 1–5": f"{cleaned[best]:.1f} ({best.removeprefix('exrpca ')})",
        "one vector per word": f"{found['scws']['collapsed']['localSim']:.1f}",
        "globalSim": f"{found['scws']['as trained']['globalSim']:.1f}",
    }


def _mean(found: Sequence[Mapping[str, Any]], vectors: str, measure: str = "localSim") -> float:
    return fmean(run["scws"][vectors][measure] for run in found)


def _mean_scores(found: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    ranks = {name: _mean(found, name) for name in found[0]["scws"] if name.startswith("exrpca")}
    best = max(ranks, key=lambda name: ranks[name])
    return {
        "runs": str(len(found)),
        "senses per word": f"{fmean(run['mean_senses'] for run in found):.2f}",
        "localSim": f"{_mean(found, 'as trained'):.1f}",
        "… cleaned, at its best rank": f"{ranks[best]:.1f} ({best.split()[-1]})",
        "avgSimC": f"{_mean(found, 'as trained', 'avgSimC'):.1f}",
        "globalSim": f"{_mean(found, 'as trained', 'globalSim'):.1f}",
        "collapsed": f"{_mean(found, 'collapsed'):.1f}",
    }


def _neighbors_table(found: Mapping[str, Any]) -> str:
    names = {"npmssg300": "the paper's settings", "default100": "default, 100-d"}
    return table(
        {"word": word, **{shown: _senses(found[name], word) for name, shown in names.items()}}
        for word in found["default100"]["neighbors"]
    )


def _senses(found: Mapping[str, Any], word: str) -> str:
    senses = found["neighbors"].get(word, [])
    others = [[near for near in sense.split(", ") if near != word] for sense in senses]
    return " **·** ".join(", ".join(near[:4]) for near in others)


def _sizes(found: Mapping[str, Any]) -> dict[str, str]:
    scws = found["scws"]["as trained"]
    return {
        "tokens": f"{found['tokens'] / 1e6:.0f} million",
        "words": f"{found['words']:,}",
        "scws": f"{scws['used']:,} of {scws['total']:,}",
    }


def _bundled_numbers(found: Mapping[str, Any]) -> dict[str, str]:
    scws = found["scws"]
    return {
        "bundled.scws": f"{scws['as trained']['used']:,} of {scws['as trained']['total']:,}",
        **{
            f"bundled.{measure}": f"{scws['as trained'][measure]:.1f}"
            for measure in ("localSim", "avgSimC", "avgSim", "globalSim")
        },
        "bundled.cleaned": f"{scws['exrpca rank 3']['localSim']:.1f}",
        "bundled.collapsed": f"{scws['collapsed']['localSim']:.1f}",
    }
