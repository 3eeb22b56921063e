"""Passages of text: lines, wrapped lines that are joined again, and the cells of tables."""

from __future__ import annotations

import csv
import io
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile

# How names of tables end, perhaps with the ending of a compression after it.
_TABLES = {".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".jsonl": "json", ".ndjson": "json"}

# What `encode` and `induce` write themselves.
_TAKEN = ("word", "form", "left", "target", "right", "vector", "sense", "label", "probability")

# Lines by which a file is judged to be wrapped, and how many pairs of lines say enough.
_LINES = 2000
_FEWEST_PAIRS = 10
# A file is wrapped if this share of the lines that another one follows have three quarters of its
# width. In 18 files wrapped by people (licenses and a manual) it was .89 and more, in three corpora
# with a sentence or a paragraph per line .08, in Markdown up to .69.
_WRAPPED_SHARE = 0.8
# Longer lines are no lines of a page; shorter ones are lists.
_WIDTHS = range(30, 200)
# A longer paragraph is cut at a line end, so that a text without blank lines fits in memory.
_LONGEST_PARAGRAPH = 1 << 16


class Passage(NamedTuple):
    """A piece of text that contexts do not leave, and what is known about it.

    Attributes
    ----------
    source : str
        Where it is from, such as "1811/emma.txt:17".
    text : str, or sequence of str
        Tokens, if that is what was passed.
    columns : sequence of str
        What the other columns of its table say, in the order of `Corpus.columns`.

    Examples
    --------
    >>> Passage("1811/emma.txt:17", "She was vexed.").columns
    ()
    """

    source: str
    text: str | Sequence[str]
    columns: Sequence[str] = ()


def looks_wrapped(lines: Sequence[str]) -> bool:
    """Whether lines were cut at a width, so that a paragraph goes on in the next line.

    Then nearly every line that another one follows is about as long as the width.

    Examples
    --------
    >>> looks_wrapped(["A dog sat.", "It barked at us for an hour, and then it slept."] * 20)
    False
    """
    lines = [line.rstrip() for line in lines]
    lengths = sorted(map(len, filter(None, lines)))
    if not lengths:
        return False
    width = lengths[int(0.98 * (len(lengths) - 1))]
    pairs = [(a, b) for a, b in itertools.pairwise(lines) if a and b]
    if len(pairs) < _FEWEST_PAIRS or width not in _WIDTHS:
        return False
    full = sum(len(a) >= 0.75 * width for a, _ in pairs)
    return full >= _WRAPPED_SHARE * len(pairs)


def joined(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Join the lines of each paragraph; blank lines separate paragraphs.

    Parameters
    ----------
    lines : iterable of (int, str)
        Lines with their numbers.

    Examples
    --------
    >>> list(joined([(1, "It was"), (2, "late."), (3, ""), (4, "They slept.")]))
    [(1, 'It was late.'), (4, 'They slept.')]
    """
    first, parts, size = 0, list[str](), 0
    for number, line in lines:
        if parts and (not line.strip() or size > _LONGEST_PARAGRAPH):
            yield first, " ".join(parts)
            parts, size = [], 0
        if line.strip():
            first = first if parts else number
            parts.append(line.strip())
            size += len(line)
    if parts:
        yield first, " ".join(parts)


def paragraphs(lines: Iterable[str], *, join: bool) -> tuple[bool, Iterator[tuple[int, str]]]:
    """Return whether lines are joined, and the passages with the number of their first lines."""
    rest = iter(lines)
    head = list(itertools.islice(rest, _LINES))
    is_wrapped = join and looks_wrapped(head)
    numbered = enumerate(itertools.chain(head, rest), 1)
    return is_wrapped, joined(numbered) if is_wrapped else numbered


def kind_of_table(path: Path) -> str | None:
    """Return "csv", "parquet" or "json" for the name of a table, None for that of a text.

    Examples
    --------
    >>> kind_of_table(Path("letters.csv.gz")), kind_of_table(Path("letters.txt"))
    ('csv', None)
    """
    endings = path.suffixes[-2:] if path.suffix in (".gz", ".bz2", ".xz", ".zst") else [path.suffix]
    return _TABLES.get(endings[0].lower()) if endings else None


class TextTable:
    """A table with a column of text, and others that say what is known about it.

    Parameters
    ----------
    path : Path
    text_column : str

    Attributes
    ----------
    columns : list of str
        The others, without `source`.
    """

    def __init__(self, path: Path, text_column: str) -> None:
        self._path = path
        self._kind = kind_of_table(path)
        self._text = text_column
        with CompressedFile(path) as file:
            names = self._names(file)
        if text_column not in names:
            raise InputError(
                f"no column {text_column} among {', '.join(names[:8]) or 'no rows'}: say which one "
                "has the text, for example text_column=body",
                path=path,
            )
        self.columns = [name for name in names if name not in (text_column, "source")]
        if taken := [name for name in self.columns if name in _TAKEN]:
            raise InputError(f"rename the column {taken[0]}: encode writes one itself", path=path)

    def rows(self, file: CompressedFile) -> Iterator[tuple[str | None, str, dict[str, str]]]:
        """Return the source, if there is one, the text and all columns of each row."""
        for number, record in enumerate(self._records(file), 1):
            row = {str(name): _as_text(value) for name, value in record.items()}
            if self._text not in row:
                raise InputError(f"row {number} has no {self._text}", path=self._path)
            yield row.get("source"), row[self._text], row

    def _names(self, file: CompressedFile) -> list[str]:
        if self._kind == "parquet":
            return list(self._parquet(file.stream).schema_arrow.names)
        return list(map(str, next(self._records(file), {})))

    def _records(self, file: CompressedFile) -> Iterator[dict[Any, Any]]:
        if self._kind == "parquet":
            for batch in self._parquet(file.stream).iter_batches(1024):
                yield from batch.to_pylist()
            return
        text = io.TextIOWrapper(file.stream, "utf-8-sig", newline="")
        try:
            yield from self._csv(text) if self._kind == "csv" else self._json(text)
        except UnicodeDecodeError:
            raise InputError("is not UTF-8 text: convert it", path=self._path) from None
        except DECOMPRESSION_ERRORS as error:
            problem = f"cut short or damaged ({error}): fetch the file again"
            raise InputError(problem, path=self._path) from None
        except csv.Error as error:
            raise InputError(f"is not a CSV file ({error})", path=self._path) from None
        finally:
            text.detach()

    def _csv(self, text: IO[str]) -> Iterator[dict[str, str]]:
        csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a cell may be a book
        first = text.readline()
        delimiter = max(",\t;", key=first.count)
        names = next(csv.reader([first], delimiter=delimiter), [])
        rows = csv.reader(text, delimiter=delimiter, strict=True)
        for row in filter(None, rows):
            if len(row) != len(names):
                line = rows.line_num + 1
                problem = f"{len(row)} fields, expected {len(names)}"
                raise InputError(problem, path=self._path, line=line)
            yield dict(zip(names, row, strict=True))

    def _json(self, text: IO[str]) -> Iterator[dict[str, Any]]:
        for number, line in enumerate(text, 1):
            if line.strip():
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError):
                    record = None
                if not isinstance(record, dict):
                    raise InputError("is not a JSON object", path=self._path, line=number)
                yield record

    def _parquet(self, stream: IO[bytes]) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.ParquetFile(stream)
        except pa.ArrowException as error:
            reason = str(error).splitlines()[0]
            raise InputError(
                f"is not a complete Parquet file ({reason})", path=self._path
            ) from None


def _as_text(value: Any) -> str:
    return "" if value is None else str(value)


def check_script(text: str, path: Path) -> None:
    """Refuse text that puts no spaces between words: Chinese, Japanese, Thai and their neighbors.

    Examples
    --------
    >>> check_script("彼は銀行へ行った。", Path("ginko.txt"))
    Traceback (most recent call last):
        ...
    exrpca.errors.InputError: ginko.txt: has no spaces between words: split it into words first, ...
    """
    letters = [character for character in text if character.isalpha()]
    unspaced = sum(map(_is_unspaced, letters))
    if unspaced > len(letters) / 2:
        raise InputError(
            "has no spaces between words: split it into words first, with jieba (Chinese), fugashi "
            "(Japanese) or pythainlp (Thai), and pass tokenizer='whitespace', language='none'",
            path=path,
        )


def _is_unspaced(character: str) -> bool:
    # Thai, Lao, Myanmar, Khmer, kana and Han
    return any(
        first <= character <= last
        for first, last in (
            ("\u0e00", "\u0eff"),
            ("\u1000", "\u109f"),
            ("\u1780", "\u17ff"),
            ("\u3040", "\u30ff"),
            ("\u3400", "\u9fff"),
        )
    )
