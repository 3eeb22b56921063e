"""How long the explorer takes to answer, and how smoothly the map of all senses moves.

The vectors are random ones of the size that training on 100 million tokens gives: time depends on
sizes, not on values. The server is `exrpca explore` in a process of its own; times are those that
a client on the same machine sees.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pandas as pd
import psutil
from fastapi.testclient import TestClient

from benchmarks.harness import results, table, timed
from exrpca.contextual import Corrections
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration
from exrpca.senses import SenseVectors, make_senses, save

PACKAGES = ("fastapi", "numpy", "uvicorn")
N_REQUESTS, N_CLIENTS = 200, 8
# Names for a page of the table are one request about many words: fewer are enough.
N_NAME_REQUESTS, ROWS = 20, 50
N_WORDS, N_SEVERAL, N_SENSES, DIM = 99_000, 30_000, 3, 300
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    # WebGL without a graphics card
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
SECONDS_OF_MOVING = 10
N_CORRECTED_WORDS, N_SENTENCES = 100, 1000

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
def served(vectors: Path) -> Iterator[tuple[str, int]]:
    """Run the program on a file; the block gets the page's address and the process."""
    process = subprocess.Popen(
        [Path(sys.executable).with_name("exrpca"), "explore", vectors, "--no-browser", "--quiet"],
        stdout=subprocess.PIPE,
        text=True,
        # no map from an earlier run
        env=os.environ | {"XDG_CACHE_HOME": str(vectors.parent)},
    )
    try:
        yield process.stdout.readline().strip() if process.stdout else "", process.pid
    finally:
        process.terminate()
        process.wait()


