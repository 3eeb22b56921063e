"""Make the vectors that come with the package.

Usage: python scripts/make_bundled_vectors.py CORPUS [--trained FILE] [--only-judge]

CORPUS is the text named in docs/reference/bundled-vectors.md. Trains with the default recipe in few
dimensions, keeps the most frequent words, those of WordSim-353 and some with well known senses,
rounds the numbers and writes src/exrpca/data/bundled.parquet. With --trained, trained vectors are
read from the file, or written to it if it does not exist.

Then the encoder that comes with the package judges the pairs of some words by the text; its
probabilities and up to three sentences per sense go into the file, where `detect` finds them. With
--only-judge, nothing else is done. It takes a while; if interrupted, it goes on where it stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from numpy.typing import NDArray

import exrpca
from exrpca.cleaning.judge import find_sentences, judge_sentences, typical_sentences
from exrpca.contextual import Encoder
from exrpca.evaluation import wordsim353
from exrpca.files import atomic_path
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import JudgedEntry, updated

TARGET = Path(exrpca.__file__).parent / "data" / "bundled.parquet"
LIMIT_BYTES = 8_000_000

DIM = 100
TOP_WORDS = 8_000
# Most steps from 0 to the largest number of a row.
LEVELS = 127
POLYSEMOUS = """
    apple bank bass bat battery cat cell chip club crane engine fox jaguar java keyboard light
    match mercury mouse mole nail net organ palm pitch plant prime python ring rock saturn scale
    seal spring star string tank tie virus wave yard
"""

# What the encoder judges: the most frequent words but function words, whose senses nobody asks for,
# and words of the docs.
FIRST_WORD, N_WORDS = 150, 850
SHOWN_WORDS = "court yard engine unesco imf"
PER_SENSE = 20
N_SENTENCES = 3
# Words on each side of the target that are kept.
SHOWN = 8


def kept_words(senses: exrpca.SenseVectors) -> list[str]:
    """Return the words to keep, the most frequent first; `senses.words` is in that order."""
    rated = {word.lower() for pair in wordsim353().words for word in pair}
    wanted = {*senses.words[:TOP_WORDS], *rated, *POLYSEMOUS.split()}
    return [word for word in senses.words if word in wanted]


def rounded(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Round each row to `LEVELS` steps of a power of two, which shrinks well and stays exact."""
    largest = np.abs(rows).max(axis=1, keepdims=True)
    step = 2.0 ** np.ceil(np.log2(np.maximum(largest, 1e-30) / LEVELS))
    values: NDArray[np.float32] = (np.round(rows / step) * step).astype(np.float32)
    return values


def cut(senses: exrpca.SenseVectors) -> exrpca.SenseVectors:
    """Return the words to keep with rounded numbers."""
    few = senses.select(kept_words(senses))
    metadata: dict[str, Any] = dict(senses.metadata)
    count = dict(zip(senses.words, metadata["word_counts"], strict=True))
    metadata["word_counts"] = [count[word] for word in few.words]
    arrays = {name: rounded(getattr(few, name)) for name in ("vectors", "centers", "globals")}
    return few.replace(**arrays, metadata=metadata)


def compress(path: Path) -> None:
    """Write the Parquet file again, packed as tightly as it goes."""
    table = pq.read_table(path)
    with atomic_path(path) as temporary:
        pq.write_table(
            table,
            temporary,
            compression="zstd",
            compression_level=19,
            use_dictionary=["word"],
            use_byte_stream_split=[
                f"{name}.list.element" for name in ("vector", "center", "global")
            ],
        )


def judged_words(senses: SenseVectors) -> list[str]:
    """Return the words to judge, in the order of the file."""
    frequent = senses.words[FIRST_WORD : FIRST_WORD + N_WORDS]
    wanted = {*frequent, *POLYSEMOUS.split(), *SHOWN_WORDS.split()}
    return [word for word in senses.words if word in wanted and len(senses[word]) > 1]


def percents(senses: SenseVectors, judged: pd.DataFrame) -> dict[str, list[int | None]]:
    """Return the probability of each pair of the judged words, in percent; None if unknown."""
    known = {
        (word, a, b): round(100 * probability)
        for word, a, b, probability in judged[
            ["word", "sense_a", "sense_b", "probability"]
        ].itertuples(index=False)
    }
    found = {}
    for word in judged["word"].unique():
        a, b = np.triu_indices(len(senses[word]), 1)
        found[word] = [known.get((word, i, j)) for i, j in zip(a.tolist(), b.tolist(), strict=True)]
    return found


def shortened(example: Example) -> Example:
    """Return an example with few words on each side."""
    left, right = example.left.split(), example.right.split()
    return Example(" ".join([*left[-SHOWN:], ""]), example.target, " ".join(["", *right[:SHOWN]]))


def judged(senses: SenseVectors, corpus: Path) -> SenseVectors:
    """Return the senses with what the encoder says of them, and with sentences."""
    encoder = Encoder()
    occurrences = find_sentences(
        senses,
        [corpus],
        encoder,
        words=judged_words(senses),
        per_sense=PER_SENSE,
        progress=True,
    )
    typical = typical_sentences(occurrences, N_SENTENCES)
    examples = [
        [shortened(example) for example in typical.get((word, sense), [])]
        for word, n_senses in zip(senses.words, senses.n_senses.tolist(), strict=True)
        for sense in range(n_senses)
    ]
    percent = percents(senses, judge_sentences(occurrences, progress=True))
    entry = JudgedEntry(
        encoder=encoder.name, corpus=corpus.name, per_sense=PER_SENSE, percent=percent
    )
    return senses.replace(examples=examples, metadata=updated(senses.metadata, judged=entry))


def main() -> None:
    """Train, cut, round and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--trained", type=Path)
    parser.add_argument("--only-judge", action="store_true")
    arguments = parser.parse_args()
    if arguments.only_judge:
        senses = exrpca.load(TARGET)
    elif arguments.trained and arguments.trained.exists():
        senses = cut(exrpca.load(arguments.trained))
    else:
        trained = exrpca.train(arguments.corpus, dim=DIM, output=arguments.trained, progress=True)
        senses = cut(trained)
    TARGET.parent.mkdir(exist_ok=True)
    exrpca.save(judged(senses, arguments.corpus), TARGET)
    compress(TARGET)
    size = TARGET.stat().st_size
    print(f"{TARGET}: {exrpca.load(TARGET)!r}, {size:,} bytes")
    if size > LIMIT_BYTES:
        raise SystemExit(f"more than {LIMIT_BYTES:,} bytes: keep fewer words")


if __name__ == "__main__":
    main()
