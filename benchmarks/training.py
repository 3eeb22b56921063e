"""Training speed relative to gensim's single-sense skip-gram, and memory.

All contenders train the same text with 300 dimensions, window 5, subsampling at 1e-3 and min count
20, one after the other in each repeat; reading the text, building the vocabulary and compiling are
not counted.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gensim.models import Word2Vec

from benchmarks.harness import data_file, number, results, table
from exrpca.text import Corpus
from exrpca.training import Settings
from exrpca.training.run import Run
from exrpca.training.vocabulary import number_tokens
from exrpca.training.weights import initial_weights

PACKAGES = ("numpy", "numba", "gensim")
THREADS = 2
N_TOKENS, REPEATS = 10_000_000, 3
COMMON: dict[str, Any] = {"dim": 300, "window": 5, "sample": 1e-3, "min_count": 20}
NP_MSSG: dict[str, Any] = {
    "model": "np-mssg",
    "single_sense_epochs": 0,
    "epochs": 1,
    "contexts": "globals",
    "threshold": -0.5,
}

# Prints the peak of its own (not file-backed) memory over what the imports took, and the arrays.
MEMORY_PROBE = """
import json, sys, threading, time
import exrpca.training.trainer as trainer
from exrpca.training import Settings, train

def anonymous():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) * 1024

train([["a", "b"]] * 100, min_count=1, dim=4)  # compiled code does not count as arrays
before = peak = anonymous()
arrays = 0

def watch():
    global peak
    while True:
        peak = max(peak, anonymous())
        time.sleep(0.01)

def noting(run, threads):
    global arrays
    arrays = sum(array.nbytes for array in run.weights)
    return result(run, threads)

