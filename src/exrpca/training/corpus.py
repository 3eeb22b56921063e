"""Text as lists of tokens, from files, standard input or Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile

Path = str | os.PathLike[str]
Source = Path | Iterable[Path | Sequence[str]]

STANDARD_INPUT = "-"

# Training takes a longer line in pieces, so that a corpus of one line fits in memory.
_LONGEST_PIECE = 1 << 20


class Corpus:
    """The tokens of a text, a list for each line.

    Parameters
    ----------
    source : path, or iterable of paths or of token lists
        Files are UTF-8 text, plain or compressed (gz, bz2, xz, zst), tokens parted by white
        space; "-" is standard input. A list of tokens counts as one line.
    lowercase : bool, default False
        Turn the tokens into lower case.

    Examples
    --------
    >>> list(Corpus([["The", "cat"], ["A", "dog"]], lowercase=True))
    [['the', 'cat'], ['a', 'dog']]
    """

    def __init__(self, source: Source, *, lowercase: bool = False) -> None:
        self._items = [source] if isinstance(source, str | os.PathLike) else source
        self._lowercase = lowercase
        self._file: CompressedFile | None = None
        self._bytes_of_read_files = 0

    @property
    def size(self) -> int:
        """The bytes on disk of the files, as far as it can be known before reading."""
        if not isinstance(self._items, list | tuple):
            return 0
        paths = [item for item in self._items if isinstance(item, str | os.PathLike)]
        return sum(os.path.getsize(path) for path in paths if os.path.isfile(path))

    @property
    def sources(self) -> list[str] | None:
        """The names and sizes of the files; None if not all of the text is in files."""
        if not isinstance(self._items, list | tuple):
            return None
        sources = []
        for item in self._items:
            if not isinstance(item, str | os.PathLike) or item == STANDARD_INPUT:
                return None
            if not os.path.exists(item):
                raise InputError("no such file", path=item)
            if not os.path.isfile(item):
                return None  # a pipe
            sources.append(f"{os.path.basename(item)} of {os.path.getsize(item):,} bytes")
        return sources

    def position(self) -> int:
        """Return how many bytes on disk have been read; for progress bars."""
        return self._bytes_of_read_files + (self._file.position() if self._file else 0)

    def __iter__(self) -> Iterator[Sequence[str]]:
        return self._read(longest=sys.maxsize)

    def pieces(self) -> Iterator[Sequence[str]]:
        """Return the lines, those of files that are too long for memory cut into pieces."""
        return self._read(longest=_LONGEST_PIECE)

    def _read(self, longest: int) -> Iterator[Sequence[str]]:
        for item in self._items:
            if isinstance(item, str | os.PathLike):
                yield from self._tokens_of(item, longest)
            elif self._lowercase:
                yield [token.lower() for token in item]
            else:
                yield item

    def _tokens_of(self, path: Path, longest: int) -> Iterator[list[str]]:
        if path == STANDARD_INPUT:
            yield from self._tokens_in(sys.stdin.buffer, "standard input", longest)
            return
        with CompressedFile(path) as self._file:
            yield from self._tokens_in(self._file.stream, path, longest)
            self._bytes_of_read_files += self._file.size
        self._file = None

    def _tokens_in(self, stream: IO[bytes], path: Path, longest: int) -> Iterator[list[str]]:
        line = 1
        try:
            for piece, ends_line in _pieces(stream, longest):
                text = piece.decode("utf-8")
                yield (text.lower() if self._lowercase else text).split()
                line += ends_line
        except UnicodeDecodeError as error:
            found = f"byte 0x{error.object[error.start]:02x} is not UTF-8"
            raise InputError(f"{found}: convert the file to UTF-8", path=path, line=line) from None
        except DECOMPRESSION_ERRORS as error:
            problem = f"cut short or damaged ({error}): fetch the file again"
            raise InputError(problem, path=path, line=line) from None


def _pieces(stream: IO[bytes], longest: int) -> Iterator[tuple[bytes, bool]]:
    """Yield lines, the very long ones in pieces cut at white space, and whether a line ends."""
    rest = b""
    while read := stream.readline(longest):
        piece = rest + read
        ends_line = piece.endswith(b"\n")
        if ends_line or len(read) < longest:
            rest = b""
        else:
            cut = piece.rfind(b" ") + 1
            piece, rest = piece[:cut], piece[cut:]
        yield piece, ends_line
    if rest:
        yield rest, True
