"""Training speed relative to gensim's single-sense skip-gram, gain by threads, and memory.

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
from statistics import median
from typing import Any

from gensim.models import Word2Vec

from benchmarks.harness import data_file, number, results, table
from benchmarks.touched_rows import seconds_to_touch
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


def exrpca_run(
    numbered: Any, settings: Settings, threads: int = THREADS, *, with_senses: bool = True
) -> Callable[[], float]:
    vocabulary, tokens = numbered
    if not with_senses:  # an epoch with one sense per word, which ends before senses are opened
        settings = settings.with_changes(single_sense_epochs=1)

    def run() -> float:
        short = Run(tokens[:1000], vocabulary, settings, initial_weights(vocabulary, settings))
        short.advance(threads, lambda: False)  # compiles
        whole = Run(tokens, vocabulary, settings, initial_weights(vocabulary, settings))
        start = time.perf_counter()
        whole.advance(threads, lambda: not with_senses and 2 * whole.done >= whole.total)
        return time.perf_counter() - start

    return run


def contenders(text: Path, numbered: Any) -> dict[str, Callable[[], float]]:
    runs: dict[str, Callable[[], float]] = {}
    for negative in (1, 5):
        shared = Settings(**COMMON, **NP_MSSG, negatives=negative, window_negatives=3 * negative)
        runs[f"gensim, {_negatives(negative)}"] = gensim_run(text, negative)
        runs[f"gensim, {_negatives(negative)}, 1 thread"] = gensim_run(text, negative, threads=1)
        runs[f"NP-MSSG, {_negatives(negative)}, shared negatives"] = exrpca_run(numbered, shared)
        runs[f"NP-MSSG, {_negatives(negative)}, own negatives"] = exrpca_run(
            numbered, shared.with_changes(window_negatives=0)
        )
        adagrad = shared.with_changes(window_negatives=0, optimizer="adagrad")
        named = f"NP-MSSG, {_negatives(negative)}, own negatives, AdaGrad"
        runs[named] = exrpca_run(numbered, adagrad)
        runs[f"{named}, 1 thread"] = exrpca_run(numbered, adagrad, threads=1)
        runs[f"NP-MSSG, {_negatives(negative)}, shared negatives, 1 thread"] = exrpca_run(
            numbered, shared, threads=1
        )
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


def measure_threads(numbered: Any, passes: int) -> list[dict[str, Any]]:
    """Compare one thread with two in turns of about a second within the same run.

    How fast two cores share memory changes from minute to minute on a virtual machine; turns that
    follow each other meet the same conditions.
    """
    rows = []
    for negative in (1, 5):
        settings = Settings(**COMMON, **NP_MSSG, negatives=negative, window_negatives=3 * negative)
        pairs = [pair for _ in range(passes) for pair in speeds_in_turns(numbered, settings)]
        gains = sorted(two / one for one, two in pairs)
        row: dict[str, Any] = {"negatives": negative, "turns": len(pairs)}
        row |= {"one": round(median(one for one, _ in pairs))}
        row |= {"two": round(median(two for _, two in pairs))}
        for name, share in (("low", 0.1), ("median", 0.5), ("high", 0.9)):
            row[name] = round(gains[round(share * (len(gains) - 1))], 2)
        rows.append(row)
    return rows


def speeds_in_turns(numbered: Any, settings: Settings) -> list[tuple[float, float]]:
    """Return the tokens a second of one thread and of two, turn by turn, in one run."""
    vocabulary, tokens = numbered
    run = Run(tokens, vocabulary, settings, initial_weights(vocabulary, settings))

    def speed(threads: int) -> float:
        before, start = run.done, time.perf_counter()
        run.advance(threads, lambda: run.done - before >= 5 * threads)
        return run.tokens_since(before) / (time.perf_counter() - start)

    speed(1)  # compiles
    pairs = []
    while run.total - run.done > 25:
        pairs.append((speed(1), speed(THREADS)))
    return pairs


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


def section_senses() -> dict[str, Any]:
    """Measure what senses cost AdaGrad: gensim learns one vector per word."""
    with prepared() as (text, numbered, facts):
        runs = {}
        for negative in (1, 5):
            named = f"NP-MSSG, {_negatives(negative)}, AdaGrad"
            settings = Settings(
                **COMMON, **NP_MSSG, negatives=negative, window_negatives=0, optimizer="adagrad"
            )
            runs[f"gensim, {_negatives(negative)}"] = gensim_run(text, negative)
            runs[named] = exrpca_run(numbered, settings)
            runs[f"{named}, one sense per word"] = exrpca_run(numbered, settings, with_senses=False)
        return {**facts, "repeats": REPEATS, "rows": measure_speed(runs, facts["tokens"], REPEATS)}


def section_rows() -> dict[str, Any]:
    """Measure what memory alone costs: the rows of one array, as SGD has it, and of two."""
    with prepared() as (text, numbered, facts):
        rows = []
        for negative in (1, 5):
            settings = Settings(**COMMON, **NP_MSSG, negatives=negative, window_negatives=0)
            times = [
                (
                    gensim_run(text, negative)(),
                    *(seconds_to_touch(numbered, settings, n, THREADS) for n in (1, 2)),
                )
                for _ in range(REPEATS)
            ]
            gensim, one, two = (round(min(found), 2) for found in zip(*times, strict=True))
            rows.append({"negatives": negative, "gensim": gensim, "one": one, "two": two})
        return {**facts, "repeats": REPEATS, "rows": rows}


def section_threads_gain() -> dict[str, Any]:
    """Compare one thread with two."""
    with prepared() as (_, numbered, facts):
        return {**facts, "rows": measure_threads(numbered, REPEATS)}


def section_memory() -> dict[str, Any]:
    """Compare the peak of memory with the arrays."""
    with prepared() as (text, _, facts):
        return {**facts, "rows": measure_memory(text, text.parent)}


SECTIONS = {
    "speed": section_speed,
    "senses": section_senses,
    "rows": section_rows,
    "threads_gain": section_threads_gain,
    "memory": section_memory,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("training")
    speed = {row["run"]: row["times_gensim"] for row in found["speed"]["rows"]}
    one_sense = {row["run"]: row["times_gensim"] for row in found["senses"]["rows"]}
    return {
        "speed": table(_speed_row(row) for row in found["speed"]["rows"]),
        "threads": table(_threads_row(row) for row in found["threads_gain"]["rows"]),
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
            f"rows.{arrays}.{row['negatives']}": f"{row[arrays] / row['gensim']:.0%}"
            for row in found["rows"]["rows"]
            for arrays in ("one", "two")
        },
        **{
            f"times_gensim.{senses}.{n}": number(
                one_sense[f"NP-MSSG, {_negatives(n)}, AdaGrad{named}"], 2
            )
            for n in (1, 5)
            for senses, named in (("several_senses", ""), ("one_sense", ", one sense per word"))
        },
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


def _threads_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "negatives": str(row["negatives"]),
        "one thread, tokens per second": f"{row['one']:,}",
        "two threads": f"{row['two']:,}",
        "two over one: median": f"{row['median']:.2f}",
        "10th percentile": f"{row['low']:.2f}",
        "90th percentile": f"{row['high']:.2f}",
    }
