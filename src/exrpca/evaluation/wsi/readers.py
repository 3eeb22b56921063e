"""Data sets of word sense induction as they are published, and plain tables."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from exrpca.errors import InputError
from exrpca.evaluation.wsi.data import COLUMNS, WsiData, find_problem
from exrpca.files import open_plain, read_text

PathLike = str | os.PathLike[str]
# word, lemma, left, target, right, gold
Row = tuple[str, str, str, str, str, str]

_PLAIN_COLUMNS = {"word", "left", "target", "right", "gold"}
_SEMCOR_COLUMNS = {"sentence", "lemma", "lexsn", "pos", "position"}
_SEMEVAL_FILES = ("dataset.txt", "key.txt")
_COARSEWSD_PARTS = ("train", "test")
# CoarseWSD-20's words have up to 3,000 occurrences. Measures are averaged over words, so that
# more of them cost time and change little.
_COARSEWSD_LIMIT = 250
_PART_OF_SPEECH = re.compile(r"\.[a-z]$")
_POSITION = re.compile(r"\((\d+), *(\d+)\)")


def read_wsi(path: PathLike) -> WsiData:
    r"""Read a data set of word sense induction; recognized by its content.

    Parameters
    ----------
    path : path-like
        One of these:

        - a folder with `dataset.txt` and `key.txt`: SemEval-2010 task 14 as prepared for
          AdaGram;
        - a folder with one folder per word that holds `train.data.txt`, `train.gold.txt`,
          `test.data.txt` and `test.gold.txt`: CoarseWSD-20. At most 250 occurrences of each
          part of a word are taken, spread evenly over the file;
        - a CSV file with the columns `sentence`, `lemma`, `lexsn`, `pos` and `position`:
          SemCor-WSI;
        - a CSV, TSV or Parquet file with the columns `word`, `left`, `target`, `right` and
          `gold`, and optionally `lemma`. Without it, the lemma is the word without a part of
          speech such as ".n". Other columns do not count.

    Returns
    -------
    WsiData

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "banks.csv")
    >>> _ = path.write_text(
    ...     "word,left,target,right,gold\n"
    ...     "bank.n,the river,banks,were steep,shore\n"
    ...     "bank.n,my,bank,lends money,money\n"
    ... )
    >>> data = read_wsi(path)
    >>> data.name, list(data.table["lemma"])
    ('banks', ['bank', 'bank'])
    """
    path = Path(path)
    if path.is_dir():
        return _read_folder(path)
    with open_plain(path) as file:
        is_parquet = file.read(4) == b"PAR1"
    return _read_parquet(path) if is_parquet else _read_csv(path)


def _read_folder(path: Path) -> WsiData:
    if all((path / name).is_file() for name in _SEMEVAL_FILES):
        return _read_semeval2010(path)
    folders = [folder for folder in sorted(path.iterdir()) if _is_coarsewsd_word(folder)]
    if folders:
        return _read_coarsewsd20(folders)
    raise InputError(
        "is not a data set of word sense induction: expected dataset.txt and key.txt "
        "(SemEval-2010) or a folder per word (CoarseWSD-20); for a table, give the file itself",
        path=path,
    )


class _Rows:
    """Rows of a data set with the lines they come from, so that a bad one can be named."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rows: list[Row] = []
        self._places: list[tuple[Path, int]] = []

    def add(self, row: Row, path: Path, line: int) -> None:
        self._rows.append(row)
        self._places.append((path, line))

    def data(self, path: Path) -> WsiData:
        table = pd.DataFrame(self._rows, columns=list(COLUMNS), dtype=object)
        if (problem := find_problem(table)) is not None:
            file, line = (path, None) if problem.row is None else self._places[problem.row]
            raise InputError(problem.message, path=file, line=line)
        return WsiData(self._name, table)


# SemEval-2010


def _read_semeval2010(folder: Path) -> WsiData:
    texts_path, key_path = (folder / name for name in _SEMEVAL_FILES)
    gold = _semeval_key(key_path)
    rows = _Rows("SemEval-2010")
    lines = iter(enumerate(_lines(texts_path), 1))
    for number, heading in lines:
        word, n_contexts = _semeval_heading(heading, texts_path, number)
        senses = [sense for _, sense in sorted(gold.get(word, []))]
        if len(senses) != n_contexts:
            raise InputError(
                f"{word} has {n_contexts} contexts but {len(senses)} labels in {key_path.name}",
                path=texts_path,
                line=number,
            )
        lemma = _lemma(word)
        for sense in senses:
            at, text = next(lines, (number, ""))
            left, tab, right = text.partition("\t")
            if not tab or "\t" in right:
                raise InputError(
                    "expected the left and the right context, separated by one tab",
                    path=texts_path,
                    line=at,
                )
            # the target itself is left out of the texts
            rows.add((word, lemma, left, lemma, right, sense), texts_path, at)
    return rows.data(texts_path)


def _semeval_key(path: Path) -> dict[str, list[tuple[int, str]]]:
    """Return the number of each labeled context and its sense, by word."""
    key: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate(_lines(path), 1):
        fields = line.split()
        instance = fields[1].rpartition(".")[2] if len(fields) == 3 else ""
        if not instance.isdecimal():
            raise InputError(
                "expected word, instance and sense, such as: access.n access.n.15 access.n.6",
                path=path,
                line=number,
            )
        key.setdefault(fields[0], []).append((int(instance), fields[2]))
    return key


