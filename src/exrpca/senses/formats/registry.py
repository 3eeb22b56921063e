"""All formats, and `load` and `save`, which choose among them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from exrpca.errors import InputError
from exrpca.senses.formats import mssg, parquet, table, three_files, word2vec
from exrpca.senses.formats.assembly import Place, check_finite
from exrpca.senses.formats.byte_blocks import read_head
from exrpca.senses.formats.encodings import check_encoding
from exrpca.senses.formats.format import Format, ReadOptions, WriteOptions
from exrpca.senses.formats.gensim_vectors import from_gensim, is_keyed_vectors
from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN, detect_key_pattern, sign_of
from exrpca.senses.sense_vectors import SenseVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# The first that recognizes a file reads it.
FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        three_files.FORMAT,
        parquet.FORMAT,
        mssg.FORMAT,
        word2vec.TEXT,
        word2vec.BINARY,
        table.FORMAT,
    )
}
READERS: tuple[str, ...] = tuple(FORMATS)
WRITERS: tuple[str, ...] = tuple(name for name, format in FORMATS.items() if format.write)

# Formats without a file ending of their own: a name that tells nothing, such as clean.txt,
# keeps the one the vectors came in.
_KEPT_FORMATS = ("mssg", "word2vec", "three-files")

_HEAD_BYTES = 1 << 18


def load(
    source: str | os.PathLike[str] | pd.DataFrame | KeyedVectors,
    *,
    reader: str | None = None,
    key_pattern: str | None = None,
    encoding: str | None = None,
    progress: bool = False,
) -> SenseVectors:
    """Read multi-sense vectors from a file or an object.

    Parameters
    ----------
    source : path, DataFrame or gensim KeyedVectors
        A file may be plain, gz, bz2, xz or zst; its content tells the format.
    reader : str, optional
        The name of a format, one of `READERS`, to read the file with no matter its content.
    key_pattern : str, optional
        How the keys of word2vec files hold word and sense, one of `KEY_PATTERNS`; by default
        the keys tell.
    encoding : str, optional
        The encoding of the words; by default UTF-8, and ISO-8859-15 for an MSSG file with
        words that are not in UTF-8.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    SenseVectors
        Its metadata name the `format`.

    Examples
    --------
    >>> rows = {"word": ["bank", "bank"], "sense": [0, 1], "vector": [[1, 0], [0, 1]]}
    >>> load(pd.DataFrame(rows))
    <SenseVectors: 1 words, 2 senses, 2 dimensions>
    """
    if key_pattern is not None:
        sign_of(key_pattern)
    if encoding is not None:
        check_encoding(encoding)
    if isinstance(source, pd.DataFrame):
        return _named(table.from_frame(source), "data frame")
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        format = _format_of(path, reader)
        senses = format.read(path, ReadOptions(key_pattern, encoding, progress))
        return _named(senses, format.name)
    if is_keyed_vectors(source):
        return _named(from_gensim(source, key_pattern=key_pattern), "gensim")
    raise InputError(
        f"found a {type(source).__name__}, expected a path, a DataFrame or KeyedVectors"
    )


def save(
    senses: SenseVectors,
    path: str | os.PathLike[str],
    *,
    writer: str | None = None,
    key_pattern: str | None = None,
    progress: bool = False,
) -> None:
    """Write multi-sense vectors to a file, which appears whole or not at all.

    Parameters
    ----------
    senses : SenseVectors
    path : path
        The ending tells the format: `.parquet`, `.vec` (word2vec text), `.bin` (word2vec
        binary), a name with `mssg` in it, `_global.vec` (three files). With `.gz` after it,
        text is gzipped. A name that tells nothing keeps the format the vectors came in.
    writer : str, optional
        The name of a format, one of `WRITERS`, to write no matter the name.
    key_pattern : str, optional
        How the keys of word2vec files hold word and sense, one of `KEY_PATTERNS`; by default
        as the vectors came, or "word#0".
    progress : bool, default False
        Whether to show a progress bar.

    Examples
    --------
    >>> import tempfile
    >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2])
    >>> path = Path(tempfile.mkdtemp()) / "senses.vec"
    >>> save(senses, path, key_pattern="word_s0")
    >>> print(path.read_text().strip())
    2 2
    bank_s0 1 0
    bank_s1 0 1
    >>> load(path) == senses
    True
    """
    path = Path(path)
    format = format_to_write(path, writer=writer, came_in=senses.metadata.get("format"))
    key_pattern = key_pattern or _key_pattern_of(senses)
    sign_of(key_pattern)
    for vectors in (senses.vectors, senses.centers, senses.globals):
        if vectors is not None:
            check_finite(vectors, Place())
    assert format.write is not None  # noqa: S101 - writers have one
    format.write(senses, path, WriteOptions(key_pattern, progress))


def format_to_write(
    path: str | os.PathLike[str], *, writer: str | None = None, came_in: str | None = None
) -> Format:
    """Return the format that `save` writes to a path.

    Parameters
    ----------
    path : path
    writer : str, optional
        The name of a format, which counts more than the path.
    came_in : str, optional
        The name of the format the vectors came in, for a path that tells nothing.

    Examples
    --------
    >>> format_to_write("senses.bin").name
    'word2vec-binary'
    """
    if writer:
        return _chosen(writer, WRITERS, "writer")
    name = Path(path).name.removesuffix(".gz")
    for format in FORMATS.values():
        if format.claims(name):
            return format
    if came_in in _KEPT_FORMATS:
        return FORMATS[came_in]
    raise InputError(
        f"the name does not tell the format: name a writer ({', '.join(WRITERS)})", path=path
    )


def _named(senses: SenseVectors, format_name: str) -> SenseVectors:
    return senses.replace(metadata={**senses.metadata, "format": format_name})


def _chosen(name: str, names: tuple[str, ...], role: str) -> Format:
    if name not in names:
        raise InputError(f"{role}={name!r} must be one of {', '.join(names)}")
    return FORMATS[name]


def _format_of(path: Path, reader: str | None) -> Format:
    forced = _chosen(reader, READERS, "reader") if reader else None
    if forced is three_files.FORMAT or (not forced and three_files.FORMAT.recognizes(path, b"")):
        return three_files.FORMAT  # the path may be the beginning of three names, and no file
    head = read_head(path, _HEAD_BYTES)
    if forced:
        return forced
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise InputError(
            "a pickle (gensim's own .kv and .model files are), which may run any code and is "
            "not opened: load it with gensim and call save_word2vec_format",
            path=path,
        )
    for format in FORMATS.values():
        if format.recognizes(path, head):
            return format
    raise InputError(
        f"in no known format ({', '.join(READERS)}): name one as the reader", path=path
    )


def _key_pattern_of(senses: SenseVectors) -> str:
    kept = senses.metadata.get("key_pattern", DEFAULT_KEY_PATTERN)
    # words without numbers serve if there is one sense a word, and none looks like a sense
    if kept == "word" and (senses.n_senses.max() > 1 or detect_key_pattern(senses.words) != "word"):
        return DEFAULT_KEY_PATTERN
    return str(kept)
