"""Where and in which format vectors are written: decided and checked before the work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from exrpca.errors import InputError
from exrpca.files import check_output, is_stream
from exrpca.senses.formats.assembly import check_finite
from exrpca.senses.formats.format import SEVERAL_CENTERS, Format, Place, WriteOptions
from exrpca.senses.formats.key_patterns import KEY_PATTERNS, key_pattern_named
from exrpca.senses.formats.key_writing import key_pattern_of, labels_are_numbers
from exrpca.senses.formats.registry import FORMATS, WRITERS, chosen_format, format_of
from exrpca.senses.metadata import without_file_entries
from exrpca.senses.sense_vectors import OPTIONAL_PARTS, SenseVectors


@dataclass(frozen=True)
class OutputPlan:
    """A file of vectors to be written, whose name has been checked; `plan_output` makes one.

    Attributes
    ----------
    path : Path
    format : Format
    key_pattern : str or None
    """

    path: Path
    format: Format
    key_pattern: str | None = None

    def losses(self, parts: Iterable[str]) -> tuple[str, ...]:
        """Return which of the parts that vectors have are not kept by the format.

        Examples
        --------
        >>> plan_output("senses.bin").losses(["counts", "labels"])
        ('counts', 'labels')
        """
        return tuple(part for part in parts if part in self.format.drops)

    def losses_of(self, senses: SenseVectors) -> tuple[str, ...]:
        """Return which parts of some vectors are not kept; keys may hold their labels.

        Examples
        --------
        >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2], labels=["NOUN", "VERB"])
        >>> plan_output("senses.bin").losses_of(senses)
        ('labels',)
        >>> plan_output("senses.bin", key_pattern="word|NOUN").losses_of(senses)
        ()
        """
        lost = self.losses(parts_of(senses))
        pattern = KEY_PATTERNS[self._options(senses, progress=False).key_pattern]
        in_keys = pattern.is_labeled or (
            pattern.is_numbered and labels_are_numbers(senses.n_senses, senses.labels or ())
        )
        return tuple(p for p in lost if p != "labels" or not (self.format.has_keys and in_keys))

    def check(self, senses: SenseVectors) -> None:
        """Refuse vectors that the format cannot hold, such as words with spaces in text."""
        if self.format.check is not None:
            self.format.check(senses, self._options(senses, progress=False))

    def save(self, senses: SenseVectors, *, progress: bool = False) -> None:
        """Write the file, which appears whole or not at all."""
        for vectors in (senses.vectors, senses.centers, senses.globals):
            if vectors is not None:
                check_finite(vectors, Place())
        assert self.format.write is not None  # noqa: S101 - writers have one
        self.format.write(senses, self.path, self._options(senses, progress=progress))

    def _options(self, senses: SenseVectors, *, progress: bool) -> WriteOptions:
        return WriteOptions(self.key_pattern or key_pattern_of(senses), progress)


def plan_output(
    path: str | os.PathLike[str],
    *,
    writer: str | None = None,
    key_pattern: str | None = None,
    source: str | os.PathLike[str] | None = None,
    reader: str | None = None,
    other_than: Iterable[str | os.PathLike[str]] = (),
) -> OutputPlan:
    """Choose the format of a file of vectors to be written, and check that it can be written.

    To be called before long work, so that none is lost to a bad name.

    Parameters
    ----------
    path : path-like
        The file to be written.
    writer : str, optional
        The name of a format, one of `WRITERS`; by default the path tells.
    key_pattern : str, optional
        As for `save`.
    source, reader : path-like, str, optional
        The file that the vectors come from, and the reader it is read with. A path that tells
        nothing keeps its format.
    other_than : iterable of path-likes, default ()
        Files that must not be overwritten.

    Returns
    -------
    OutputPlan

    Examples
    --------
    >>> plan_output("senses.bin").format.name
    'word2vec-binary'
    >>> plan_output("senses.xyz")
    Traceback (most recent call last):
        ...
    exrpca.errors.InputError: cannot tell the format from the name 'senses.xyz': use a known
    ending (..., .parquet, ...) or give a writer (..., parquet, ...)
    """

    def came_in() -> str | None:
        return None if source is None else format_of(Path(source), reader).name

    return _planned(Path(path), writer, key_pattern, came_in, other_than)


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
        The ending tells the format, such as `.parquet` or `.vec` (word2vec text); each of
        `FORMATS` has its `endings`. With `.gz` after it, the file is compressed. If the name
        says nothing, as in `clean.txt`, vectors that came in a text format keep it.
    writer : str, optional
        The name of a format, one of `WRITERS`, to write whatever the name.
    key_pattern : str, optional
        How the keys of word2vec files hold word and sense, one of `KEY_PATTERNS`; by default
        as the vectors came, or "word#0".
    progress : bool, default False
        Whether to show a progress bar.

    Examples
    --------
    >>> import tempfile
    >>> from exrpca.senses import load
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
    came_in = senses.metadata.get("format")
    _planned(Path(path), writer, key_pattern, lambda: came_in).save(senses, progress=progress)


def parts_of(senses: SenseVectors) -> tuple[str, ...]:
    """Return what vectors have that a format may not keep.

    Examples
    --------
    >>> parts_of(SenseVectors(["bank"], [[1, 0], [0, 1]], [2], counts=[3, 1]))
    ('counts',)
    """
    parts = [name for name in OPTIONAL_PARTS if getattr(senses, name) is not None]
    if senses.has_several_centers:
        parts.append(SEVERAL_CENTERS)
    if without_file_entries(senses.metadata):
        parts.append("metadata")
    return tuple(parts)


def _planned(
    path: Path,
    writer: str | None,
    key_pattern: str | None,
    came_in: Callable[[], str | None],
    other_than: Iterable[str | os.PathLike[str]] = (),
) -> OutputPlan:
    if key_pattern is not None:
        key_pattern_named(key_pattern)
    other_than = tuple(other_than)
    check_output(path, other_than=other_than)
    if writer is not None:
        format: Format | None = chosen_format(writer, WRITERS, "writer")
    else:
        format = _format_named(path.name.removesuffix(".gz")) or _text_format(came_in())
    if format is None:
        endings = [ending for writer in WRITERS for ending in FORMATS[writer].endings]
        raise InputError(
            f"cannot tell the format from the name {path.name!r}: use a known ending "
            f"({', '.join(endings)}) or give a writer ({', '.join(WRITERS)})"
        )
    if format.files is not None:
        if is_stream(path):
            raise InputError(
                f"the format {format.name} needs the name of a file: it writes others next to it",
                path=path,
            )
        for file in format.files(path):
            check_output(file, other_than=other_than)
    return OutputPlan(path, format, key_pattern)


def _format_named(name: str) -> Format | None:
    """Return the format that a file name asks for: by its ending, else by a keyword in it."""
    formats = [FORMATS[writer] for writer in WRITERS]
    by_ending = (format for format in formats if name.endswith(format.endings))
    by_keyword = (f for f in formats if f.keyword is not None and f.keyword in name.lower())
    return next(chain(by_ending, by_keyword), None)


def _text_format(name: str | None) -> Format | None:
    """Return the text format of this name if there is one that can be written."""
    return FORMATS[name] if name in WRITERS and FORMATS[name].is_text else None
