"""What a table of scores says, in sentences: also where a baseline is better."""

from __future__ import annotations

import pandas as pd


def best_cleaning(scores: pd.DataFrame, measure: str, method: str = "exrpca") -> pd.Series | None:
    """Return the row of the best rank of a method on SCWS; None when there is none."""
    rows = scores.query("dataset == 'SCWS' and measure == @measure and method == @method")
    return None if rows.empty else rows.iloc[int(rows["rho"].argmax())]


def findings(scores: pd.DataFrame) -> list[str]:
    """Return sentences on the gain of Ex-RPCA in context and on what scores above it.

    Parameters
    ----------
    scores : DataFrame
        From `compare_methods`.
    """
    best = best_cleaning(scores, "localSim")
    if best is None:
        return ["Without SCWS, centers and global vectors localSim could not be measured."]
    low, high = 100 * best["gain_low"], 100 * best["gain_high"]
    ranks = [
        str(rank) for rank in sorted(scores.loc[scores["method"] == "exrpca", "rank"].unique())
    ]
    above = _above(scores, float(best["rho"]))
    return [
        f"SCWS localSim: the best of Ex-RPCA's ranks {_enumerate(ranks)} is rank {best['rank']}, "
        f"{100 * best['rho']:.1f}, a gain of {100 * best['gain']:+.1f} points over the vectors as "
        f"trained (95% interval {low:+.1f} to {high:+.1f}, "
        f"{'which excludes 0' if low > 0 else 'which includes 0'}).",
        f"Scores above it: {_enumerate(above)}." if above else "No baseline scores above it.",
    ]


def _above(scores: pd.DataFrame, rho: float) -> list[str]:
    """Return the baselines with a higher localSim, and globalSim where it is higher."""
    scws = scores[scores["dataset"] == "SCWS"]
    local = scws.query("measure == 'localSim' and method != 'exrpca'")
    best = local.loc[local.groupby("method", sort=False)["rho"].idxmax()]
    names = [
        method if pd.isna(rank) else f"{method} at rank {rank}"
        for method, rank in zip(best["method"], best["rank"], strict=True)
    ]
    rivals = pd.Series(best["rho"].to_numpy(dtype=float), index=names)
    rivals = pd.concat([rivals, scws.query("measure == 'globalSim'").set_index("measure")["rho"]])
    higher = rivals[rivals > rho].sort_values(ascending=False)
    return [f"{name} ({100 * value:.1f})" for name, value in higher.items()]


def _enumerate(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
