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
from exrpca.senses.formats.rows import Rows
from exrpca.senses.formats.text_files import CONTROL, decode_words, fields_of, whole_number
from exrpca.senses.sense_vectors import SenseVectors

# No trained vector has such numbers, but other bytes have, taken for a vector: as a float32, four
# letters are 2.6e20 or more.
_LARGEST = 1e10


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


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    def check(good: object, what: str) -> None:
        if not good:
            raise InputError(f"found no {what} where one is expected: it is damaged", path=path)

    words, numbers, counts, vectors = [], [], [], Rows()
    with open_bytes(path, progress=options.progress) as file:
        header = _header(b"".join(file.until(b"\n", "the header") + b"\n" for _ in range(3)))
        if header is None:
            raise InputError("is not an AdaGram model: its first lines are not numbers", path=path)
        n_words, dim, most_senses, code_length = header
        n_codes = n_words * code_length
        frequencies = np.frombuffer(file.take(8 * n_words, "the frequencies"), "<i8")
        check((frequencies >= 0).all(), "frequency")
        codes = np.frombuffer(file.take(n_codes, "the codes"), "i1")
        check((np.abs(codes) <= 1).all(), "Huffman code")
        paths = np.frombuffer(file.take(4 * n_codes, "the paths"), "<i4")
        check(((paths >= 0) & (paths <= n_words)).all(), "number of a Huffman node")
        expected = np.frombuffer(file.take(4 * n_words * most_senses, "the counts"), "<f4")
        check(((expected >= 0) & (expected < 2**63)).all(), "count")
        # of Huffman nodes, not of words
        outputs = np.frombuffer(file.take(4 * n_words * dim, "the output vectors"), "<f4")
        check((np.abs(outputs) < _LARGEST).all(), "number")
        for row in range(n_words):
            what = f"word {row + 1} of {n_words}"
            word = file.until(b"\n", what)
            check(word and not CONTROL.search(word), "word")
            last, n_senses = 0, whole_number(file.until(b"\n", what))
            check(n_senses is not None, "number of senses")
            for _ in range(n_senses or 0):
                number = whole_number(file.until(b"\n", what)) or 0
                check(last < number <= most_senses, "number of a sense")
                words.append(word)
                numbers.append(number)
                counts.append(expected[row * most_senses + number - 1])
                vector = np.frombuffer(file.take(4 * dim, what), "<f4")
                check((np.abs(vector) < _LARGEST).all(), "number")
                vectors.append(vector.reshape(1, dim))
                check(file.take(1, what) == b"\n", "line end")
                last = number
        check(not file.has_more(), "end of the file")
    place = Place(path)
    return assemble(
        decode_words(words, options.encoding or "utf-8", place),
        np.array(numbers, dtype=np.int64),
        vectors.finish(),
        counts=np.rint(counts).astype(np.int64),
        place=place,
    )


FORMAT = Format(
    name="adagram",
    description="model of AdaGram.jl: sense vectors and their counts",
    recognizes=lambda path, head: _header(head) is not None,
    read=_read,
    write=None,
)
