"""A person's corrections of the senses of occurrences, kept in a plain file, one row per change."""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError, UnknownWordError
from exrpca.files import atomic_path

Action = Literal["move", "join", "name"]
NOISE = -1
_REMEMBERED = 16  # words

# What tells an occurrence from the others of its word; duplicates are moved together.
_TEXT = ["source", "left", "target", "right"]
_COLUMNS = ["step", "action", "word", "sense", "to", "name", *_TEXT]


class Corrections:
    """Occurrences with their senses, as a person corrects them.

    A correction moves occurrences to another sense, a new one or none (−1, noise), joins two
    senses, or names one. The file has a row per change with the number of its step; rows can be
    edited by hand. Changes are made in order, so that taking back the last step undoes it.

    Parameters
    ----------
    assigned : DataFrame
        As `induce` returns it: `word`, `sense` and the text columns.
    path : Path, optional
        The file of corrections; what it holds already is read. Without one, nothing is written.

    Examples
    --------
    >>> assigned = pd.DataFrame({
    ...     "word": "bank", "sense": [0, 0, 1], "target": "bank",
    ...     "left": ["money in the ", "muddy ", "the river "], "right": "",
    ... })
    >>> corrections = Corrections(assigned)
    >>> corrections.correct("move", "bank", to=1, occurrences=[1])
    >>> corrections.correct("name", "bank", sense=1, name="riverside")
    >>> corrections.table()[["left", "sense", "name"]]
                left  sense       name
    0  money in the       0
    1         muddy       1  riverside
    2     the river       1  riverside
    """

    def __init__(self, assigned: pd.DataFrame, path: Path | None = None) -> None:
        texts = {name: "" for name in _TEXT if name not in assigned}
        self._assigned = assigned.assign(**texts).reset_index(drop=True)
        self._assigned[_TEXT] = self._assigned[_TEXT].fillna("").astype(str)
        self._rows_of = self._assigned.groupby("word", sort=False).indices
        # for each word, the places of the occurrences with the same text
        self._same = lru_cache(_REMEMBERED)(self._same_text)
        self.path = path
        self._lock = threading.Lock()
        exists = path is not None and path.exists()
        self._changes: list[dict[str, Any]] = _read(path) if path and exists else []
        for number, change in enumerate(self._changes, 2):
            if change["word"] not in self._rows_of:
                raise InputError(
                    f"{change['word']!r} has no occurrences here", path=path, line=number
                )

    @property
    def words(self) -> dict[str, int]:
        """The words, with the number of their occurrences."""
        return {str(word): len(rows) for word, rows in self._rows_of.items()}

    @property
    def steps(self) -> int:
        """How many steps can be taken back."""
        return len({change["step"] for change in self._changes})

    def of(self, word: str) -> tuple[pd.DataFrame, dict[int, str]]:
        """Return the occurrences of a word, as corrected, and the names of its senses."""
        own = self._assigned.iloc[self._rows(word)]
        sense, names = own["sense"].to_numpy(dtype=np.int64, copy=True), dict[int, str]()
        for change in self._changes:
            if change["word"] != word:
                continue
            if change["action"] == "name":
                names[change["sense"]] = change["name"]
            elif change["action"] == "join":
                sense[sense == change["sense"]] = change["to"]
                names.setdefault(change["to"], names.pop(change["sense"], ""))
            else:
                said = tuple(change[part] for part in _TEXT)
                sense[self._same(word).get(said, [])] = change["to"]
        moved = sense != own["sense"].to_numpy()
        return own.assign(sense=sense, corrected=moved), names

    def correct(
        self,
        action: Action,
        word: str,
        *,
        sense: int = NOISE,
        to: int = NOISE,
        name: str = "",
        occurrences: list[int] | None = None,
    ) -> None:
        """Make one step: move some occurrences (rows of the table), join or name a sense."""
        own, _ = self.of(word)
        change = {"action": action, "word": word, "sense": sense, "to": to, "name": name.strip()}
        changes = [change | dict.fromkeys(_TEXT, "")]
        if action == "move":
            chosen = own.loc[own.index.intersection(occurrences or [])].drop_duplicates(_TEXT)
            changes = [
                change | {"sense": int(row["sense"])} | {part: row[part] for part in _TEXT}
                for row in chosen.to_dict(orient="records")
            ]
        with self._lock:
            step = max((each["step"] for each in self._changes), default=0) + 1
            self._keep([*self._changes, *({"step": step} | each for each in changes)])

    def undo(self) -> str | None:
        """Take back the last step; return the word that it was about."""
        with self._lock:
            if not self._changes:
                return None
            last = self._changes[-1]
            self._keep([each for each in self._changes if each["step"] != last["step"]])
            return str(last["word"])

    def table(self) -> pd.DataFrame:
        """Return all occurrences with the corrected `sense` and the `name` of each named one."""
        tables = []
        for word in self.words:
            own, names = self.of(word)
            tables.append(own.assign(name=[names.get(sense, "") for sense in own["sense"]]))
        return pd.concat(tables).sort_index().drop(columns="corrected")

    def _rows(self, word: str) -> NDArray[np.int64]:
        if word not in self._rows_of:
            raise UnknownWordError(f"{word!r} has no occurrences in this table")
        return np.asarray(self._rows_of[word])

    def _same_text(self, word: str) -> dict[tuple[str, ...], NDArray[np.int64]]:
        own = self._assigned.iloc[self._rows(word)]
        found: dict[Any, Any] = dict(own.groupby(_TEXT).indices)
        return found

    def _keep(self, changes: list[dict[str, Any]]) -> None:
        if self.path is not None:
            with atomic_path(self.path) as temporary:
                pd.DataFrame(changes, columns=_COLUMNS).to_csv(temporary, index=False)
        self._changes = changes


def read_assigned(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a table of occurrences with their senses, CSV or Parquet."""
    is_parquet = Path(path).suffix.lower() == ".parquet"
    try:
        table = pd.read_parquet(path) if is_parquet else pd.read_csv(path, keep_default_na=False)
    except FileNotFoundError:
        raise InputError("no such file", path=path) from None
    except (ValueError, OSError) as error:
        raise InputError(f"cannot be read ({str(error).splitlines()[0]})", path=path) from None
    for name in ("word", "sense"):
        if name not in table:
            raise InputError(f"no column {name}: `induce --assignments` writes both", path=path)
    if not pd.api.types.is_integer_dtype(table["sense"]):
        raise InputError("a sense is no whole number", path=path)
    return table.assign(word=table["word"].astype(str))


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, na_filter=False)
    except ValueError as error:
        raise InputError(f"is no file of corrections ({error})", path=path) from None
    missing = [name for name in _COLUMNS if name not in table]
    if missing:
        raise InputError(f"no column {', '.join(missing)}; the explorer writes them", path=path)
    changes = table[_COLUMNS].to_dict(orient="records")
    for number, change in enumerate(changes, 2):
        if change["action"] not in get_args(Action):
            raise InputError(
                f"the action {change['action']!r} must be move, join or name",
                path=path,
                line=number,
            )
        for name in ("step", "sense", "to"):
            try:
                change[name] = int(change[name])
            except ValueError:
                raise InputError(
                    f"{name} is {change[name]!r}, not a whole number", path=path, line=number
                ) from None
    return [{str(name): value for name, value in change.items()} for change in changes]
