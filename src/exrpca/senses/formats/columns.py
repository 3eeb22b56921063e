"""Which columns of a table hold words, senses and vectors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from exrpca.errors import InputError
from exrpca.senses.example import Example
from exrpca.senses.formats.format import Place

_ROLES = ("word", "sense", "vector", "label", "count", "center", "global")
_NUMBERED = re.compile(r"(.*?)_?([0-9]{1,9})", re.DOTALL)
_HINT = (
    "expected word, sense and vector (or v0, v1, …): if they have other names, give "
    'columns={"word": NAME, "vector": NAME}'
)
_LIST_KINDS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)


class Columns:
    """Which columns of a table hold what.

    A vector is one column of lists or strings, or numbered columns such as `v0`, `v1`, … or
    `dim_1`, `dim_2`, …, counted from 0 or 1.

    Parameters
    ----------
    names : iterable of str
        The columns of the table.
    place : Place
        For the error when one is missing.
    others : iterable of str, default ()
        Which columns to read besides word and vectors, where they exist.
    hint : str
        What to do if a column is missing.

    Attributes
    ----------
    vectors : dict of str to list of str
        The columns of `vector`, and of `center` and `global` if they exist.
    others : list of str

    Examples
    --------
    >>> columns = Columns(["word", "sense", "dim_0", "dim_1", "note"], Place(), ["sense"])
    >>> columns.vectors
    {'vector': ['dim_0', 'dim_1']}
    >>> columns.names
    ['word', 'sense', 'dim_0', 'dim_1']
    """

    def __init__(
        self, names: Iterable[str], place: Place, others: Iterable[str] = (), hint: str = _HINT
    ) -> None:
        names = list(names)
        self.others = [name for name in others if name in names]
        numbered = numbered_columns(names)
        self.vectors: dict[str, list[str]] = {}
        for role in ("vector", "center", "global"):
            if role in names:
                self.vectors[role] = [role]
            elif role in numbered:
                self.vectors[role] = numbered[role]
        rest = [columns for prefix, columns in numbered.items() if prefix not in self.vectors]
        if "vector" not in self.vectors and len(rest) == 1:
            self.vectors["vector"] = rest[0]
        if "centers" in self.others:
            self.vectors.pop("center", None)
        missing = [
            role for role, found in (("word", names), ("vector", self.vectors)) if role not in found
        ]
        if missing:
            raise InputError(
                f"no column {' and '.join(missing)} among {_listed(names)}; {hint}", path=place.path
            )
        for name in self.names:
            if names.count(name) > 1:
                raise InputError(f"the column {name} appears twice", path=place.path)
        if len(self.vectors["vector"]) < len(names):
            _check_no_gap(names, self.vectors["vector"], place)

    @property
    def names(self) -> list[str]:
        """The columns to be read."""
        vectors = [name for columns in self.vectors.values() for name in columns]
        return ["word", *self.others, *vectors]


def _check_no_gap(names: list[str], vector: list[str], place: Place) -> None:
    """Refuse columns such as v0, v2, v3 in addition to those taken for the vector."""
    for prefix, group in _numbered_groups(names).items():
        numbers = sorted(group)
        is_vector = set(vector) == set(group.values())
        if len(numbers) > max(1, len(vector)) and not is_vector and numbers[0] <= 1:
            missing = next(n for n in range(numbers[0], numbers[-1]) if n not in group)
            raise InputError(
                f"columns {group[numbers[0]]} to {group[numbers[-1]]}, but {prefix}{missing} is "
                "missing",
                path=place.path,
            )


def _listed(names: Sequence[str]) -> str:
    return (", ".join(names[:8]) or "none") + (", …" if len(names) > 8 else "")


def own_names(names: Sequence[str], given: Mapping[str, str], place: Place) -> list[str]:
    """Return the names of a table's columns as they would be if the table were ours.

    Parameters
    ----------
    names : sequence of str
        The columns of the table.
    given : mapping of str to str
        What a person says: `{"word": "lemma", "vector": "emb"}`. The columns of a vector may be
        numbered: `emb0`, `emb1`, …
    place : Place

    Examples
    --------
    >>> own_names(["lemma", "emb_0", "emb_1"], {"word": "lemma", "vector": "emb"}, Place())
    ['word', 'vector0', 'vector1']
    """
    own = list(names)
    for role, column in given.items():
        if role not in _ROLES:
            raise InputError(f"columns: {role!r} must be one of {', '.join(_ROLES)}")
        columns = [column] if column in names else numbered_columns(list(names)).get(column)
        if columns is None:
            raise InputError(f"no column {column!r} among {_listed(names)}", path=place.path)
        renamed = {columns[0]: role}
        if len(columns) > 1:
            renamed = {name: f"{role}{number}" for number, name in enumerate(columns)}
        for i, name in enumerate(names):
            if name in renamed:
                own[i] = renamed[name]
            elif own[i] in renamed.values():
                own[i] = f"{own[i]} (not used)"
    return own


def extra_columns(schema: pa.Schema) -> list[str]:
    """Return which of the columns label, centers and examples have the types they should have.

    Tables from elsewhere may use these names for something else.
    """
    return [name for name, has_type in EXTRAS.items() if has_type(_type_of(schema, name))]


def _type_of(schema: pa.Schema, name: str) -> pa.DataType:
    return schema.field(name).type if schema.names.count(name) == 1 else pa.null()


def is_list(kind: pa.DataType) -> bool:
    """Whether a column holds lists of any kind."""
    return any(is_kind(kind) for is_kind in _LIST_KINDS)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_list_of_vectors(kind: pa.DataType) -> bool:
    return is_list(kind) and is_list(kind.value_type)


def _is_list_of_examples(kind: pa.DataType) -> bool:
    if not is_list(kind) or not pa.types.is_struct(kind.value_type):
        return False
    return set(Example._fields) <= {field.name for field in kind.value_type}


EXTRAS = {
    "label": is_text,
    "centers": _is_list_of_vectors,
    "examples": _is_list_of_examples,
}


def numbered_columns(names: list[str]) -> dict[str, list[str]]:
    """Return the columns that count from 0 or 1, such as `v0`, `v1`, …, by what they begin with."""
    return {
        prefix: [group[number] for number in sorted(group)]
        for prefix, group in _numbered_groups(names).items()
        if min(group) <= 1 and max(group) - min(group) == len(group) - 1
    }


def _numbered_groups(names: list[str]) -> dict[str, dict[int, str]]:
    groups: dict[str, dict[int, str]] = defaultdict(dict)
    for name in names:
        if match := _NUMBERED.fullmatch(name):
            groups[match[1]][int(match[2])] = name
    return groups