@contextmanager
def browser_page() -> Iterator[Any]:
    """Open an empty page in a browser; None if there is none."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("the page in a browser: skipped, there is no chromium")
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser.new_page(viewport={"width": 1440, "height": 900})
        browser.close()


def page_usable(address: str) -> float | None:
    """Return how long a browser takes until the start page offers its first completion."""
    with browser_page() as page:
        if page is None:
            return None
        start = time.perf_counter()
        page.goto(address)
        page.locator("h1").wait_for()
        page.locator("#search").fill("a")
        page.locator("[role=option]").first.wait_for()
        return time.perf_counter() - start


def wait_until_prepared(address: str) -> None:
    while httpx.get(f"{address}api/about").json()["working"]:
        time.sleep(0.2)


def ask(address: str, queries: list[Query], clients: int) -> tuple[list[float], int]:
    """Put all queries from several clients at once; return the times and the errors."""
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


def a_sentence(several: Iterator[str]) -> dict[str, str]:
    """Return a word and a text of 12 words around it."""
    words = list(itertools.islice(several, 12))
    return {"word": words[6], "text": " ".join(words)}


def queries_for(several: Iterator[str], n: int, clients: int) -> dict[str, list[Query]]:
    """Return the questions of each kind, about words that were not asked for before."""
    return {
        "word": [("word", {"word": next(several), "n": 10}) for _ in range(n)],
        "word, cleaned": [("word", {"word": next(several), "n": 10, "rank": 3}) for _ in range(n)],
        "slider step": slider_steps(several, n, clients),
        "verdicts of a word": [("word/pairs", {"word": next(several)}) for _ in range(n)],
        "sense of a sentence": [("word/sense", a_sentence(several)) for _ in range(n)],
        "next pair to judge": [("verdicts/queue", {"offset": i}) for i in range(n)],
        "completion": [("words", {"beginning": next(several)[:2], "limit": 8}) for _ in range(n)],
        "page of the table": [
            ("inventory", {"sort": "probability", "offset": ROWS * i}) for i in range(n)
        ],
        "names on a page of the table": [
            ("names", {"word": list(itertools.islice(several, ROWS))})
            for _ in range(min(n, N_NAME_REQUESTS))
        ],
        "filter of the table": [
            ("inventory", {"word": next(several)[:2], "sort": "word"}) for _ in range(n)
        ],
    }


def ask_everything(address: str, words: list[str]) -> list[dict[str, Any]]:
    """Put questions of every kind, from one client and from several at once."""
    rows = []
    several = itertools.cycle(words)
    for at_once in (1, N_CLIENTS):
        for name, queries in queries_for(several, N_REQUESTS, at_once).items():
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
    return rows


def measure() -> dict[str, Any]:
    """Serve random vectors and ask."""
    senses = make_vectors()
    several = np.flatnonzero(senses.n_senses > 1)
    words = [senses.words[i] for i in np.random.default_rng(0).permutation(several)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.parquet"
        save(senses, path)
        with served(path) as (address, _):
            page = page_usable(address)
            prepared, _ = timed(partial(wait_until_prepared, address))
            rows = ask_everything(address, words)
            csv = f"{address}api/inventory.csv"
            export_seconds, export = timed(partial(httpx.get, csv, timeout=60))
    return {
        "vectors": "random",
        "words": len(senses),
        "multi_sense_words": len(words),
        "senses": len(senses.vectors),
        "pairs": export.text.count("\n") - 1,
        "dim": senses.dim,
        "page_usable_seconds": None if page is None else round(page, 2),
        "prepared_seconds_later": round(prepared, 2),
        "csv_export_seconds": round(export_seconds, 2),
        "rows": rows,
    }


def cpu_seconds(process: int) -> float:
    times = psutil.Process(process).cpu_times()
    return times.user + times.system


def frames_per_second(address: str) -> float | None:
    """Drag the map of all senses to and fro in a browser, and count the frames."""
    with browser_page() as page:
        if page is None:
            return None
        page.goto(f"{address}#/everything")
        page.locator(".labels span").first.wait_for(timeout=120_000)
        x, y = 720, 600  # on the map
        page.evaluate(
            "() => { window.frames_drawn = 0;"
            " const count = () => { window.frames_drawn += 1; requestAnimationFrame(count); };"
            " requestAnimationFrame(count); }"
        )
        page.mouse.move(x, y)
        page.mouse.down()
        before, start = page.evaluate("window.frames_drawn"), time.perf_counter()
        for step in itertools.count():
            if time.perf_counter() - start > SECONDS_OF_MOVING:
                break
            page.mouse.move(x + 200 * np.sin(step / 10), y + 100 * np.cos(step / 10))
        drawn = page.evaluate("window.frames_drawn") - before
        return float(drawn / (time.perf_counter() - start))


def measure_map() -> dict[str, Any]:
    """Ask for the map of all senses, then move it in a browser without a graphics card."""
    senses = make_vectors()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.parquet"
        save(senses, path)
        with served(path) as (address, process):
            wait_until_prepared(address)
            before, start = cpu_seconds(process), time.perf_counter()
            while (answer := httpx.get(f"{address}api/senses", timeout=60)).status_code == 202:
                time.sleep(0.5)
            seconds, used = time.perf_counter() - start, cpu_seconds(process) - before
            frames = frames_per_second(address)
    return {
        "senses": len(senses.vectors),
        "dim": senses.dim,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(used, 1),
        "megabytes_sent": round(len(answer.content) / 1e6, 1),
        "frames_per_second": None if frames is None else round(frames, 1),
    }


def measure_sentences() -> dict[str, Any]:
    """Time what a person does with the sentences of a word, and the page answers."""
    rng = np.random.default_rng(0)
    words = np.repeat([f"target{i}" for i in range(N_CORRECTED_WORDS)], N_SENTENCES)
    texts = rng.integers(5000, size=(len(words), 40)).astype(str)
    table_of = pd.DataFrame(
        {
            "word": words,
            "sense": rng.integers(4, size=len(words)),
            "probability": rng.random(len(words)),
            "left": [" ".join(text[:20]) for text in texts],
            "target": words,
            "right": [" ".join(text[20:]) for text in texts],
            "source": "corpus/text.txt:1",
        }
    )
    senses = make_senses(n_words=300, dim=20, n_components=2, seed=0).senses
    with tempfile.TemporaryDirectory() as folder:
        corrections = Corrections(table_of, Path(folder) / "corrections.csv")
        exploration = Exploration(senses, "planted", [], corrections=corrections)
        client = TestClient(create_app(exploration), base_url="http://127.0.0.1")

        def move(word: int) -> Any:
            what = {"action": "move", "word": f"target{word}", "to": 3}
            rows = list(range(N_SENTENCES * word, N_SENTENCES * word + 20))
            return client.post("/api/sentences/correct", json={**what, "occurrences": rows})

        def read(word: int) -> Any:
            return client.get("/api/sentences", params={"word": f"target{word}"})

        seconds = {"read": [timed(partial(read, i))[0] for i in range(N_CORRECTED_WORDS)]}
        seconds["move"] = [timed(partial(move, i))[0] for i in range(N_CORRECTED_WORDS)]
    return {
        "words": N_CORRECTED_WORDS,
        "sentences": N_SENTENCES,
        **{
            f"{name}_{kind}_ms": float(1000 * np.percentile(found, share))
            for name, found in seconds.items()
            for kind, share in (("median", 50), ("p95", 95))
        },
    }


SECTIONS = {"requests": measure, "map": measure_map, "sentences": measure_sentences}


def fills() -> dict[str, str]:
    """Return the table of the docs, and the conditions and times around it."""
    recorded = results("explorer")
    found, places = recorded["requests"], recorded["map"]
    by_kind: dict[str, dict[int, Any]] = {}
    for row in found["rows"]:
        by_kind.setdefault(row["request"], {})[row["clients"]] = row
    return {
        "requests": table(
            {
                "request": kind,
                **{
                    f"{shown}, {clients} at once": f"{row[key]:.0f}"
                    for clients, row in rows.items()
                    for key, shown in (("median_ms", "median ms"), ("p95_ms", "p95 ms"))
                },
            }
            for kind, rows in by_kind.items()
        ),
        **{name: f"{found[name]:,}" for name in ("words", "senses", "pairs")},
        "n_errors": str(sum(row["errors"] for row in found["rows"])),
        "page_seconds": f"{found['page_usable_seconds']:.1f}",
        "prepared_seconds": f"{found['prepared_seconds_later']:.0f}",
        "export_seconds": f"{found['csv_export_seconds']:.1f}",
        "map_senses": f"{places['senses']:,}",
        "map_cpu_seconds": f"{places['cpu_seconds']:.0f}",
        **{f"sentences_{name}": f"{value:,.0f}" for name, value in recorded["sentences"].items()},
        "map_frames": f"{places['frames_per_second']:.1f}",
    }
