"""Data sets of word sense induction as they are published, and plain tables."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from exrpca.errors import InputError
from exrpca.evaluation.wsi.data import COLUMNS, WsiData
from exrpca.files import open_plain, read_text

PathLike = str | os.PathLike[str]

_PLAIN_COLUMNS = {"word", "left", "target", "right", "gold"}
_SEMCOR_COLUMNS = {"sentence", "lemma", "lexsn", "pos", "position"}
# CoarseWSD-20's words have up to 3,000 occurrences. Measures are averaged over words, so that
# more of them cost time and change little.
_COARSEWSD_LIMIT = 250
# At the end of words: SemEval's ".n", DWUG's "_nn".
_PART_OF_SPEECH = r"(?:\.[a-z]|_nn|_vb)$"
# DWUG's label of uses that people could not put into any sense.
_NO_SENSE = "-1"


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
          speech such as ".n" or "_nn". Other columns do not count. Rows whose gold sense is
          "-1" have none and are left out, as in DWUG.

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
    if not path.is_dir():
        name, table = _read_table(path)
    elif (path / "dataset.txt").is_file() and (path / "key.txt").is_file():
        name, table = "SemEval-2010", _read_semeval2010(path)
    elif words := sorted({file.parent for file in path.glob("*/*.data.txt")}):
        name, table = "CoarseWSD-20", pd.concat(map(_read_coarsewsd20, words), ignore_index=True)
    else:
        raise InputError(
            "is not a data set of word sense induction: expected dataset.txt and key.txt "
            "(SemEval-2010) or a folder per word (CoarseWSD-20); for a table, give the file "
            "itself",
            path=path,
        )
    try:
        return WsiData(name, table)
    except InputError as error:
        raise InputError(str(error), path=path) from None


def _read_semeval2010(folder: Path) -> pd.DataFrame:
    texts, key = folder / "dataset.txt", folder / "key.txt"
    gold: dict[str, dict[int, str]] = {}
    for number, line in enumerate(_lines(key), 1):
        instance = re.fullmatch(r"(\S+) \S+\.(\d+) (\S+)", line.strip())
        if not instance:
            problem = "expected word, instance and sense, such as: access.n access.n.15 access.n.6"
            raise InputError(problem, path=key, line=number)
        gold.setdefault(instance[1], {})[int(instance[2])] = instance[3]
    rows = []
    lines = iter(enumerate(_lines(texts), 1))
    for number, heading in lines:
        word, _, count = heading.strip().partition(" ")
        if not count.isdecimal():
            problem = "expected a word and how many contexts follow, such as: access.n 48"
            raise InputError(problem, path=texts, line=number)
        senses = [sense for _, sense in sorted(gold.get(word, {}).items())]
        if len(senses) != int(count):
            problem = f"{word} has {count} contexts but {len(senses)} labels in {key.name}"
            raise InputError(problem, path=texts, line=number)
        lemma = re.sub(_PART_OF_SPEECH, "", word)
        for sense in senses:
            at, text = next(lines, (number, ""))
            if text.count("\t") != 1:
                problem = "expected the left and the right context, separated by one tab"
                raise InputError(problem, path=texts, line=at)
            left, right = text.split("\t")
            # the target itself is left out of the texts
            rows.append((word, lemma, left, lemma, right, sense))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _read_coarsewsd20(folder: Path) -> pd.DataFrame:
    """Read the occurrences of one word."""
    rows = []
    for part in ("train", "test"):
        path = folder / f"{part}.data.txt"
        texts, gold = _lines(path), _lines(folder / f"{part}.gold.txt")
        if len(texts) != len(gold):
            problem = f"{len(texts)} occurrences but {len(gold)} labels in {part}.gold.txt"
            raise InputError(problem, path=path)
        n_taken = min(len(texts), _COARSEWSD_LIMIT)
        for i in np.linspace(0, len(texts) - 1, n_taken).round().astype(int):
            position, _, sentence = texts[i].partition("\t")
            tokens = sentence.split(" ")  # not at other whitespace, which positions do not count
            if not position.isdecimal() or int(position) >= len(tokens):
                problem = (
                    "expected the position of a token in the sentence, then a tab; there are "
                    f"{len(tokens)} tokens"
                )
                raise InputError(problem, path=path, line=i + 1)
            at = int(position)
            left, right = " ".join(tokens[:at]), " ".join(tokens[at + 1 :])
            word = folder.name
            rows.append((word, word.lower(), left, tokens[at], right, gold[i].strip()))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _read_table(path: Path) -> tuple[str, pd.DataFrame]:
    with open_plain(path) as file:
        is_parquet = file.read(4) == b"PAR1"
    table = _read_parquet(path) if is_parquet else _read_csv(path)
    if set(table) >= _SEMCOR_COLUMNS:
        return "SemCor-WSI", _from_semcor(table, path)
    if missing := _PLAIN_COLUMNS - set(table):
        raise InputError(
            f"no column {', '.join(sorted(missing))}; expected the columns word, left, target, "
            "right and gold, or those of SemCor-WSI",
            path=path,
        )
    if pd.api.types.is_integer_dtype(table["gold"]):
        table["gold"] = table["gold"].astype(str)
    if "lemma" not in table:
        table["lemma"] = table["word"].replace(_PART_OF_SPEECH, "", regex=True)
    table = table.loc[table["gold"] != _NO_SENSE, list(COLUMNS)]
    return path.name.partition(".")[0], table.reset_index(drop=True)


def _read_csv(path: Path) -> pd.DataFrame:
    text = read_text(path)
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    try:
        # the first column is data, also where a line has a field too many
        return pd.read_csv(
            io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, index_col=False
        )
    except (pd.errors.EmptyDataError, pd.errors.ParserError) as error:
        reason = str(error).rpartition("C error: ")[2].strip()
        raise InputError(f"is not a CSV file ({reason})", path=path) from None


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"is not a complete Parquet file ({reason})", path=path) from None


def _from_semcor(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    rows = []
    columns = table[["sentence", "position", "lemma", "pos", "lexsn"]].values.tolist()
    for number, (sentence, position, lemma, pos, gold) in enumerate(columns, 1):
        place = re.fullmatch(r"\((\d+), *(\d+)\)", position.strip())
        start, end = map(int, place.groups()) if place else (0, 0)
        if not start < end <= len(sentence):
            raise InputError(
                f"row {number}: the position {position!r} must be the first character and the end "
                "of a word in the sentence, such as (57, 67)",
                path=path,
            )
        # expressions of several words are joined by underscores, which no vocabulary has to know
        parts = sentence[:start], sentence[start:end], sentence[end:]
        left, target, right = (part.replace("_", " ") for part in parts)
        rows.append((f"{lemma}.{pos}", lemma, left.strip(), target, right.strip(), gold))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _lines(path: Path) -> list[str]:
    """Return the lines of a text file; unlike with `str.splitlines`, only line ends count."""
    return [line.rstrip("\n") for line in io.StringIO(read_text(path), newline=None)]
