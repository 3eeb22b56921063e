"""All formats, and `load`, which chooses among them."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import ArrayLike

from exrpca.errors import InputError
from exrpca.senses.formats import (
    adagram,
    mssg,
    numpy_files,
    parquet,
    sense_tables,
    three_files,
    word2vec,
)
from exrpca.senses.formats.assembly import from_keys, from_words, strings
from exrpca.senses.formats.byte_reader import read_head
from exrpca.senses.formats.format import Format, Place, ReadOptions
from exrpca.senses.formats.gensim_vectors import from_gensim, is_keyed_vectors
from exrpca.senses.formats.key_patterns import key_pattern_named, pattern_of_regex
from exrpca.senses.formats.sense_tables import from_frame
from exrpca.senses.formats.table import csv_header
from exrpca.senses.formats.text_files import check_encoding, fields_of, is_number, shown
from exrpca.senses.metadata import updated
from exrpca.senses.sense_vectors import SenseVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# In the order in which they are asked: the first that recognizes a file reads it, and the first
# with the ending of a file writes it.
FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        three_files.FORMAT,
        parquet.FORMAT,
        numpy_files.NPZ,
        numpy_files.NPY,
        adagram.FORMAT,
        mssg.FORMAT,
        word2vec.TEXT,
        word2vec.BINARY,
        sense_tables.FORMAT,
    )
}
READERS: tuple[str, ...] = tuple(FORMATS)
WRITERS: tuple[str, ...] = tuple(name for name, format in FORMATS.items() if format.write)

_HEAD_BYTES = 1 << 18

_ARRAYS = "load it in Python and pass exrpca.load(words=…, senses=…, vectors=…)"

# How files of other programs begin.
_OTHERS = {
    b"\xba\x16\x4f\x2f": "is a fastText model: use the .vec file that fastText writes next to it",
    b"PK\x03\x04": "is a zip archive: unpack it",
    b"\x89HDF": f"is an HDF5 file: {_ARRAYS}",
    b"SQLite": f"is an SQLite database: {_ARRAYS}",
    b"{": f"looks like JSON: {_ARRAYS}",
    b"[": f"looks like JSON: {_ARRAYS}",
    b"<": "looks like a web page: download the file itself",
}

_log = logging.getLogger(__name__)

_DAMAGE = (ArithmeticError, LookupError, MemoryError, RecursionError, ValueError, pa.ArrowException)


def load(
    source: str | os.PathLike[str] | pd.DataFrame | KeyedVectors | None = None,
    *,
    words: Sequence[str] | None = None,
    senses: Sequence[int] | Sequence[str] | None = None,
    vectors: ArrayLike | None = None,
    reader: str | None = None,
    key_pattern: str | None = None,
    key_regex: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    progress: bool = False,
) -> SenseVectors:
    r"""Read multi-sense vectors from a file, an object, or arrays.

    Parameters
    ----------
    source : path, DataFrame or gensim KeyedVectors
        A file may be plain, gz, bz2, xz or zst; its content tells the format.
    words, senses, vectors : sequences, optional
        Instead of `source`: the word of each vector and its sense, a number or a label. Without
        `senses`, words are keys such as `bank#0`.
    reader : str, optional
        The name of a format, one of `READERS`, to read the file with whatever its content.
    key_pattern : str, optional
        How keys hold word and sense, one of `KEY_PATTERNS`; by default the keys tell.
    key_regex : str, optional
        A regular expression for keys of another pattern, with the groups `word` and `sense`:
        `r"(?P<word>.+)/(?P<sense>.+)"`.
    columns : mapping, optional
        The columns of a table that have other names: `{"word": "lemma", "vector": "emb"}`.
    encoding : str, optional
        The encoding of the words; by default UTF-8, and ISO-8859-15 for an MSSG file with
        words that are not in UTF-8.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    SenseVectors
        Its metadata has the name of the `format`.

    Warns
    -----
    InputWarning
        If keys look like senses, but follow no known pattern.

    Examples
    --------
    >>> rows = {"word": ["bank", "bank"], "sense": [0, 1], "vector": [[1, 0], [0, 1]]}
    >>> load(pd.DataFrame(rows))
    <SenseVectors: 1 words, 2 senses, 2 dimensions>
    >>> load(words=["bank", "bank"], senses=["money", "water"], vectors=[[1, 0], [0, 1]]).labels
    ('money', 'water')
    """
    if key_pattern is not None:
        key_pattern_named(key_pattern)
    if key_regex is not None:
        pattern_of_regex(key_regex)
    if encoding is not None:
        check_encoding(encoding)
    options = ReadOptions(key_pattern, key_regex, encoding, columns or {}, progress)
    if source is None:
        return _from_arrays(words, senses, vectors, options)
    if isinstance(source, pd.DataFrame):
        return _named(from_frame(source, options), "data frame")
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        format = format_of(path, reader, has_columns=bool(columns))
        return _named(_read(format, path, options), format.name)
    if is_keyed_vectors(source):
        return _named(from_gensim(source, options), "gensim")
    raise InputError(
        f"cannot load a {type(source).__name__}, expected a path, a DataFrame or KeyedVectors"
    )


def _read(format: Format, path: Path, options: ReadOptions) -> SenseVectors:
    """Read a file; whatever a reader did not foresee in a damaged one is bad input as well."""
    try:
        return format.read(path, options)
    except InputError:
        raise
    except _DAMAGE as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise InputError(
            f"cannot be read as {format.name} ({reason}): get a fresh copy", path=path
        ) from error


def _from_arrays(
    words: Sequence[str] | None,
    senses: Sequence[int] | Sequence[str] | None,
    vectors: ArrayLike | None,
    options: ReadOptions,
) -> SenseVectors:
    if words is None or vectors is None:
        raise InputError("nothing to load: pass a source, or words and vectors")
    try:
        array = np.array(vectors, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"vectors: {error}, expected one row of real numbers per word") from None
    if array.ndim != 2:
        raise InputError(f"vectors has shape {array.shape}, expected one row per word")
    if senses is None:
        return from_keys(strings(words, "word", Place()), array, options=options, place=Place())
    return from_words(words, senses, array, place=Place())


def _named(senses: SenseVectors, format_name: str) -> SenseVectors:
    pattern = senses.metadata.get("key_pattern")
    keys = f", keys like {pattern}" if pattern else ""
    _log.info("format %s%s: %s", format_name, keys, repr(senses).strip("<>"))
    return senses.replace(metadata=updated(senses.metadata, format=format_name))


def chosen_format(name: str, names: tuple[str, ...], role: str) -> Format:
    """Return a format by its name, which must be one of `names`."""
    if name not in names:
        raise InputError(f"{role}={name!r} must be one of {', '.join(names)}")
    return FORMATS[name]


def format_of(path: Path, reader: str | None = None, *, has_columns: bool = False) -> Format:
    """Return the format to read a file with: that of the reader if given, else by content.

    Parameters
    ----------
    path : Path
    reader : str, optional
    has_columns : bool, default False
        Whether a person says what the columns are, so that the file must be a table.
    """
    forced = chosen_format(reader, READERS, "reader") if reader else None
    if forced is three_files.FORMAT or (not forced and three_files.FORMAT.recognizes(path, b"")):
        return three_files.FORMAT  # the path may be the beginning of three names, and no file
    head = read_head(path, _HEAD_BYTES)
    if forced:
        return forced
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise InputError(
            "is a pickle, as gensim's own .kv and .model files are; a pickle may run any code, so "
            "it is not opened: load it with gensim and call save_word2vec_format",
            path=path,
        )
    formats = (parquet.FORMAT,) if has_columns else FORMATS.values()
    for format in formats:
        if format.recognizes(path, head):
            return format
    if has_columns:
        return sense_tables.FORMAT
    raise InputError(_refusal(head), path=path)


def _refusal(head: bytes) -> str:
    """Return why a file that no reader recognizes is refused: which came closest, what to try."""
    for magic, message in _OTHERS.items():
        if head.startswith(magic):
            return message
    near = _near_word2vec(head) or _near_table(head)
    found = f": {near}; or" if near else "; if it is,"
    return f"is not in a known format{found} pass a reader ({', '.join(READERS)})"


def _near_word2vec(head: bytes) -> str | None:
    lines = head.split(b"\n", 2)
    if len(lines) < 2:
        return None
    first, second = fields_of(lines[0]), fields_of(lines[1])
    n_values = len(second) - 1
    if n_values < 2 or not all(map(is_number, second[1:])):
        return None
    if not all(map(is_number, first[1:])):
        return (
            f"it resembles word2vec text, but line 1 is {shown(lines[0])} and line 2 is a word "
            f"with {n_values} numbers: remove line 1, or replace it with the number of vectors and "
            "of dimensions"
        )
    return (
        f"it resembles word2vec text, but line 1 has {len(first) - 1} values and line 2 has "
        f"{n_values}: if words contain spaces, replace these with underscores"
    )


def _near_table(head: bytes) -> str | None:
    line = head.partition(b"\n")[0]
    names, delimiter = csv_header(line)
    if len(names) < 2 or not line.isascii() or "\x00" in delimiter.join(names):
        return None
    listed = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
    return (
        f"it resembles a table, but there is no column word among {listed}: "
        'pass columns={"word": NAME, "vector": NAME}'
    )
