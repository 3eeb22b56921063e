import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import expect, sync_playwright

from exrpca.contextual.corrections import Corrections
from exrpca.evaluation import wordsim353
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration
from exrpca.explorer.server import address_of, open_socket, server_of
from exrpca.senses import SenseVectors, make_senses, save

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # WebGL without a graphics card
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]

expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def browser():
    """A real browser; the tests that need it are skipped without one."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def odd_words():
    """Words that would do harm if they were taken for HTML, an address or a pattern."""
    return ["<script>alert(1)</script>", "<b>bold</b>", "and/or", "100%", "a?b#c", "(", "Ωmega"]


@pytest.fixture(scope="session")
def senses(odd_words):
    """Planted vectors under the words of WS-353, so that they can be scored, and odd ones."""
    planted = make_senses(n_words=500, dim=20, n_components=2, seed=0).senses
    rated = sorted({word.lower() for pair in wordsim353().words for word in pair})
    named = ["filler", *odd_words, *rated]
    words = named + list(planted.words[len(named) :])
    return SenseVectors(
        words,
        planted.vectors,
        planted.n_senses,
        counts=planted.counts,
        centers=planted.centers,
        globals=planted.globals,
    )


@pytest.fixture(scope="session")
def bare(senses):
    """The same without counts, centers and global vectors."""
    return senses.replace(counts=None, centers=None, globals=None)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """A text in which "bank" is used among words of the vocabulary."""
    path = tmp_path_factory.mktemp("corpus") / "text.txt"
    lines = [
        "The bank lent money and cash; stock, credit, market and tiger, too.",
        "A river, water, a coast, a forest, the bank and the shore, a lake.",
        "Bank, money, professor, doctor, hospital, century, nation and tiger.",
    ]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Keep maps of the tests out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def assigned():
    """Sentences of a word as `induce` returns them."""
    kinds = [("the river ", " rose"), ("lent by the ", " today"), ("=cmd|the ", "<b>!</b>")]
    rows = [
        {"word": "bank", "sense": sense, "left": f"{i} {left}", "target": "bank", "right": right}
        for sense, (left, right) in enumerate(kinds)
        for i in range(4)
    ]
    return pd.DataFrame(rows).assign(source="text.txt:1", probability=0.9)


@pytest.fixture(scope="session")
def exploration(senses, corpus, assigned):
    """All that the page shows, worked out."""
    exploration = Exploration(
        senses,
        "planted.parquet",
        [wordsim353()],
        corpus=[corpus],
        corrections=Corrections(assigned),
    )
    exploration.prepare()
    for rank in range(1, exploration.highest_rank + 1):
        exploration.cleaned_task(rank).start()
    exploration.scores.wait()
    exploration.sweep.wait()
    exploration.sense_map.wait()  # the one background thread has finished all before it, too
    return exploration


@pytest.fixture(scope="session")
def app(exploration):
    return create_app(exploration)


@pytest.fixture(scope="session")
def client(app):
    return TestClient(app, base_url="http://127.0.0.1")


@pytest.fixture(scope="session")
def address(exploration):
    """Where the page is really served, by a server of this process."""
    listening = open_socket(None)
    server = server_of(exploration)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield address_of(listening)
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="session")
def vectors_file(senses, tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "planted.parquet"
    save(senses, path)
    return path


@pytest.fixture(scope="session")
def start():
    """Start `exrpca explore` as a person would; returns the process and the page's address."""
    program = Path(sys.executable).with_name("exrpca")
    started = []

    def run(*arguments):
        process = subprocess.Popen(
            [program, "explore", "--no-browser", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process, process.stdout.readline().strip()

    yield run
    for process in started:
        process.kill()
        process.communicate()
