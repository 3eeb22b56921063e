"""The commands that are attacked while they write, and what they need."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.torture import children
from exrpca import make_senses, save


class Attacked(NamedTuple):
    """A command, the files it writes, and how it is run again after it was stopped."""

    arguments: list[str]
    outputs: list[str]
    resume: list[str]


def write_inputs(folder: Path) -> None:
    """Write vectors, a text and a tiny encoder."""
    planted = make_senses(n_words=1500, dim=40, n_components=2, seed=0).senses
    save(planted, folder / "in.parquet")
    whole = planted.replace(centers=planted.vectors, globals=planted.collapse().vectors)
    save(whole, folder / "whole.parquet")
    random = np.random.default_rng(0)
    digits = str.maketrans("0123456789", "abcdefghij")
    words = np.array([f"w{number}".translate(digits) for number in range(400)])
    with (folder / "text.txt").open("w") as file:
        for _ in range(12_000):
            print(*random.choice(words, 12), file=file)
    (folder / "words.txt").write_text("\n".join(words[:20]) + "\n")
    # the encoder that the tests build
    tiny = importlib.import_module("tests.contextual.conftest")
    tiny.save_model(folder / "encoder" / "onnx" / "model.onnx")
    tiny.save_tokenizer(folder / "encoder" / "tokenizer.json")
    (folder / "encoder" / "config.json").write_text('{"max_position_embeddings": 16}')


COMMANDS = {
    "convert": Attacked(["convert", "in.parquet", "out.vec"], ["out.vec"], []),
    "convert to three files": Attacked(
        ["convert", "whole.parquet", "out_local.vec"],
        [f"out_{role}.vec" for role in ("local", "context", "global")],
        [],
    ),
    "clean": Attacked(["clean", "in.parquet", "-o", "out.parquet"], ["out.parquet"], []),
    "merge": Attacked(
        ["merge", "in.parquet", "-o", "out.parquet", "--map", "map.csv"],
        ["out.parquet", "map.csv"],
        [],
    ),
    "train": Attacked(
        [
            *("train", "text.txt", "-o", "out.parquet", "--dim", "30", "--threads", "1"),
            *("--min-count", "1", "--epochs", "2", "--checkpoint-minutes", "0"),
        ],
        ["out.parquet"],
        ["--resume"],
    ),
    "encode": Attacked(
        [
            *("encode", "text.txt", "--words", "words.txt", "--encoder", "encoder"),
            *("-o", "out.parquet", "--per-word", "400"),
        ],
        ["out.parquet"],
        ["--resume"],
    ),
}


def task(folder: Path, arguments: list[str]) -> Callable[[], None]:
    """Return a task that runs a command in a folder."""

    def run() -> None:
        os.chdir(folder)
        children.command([*arguments, "--quiet"])()

    return run
