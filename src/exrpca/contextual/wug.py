"""Word usage graphs, as DURel reads and writes them: uses out, people's judgments in.

The files are tables separated by tabs without any quoting (Schlechtweg et al. 2021; Schlechtweg et
al. 2024, the DURel annotation tool).
"""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr
from sklearn.metrics import adjusted_rand_score

from exrpca.errors import InputError
from exrpca.files import atomic_path

_TABLE: dict[str, Any] = {"sep": "\t", "quoting": csv.QUOTE_NONE}

# A median judgment of at least this, between 2 (distantly related) and 3 (closely related), means
# one sense.
_RELATED = 2.5


def write_uses(
    assigned: pd.DataFrame, folder: str | os.PathLike[str], *, by: str | None = None
) -> list[Path]:
    r"""Write the occurrences of each word as FOLDER/WORD/uses.csv, for people to annotate.

    Parameters
    ----------
    assigned : DataFrame
        As `induce` returns it, with `left`, `target` and `right`.
    folder : path-like
    by : str, optional
        The column with the groups; "folder" is the folder of `source`.

    Returns
    -------
    list of Path

    Examples
    --------
    >>> import tempfile
    >>> assigned = pd.DataFrame({"word": ["bank"], "left": "The ", "target": "bank", "right": "."})
    >>> (path,) = write_uses(assigned, tempfile.mkdtemp())
    >>> pd.read_csv(path, sep="\t")[["context", "indexes_target_token"]].loc[0].tolist()
    ['The bank.', '4:8']
    """
    from exrpca.contextual.groups import groups_of

    if missing := [name for name in ("left", "target", "right") if name not in assigned]:
        raise InputError(f"the table has no column {missing[0]!r}: uses need their sentences")
    group = pd.Series("", assigned.index) if by is None else groups_of(assigned, by)
    texts = {name: assigned[name].fillna("").map(_plain) for name in ("left", "target", "right")}
    start = texts["left"].str.len()
    end = start + texts["target"].str.len()
    context = texts["left"] + texts["target"] + texts["right"]
    blank = pd.Series("", assigned.index)
    uses = pd.DataFrame(
        {
            "lemma": assigned["word"].map(_plain),
            "pos": blank,
            "date": assigned.get("date", blank).astype(str).map(_plain),
            "grouping": group.fillna("").map(_plain),
            "identifier": identifiers(assigned),
            "description": assigned.get("source", blank).fillna("").map(_plain),
            "context": context,
            "indexes_target_token": start.astype(str) + ":" + end.astype(str),
            "indexes_target_sentence": "0:" + context.str.len().astype(str),
        }
    ).replace("", " ")  # the format wants a space where nothing is known
    paths = []
    for word, own in uses.groupby(assigned["word"], sort=False):
        path = Path(folder) / (re.sub(r"[^\w-]+", "_", str(word)) or "_") / "uses.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as temporary:
            rows = [list(own), *own.to_numpy().tolist()]
            text = "".join("\t".join(row) + "\n" for row in rows)
            temporary.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def _plain(text: object) -> str:
    return re.sub(r"[\t\r\n]", " ", str(text))


def identifiers(assigned: pd.DataFrame) -> pd.Series[str]:
    """Return the column `identifier`, or else the word and the place in the table."""
    if "identifier" in assigned:
        return assigned["identifier"].astype(str)
    place = pd.Series(np.arange(len(assigned)), assigned.index).astype(str)
    return assigned["word"].astype(str) + "-" + place


