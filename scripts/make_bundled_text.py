"""Make the text that comes with the package: src/exrpca/data/text/wikipedia.txt.xz.

Usage: python scripts/make_bundled_text.py CORPUS

CORPUS has one paragraph per line, in lower case. Draws passages around words with clear meanings.
"""

from __future__ import annotations

import lzma
import random
import sys
from collections import defaultdict
from pathlib import Path

import exrpca
from exrpca.files import atomic_path, read_text

TARGET = Path(exrpca.__file__).parent / "data" / "text" / "wikipedia.txt.xz"

WORDS = ("cell", "mouse", "organ", "pitch", "plant", "rock")
PER_WORD = 80
# As many tokens on each side as `encode` reads.
WINDOW = 20


def passages(corpus: str) -> list[str]:
    """Return passages in random order; a paragraph gives at most one for each word."""
    found = defaultdict(list)
    for line in corpus.splitlines():
        tokens = line.split()
        for word in set(WORDS) & set(tokens):
            at = tokens.index(word)
            found[word].append(" ".join(tokens[max(0, at - WINDOW) : at + WINDOW + 1]))
    draw = random.Random(0)  # noqa: S311
    drawn = [passage for word in WORDS for passage in draw.sample(found[word], PER_WORD)]
    draw.shuffle(drawn)
    return drawn


def main() -> None:
    content = "\n".join(passages(read_text(sys.argv[1]))) + "\n"
    with atomic_path(TARGET) as temporary:
        temporary.write_bytes(lzma.compress(content.encode()))


if __name__ == "__main__":
    main()
