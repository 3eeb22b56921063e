"""`exrpca demo`: the whole story in one run, without a download."""

from __future__ import annotations

import numpy as np
import pandas as pd

from exrpca.cli.options import Format
from exrpca.cli.output import print_table


def demo() -> None:
    """Clean planted vectors and show what was found."""
    from exrpca.cleaning import Projector, decompose
    from exrpca.senses import make_senses

    planted = make_senses()
    found = decompose(planted.senses, method="exrpca", rank=3)
    cosines = np.abs(found.components_ @ planted.components.T).max(axis=1)
    print_table(
        pd.DataFrame(
            {
                "component": np.arange(1, 4),
                "explained_variance_ratio": found.explained_variance_ratio_,
                "cosine_with_planted": cosines,
            }
        ),
        Format.TABLE,
        title="Directions of the pseudo senses",
    )
    noise = np.sqrt(found.sparse_.power(2).sum(axis=1))
    table = planted.pairs.assign(noise=noise).groupby("real")["noise"].describe()
    print_table(table.reset_index(), Format.TABLE, title="Noise of pseudo and of real pairs")
    Projector(found.components_).apply(planted.senses.vectors)
