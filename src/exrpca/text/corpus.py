"""Text from files, standard input or Python, as lines or as lists of tokens."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile
from exrpca.text.tokens import Tokenizer, TokenizerName

Path = str | os.PathLike[str]
Source = Path | Iterable[Path | Sequence[str]]

STANDARD_INPUT = "-"

# Training and encoding take a longer line in pieces, so that a corpus of one line fits in memory.
_LONGEST_PIECE = 1 << 20


class Corpus:
    """A text, read line by line. Iterating yields the tokens of each line.

    Parameters
    ----------
    source : path, or iterable of paths or of token lists
        Files are UTF-8 text, plain or compressed (gz, bz2, xz, zst); "-" is standard input.
        A list of tokens counts as one line.
    tokenizer : {"words", "whitespace"}, default "whitespace"
        How a line becomes tokens; see `Tokenizer`.
    lowercase : bool, default False
        Turn the tokens into lower case.

    Examples
    --------
    >>> list(Corpus([["The", "cat"], ["A", "dog"]], lowercase=True))
    [['the', 'cat'], ['a', 'dog']]
    """

    def __init__(
        self,
        source: Source,
        *,
        tokenizer: TokenizerName = "whitespace",
        lowercase: bool = False,
    ) -> None:
        self._items = [source] if isinstance(source, str | os.PathLike) else source
        # for whitespace, `str.split` finds the same tokens in a fraction of the time
        self._split = str.split if tokenizer == "whitespace" else Tokenizer(tokenizer).tokens
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

    @property
    def can_be_read_again(self) -> bool:
        """Whether iterating a second time yields the same lines: not for pipes and iterators."""
        return isinstance(self._items, list | tuple) and all(
            not isinstance(item, str | os.PathLike)
            or (item != STANDARD_INPUT and os.path.isfile(item))
            for item in self._items
        )

    def position(self) -> int:
        """Return how many bytes on disk have been read; for progress bars."""
        return self._bytes_of_read_files + (self._file.position() if self._file else 0)

    def __iter__(self) -> Iterator[Sequence[str]]:
        return self._tokens(longest=sys.maxsize)

    def pieces(self) -> Iterator[Sequence[str]]:
        """Return the tokens of each line; lines too long for memory come in pieces."""
        return self._tokens(longest=_LONGEST_PIECE)

    def lines(self) -> Iterator[str]:
        r"""Return each line of the files as it is, without the line end.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "text.txt"
        >>> _ = path.write_text("A cat sat.\nA dog, too.\n")
        >>> list(Corpus(path).lines())
        ['A cat sat.', 'A dog, too.']
        """
        for item in self._items:
            if not isinstance(item, str | os.PathLike):
                raise InputError("a list of tokens is not a line of a file: pass paths")
            for text in self._texts_of(item, sys.maxsize):
                yield text.rstrip("\r\n")

    def located(self) -> Iterator[tuple[str, str | Sequence[str]]]:
        r"""Return where each line is from, and the line: a str from a file, or a list of tokens.

        Lines too long for memory come in pieces, which count as lines.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "text.txt"
        >>> _ = path.write_text("A cat sat.\nA dog, too.\n")
        >>> list(Corpus(path).located())
        [('text.txt:1', 'A cat sat.'), ('text.txt:2', 'A dog, too.')]
        >>> list(Corpus([["A", "cat"]]).located())
        [('1', ['A', 'cat'])]
        """
        for place, item in enumerate(self._items, 1):
            if isinstance(item, str | os.PathLike):
                name = os.path.basename(item)
                for number, text in enumerate(self._texts_of(item, _LONGEST_PIECE), 1):
                    yield f"{name}:{number}", text.rstrip("\r\n")
            else:
                yield str(place), item

    def _tokens(self, longest: int) -> Iterator[Sequence[str]]:
        for item in self._items:
            if isinstance(item, str | os.PathLike):
                for text in self._texts_of(item, longest):
                    yield self._split(text.lower() if self._lowercase else text)
            elif self._lowercase:
                yield [token.lower() for token in item]
            else:
                yield item

    def _texts_of(self, path: Path, longest: int) -> Iterator[str]:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise InputError("is closed: pipe a text into it", path="standard input")
            yield from _texts_in(sys.stdin.buffer, "standard input", longest)
            return
        with CompressedFile(path) as self._file:
            yield from _texts_in(self._file.stream, path, longest)
            self._bytes_of_read_files += self._file.size
        self._file = None


def _texts_in(stream: IO[bytes], path: Path, longest: int) -> Iterator[str]:
    line = 1
    try:
        for piece, ends_line in _pieces(stream, longest):
            yield piece.decode("utf-8")
            line += ends_line
    except UnicodeDecodeError as error:
        found = f"byte 0x{error.object[error.start]:02x} is not UTF-8"
        raise InputError(f"{found}: convert the file to UTF-8", path=path, line=line) from None
    except DECOMPRESSION_ERRORS as error:
        problem = f"cut short or damaged ({error}): fetch the file again"
        raise InputError(problem, path=path, line=line) from None


def _pieces(stream: IO[bytes], longest: int) -> Iterator[tuple[bytes, bool]]:
    """Yield lines, very long ones in pieces cut at a space, and whether a line ends."""
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
