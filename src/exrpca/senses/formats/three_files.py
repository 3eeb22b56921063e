"""Three word2vec text files: `*_local.vec`, `*_context.vec` and `*_global.vec`.

They hold the sense vectors, their centers under the same keys, and the global vectors by word.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from exrpca.errors import InputError
from exrpca.files import together
from exrpca.senses.formats.assembly import assemble
from exrpca.senses.formats.format import SEVERAL_CENTERS, Format, ReadOptions, WriteOptions
from exrpca.senses.formats.key_reading import read_keys
from exrpca.senses.formats.key_writing import sense_keys
from exrpca.senses.formats.text_files import encode_words, open_output
from exrpca.senses.formats.word2vec import read_text_rows, text_place, write_text_rows
from exrpca.senses.ragged import Integers
from exrpca.senses.sense_vectors import Floats, SenseVectors

_ROLES = ("local", "context", "global")
_NAME = re.compile(r"(.*)_(?:local|context|global)(\.vec(?:\.gz)?)")


def _paths(path: Path) -> dict[str, Path]:
    """Return the three files that a path means: one of them, or what their names share."""
    match = _NAME.fullmatch(path.name)
    prefix, ending = match.groups() if match else (path.name, ".vec")
    return {role: path.parent / f"{prefix}_{role}{ending}" for role in _ROLES}


def _recognizes(path: Path, head: bytes) -> bool:
    # one is missing: say so, and do not read the others as something else
    present = [file for file in _paths(path).values() if file.is_file()]
    return len(present) > int(path.is_file())


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    paths = _paths(path)
    missing = [file for file in paths.values() if not file.is_file()]
    if len(missing) == len(paths):
        raise InputError("no such file, nor the other two", path=missing[0])
    if missing:
        raise InputError(
            "no such file, although others of the three exist; use the reader word2vec to "
            "read one alone",
            path=missing[0],
        )
    place = text_place(paths["local"])
    keys, vectors = read_text_rows(paths["local"], options)
    read = read_keys(keys, options, place)
    centers = _in_order(*read_text_rows(paths["context"], options), keys, paths["context"])
    global_words, globals_ = read_text_rows(paths["global"], options)
    return assemble(
        read.words,
        read.numbers,
        vectors,
        centers=centers,
        globals=(globals_, _rows_of(global_words, read.words, paths["global"])),
        labels=read.labels,
        metadata=read.metadata,
        place=place,
    )


def _in_order(keys: list[str], vectors: Floats, wanted: list[str], path: Path) -> Floats:
    if keys == wanted:
        return vectors
    row_of = {key: row for row, key in enumerate(keys)}
    for key in wanted:
        if key not in row_of:
            raise InputError(f"no key {key!r}, expected those of the _local file", path=path)
    if len(keys) > len(wanted):
        raise InputError(
            f"{len(keys)} vectors, expected the {len(wanted)} keys of the _local file, each once",
            path=path,
        )
    return vectors[[row_of[key] for key in wanted]]


def _rows_of(global_words: list[str], words: list[str], path: Path) -> Integers:
    """Return, for each word with a global vector, a row that holds one of its senses."""
    row_of = {word: row for row, word in enumerate(words)}
    seen: set[str] = set()
    for row, word in enumerate(global_words):
        if word not in row_of:
            raise text_place(path).error(f"the word {word!r} has no sense in the _local file", row)
        if word in seen:
            raise text_place(path).error(f"the word {word!r} appears twice", row)
        seen.add(word)
    return np.array([row_of[word] for word in global_words], dtype=np.int64)


def _check(senses: SenseVectors, options: WriteOptions) -> None:
    _rows(senses, options)


def _rows(senses: SenseVectors, options: WriteOptions) -> dict[str, tuple[list[bytes], Floats]]:
    """Return the keys and vectors of each file."""
    centers = senses.mean_centers
    if centers is None or senses.globals is None:
        missing = "centers" if centers is None else "globals"
        raise InputError(
            f"the format three-files needs centers and globals: there are no {missing}"
        )
    keys = encode_words(
        sense_keys(senses.words, senses.n_senses, options.key_pattern, senses.labels), "word2vec"
    )
    return {
        "local": (keys, senses.vectors),
        "context": (keys, centers),
        "global": (encode_words(senses.words, "word2vec"), senses.globals),
    }


def _write(senses: SenseVectors, path: Path, options: WriteOptions) -> None:
    paths = _paths(path)
    rows = _rows(senses, options)
    with together():
        for role, path in paths.items():
            with open_output(path) as file:
                write_text_rows(file, *rows[role], path, progress=options.progress)


FORMAT = Format(
    name="three-files",
    description="three word2vec text files: *_local.vec, *_context.vec, *_global.vec",
    recognizes=_recognizes,
    read=_read,
    write=_write,
    endings=tuple(f"_{role}.vec" for role in _ROLES),
    is_text=True,
    has_keys=True,
    drops=("counts", "labels", "examples", SEVERAL_CENTERS, "metadata"),
    check=_check,
    files=lambda path: _paths(path).values(),
)