def agreement(assigned: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """Compare senses with what people said about pairs of uses, or with people's clusters.

    Parameters
    ----------
    assigned : DataFrame
        As `induce` returns it, in the order in which `write_uses` had it, or with a column
        `identifier`.
    people : DataFrame
        `identifier1`, `identifier2` and `judgment` (1 to 4, 0 for no decision), or `identifier`
        and `cluster` (−1 for none).

    Returns
    -------
    DataFrame
        One row per word. For judgments: `pairs`, how many of them have one sense where the median
        judgment is 2.5 or more and two senses where it is less (`agree`, a share), and the
        `spearman` correlation of one sense with the median. For clusters: `uses` and the adjusted
        Rand index `ari`.

    Examples
    --------
    >>> assigned = pd.DataFrame({"word": "bank", "sense": [0, 0, 1]})
    >>> people = pd.DataFrame({
    ...     "identifier1": ["bank-0", "bank-0"], "identifier2": ["bank-1", "bank-2"],
    ...     "judgment": [4, 1],
    ... })
    >>> agreement(assigned, people)
       word  pairs  agree  spearman
    0  bank      2    1.0       1.0
    """
    known = assigned.assign(identifier=identifiers(assigned))
    known = known[known["sense"] >= 0].drop_duplicates("identifier").set_index("identifier")
    compare = _clusters if "cluster" in people else _judgments
    rows = compare(known, people)
    if not rows:
        raise InputError("no identifier of the annotation is in the table of senses")
    return pd.DataFrame(rows)


def _clusters(known: pd.DataFrame, people: pd.DataFrame) -> list[dict[str, Any]]:
    said = people[people["cluster"].astype(int) >= 0]
    both = known.join(said.set_index(said["identifier"].astype(str))["cluster"], how="inner")
    return [
        {"word": word, "uses": len(own), "ari": adjusted_rand_score(own["cluster"], own["sense"])}
        for word, own in both.groupby("word")
    ]


def _judgments(known: pd.DataFrame, people: pd.DataFrame) -> list[dict[str, Any]]:
    said = people[people["judgment"].astype(float) > 0]
    first, second = (said[f"identifier{side}"].astype(str) for side in (1, 2))
    pairs = pd.DataFrame(
        {"a": np.minimum(first, second), "b": np.maximum(first, second)}, index=said.index
    ).assign(judgment=said["judgment"].astype(float))
    pairs = pairs.groupby(["a", "b"])["judgment"].median().reset_index()
    pairs = pairs[pairs["a"].isin(known.index) & pairs["b"].isin(known.index)]
    a, b = known.loc[pairs["a"]], known.loc[pairs["b"]]
    pairs = pairs.assign(
        word=a["word"].to_numpy(), same=a["sense"].to_numpy() == b["sense"].to_numpy()
    )
    rows = []
    for word, own in pairs.groupby("word"):
        varies = own["same"].nunique() > 1 and own["judgment"].nunique() > 1
        rows.append(
            {
                "word": word,
                "pairs": len(own),
                "agree": float((own["same"] == (own["judgment"] >= _RELATED)).mean()),
                "spearman": float(spearmanr(own["same"], own["judgment"])[0]) if varies else np.nan,
            }
        )
    return rows


def read_annotation(path: str | os.PathLike[str]) -> pd.DataFrame:
    r"""Read judgments.csv, or a file of clusters, of a word usage graph.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "clusters.csv"
    >>> _ = path.write_text("identifier\tcluster\nbank-0\t1\n")
    >>> read_annotation(path)
      identifier  cluster
    0     bank-0        1
    """
    try:
        table: pd.DataFrame = pd.read_csv(path, dtype=str, keep_default_na=False, **_TABLE)
    except FileNotFoundError:
        raise InputError("no such file", path=path) from None
    except (ValueError, OSError) as error:
        raise InputError(f"cannot be read ({str(error).splitlines()[0]})", path=path) from None
    wanted = {"identifier", "cluster"}, {"identifier1", "identifier2", "judgment"}
    if not any(names <= set(table) for names in wanted):
        raise InputError(
            "has neither identifier and cluster nor identifier1, identifier2 and judgment, "
            "separated by tabs",
            path=path,
        )
    number = "cluster" if "cluster" in table else "judgment"
    values = pd.to_numeric(table[number], errors="coerce")
    if values.isna().any():
        line = int(values.isna().to_numpy().argmax()) + 2
        raise InputError(f"{number} is no number", path=path, line=line)
    table[number] = values
    return table
