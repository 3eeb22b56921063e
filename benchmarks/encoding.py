"""How fast occurrences are encoded, and how fast bare ONNX Runtime is on the same batches.

The encoders are the recommended ones that are at hand: the one that comes with the package, and
those in the folder EXRPCA_ENCODERS, which are named `mpnet-int8` and so on.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import (
    SkippedError,
    data_file,
    encoder_folder,
    interleaved,
    medians,
    number,
    results,
    table,
    threads,
    timed,
)
from exrpca import SenseVectors, encode, load
from exrpca.contextual import Encoder, Occurrences
from exrpca.contextual.encoding_folder import PART_ROWS
from exrpca.contextual.recommended import DEFAULT, RECOMMENDED, Recommended
from exrpca.text import Corpus

PACKAGES = ("numpy", "onnxruntime", "pyarrow", "tokenizers")
WORDS = ("bank", "cell", "club", "crane", "match", "pitch", "plant", "seal", "spring", "trunk")
PER_WORD, REPEATS = 100, 3

# The path of a person, from a text file to tagged text.
PATH_PER_WORD = 200


def sample(path: Path, per_word: int) -> None:
    """Write the first lines of the corpus that have enough of the words."""
    counts: Counter[str] = Counter()
    with path.open("w") as file:
        for tokens in Corpus(data_file("enwiki-65m.txt.xz")):
            found = set(WORDS).intersection(tokens)
            if any(counts[word] < per_word for word in found):
                file.write(" ".join(tokens) + "\n")
                counts.update(found)
            if len(counts) == len(WORDS) and min(counts.values()) >= per_word:
                return


def bare_batches(encoder: Encoder, occurrences: Occurrences) -> list[dict[str, Any]]:
    """Return the inputs of the model that `encode` makes of the same occurrences."""
    examples = occurrences.examples(np.arange(len(occurrences)))
    starts = range(0, len(examples), PART_ROWS)
    parts = [examples[start : start + PART_ROWS] for start in starts]
    return [encoder.inputs(pieces) for part in parts for _, pieces in encoder.batches(part)]


def measure_throughput() -> dict[str, Any]:
    """Measure each encoder that is at hand."""
    found = {}
    for name, known in RECOMMENDED.items():
        try:
            folder = None if name == DEFAULT else encoder_folder(name)
            found[name] = throughput(
                Encoder(folder, vector=known.vector, layer=known.layer, threads=threads())
            )
        except SkippedError as missing:
            print(f"{name}: {missing}")
    return found


def throughput(encoder: Encoder) -> dict[str, Any]:
    """Encode a text as people do, and run the bare model on the same batches."""
    with tempfile.TemporaryDirectory() as name:
        text, output = Path(name) / "text.txt", Path(name) / "occurrences.parquet"
        sample(text, PER_WORD)
        whole = partial(
            encode, text, words=WORDS, encoder=encoder, per_word=PER_WORD, output=output
        )
        occurrences = whole()
        batches = bare_batches(encoder, occurrences)

        def bare() -> None:
            for batch in batches:
                encoder._session.run(encoder._outputs, batch)

        median = medians(interleaved({"encode": whole, "bare": bare}, REPEATS))
    return {
        "occurrences": len(occurrences),
        "mean_pieces": round(float(np.mean([b["attention_mask"].sum(1).mean() for b in batches]))),
        "per_second": {name: round(len(occurrences) / median[name], 1) for name in median},
        "share_of_bare": round(median["bare"] / median["encode"], 3),
        "repeats": REPEATS,
    }


def measure_path() -> dict[str, Any]:
    """Time the commands from a text file to tagged text for ten words."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample(folder / "text.txt", PATH_PER_WORD)
        steps = {command: _run(command, folder) for command in PATH}
        senses = load(folder / "senses.parquet")
        occurrences = len(Occurrences.load(folder / "occ.parquet"))
        tagged = (folder / "tagged.txt").read_text().splitlines()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "lines": len(tagged),
        "occurrences": occurrences,
        "seconds": round(sum(step["seconds"] for step in steps.values()), 1),
        "cpu_seconds": round(cpu, 1),
        "steps": steps,
        "senses": dict(zip(senses.words, senses.n_senses.tolist(), strict=True)),
        "sentences": {word: list(_sentences(senses, word)) for word in PATH_SHOWN},
    }


PATH = (
    f"encode text.txt --words {','.join(WORDS)} --per-word {PATH_PER_WORD} -o occ.parquet",
    "induce occ.parquet -o senses.parquet",
    "tag senses.parquet text.txt -o tagged.txt",
)
PATH_SHOWN = ("crane", "seal", "pitch")


def _run(command: str, folder: Path) -> dict[str, Any]:
    program = Path(sys.executable).with_name("exrpca")
    task = partial(subprocess.run, [program, *command.split()], cwd=folder, capture_output=True)
    seconds, done = timed(lambda: task(text=True, check=True))
    return {"seconds": round(seconds, 1), "said": done.stderr.splitlines()}


def _sentences(senses: SenseVectors, word: str) -> Iterator[str]:
    """Yield how often each sense of a word occurs, with its most typical sentence, in short."""
    assert senses.examples is not None  # noqa: S101 - `induce` gives them
    assert senses.counts is not None  # noqa: S101
    for sense in range(len(senses[word])):
        row = senses.row(word, sense)
        left, target, right = senses.examples[row][0]
        near = " ".join([*left.split()[-6:], target.upper(), *right.split()[:6]])
        yield f"{word}#{sense} ({senses.counts[row]}): … {near} …"


SECTIONS = {"throughput": measure_throughput, "path": measure_path}


def fills() -> dict[str, str]:
    """Return the numbers of the docs."""
    found = results("encoding")
    measured = found["throughput"]
    return {
        "encoders": table(
            _encoder(name, known, measured.get(name)) for name, known in RECOMMENDED.items()
        ),
        "pieces": number(measured[DEFAULT]["mean_pieces"], 0),
        "share_of_bare": number(min(each["share_of_bare"] for each in measured.values()), 2),
        "load": number(found["conditions"]["throughput"]["load_average"], 1),
        "path": _shown_path(found.get("path", {})),
    }


def _encoder(name: str, known: Recommended, measured: Any) -> dict[str, str]:
    return {
        "name": f"`{name}`",
        "encoder": f"[{known.repository}](https://huggingface.co/{known.repository})",
        "languages": known.languages,
        "license": known.license,
        "download": f"{known.megabytes} MB" if known.megabytes else "none",
        "layer": f"{known.layer or 'last'}",
        "vector": known.vector,
        "per second": number(measured["per_second"]["encode"], 0) if measured else "not measured",
    }


def _shown_path(path: Any) -> str:
    """Return the commands and, if they were measured, what they said, found and took."""
    steps = path.get("steps", {})
    lines = ["```console"]
    for command in PATH:
        lines += [f"$ exrpca {command}", *steps.get(command, {}).get("said", [])]
    lines.append("```")
    if steps:
        sentences = [line for word in PATH_SHOWN for line in path["sentences"][word]]
        lines += ["", "The most typical sentence of some senses:", "", "```text", *sentences, "```"]
        lines += [
            "",
            f"This took {path['seconds']:,.0f} seconds on two cores, {path['cpu_seconds']:,.0f} "
            f"seconds of processor time, for {path['occurrences']:,} occurrences in "
            f"{path['lines']:,} lines.",
        ]
    return "\n".join(lines)
