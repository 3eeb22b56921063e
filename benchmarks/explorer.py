"""How long the explorer takes to answer: a word, a step of the rank slider, the table, the page.

Usage: python benchmarks/explorer.py [--vectors FILE] [--requests 200] [--clients 8]

Without a file the vectors are random ones of the size that training on 100 million tokens gives:
time depends on sizes, not on values. The server is `exrpca explore` in a process of its own;
times are those that a client on the same machine sees.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from exrpca.senses import SenseVectors, load, save

RESULT = Path(__file__).parent / "results" / "explorer.json"
THREADS = 2
N_WORDS, N_SEVERAL, N_SENSES, DIM = 99_000, 30_000, 3, 300
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

Query = tuple[str, dict[str, Any]]


def make_vectors() -> SenseVectors:
    """Return words of which some have senses that differ in directions of falling variance."""
    random = np.random.default_rng(0)
    n_senses = np.where(np.arange(N_WORDS) < N_SEVERAL, N_SENSES, 1)
    total = int(n_senses.sum())
    own = np.repeat(random.standard_normal((N_WORDS, DIM), dtype=np.float32), n_senses, axis=0)
    spread = random.standard_normal((total, DIM), dtype=np.float32)
    scale = 2 / np.sqrt(np.arange(1, DIM + 1, dtype=np.float32))
    turn = np.linalg.qr(random.standard_normal((DIM, DIM), dtype=np.float32))[0]
    letters = random.permutation(26**4)[:N_WORDS]
    return SenseVectors(
        ["".join(chr(97 + i // 26**k % 26) for k in range(4)) for i in letters],
        own + (scale * spread) @ turn,
        n_senses,
        counts=random.integers(20, 10_000, total),
        centers=spread,
        globals=random.standard_normal((N_WORDS, DIM), dtype=np.float32),
    )


@contextmanager
def served(vectors: Path) -> Iterator[str]:
    """Run the program on a file; the block gets the page's address."""
    names = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS")
    process = subprocess.Popen(
        [Path(sys.executable).with_name("exrpca"), "explore", vectors, "--no-browser", "--quiet"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | dict.fromkeys(names, str(THREADS)),
    )
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.terminate()
        process.wait()


def page_usable(address: str) -> float | None:
    """Return how long a browser takes until the start page offers its first completion."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("page: skipped, there is no chromium")
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        page = browser.new_page()
        start = time.perf_counter()
        page.goto(address)
        page.locator("h1").wait_for()
        page.locator("#search").fill("a")
        page.locator("[role=option]").first.wait_for()
        elapsed = time.perf_counter() - start
        browser.close()
    return elapsed


def wait_until_prepared(address: str) -> None:
    while httpx.get(f"{address}api/about").json()["working"]:
        time.sleep(0.2)


def ask(address: str, queries: list[Query], clients: int) -> tuple[list[float], int]:
    """Put all queries from so many clients at once; return the times and the errors."""
    waiting = iter(queries)
    lock = threading.Lock()
    times: list[float] = []
    errors: list[int] = []

    def client() -> None:
        with httpx.Client(base_url=f"{address}api/", timeout=60) as http:
            while True:
                with lock:
                    query = next(waiting, None)
                if query is None:
                    return
                start = time.perf_counter()
                response = http.get(query[0], params=query[1])
                times.append(time.perf_counter() - start)
                if response.status_code != 200:
                    errors.append(response.status_code)

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, len(errors)


def slider_steps(several: Iterator[str], n: int, clients: int) -> list[Query]:
    """Let each client move the slider from 1 to 10 on a word of its own, then on another."""
    steps: list[Query] = []
    while len(steps) < n:
        own = list(itertools.islice(several, clients))
        steps += [("map", {"word": word, "rank": rank}) for rank in range(1, 11) for word in own]
    return steps[:n]


def queries_for(several: Iterator[str], n: int, clients: int) -> dict[str, list[Query]]:
    """Return the questions of each kind, about words that were not asked for before."""
    return {
        "word": [("word", {"word": next(several)}) for _ in range(n)],
        "word, cleaned": [("word", {"word": next(several), "rank": 3}) for _ in range(n)],
        "slider step": slider_steps(several, n, clients),
        "verdicts of a word": [("word/pairs", {"word": next(several)}) for _ in range(n)],
        "completion": [("words", {"beginning": next(several)[:2]}) for _ in range(n)],
        "page of the table": [
            ("inventory", {"sort": "outlier_norm", "offset": 50 * i}) for i in range(n)
        ],
        "filter of the table": [
            ("inventory", {"word": next(several)[:2], "sort": "word"}) for _ in range(n)
        ],
    }


def measure(address: str, words: list[str], n: int, clients: int) -> list[dict[str, Any]]:
    rows = []
    several = itertools.cycle(words)
    for at_once in (1, clients):
        for name, queries in queries_for(several, n, at_once).items():
            times, errors = ask(address, queries, at_once)
            middle, high = np.percentile(times, [50, 95]) * 1000
            rows.append(
                {
                    "request": name,
                    "clients": at_once,
                    "requests": len(times),
                    "errors": errors,
                    "median_ms": round(float(middle), 1),
                    "p95_ms": round(float(high), 1),
                    "max_ms": round(max(times) * 1000, 1),
                }
            )
            print(f"{name:<20} {at_once} at once: median {middle:6.1f} ms, p95 {high:6.1f} ms")
    return rows


def timed(task: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    result = task()
    return result, round(time.perf_counter() - start, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--clients", type=int, default=8)
    arguments = parser.parse_args()
    load_average = os.getloadavg()[0]  # other work on the machine adds to the times
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.vectors or Path(folder) / "random.parquet"
        if arguments.vectors is None:
            save(make_vectors(), path)
        senses = load(path)
        several = np.flatnonzero(senses.n_senses > 1)
        words = [senses.words[i] for i in np.random.default_rng(0).permutation(several)]
        with served(path) as address:
            page = page_usable(address)
            _, prepared = timed(lambda: wait_until_prepared(address))
            print(f"page usable after {page} s, everything prepared {prepared} s later")
            rows = measure(address, words, arguments.requests, arguments.clients)
            export, export_seconds = timed(
                lambda: httpx.get(f"{address}api/inventory.csv", timeout=60)
            )
    result = {
        "vectors": arguments.vectors.name if arguments.vectors else "random",
        "words": len(senses),
        "multi_sense_words": len(words),
        "senses": len(senses.vectors),
        "pairs": export.text.count("\n") - 1,
        "dim": senses.dim,
        "threads": THREADS,
        "cores": os.cpu_count(),
        "load_average_before": round(load_average, 1),
        "page_usable_seconds": None if page is None else round(page, 2),
        "prepared_seconds_later": prepared,
        "csv_export_seconds": export_seconds,
        "rows": rows,
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("exrpca", "fastapi", "numpy", "uvicorn")},
        },
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
