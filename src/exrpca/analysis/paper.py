"""The numbers that the paper reports, to compare with ours.

H. Shi, Y. Sun, J. Hu. Understanding and Improving Multi-Sense Word Embeddings via Extended
Robust Principal Component Analysis. 2018. They were measured on the 300-dimensional NP-MSSG
vectors of Neelakantan et al. (2014).
"""

from __future__ import annotations

import pandas as pd

# ρ × 100. For WS-353 after cleaning we take the rank to be that of the SCWS row.
REPORTED_SCORES = pd.DataFrame(
    [
        ("SCWS", "localSim", "none", None, 59.8),
        ("SCWS", "localSim", "exrpca", 3, 65.4),
        ("SCWS", "localSim", "pca", 5, 65.3),
        ("SCWS", "localSim", "wordnet", None, 62.3),
        ("WS-353", "avgSim", "none", None, 68.6),
        ("WS-353", "avgSim", "exrpca", 3, 69.2),
    ],
    columns=["dataset", "measure", "method", "rank", "paper"],
).astype({"rank": "Int64"})

# The share of elements of E outside 3σ after PCA to fewer than five dimensions.
OUTSIDE_3_SIGMA = 0.027

# The words of Table 3: real senses (prime, yard) and pseudo senses (engine, cat).
PAIR_WORDS = ("prime", "yard", "engine", "cat")


def beside_ours(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's scores with those of `compare_methods` at the same method and rank.

    Returns
    -------
    DataFrame
        `dataset`, `measure`, `method`, `rank`, `paper`, `ours`, and the gains of both over
        the vectors as trained, `paper_gain` and `our_gain`; all × 100.
    """
    keys = ["dataset", "measure", "method", "rank"]
    table = REPORTED_SCORES.merge(scores[[*keys, "rho", "gain"]], how="left", on=keys)
    as_trained = REPORTED_SCORES["method"] == "none"
    trained = REPORTED_SCORES.loc[as_trained, ["dataset", "measure", "paper"]]
    start = table.merge(trained, on=["dataset", "measure"], suffixes=("", "_trained"))
    return pd.DataFrame(
        {
            **{key: table[key] for key in keys},
            "paper": table["paper"],
            "ours": 100 * table["rho"],
            "paper_gain": start["paper"] - start["paper_trained"],
            "our_gain": 100 * table["gain"],
        }
    ).round(1)
