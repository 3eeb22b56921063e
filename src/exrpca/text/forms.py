"""Which word a form belongs to: "banks" to "bank"."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping

from exrpca.errors import InputError
from exrpca.files import open_plain
from exrpca.senses.formats.table import csv_header

Forms = Mapping[str, str] | str | os.PathLike[str]


def words_of_forms(forms: Forms | None) -> Mapping[str, str]:
    """Return the word of each form.

    A file is a CSV file with the columns `form` and `word`. If a form appears several times, its
    first row counts.

    Examples
    --------
    >>> words_of_forms({"banks": "bank"}), words_of_forms(None)
    ({'banks': 'bank'}, {})
    """
    if forms is None:
        return {}
    return forms if isinstance(forms, Mapping) else _read(forms)


def _read(path: str | os.PathLike[str]) -> dict[str, str]:
    with open_plain(path) as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
        try:
            header, delimiter = csv_header(text.readline().encode())
            if missing := [name for name in ("form", "word") if name not in header]:
                raise InputError(
                    f"no column {' and '.join(missing)} among {', '.join(header[:8])}; expected "
                    "form and word",
                    path=path,
                )
            places = header.index("form"), header.index("word")
            found: dict[str, str] = {}
            rows = csv.reader(text, delimiter=delimiter, strict=True)
            for row in filter(None, rows):
                if len(row) != len(header):
                    problem = f"{len(row)} fields, expected {len(header)}"
                    raise InputError(problem, path=path, line=rows.line_num + 1)
                found.setdefault(row[places[0]], row[places[1]])
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"is not a CSV file ({error})", path=path) from None
    return found
