"""`exrpca info`: what is in a file of vectors."""

from __future__ import annotations

import json
from typing import Any

from exrpca.cli import options
from exrpca.cli.output import print_table


@options.reads_vectors
def info(
    vectors: options.VectorsFile,
    read: options.ReadOptions = options.AS_FOUND,
    form: options.TableFormat = options.TableStyle.TABLE,
    quiet: options.Quiet = False,
) -> None:
    """Show what is in a file: words, senses, dimensions, and what else it contains."""
    import pandas as pd

    from exrpca.senses import DifferenceMatrix
    from exrpca.senses.sense_vectors import OPTIONAL_PARTS

    senses = read.load(vectors, quiet=quiet)
    n_senses = senses.n_senses
    n_pairs = len(DifferenceMatrix(senses)) if n_senses.max() > 1 else 0
    facts = {
        "words": len(senses),
        "words with several senses": int((n_senses > 1).sum()),
        "senses": len(senses.vectors),
        "most senses of a word": int(n_senses.max()),
        "sense pairs": n_pairs,
        "columns of the paper's matrix": 2 * n_pairs,
        "dimensions": senses.dim,
        **{name: getattr(senses, name) is not None for name in OPTIONAL_PARTS},
        **{f"metadata: {key}": _abridged(value) for key, value in senses.metadata.items()},
    }
    print_table(pd.DataFrame({"property": facts.keys(), "value": facts.values()}), form)


def _abridged(value: Any) -> str:
    """Return a value as JSON; of a long list, such as one count per word, only its length."""
    short = _without_long_lists(value)
    return short if isinstance(short, str) else json.dumps(short, ensure_ascii=False)


def _without_long_lists(value: Any) -> Any:
    if isinstance(value, list) and len(value) > 20:
        return f"{len(value):,} values"
    if isinstance(value, dict):
        return {key: _without_long_lists(entry) for key, entry in value.items()}
    return value
