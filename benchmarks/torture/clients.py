"""Two hundred clients of the explorer for two minutes: its memory stays bounded.

Most ask one question after another; some send half a request and wait.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import itertools
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from benchmarks.explorer import queries_for, wait_until_prepared
from exrpca import make_senses, save

_IDLE_SHARE = 0.1
# How much more memory the explorer may take than before the first client.
_MOST_MEGABYTES = 200


def attack(n_clients: int = 200, seconds: float = 120) -> dict[str, Any]:
    """Let clients ask for some seconds; watch the memory of the explorer."""
    senses = make_senses(n_words=5000, dim=100, n_components=2, seed=0).senses
    words = [word for word, n in zip(senses.words, senses.n_senses, strict=True) if n > 1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.parquet"
        save(senses, path)
        with _served(path) as (process, address):
            wait_until_prepared(address)
            before = _memory(process.pid)
            answers, megabytes = asyncio.run(
                _ask_all(process.pid, address, words, n_clients, seconds)
            )
            alive = process.poll() is None
    growth = max(megabytes) - before
    failures = {
        "more memory than allowed": growth > _MOST_MEGABYTES,
        "the explorer ended": not alive,
        "no answer": answers["no answer"] > 0,
        "server error": any(name.startswith("status 5") for name in answers),
    }
    return {
        "tries": n_clients,
        "survived": 0 if any(failures.values()) else n_clients,
        "failures": {name: 1 for name, failed in failures.items() if failed},
        "seconds": seconds,
        "answers": dict(answers),
        "memory before, MB": round(before, 1),
        "most memory, MB": round(max(megabytes), 1),
        "memory in the middle, MB": round(megabytes[len(megabytes) // 2], 1),
        "memory at the end, MB": round(megabytes[-1], 1),
    }


@contextlib.contextmanager
def _served(path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    program = [sys.executable, "-c", "from exrpca.cli.main import run; run()"]
    process = subprocess.Popen(
        [*program, "explore", path, "--no-browser", "--quiet"], stdout=subprocess.PIPE, text=True
    )
    try:
        yield process, process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.terminate()
        process.wait()


def _memory(process: int) -> float:
    """Return the memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    return 0.0


async def _ask_all(
    process: int, address: str, words: list[str], n_clients: int, seconds: float
) -> tuple[collections.Counter[str], list[float]]:
    """Return the number of answers of each kind, and the memory at each second."""
    answers: collections.Counter[str] = collections.Counter()
    megabytes: list[float] = []
    end = time.monotonic() + seconds
    kinds = queries_for(itertools.cycle(words), 500, n_clients)
    queries = itertools.cycle([query for row in zip(*kinds.values(), strict=True) for query in row])
    n_idle = int(_IDLE_SHARE * n_clients)

    async def client() -> None:
        async with httpx.AsyncClient(base_url=f"{address}api/", timeout=60) as http:
            while time.monotonic() < end:
                path, parameters = next(queries)
                try:
                    response = await http.get(path, params=parameters)
                    answers[f"status {response.status_code}"] += 1
                except httpx.HTTPError:
                    answers["no answer"] += 1

    async def idle_client() -> None:
        at = urlsplit(address)
        while time.monotonic() < end:
            reader, writer = await asyncio.open_connection(at.hostname, at.port)
            writer.write(b"GET /api/words HTTP/1.1\r\nHost: ")
            with contextlib.suppress(TimeoutError, ConnectionError):
                await asyncio.wait_for(reader.read(), max(end - time.monotonic(), 0.1))
                answers["idle connection closed"] += 1
            writer.close()

    async def watch() -> None:
        while time.monotonic() < end:
            megabytes.append(_memory(process))
            await asyncio.sleep(1)

    await asyncio.gather(
        watch(),
        *(client() for _ in range(n_clients - n_idle)),
        *(idle_client() for _ in range(n_idle)),
    )
    return answers, megabytes
