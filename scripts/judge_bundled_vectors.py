"""Let an encoder judge the vectors that come with the package, by the text they were trained on.

Usage: python -m scripts.judge_bundled_vectors CORPUS

CORPUS is the first 18 million words of the text named in docs/reference/bundled-vectors.md.

Writes the probabilities and up to three sentences per sense into src/exrpca/data/bundled.parquet,
where `detect` finds them. An interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

import exrpca
from exrpca.cleaning.judge import find_sentences, judge_sentences, typical_sentences
from exrpca.contextual import Encoder
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import updated
from scripts.make_bundled_vectors import LIMIT_BYTES, POLYSEMOUS, TARGET, compress

CORPUS = "English Wikipedia, 18 million words"
# The most frequent words are function words, whose senses nobody asks for.
FIRST_WORD, N_WORDS = 150, 850
# Words of the docs that are less frequent.
ALSO = "court yard engine unesco imf jupiter"
PER_SENSE = 20
N_SENTENCES = 3
# Words on each side of the target that are kept.
SHOWN = 8


def judged_words(senses: SenseVectors) -> list[str]:
    """Return the words to judge, in the order of the file."""
    frequent = senses.words[FIRST_WORD : FIRST_WORD + N_WORDS]
    wanted = {*frequent, *POLYSEMOUS.split(), *ALSO.split()}
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


def main() -> None:
    """Judge, and write the file again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    arguments = parser.parse_args()
    senses = exrpca.load(TARGET)
    encoder = Encoder()
    occurrences = find_sentences(
        senses,
        [arguments.corpus],
        encoder,
        words=judged_words(senses),
        per_sense=PER_SENSE,
        progress=True,
    )
    judged = judge_sentences(occurrences, progress=True)
    typical = typical_sentences(occurrences, N_SENTENCES)
    examples = [
        [shortened(example) for example in typical.get((word, sense), [])]
        for word, n_senses in zip(senses.words, senses.n_senses.tolist(), strict=True)
        for sense in range(n_senses)
    ]
    entry = {
        "encoder": encoder.name,
        "corpus": CORPUS,
        "per_sense": PER_SENSE,
        "percent": percents(senses, judged),
    }
    metadata = updated(senses.metadata, judged=entry)
    exrpca.save(senses.replace(examples=examples, metadata=metadata), TARGET)
    compress(TARGET)
    size = TARGET.stat().st_size
    print(f"{TARGET}: {len(entry['percent']):,} words judged, {size:,} bytes")
    if size > LIMIT_BYTES:
        raise SystemExit(f"more than {LIMIT_BYTES:,} bytes: judge fewer words")


if __name__ == "__main__":
    main()
