"""`exrpca info`: what is in a file of vectors."""

from __future__ import annotations

import json
from typing import Any

from exrpca.cli.options import Format, KeyPattern, Quiet, Reader, TableFormat, VectorsFile
from exrpca.cli.output import print_table


def info(
    vectors: VectorsFile,
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    form: TableFormat = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show what is in a file: words, senses, dimensions, what else it carries."""
    import pandas as pd

    from exrpca.senses import DifferenceMatrix, load

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
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
        "counts": senses.counts is not None,
        "centers": senses.centers is not None,
        "globals": senses.globals is not None,
        **{f"metadata: {key}": _abridged(value) for key, value in senses.metadata.items()},
    }
    print_table(pd.DataFrame({"property": facts.keys(), "value": facts.values()}), form)


def _abridged(value: Any) -> str:
    """Return a value as JSON; of a long list, such as a count for each word, only its length."""
    if isinstance(value, list) and len(value) > 20:
        return f"{len(value):,} values"
    return json.dumps(value, ensure_ascii=False)
