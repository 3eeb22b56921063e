"""The model files of AdaGram (Bartunov et al. 2016), as AdaGram.jl writes them.

Three lines of text: words, dimensions and senses at most; two settings; the length of the Huffman
codes. Arrays follow: the frequency of each word (int64), codes (int8) and paths (int32), the
expected count of each sense (float32), the output vectors (float32). Then, for each word, a line
with the word, one with its number of senses, and for each sense its number from 1, its vector
(float32) and a line end.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from exrpca.errors import InputError
from exrpca.senses.formats.assembly import assemble
from exrpca.senses.formats.byte_reader import open_bytes
from exrpca.senses.formats.format import Format, Place, ReadOptions
from exrpca.senses.formats.text_files import decode_words, fields_of, shown, whole_number
from exrpca.senses.sense_vectors import SenseVectors


def _header(head: bytes) -> tuple[int, int, int, int] | None:
    """Return words, dimensions, senses at most and the length of codes."""
    lines = head.split(b"\n", 3)
    if len(lines) < 4 or [len(fields_of(line)) for line in lines[:3]] != [3, 2, 1]:
        return None
    fields = [*fields_of(lines[0]), *fields_of(lines[2])]
    numbers = [number for field in fields if (number := whole_number(field)) is not None]
    if len(numbers) != 4:
        return None
    n_words, dim, n_senses, code_length = numbers
    return (n_words, dim, n_senses, code_length) if n_words and dim and n_senses else None


def _number(line: bytes, path: Path) -> int:
    number = whole_number(line.strip())
    if number is None:
        raise InputError(f"found {shown(line)}, expected a number: the file is damaged", path=path)
    return number


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    with open_bytes(path, progress=options.progress) as file:
        head = b"".join(file.until(b"\n", "the header") + b"\n" for _ in range(3))
        header = _header(head)
        if header is None:
            raise InputError("is not an AdaGram model: its first lines are not numbers", path=path)
        n_words, dim, most_senses, code_length = header
        # frequencies, codes and paths
        file.take(n_words * (8 + 5 * code_length), "the frequencies")
        counts = np.frombuffer(file.take(4 * n_words * most_senses, "the counts"), "<f4")
        # these vectors are of Huffman nodes, not of words
        file.take(4 * n_words * dim, "the output vectors")
        counts = counts.reshape(n_words, most_senses)
        words, numbers, found_counts, vectors = [], [], [], []
        for row in range(n_words):
            what = f"word {row + 1} of {n_words}"
            word = file.until(b"\n", what).strip()
            for _ in range(_number(file.until(b"\n", what), path)):
                number = _number(file.until(b"\n", what), path)
                if not 1 <= number <= most_senses:
                    raise InputError(f"found the sense {number}: the file is damaged", path=path)
                words.append(word)
                numbers.append(number)
                found_counts.append(counts[row, number - 1])
                vectors.append(file.take(4 * dim, what))
                file.until(b"\n", what)
    place = Place(path)
    return assemble(
        decode_words(words, options.encoding or "utf-8", place),
        np.array(numbers, dtype=np.int64),
        np.frombuffer(b"".join(vectors), "<f4").reshape(-1, dim),
        counts=np.rint(found_counts).astype(np.int64),
        place=place,
    )


FORMAT = Format(
    name="adagram",
    description="model of AdaGram.jl: sense vectors and their counts",
    recognizes=lambda path, head: _header(head) is not None,
    read=_read,
    write=None,
)
