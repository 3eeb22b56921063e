"""What to say about a file that no reader recognizes: which came closest, and what to try."""

from __future__ import annotations

from exrpca.senses.formats.table import csv_header
from exrpca.senses.formats.text_files import fields_of, is_number, shown

_ARRAYS = "load it in Python and pass exrpca.load(words=…, senses=…, vectors=…)"

# How files of other programs begin.
_OTHERS = {
    b"\xba\x16\x4f\x2f": "is a fastText model: use the .vec file that fastText writes next to it",
    b"PK\x03\x04": "is a zip archive: unpack it",
    b"\x89HDF": f"is an HDF5 file: {_ARRAYS}",
    b"SQLite": f"is an SQLite database: {_ARRAYS}",
    b"{": f"looks like JSON: {_ARRAYS}",
    b"[": f"looks like JSON: {_ARRAYS}",
    b"<": "looks like a web page: download the file itself",
}


def refusal(head: bytes, readers: tuple[str, ...]) -> str:
    """Return why a file with these first bytes is refused."""
    for magic, message in _OTHERS.items():
        if head.startswith(magic):
            return message
    near = _near_word2vec(head) or _near_table(head)
    found = f": {near}; or" if near else "; if it is,"
    return f"is not in a known format{found} pass a reader ({', '.join(readers)})"


def _near_word2vec(head: bytes) -> str | None:
    lines = head.split(b"\n", 2)
    if len(lines) < 2:
        return None
    first, second = fields_of(lines[0]), fields_of(lines[1])
    n_values = len(second) - 1
    if n_values < 2 or not all(map(is_number, second[1:])):
        return None
    if not all(map(is_number, first[1:])):
        return (
            f"it resembles word2vec text, but line 1 is {shown(lines[0])} and line 2 is a word "
            f"with {n_values} numbers: remove line 1, or replace it with the number of vectors and "
            "of dimensions"
        )
    return (
        f"it resembles word2vec text, but line 1 has {len(first) - 1} values and line 2 has "
        f"{n_values}: if words contain spaces, replace these with underscores"
    )


def _near_table(head: bytes) -> str | None:
    line = head.partition(b"\n")[0]
    names, delimiter = csv_header(line)
    if len(names) < 2 or not line.isascii() or "\x00" in delimiter.join(names):
        return None
    listed = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
    return (
        f"it resembles a table, but there is no column word among {listed}: "
        "pass --columns word=NAME,vector=NAME"
    )
