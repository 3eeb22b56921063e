"""Keep the walks in CONTRIBUTING.md true: the files that a call goes through, in order.

Usage: python -m scripts.walk [--check]

Each walk runs a call, notes every function of exrpca that it calls, and lists the files by their
first call, with the function that was called there. Files that serve everybody are left out, and
so are compiled functions, which Python does not see. What is between `<!-- walks -->` and
`<!-- end of walks -->` in CONTRIBUTING.md is replaced, or compared with --check.
"""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import exrpca
from exrpca.files import atomic_path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
PACKAGE = Path(exrpca.__file__).parent
MARKED = re.compile(r"(<!-- walks -->).*?(<!-- end of walks -->)", re.DOTALL)
# What every call may use.
SERVANTS = {
    *("__init__.py", "errors.py", "files.py", "journal.py", "locks.py"),
    *("progress.py", "compiling.py", "blas.py"),
}


def walk(call: Callable[[], object]) -> dict[str, str]:
    """Return the files of exrpca that a call goes through, each with its first function."""
    found: dict[str, str] = {}
    names: dict[CodeType, str | None] = {}

    def file_of(code: CodeType) -> str | None:
        path = Path(code.co_filename)
        is_function = bool(code.co_flags & inspect.CO_OPTIMIZED)  # not the body of a class
        if not path.is_relative_to(PACKAGE) or code.co_name.startswith("<") or not is_function:
            return None
        return None if path.name in SERVANTS else path.relative_to(PACKAGE).as_posix()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            if code not in names:
                names[code] = file_of(code)
            if (file := names[code]) is not None:
                found.setdefault(file, code.co_qualname)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


def walk_detect() -> dict[str, str]:
    """Walk through `exrpca.detect` on vectors with all parts."""
    senses = exrpca.make_senses(n_words=300).senses
    return walk(lambda: exrpca.detect(senses))


def walk_fit() -> dict[str, str]:
    """Walk through the fit of the robust PCA that people use."""
    from exrpca.decomposition import ExRPCA, make_low_rank

    matrix = make_low_rank(200, 20, n_components=3).matrix
    return walk(lambda: ExRPCA(n_components=3).fit(matrix))


def walk_induce() -> dict[str, str]:
    """Walk from a text to induced senses, with the tiny encoder of the tests."""
    tiny = import_module("tests.contextual.conftest")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny.save_model(folder / "onnx" / "model.onnx")
        tiny.save_tokenizer(folder / "tokenizer.json")
        (folder / "config.json").write_text('{"max_position_embeddings": 16}')
        encoder = exrpca.Encoder(folder)
        text = folder / "text.txt"
        text.write_text("the bank of the river\na bank lends money\n" * 20)
        return walk(
            lambda: exrpca.induce(exrpca.encode(text, words=["bank", "river"], encoder=encoder))
        )


def walk_train() -> dict[str, str]:
    """Walk through `exrpca.train` with the default recipe."""
    words = [f"w{number}" for number in range(50)]
    random = np.random.default_rng(0)
    lines = [list(random.choice(words, 12)) for _ in range(300)]
    return walk(lambda: exrpca.train(lines, dim=8, min_count=1, threads=1))


WALKS = {
    "exrpca.detect(senses)": walk_detect,
    "ExRPCA().fit(X)": walk_fit,
    "exrpca.induce(exrpca.encode(text, words=…))": walk_induce,
    "exrpca.train(text)": walk_train,
}


def section() -> str:
    """Return the walks as lists of files with functions."""
    parts = []
    for name, walked in WALKS.items():
        steps = enumerate(walked().items(), 1)
        parts.append(f"`{name}`:")
        parts.append("\n".join(f"{n}. `{file}`: `{function}`" for n, (file, function) in steps))
    return "\n\n".join(parts)


def filled(page: str) -> str:
    """Return a page with its walks made again."""
    return MARKED.sub(lambda place: f"{place[1]}\n\n{section()}\n\n{place[2]}", page)


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    text = filled(page)
    if "--check" in sys.argv:
        raise SystemExit(text != page and "CONTRIBUTING.md: run `python -m scripts.walk`")
    with atomic_path(PAGE) as temporary:
        temporary.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