def _semeval_heading(text: str, path: Path, line: int) -> tuple[str, int]:
    word, _, count = text.strip().partition(" ")
    if not count.isdecimal():
        raise InputError(
            "expected a word and how many contexts follow, such as: access.n 48",
            path=path,
            line=line,
        )
    return word, int(count)


# CoarseWSD-20


def _is_coarsewsd_word(folder: Path) -> bool:
    return any((folder / f"{part}.data.txt").is_file() for part in _COARSEWSD_PARTS)


def _read_coarsewsd20(folders: list[Path]) -> WsiData:
    rows = _Rows("CoarseWSD-20")
    for folder in folders:
        for part in _COARSEWSD_PARTS:
            path = folder / f"{part}.data.txt"
            texts, gold = _lines(path), _lines(folder / f"{part}.gold.txt")
            if len(texts) != len(gold):
                raise InputError(
                    f"{len(texts)} occurrences but {len(gold)} labels in {part}.gold.txt", path=path
                )
            n_taken = min(len(texts), _COARSEWSD_LIMIT)
            for i in np.linspace(0, len(texts) - 1, n_taken).round().astype(int):
                left, target, right = _at_position(texts[i], path, i + 1)
                row = (folder.name, folder.name.lower(), left, target, right, gold[i].strip())
                rows.add(row, path, i + 1)
    return rows.data(folders[0].parent)


def _at_position(text: str, path: Path, line: int) -> tuple[str, str, str]:
    position, _, sentence = text.partition("\t")
    tokens = sentence.split(" ")  # not at other whitespace, which positions do not count
    if not position.isdecimal() or int(position) >= len(tokens):
        raise InputError(
            f"expected the position of a token in the sentence, then a tab; there are "
            f"{len(tokens)} tokens",
            path=path,
            line=line,
        )
    at = int(position)
    return " ".join(tokens[:at]), tokens[at], " ".join(tokens[at + 1 :])


# Tables: SemCor-WSI and plain ones


def _read_csv(path: Path) -> WsiData:
    text = read_text(path)
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    records = _records(reader, path)
    _, names = next(records, (1, []))
    row_of, name = _layout(set(names), path)
    rows = _Rows(name)
    for line, fields in records:
        if len(fields) != len(names):
            raise InputError(
                f"{len(fields)} fields, expected {len(names)}: {', '.join(names)}",
                path=path,
                line=line,
            )
        try:
            rows.add(row_of(dict(zip(names, fields, strict=True))), path, line)
        except ValueError as error:
            raise InputError(str(error), path=path, line=line) from None
    return rows.data(path)


def _records(reader: Iterator[list[str]], path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each record of a CSV file and the line on which it begins; skip empty lines."""
    while True:
        line = reader.line_num + 1  # type: ignore[attr-defined]
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"is not a CSV file ({error})", path=path, line=line) from None
        if fields:
            yield line, fields


def _layout(names: set[str], path: Path) -> tuple[Callable[[Mapping[str, str]], Row], str]:
    """Return how a record becomes a row, and the name of the data set."""
    if names >= _SEMCOR_COLUMNS:
        return _semcor_row, "SemCor-WSI"
    _check_plain(names, path)
    return _plain_row, path.name.partition(".")[0]


def _check_plain(names: set[str], path: Path) -> None:
    if missing := _PLAIN_COLUMNS - names:
        raise InputError(
            f"no column {', '.join(sorted(missing))}; expected the columns word, left, target, "
            "right and gold, or those of SemCor-WSI",
            path=path,
        )


def _plain_row(record: Mapping[str, str]) -> Row:
    word, left, target, right, gold = (
        record[name] for name in ("word", "left", "target", "right", "gold")
    )
    return word, record.get("lemma") or _lemma(word), left, target, right, gold


def _semcor_row(record: Mapping[str, str]) -> Row:
    # expressions of several words are joined by underscores, which no vocabulary has to know
    sentence = record["sentence"].replace("_", " ")
    position = _POSITION.fullmatch(record["position"].strip())
    start, end = (int(n) for n in position.groups()) if position else (0, 0)
    if not start < end <= len(sentence):
        raise ValueError(
            f"the position {record['position']!r} must be the first character and the end of a "
            f"word in the sentence, such as (57, 67)"
        )
    lemma = record["lemma"]
    word = f"{lemma}.{record['pos']}"
    left, target, right = sentence[:start], sentence[start:end], sentence[end:]
    return word, lemma, left.strip(), target, right.strip(), record["lexsn"]


def _read_parquet(path: Path) -> WsiData:
    try:
        content = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"is not a complete Parquet file ({reason})", path=path) from None
    _check_plain(set(content.column_names), path)
    table: pd.DataFrame = content.to_pandas()
    if pd.api.types.is_integer_dtype(table["gold"]):
        table["gold"] = table["gold"].astype(str)
    if "lemma" not in table:
        table["lemma"] = [_lemma(w) if isinstance(w, str) else w for w in table["word"]]
    table = table[list(COLUMNS)]
    if (problem := find_problem(table)) is not None:
        raise InputError(str(problem), path=path)
    return WsiData(path.name.partition(".")[0], table)


def _lines(path: Path) -> list[str]:
    """Return the lines of a text file; unlike with `str.splitlines`, only line ends count."""
    return [line.rstrip("\n") for line in io.StringIO(read_text(path), newline=None)]


def _lemma(word: str) -> str:
    """Return a word such as "access.n" without its part of speech.

    Examples
    --------
    >>> _lemma("access.n"), _lemma("e.g."), _lemma("node.js")
    ('access', 'e.g.', 'node.js')
    """
    return _PART_OF_SPEECH.sub("", word)