result, trainer._result = trainer._result, noting
threading.Thread(target=watch, daemon=True).start()
train(sys.argv[1], output=sys.argv[2], **json.loads(sys.argv[3]))
print(json.dumps({"arrays": arrays, "peak": peak - before}))
"""


def cut_text(corpus: Path, target: Path, n_tokens: int) -> int:
    """Write the first lines with about `n_tokens` tokens; return how many there are."""
    written = 0
    with target.open("w") as file:
        for tokens in Corpus(corpus):
            file.write(" ".join(tokens) + "\n")
            written += len(tokens)
            if written >= n_tokens:
                break
    return written


def gensim_run(text: Path, negative: int, threads: int = THREADS) -> Callable[[], float]:
    def run() -> float:
        model = Word2Vec(
            sg=1, vector_size=300, window=5, sample=1e-3, min_count=20, negative=negative,
            workers=threads, epochs=1,
        )  # fmt: skip
        model.build_vocab(corpus_file=str(text))
        start = time.perf_counter()
        model.train(
            corpus_file=str(text),
            total_words=model.corpus_total_words,
            total_examples=model.corpus_count,
            epochs=1,
        )
        return time.perf_counter() - start

    return run


def exrpca_run(numbered: Any, settings: Settings, threads: int = THREADS) -> Callable[[], float]:
    vocabulary, tokens = numbered

    def run() -> float:
        short = Run(tokens[:1000], vocabulary, settings, initial_weights(vocabulary, settings))
        short.advance(threads, lambda: False)  # compiles
        whole = Run(tokens, vocabulary, settings, initial_weights(vocabulary, settings))
        start = time.perf_counter()
        whole.advance(threads, lambda: False)
        return time.perf_counter() - start

    return run


def contenders(text: Path, numbered: Any) -> dict[str, Callable[[], float]]:
    runs: dict[str, Callable[[], float]] = {}
    for negative in (1, 5):
        shared = Settings(**COMMON, **NP_MSSG, negatives=negative, window_negatives=3 * negative)
        own = shared.with_changes(window_negatives=0)
        kinds = {
            "shared negatives": shared,
            "own negatives": own,
            "own negatives, AdaGrad": own.with_changes(optimizer="adagrad"),
        }
        for threads, named in ((THREADS, ""), (1, ", 1 thread")):
            runs[f"gensim, {_negatives(negative)}{named}"] = gensim_run(text, negative, threads)
            for kind, settings in kinds.items():
                name = f"NP-MSSG, {_negatives(negative)}, {kind}{named}"
                runs[name] = exrpca_run(numbered, settings, threads)
    return runs


def _negatives(n: int) -> str:
    return f"{n} negative" if n == 1 else f"{n} negatives"


def measure_speed(
    runs: dict[str, Callable[[], float]], n_tokens: int, repeats: int
) -> list[dict[str, Any]]:
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            times[name].append(run())
    # the shortest: what else happens on a machine only ever adds to a time
    speed = {name: n_tokens / min(values) for name, values in times.items()}
    rows = []
    for name, tokens_a_second in speed.items():
        peer = ", ".join(["gensim", *name.split(", ")[1:2]])
        row = {
            "run": name,
            "tokens_per_second": round(tokens_a_second),
            "slowest": round(n_tokens / max(times[name])),
            "times_gensim": round(tokens_a_second / speed[peer], 2),
        }
        one = f"{name}, 1 thread"
        if one in speed:
            row["times_one_thread"] = round(tokens_a_second / speed[one], 2)
        rows.append(row)
    return rows


def measure_memory(text: Path, folder: Path) -> list[dict[str, Any]]:
    rows = []
    for preset in ("default", "neelakantan2014"):
        options = {"preset": preset, "threads": THREADS, "checkpoint_seconds": 5}
        probe = subprocess.run(
            [
                *(sys.executable, "-c", MEMORY_PROBE, text, folder / "out.parquet"),
                json.dumps(options),
            ],
            check=True,
            capture_output=True,
            text=True,
        )
        found = json.loads(probe.stdout)
        rows.append({"preset": preset, **found, "ratio": round(found["peak"] / found["arrays"], 2)})
    return rows


@contextmanager
def prepared() -> Iterator[tuple[Path, Any, dict[str, Any]]]:
    """Give the text, its numbered tokens, and what both are."""
    corpus = data_file("enwiki-65m.txt.xz")
    logging.disable()  # gensim warns that one epoch is few
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "text.txt"
        n_tokens = cut_text(corpus, text, N_TOKENS)
        numbered = number_tokens(
            Corpus(text), folder, min_count=COMMON["min_count"], report=lambda done, note="": None
        )
        facts = {"tokens": n_tokens, "words": len(numbered[0].words)}
        yield text, numbered, {**facts, "settings": {**COMMON, **NP_MSSG}}


def section_speed() -> dict[str, Any]:
    """Compare with gensim."""
    with prepared() as (text, numbered, facts):
        rows = measure_speed(contenders(text, numbered), facts["tokens"], REPEATS)
        return {**facts, "repeats": REPEATS, "rows": rows}


def section_memory() -> dict[str, Any]:
    """Compare the peak of memory with the arrays."""
    with prepared() as (text, _, facts):
        return {**facts, "rows": measure_memory(text, text.parent)}


SECTIONS = {
    "speed": section_speed,
    "memory": section_memory,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("training")
    speed = {row["run"]: row["times_gensim"] for row in found["speed"]["rows"]}
    return {
        "speed": table(_speed_row(row) for row in found["speed"]["rows"]),
        "memory": table(
            {
                "preset": f"`{row['preset']}`",
                "arrays, MiB": row["arrays"] >> 20,
                "peak, MiB": row["peak"] >> 20,
                "peak over arrays": f"{row['ratio']:.2f}",
            }
            for row in found["memory"]["rows"]
        ),
        **{
            f"times_gensim.{kind}.{n}": f"{speed[f'NP-MSSG, {_negatives(n)}, {shown}']:.1f}"
            for n in (1, 5)
            for kind, shown in (
                ("shared", "shared negatives"),
                ("own", "own negatives"),
                ("adagrad", "own negatives, AdaGrad"),
            )
        },
    }


def _speed_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "run": row["run"],
        "tokens per second": f"{row['tokens_per_second']:,}",
        "slowest run": f"{row['slowest']:,}",
        "× gensim": f"{row['times_gensim']:.2f}",
        "× one thread": number(row.get("times_one_thread"), 2),
    }
