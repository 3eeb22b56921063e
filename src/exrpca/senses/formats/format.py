"""What a file format is: a name, a test of content, a reader and a writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from exrpca.errors import InputError
from exrpca.senses.sense_vectors import SenseVectors

# What a format that has room for one center per sense drops; it keeps their mean.
SEVERAL_CENTERS = "several centers per sense"


@dataclass(frozen=True)
class ReadOptions:
    """What a person may ask of a reader; None leaves the choice to the file's content."""

    key_pattern: str | None = None
    key_regex: str | None = None
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    progress: bool = False


@dataclass(frozen=True)
class WriteOptions:
    """What a person may ask of a writer."""

    key_pattern: str
    progress: bool = False


@dataclass(frozen=True)
class Format:
    """One file format.

    Parameters
    ----------
    name : str
        What `reader=` and `writer=` call it.
    description : str
        One line for lists and help.
    recognizes : callable (path, head) -> bool
        Whether a file is in this format, by its first bytes, decompressed.
    read : callable (path, options) -> SenseVectors
    write : callable (senses, path, options), optional
    endings : tuple of str, default ()
        A file to be written is in this format if its name, without `.gz`, ends with one of these.
    keyword : str, optional
        So it is if its name contains this word, in upper or lower case, and ends with no known
        ending.
    is_text : bool, default False
        Whether the format is text. If the name of a file to be written says nothing, as in
        `clean.txt`, vectors that came in a text format keep it.
    has_keys : bool, default False
        Whether senses have keys such as `bank#0`; a key pattern with labels keeps labels.
    drops : tuple of str, default ()
        What of `SenseVectors` a file in this format does not keep; see `parts_of`.
    check : callable (senses, options), optional
        Raises `InputError` for vectors that cannot be written in this format.
    files : callable (path) -> iterable of paths, optional
        The files that are written, if there are several.
    """

    name: str
    description: str
    recognizes: Callable[[Path, bytes], bool]
    read: Callable[[Path, ReadOptions], SenseVectors]
    write: Callable[[SenseVectors, Path, WriteOptions], None] | None
    endings: tuple[str, ...] = ()
    keyword: str | None = None
    is_text: bool = False
    has_keys: bool = False
    drops: tuple[str, ...] = ()
    check: Callable[[SenseVectors, WriteOptions], None] | None = None
    files: Callable[[Path], Iterable[Path]] | None = None


@dataclass(frozen=True)
class Place:
    """Where rows come from, for error messages.

    Parameters
    ----------
    path : path-like, optional
    line_of : callable (row) -> line, optional
        Gives the line of a row in a text file; without it, errors name the row.
    """

    path: str | PathLike[str] | None = None
    line_of: Callable[[int], int] | None = None

    def error(self, message: str, row: int) -> InputError:
        """Return the error for one row, counted from 0."""
        if self.line_of is not None:
            return InputError(message, path=self.path, line=self.line_of(row))
        return InputError(f"row {row + 1}: {message}", path=self.path)
