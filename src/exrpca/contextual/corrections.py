"""A person's corrections of the senses of occurrences, kept in a plain file, one row per change."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError, UnknownWordError
from exrpca.files import atomic_path

Action = Literal["move", "join", "name"]
NOISE = -1
_REMEMBERED = 16  # words

# Rows of this action are written by the program: sentences that show which sense was meant.
_TYPICAL, _N_TYPICAL = "typical", 5

# Rows of this step are what was said before, about the table as it came.
_BEFORE = 0

# What tells an occurrence from the others of its word; duplicates are moved together.
TEXT = ["source", "left", "target", "right"]
_COLUMNS = ["step", "action", "word", "sense", "to", "name", *TEXT]


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
        texts = {name: "" for name in TEXT if name not in assigned}
        self._assigned = assigned.assign(**texts).reset_index(drop=True)
        self._assigned[TEXT] = self._assigned[TEXT].fillna("").astype(str)
        self._rows_of = self._assigned.groupby("word", sort=False).indices
        # for each word, the places of the occurrences with the same text
        self._same = lru_cache(_REMEMBERED)(self._same_text)
        self.path = path
        self._lock = threading.Lock()
        exists = path is not None and path.exists()
        self._changes = read_changes(path) if path and exists else list(self._said_before())
        for number, change in enumerate(self._changes, 2):
            if change["word"] not in self._rows_of:
                raise InputError(
                    f"{change['word']!r} has no occurrences here", path=path, line=number
                )
        for word in {change["word"] for change in self._changes}:
            self.of(word)  # refuses corrections of another table

    @property
    def words(self) -> dict[str, int]:
        """The words, with the number of their occurrences."""
        return {str(word): len(rows) for word, rows in self._rows_of.items()}

    @property
    def steps(self) -> int:
        """How many steps can be taken back."""
        return len({change["step"] for change in self._changes} - {_BEFORE})

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
            elif change["action"] == "move":
                places = self._same(word).get(_text_of(change))
                if places is None or change["sense"] not in sense[places]:
                    raise InputError(
                        f"a sentence of {word!r} is not in the sense that it was moved from: pass "
                        "these corrections to induce, and start a new file for its table",
                        path=self.path,
                    )
                sense[places] = change["to"]
        corrected = sense != own["sense"].to_numpy()
        if "corrected" in own:
            corrected |= own["corrected"].to_numpy(dtype=bool)
        return own.assign(sense=sense, corrected=corrected), names

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
        changes: list[dict[str, Any]] = [change | dict.fromkeys(TEXT, "")]
        if action == "move":
            chosen = own.loc[own.index.intersection(occurrences or [])].drop_duplicates(TEXT)
            changes = [
                change | {"sense": int(row["sense"])} | {part: row[part] for part in TEXT}
                for row in chosen.to_dict(orient="records")
            ]
        about = {each["sense"] for each in changes} | ({to} if action != "name" else set())
        with self._lock:
            step = max((each["step"] for each in self._changes), default=_BEFORE) + 1
            changes = [*self._typical(word, about - {NOISE}, changes), *changes]
            self._keep([*self._changes, *({"step": step} | each for each in changes)])

    def undo(self) -> str | None:
        """Take back the last step; return the word that it was about."""
        with self._lock:
            if not self.steps:
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
        return pd.concat(tables).sort_index()

    def _said_before(self) -> Iterator[dict[str, Any]]:
        """Yield what the table says that a person has corrected and named."""
        none = {"step": _BEFORE, "to": NOISE, "name": ""} | dict.fromkeys(TEXT, "")
        if "corrected" in self._assigned:
            said = self._assigned[self._assigned["corrected"].astype(bool)].drop_duplicates(TEXT)
            for row in said.to_dict(orient="records"):
                sense = int(row["sense"])
                own = {"action": "move", "word": str(row["word"]), "sense": sense, "to": sense}
                yield none | own | {part: row[part] for part in TEXT}
        if "name" in self._assigned:
            named = self._assigned[["word", "sense", "name"]].dropna().drop_duplicates()
            for word, sense, name in named.itertuples(index=False, name=None):
                if name:
                    own = {"action": "name", "word": str(word), "sense": int(sense)}
                    yield none | own | {"name": str(name)}

    def _typical(
        self, word: str, senses: set[int], changes: list[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        """Yield the surest sentences of the senses that no change was about before."""
        said = said_about(self._changes).get(word, Said({}, {}, set())).labels
        own, _ = self.of(word)
        own = own.drop_duplicates(TEXT)
        moved = {*said, *(_text_of(change) for change in changes)}
        if "probability" in own:
            own = own.sort_values("probability", ascending=False, kind="stable")
        for sense in sorted(senses - set(said.values())):
            texts = own.loc[own["sense"] == sense, TEXT].to_dict(orient="records")
            for text in [text for text in texts if _text_of(text) not in moved][:_N_TYPICAL]:
                yield (
                    {"action": _TYPICAL, "word": word, "sense": sense, "to": NOISE, "name": ""}
                    | {str(part): value for part, value in text.items()}
                )

    def _rows(self, word: str) -> NDArray[np.int64]:
        if word not in self._rows_of:
            raise UnknownWordError(f"{word!r} has no occurrences in this table")
        return np.asarray(self._rows_of[word])

    def _same_text(self, word: str) -> dict[tuple[str, ...], NDArray[np.int64]]:
        own = self._assigned.iloc[self._rows(word)]
        found: dict[Any, Any] = dict(own.groupby(TEXT).indices)
        return found

    def _keep(self, changes: list[dict[str, Any]]) -> None:
        if self.path is not None:
            with atomic_path(self.path) as temporary:
                pd.DataFrame(changes, columns=_COLUMNS).to_csv(temporary, index=False)
        self._changes = changes


class Said(NamedTuple):
    """What a person said about a word.

    Attributes
    ----------
    labels : dict
        The sense of sentences, given as (source, left, target, right); −1 is noise.
    names : dict of int to str
    typical : set
        Those of the sentences that only show which sense was meant.
    """

    labels: dict[tuple[str, ...], int]
    names: dict[int, str]
    typical: set[tuple[str, ...]]


def said_about(changes: Iterable[dict[str, Any]]) -> dict[str, Said]:
    """Return what some changes, in order, say about each word.

    Examples
    --------
    >>> text = {"source": "a.txt:1", "left": "a muddy ", "target": "bank", "right": "."}
    >>> move = {"action": "move", "word": "bank", "sense": 0, "to": 2, "name": ""} | text
    >>> join = {"action": "join", "word": "bank", "sense": 2, "to": 1, "name": ""}
    >>> join |= dict.fromkeys(text, "")
    >>> said_about([move, join])["bank"].labels
    {('a.txt:1', 'a muddy ', 'bank', '.'): 1}
    """
    found: dict[str, Said] = {}
    for change in changes:
        labels, names, typical = found.setdefault(change["word"], Said({}, {}, set()))
        text, sense, to = _text_of(change), change["sense"], change["to"]
        if change["action"] == _TYPICAL and text not in labels:
            labels[text] = sense
            typical.add(text)
        elif change["action"] == "move":
            labels[text] = to
            typical.discard(text)
        elif change["action"] == "name":
            names[sense] = change["name"]
        elif change["action"] == "join":
            labels.update({text: to for text, label in labels.items() if label == sense})
            names.setdefault(to, names.pop(sense, ""))
    return found


def _text_of(row: dict[Any, Any]) -> tuple[str, ...]:
    return tuple(row[part] for part in TEXT)


def read_changes(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Read a file of corrections."""
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, na_filter=False)
    except FileNotFoundError:
        raise InputError("no such file", path=path) from None
    except ValueError as error:
        raise InputError(f"is no file of corrections ({error})", path=path) from None
    missing = [name for name in _COLUMNS if name not in table]
    if missing:
        raise InputError(f"no column {', '.join(missing)}; the explorer writes them", path=path)
    changes = table[_COLUMNS].to_dict(orient="records")
    for number, change in enumerate(changes, 2):
        if change["action"] not in (*get_args(Action), _TYPICAL):
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
