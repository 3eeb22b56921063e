"""Text from files, folders, standard input or Python, as lines, tokens or passages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile
from exrpca.text.passages import Passage, TextTable, check_script, kind_of_table, paragraphs
from exrpca.text.tokens import Tokenizer, TokenizerName

PathLike = str | os.PathLike[str]
Source = PathLike | Iterable[PathLike | Sequence[str]]

STANDARD_INPUT = "-"

# Training and encoding take a longer line in pieces, so that a corpus of one line fits in memory.
_LONGEST_PIECE = 1 << 20

# Bytes at the beginning of a file that show whether it is text, and in what script.
_SAMPLE = 1 << 13


class Corpus:
    """A text, read line by line. Iterating yields the tokens of each line.

    Parameters
    ----------
    source : path, or iterable of paths or of token lists
        Files are UTF-8 text, plain or compressed (gz, bz2, xz, zst); "-" is standard input.
        A folder stands for all files in it and below, without hidden ones.
        A list of tokens counts as one line.
    tokenizer : {"words", "whitespace"}, default "whitespace"
        How a line becomes tokens; see `Tokenizer`.
    lowercase : bool, default False
        Turn the tokens into lower case.
    text_column : str, default "text"
        For `passages`: the column of a table (CSV, Parquet, JSON lines) that has the text.
    join_lines : bool, default True
        For `passages`: join the lines of a paragraph in files whose lines look wrapped.
    without : iterable of paths, default ()
        Files and folders that are left out of the folders: an output in the same folder.

    Attributes
    ----------
    n_joined : int
        In how many files `passages` has joined lines so far.

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
        text_column: str = "text",
        join_lines: bool = True,
        without: Iterable[PathLike] = (),
    ) -> None:
        items = [source] if isinstance(source, str | os.PathLike) else source
        self._root = _root(items) if isinstance(items, list | tuple) else None
        self._items = _files(items, without) if isinstance(items, list | tuple) else items
        # for whitespace, `str.split` finds the same tokens in a fraction of the time
        self._split = str.split if tokenizer == "whitespace" else Tokenizer(tokenizer).tokens
        self._lowercase = lowercase
        self._text_column = text_column
        self._join_lines = join_lines
        self._columns: list[str] | None = None
        self._file: CompressedFile | None = None
        self._bytes_of_read_files = 0
        self.n_joined = 0

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
            sources.append(f"{self._name(item)} of {os.path.getsize(item):,} bytes")
        return sources

    @property
    def columns(self) -> list[str]:
        """The columns of the tables among the files, besides the text and its source."""
        if self._columns is None:
            tables = [TextTable(path, self._text_column) for path in self._paths() if _kind(path)]
            self._columns = list(dict.fromkeys(name for table in tables for name in table.columns))
        return self._columns

    @property
    def folders(self) -> set[str]:
        """The folders of the files, below the one that all files have in common."""
        return {str(PurePosixPath(self._name(path)).parent) for path in self._paths()}

    @property
    def can_be_read_again(self) -> bool:
        """Whether iterating a second time yields the same lines: not for pipes and iterators."""
        return isinstance(self._items, list | tuple) and all(
            not isinstance(item, str | os.PathLike)
            or (item != STANDARD_INPUT and os.path.isfile(item))
            for item in self._items
        )

    def check(self, tokenizer: TokenizerName, *, tables: bool = True) -> None:
        """Refuse files that are no text, or have no words that the tokenizer could find.

        A binary file among texts, a table without a text column or a text without spaces is
        named before the work.

        Parameters
        ----------
        tokenizer : {"words", "whitespace"}
        tables : bool, default True
            Whether tables will be read as such, by `passages`, and not as lines.
        """
        _ = self.columns if tables else None
        for path in self._paths():
            if not (tables and _kind(path)):
                with CompressedFile(path) as file:
                    head = _head(file, path)
                if b"\0" in head:
                    raise InputError(
                        "is not UTF-8 text: convert it to text, or move it out of the corpus",
                        path=path,
                    )
                if tokenizer == "words":
                    check_script(head.decode("utf-8", "ignore"), path)

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

    def passages(self) -> Iterator[Passage]:
        r"""Return pieces of text that contexts do not leave, with what is known about them.

        A passage is a line; a paragraph, in files whose lines look wrapped; or a line of a cell
        in the text column of a table. Its source is the path of its file below the folder that all
        files have in common, and the number of its line or row. A table's column `source` comes
        first. Lines too long for memory come in pieces, which count as lines.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.txt").write_text("A cat sat.\nA dog, too.\n")
        >>> _ = (folder / "b.csv").write_text("date,text\n1811,A cow.\n")
        >>> for passage in Corpus(folder).passages():
        ...     print(*passage)
        a.txt:1 A cat sat. ['']
        a.txt:2 A dog, too. ['']
        b.csv:1 A cow. ['1811']
        """
        self.n_joined = self._bytes_of_read_files = 0
        empty = [""] * len(self.columns)
        for place, item in enumerate(self._items, 1):
            if not isinstance(item, str | os.PathLike):
                yield Passage(str(place), item, empty)
            elif _kind(item):
                yield from self._rows(Path(item))
            else:
                lines = (text.rstrip("\r\n") for text in self._texts_of(item, _LONGEST_PIECE))
                is_wrapped, found = paragraphs(lines, join=self._join_lines)
                self.n_joined += is_wrapped
                for number, text in found:
                    yield Passage(f"{self._name(item)}:{number}", text, empty)

    def _rows(self, path: Path) -> Iterator[Passage]:
        table = TextTable(path, self._text_column)
        with CompressedFile(path) as self._file:
            for number, (source, text, row) in enumerate(table.rows(self._file), 1):
                columns = [row.get(name, "") for name in self.columns]
                _, found = paragraphs(text.splitlines(), join=self._join_lines)
                for _, line in found:
                    yield Passage(source or f"{self._name(path)}:{number}", line, columns)
            self._bytes_of_read_files += self._file.size
        self._file = None

    def _name(self, path: PathLike) -> str:
        """Return the path of a file below the folder that all files have in common."""
        if self._root is None:
            return os.path.basename(path)
        return Path(os.path.relpath(path, self._root)).as_posix()

    def _paths(self) -> list[Path]:
        """Return the files that can be looked at before the work."""
        items = self._items if isinstance(self._items, list | tuple) else []
        paths = [Path(item) for item in items if isinstance(item, str | os.PathLike)]
        return [path for path in paths if path.is_file()]

    def _tokens(self, longest: int) -> Iterator[Sequence[str]]:
        for item in self._items:
            if isinstance(item, str | os.PathLike):
                for text in self._texts_of(item, longest):
                    yield self._split(text.lower() if self._lowercase else text)
            elif self._lowercase:
                yield [token.lower() for token in item]
            else:
                yield item

    def _texts_of(self, path: PathLike, longest: int) -> Iterator[str]:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise InputError("is closed: pipe a text into it", path="standard input")
            yield from _texts_in(sys.stdin.buffer, "standard input", longest)
            return
        with CompressedFile(path) as self._file:
            yield from _texts_in(self._file.stream, path, longest)
            self._bytes_of_read_files += self._file.size
        self._file = None


