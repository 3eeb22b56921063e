"""NumPy files: `.npz` with vectors and keys, and `.npy` with the keys in a text file next to it."""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from exrpca.errors import InputError
from exrpca.files import read_text
from exrpca.senses.formats.assembly import from_keys, from_words
from exrpca.senses.formats.byte_reader import read_head
from exrpca.senses.formats.format import Format, Place, ReadOptions
from exrpca.senses.sense_vectors import Floats, SenseVectors

# What the array of keys may be called, and that of senses. LMMS writes `labels` and `vectors`.
_KEYS = ("keys", "labels", "words", "vocab", "senses")
_VECTORS = ("vectors", "embeddings", "vecs", "X")

# What NumPy raises for a damaged file: the header of an array is Python.
NUMPY_DAMAGE = (
    *(ValueError, OSError, EOFError, SyntaxError, tokenize.TokenError, zipfile.BadZipFile),
    *(zlib.error, NotImplementedError, OverflowError, MemoryError, TypeError),
)

# The ending of the file of keys in place of `.npy`: one key per line.
_KEY_FILES = (".labels.txt", ".keys.txt", ".words.txt", ".vocab.txt", ".labels", ".vocab", ".txt")


def _read_npz(path: Path, options: ReadOptions) -> SenseVectors:
    place = Place(path)
    arrays = _arrays(path)
    vectors = _vectors(arrays, place)
    words = arrays.get("words")
    if words is not None and "senses" in arrays:
        senses = arrays["senses"]
        if senses.dtype.kind not in "iu":
            senses = _strings(senses, "senses", place)
        return from_words(_strings(words, "words", place), senses, vectors, place=place)
    name = next((name for name in _KEYS if name in arrays), None)
    if name is None:
        raise InputError(
            f"no array {', '.join(_KEYS[:-1])} among {', '.join(arrays)}; "
            "load the arrays yourself and use exrpca.load(words=…, senses=…, vectors=…)",
            path=path,
        )
    return from_keys(_strings(arrays[name], name, place), vectors, options=options, place=place)


def _arrays(path: Path) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except NUMPY_DAMAGE as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: Exception) -> InputError:
    if not read_head(path, 6).startswith((b"PK", b"\x93NUMPY")):
        return InputError("is not a NumPy file", path=path)
    if "allow_pickle" in str(error):
        return InputError(
            "holds Python objects, which may run any code and are not opened: save the keys as "
            "an array of strings",
            path=path,
        )
    return InputError(f"is damaged ({error}): get a fresh copy", path=path)


def _vectors(arrays: dict[str, Any], place: Place) -> Floats:
    matrices = [name for name, array in arrays.items() if _is_matrix(array)]
    named = [name for name in _VECTORS if name in matrices]
    if not named and len(matrices) != 1:
        raise InputError(
            f"no matrix of real numbers called {', '.join(_VECTORS)} among "
            f"{', '.join(arrays) or 'no arrays'}",
            path=place.path,
        )
    return np.asarray(arrays[(named or matrices)[0]], dtype=np.float32)


def _is_matrix(array: Any) -> bool:
    return array.ndim == 2 and array.dtype.kind in "fiu"


def _strings(array: Any, name: str, place: Place) -> list[str]:
    if array.ndim != 1 or array.dtype.kind not in "US":
        raise InputError(
            f"the array {name} holds {array.dtype} in {array.ndim} dimensions, expected strings",
            path=place.path,
        )
    decoded = np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array
    return [str(value) for value in decoded.tolist()]


def _read_npy(path: Path, options: ReadOptions) -> SenseVectors:
    try:
        vectors = np.load(io.BytesIO(read_head(path, -1)), allow_pickle=False)
    except NUMPY_DAMAGE as error:
        raise _refused(path, error) from None
    if not _is_matrix(vectors):
        raise InputError(
            f"holds {vectors.dtype} of shape {vectors.shape}, expected a matrix of numbers",
            path=path,
        )
    keys_file = _keys_beside(path)
    keys = read_text(keys_file).split("\n")
    keys = [key.rstrip("\r") for key in (keys[:-1] if keys[-1] == "" else keys)]
    vectors = vectors.astype(np.float32, copy=False)
    return from_keys(keys, vectors, options=options, place=Place(path))


def _keys_beside(path: Path) -> Path:
    stem = path.name.removesuffix(".npy")
    files = [path.with_name(stem + ending) for ending in _KEY_FILES]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        raise InputError(
            f"has only vectors: put their keys, one per line, into {files[0].name} in the same "
            "folder, or use exrpca.load(words=…, senses=…, vectors=…)",
            path=path,
        )
    return file


def _recognizes_npz(path: Path, head: bytes) -> bool:
    # a zip file whose first entry is an array
    return head.startswith(b"PK\x03\x04") and b".npy" in head[30:300]


NPZ = Format(
    name="npz",
    description="NumPy .npz with the arrays vectors and keys (or labels, words)",
    recognizes=_recognizes_npz,
    read=_read_npz,
    write=None,
)
NPY = Format(
    name="npy",
    description="NumPy .npy, with the keys in a text file next to it",
    recognizes=lambda path, head: head.startswith(b"\x93NUMPY"),
    read=_read_npy,
    write=None,
)
