"""How fast occurrences are encoded, beside bare ONNX Runtime on the same batches in one run."""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from onnxruntime import InferenceSession, SessionOptions

from benchmarks.harness import data_file, interleaved, medians, number, results, threads, timed
from exrpca import encode
from exrpca.contextual import Encoder, Occurrences
from exrpca.contextual.encoder import model_file
from exrpca.contextual.encoding_folder import PART_ROWS
from exrpca.text import Corpus

PACKAGES = ("numpy", "onnxruntime", "pyarrow", "tokenizers")
WORDS = ("bank", "cell", "club", "crane", "match", "pitch", "plant", "seal", "spring", "trunk")
PER_WORD, REPEATS = 100, 3

# The path of a person: ten words with 200 occurrences each, found in a text of a million tokens
# or more.
PATH_PER_WORD, PATH_LINES = 200, 100_000


def sample(path: Path) -> None:
    """Write the first lines of the corpus that have enough of the words."""
    counts: Counter[str] = Counter()
    with path.open("w") as file:
        for tokens in Corpus(data_file("enwiki-65m.txt.xz")):
            found = set(WORDS).intersection(tokens)
            if any(counts[word] < PER_WORD for word in found):
                file.write(" ".join(tokens) + "\n")
                counts.update(found)
            if len(counts) == len(WORDS) and min(counts.values()) >= PER_WORD:
                return


def bare_batches(encoder: Encoder, occurrences: Occurrences) -> list[dict[str, Any]]:
    """Return the inputs of the model that `encode` makes of the same occurrences."""
    examples = occurrences.examples(np.arange(len(occurrences)))
    starts = range(0, len(examples), PART_ROWS)
    parts = [examples[start : start + PART_ROWS] for start in starts]
    return [encoder.inputs(pieces) for part in parts for _, pieces in encoder.batches(part)]


def measure_throughput() -> dict[str, Any]:
    """Encode a text as people do, and run the bare model on the same batches."""
    folder = data_file("encoder-minilm")
    encoder = Encoder(folder, threads=threads())
    options = SessionOptions()
    options.intra_op_num_threads = threads()
    session = InferenceSession(str(model_file(folder)), options)
    with tempfile.TemporaryDirectory() as name:
        text, output = Path(name) / "text.txt", Path(name) / "occurrences.parquet"
        sample(text)
        whole = partial(
            encode, text, words=WORDS, encoder=encoder, per_word=PER_WORD, output=output
        )
        occurrences = whole()
        batches = bare_batches(encoder, occurrences)

        def bare() -> None:
            for batch in batches:
                session.run(["last_hidden_state"], batch)

        median = medians(interleaved({"encode": whole, "bare": bare}, REPEATS))
    return {
        "occurrences": len(occurrences),
        "mean_pieces": round(float(np.mean([b["attention_mask"].sum(1).mean() for b in batches]))),
        "per_second": {name: round(len(occurrences) / median[name], 1) for name in median},
        "share_of_bare": round(median["bare"] / median["encode"], 3),
        "repeats": REPEATS,
    }


def measure_path() -> dict[str, Any]:
    """Time one call that finds and encodes ten words in a text."""
    with tempfile.TemporaryDirectory() as name:
        text = Path(name) / "text.txt"
        lines = itertools.islice(Corpus(data_file("enwiki-65m.txt.xz")).lines(), PATH_LINES)
        text.write_text("\n".join(lines) + "\n")
        encoder = Encoder(data_file("encoder-minilm"), threads=threads())
        seconds, found = timed(
            lambda: encode(text, words=WORDS, encoder=encoder, per_word=PATH_PER_WORD)
        )
    return {"lines": PATH_LINES, "occurrences": len(found), "seconds": round(seconds, 1)}


SECTIONS = {"throughput": measure_throughput, "path": measure_path}


def fills() -> dict[str, str]:
    """Return the numbers of the docs."""
    found = results("encoding")
    throughput, path = found["throughput"], found["path"]
    return {
        "per_second": number(throughput["per_second"]["encode"], 0),
        "pieces": number(throughput["mean_pieces"], 0),
        "share_of_bare": number(throughput["share_of_bare"], 2),
        "path_occurrences": number(path["occurrences"], 0),
        "path_lines": number(path["lines"], 0),
        "path_seconds": number(path["seconds"], 0),
    }