def _kind(item: PathLike) -> str | None:
    return kind_of_table(Path(item))


def _head(file: CompressedFile, path: PathLike) -> bytes:
    try:
        return file.stream.read(_SAMPLE)
    except DECOMPRESSION_ERRORS as error:
        problem = f"cut short or damaged ({error}): fetch the file again"
        raise InputError(problem, path=path) from None


def _root(items: Sequence[PathLike | Sequence[str]]) -> str | None:
    """Return the deepest folder that contains all files and folders."""
    folders = [
        os.path.abspath(item if os.path.isdir(item) else os.path.dirname(item) or ".")
        for item in items
        if isinstance(item, str | os.PathLike) and item != STANDARD_INPUT
    ]
    try:
        return os.path.commonpath(folders) if folders else None
    except ValueError:  # different drives
        return None


def _files(
    items: Sequence[PathLike | Sequence[str]], without: Iterable[PathLike]
) -> list[PathLike | Sequence[str]]:
    """Return the items with the files below each folder in its place."""
    left_out = {Path(path).resolve() for path in without}
    found: list[PathLike | Sequence[str]] = []
    for item in items:
        if not isinstance(item, str | os.PathLike) or not os.path.isdir(item):
            found.append(item)
            continue
        below = sorted(path for path in Path(item).rglob("*") if path.is_file())
        below = [path for path in below if not _is_hidden(path.relative_to(item))]
        below = [p for p in below if left_out.isdisjoint([p.resolve(), *p.resolve().parents])]
        if not below:
            raise InputError("is a folder without files", path=item)
        found += below
    return found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _texts_in(stream: IO[bytes], path: PathLike, longest: int) -> Iterator[str]:
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
