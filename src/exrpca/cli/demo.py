"""`exrpca demo`: the whole story on the bundled vectors, without a download."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exrpca.cli.options import TableStyle
from exrpca.cli.output import print_table, remark

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.analysis import Decomposed
    from exrpca.senses import SenseVectors

_RANK = 2
_WORDS = ["bank", "apple", "plant", "rock", "prime", "engine", "cat"]


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the pictures go.")
    ] = Path("exrpca-demo"),
) -> None:
    """Show what exrpca does, on the vectors that come with it."""
    from exrpca.analysis import Decomposed, describe_components
    from exrpca.files import check_output_folder
    from exrpca.senses import bundled

    check_output_folder(output)
    senses = bundled()
    remark(f"The bundled vectors: {senses!r}\n", quiet=False)
    decomposed = Decomposed.of(senses, rank=_RANK)
    columns = ["component", "explained_variance_ratio", "positive_pole", "negative_pole"]
    print_table(
        describe_components(decomposed)[columns],
        TableStyle.TABLE,
        title="1. The directions that pseudo senses share",
    )
    print_table(
        _verdicts(decomposed), TableStyle.TABLE, title="\n2. Which senses are really different"
    )
    print_table(
        _scores(decomposed),
        TableStyle.TABLE,
        title="\n3. Agreement with people's ratings of WordSim-353 (Spearman's rho)",
    )
    output.mkdir(parents=True, exist_ok=True)
    _draw(decomposed, output)
    print(f"\n4. Pictures: {output}/overview.png, {output}/components.png")
    print("\nNext: exrpca explore, or exrpca clean YOUR_VECTORS -o CLEAN_VECTORS")


def _verdicts(decomposed: Decomposed) -> pd.DataFrame:
    """Return the sense pairs of the demo's words with neighbours and verdict."""
    from exrpca.analysis import describe_pairs
    from exrpca.cleaning import detect

    senses = decomposed.senses
    return describe_pairs(senses, detect(senses, rank=_RANK), _WORDS, n_neighbors=3)


def _scores(decomposed: Decomposed) -> pd.DataFrame:
    """Return avgSim before and after cleaning, and of the baselines beside them."""
    import pandas as pd

    from exrpca.evaluation import evaluate, wordsim353

    def measured(senses: SenseVectors, measure: str = "avgSim") -> pd.Series[Any]:
        scores = evaluate(senses, wordsim353())
        return scores[scores["measure"] == measure].iloc[0]

    rows = {
        "as trained": measured(decomposed.senses),
        f"cleaned, rank {_RANK}": measured(decomposed.cleaned),
        "collapsed to one vector a word": measured(decomposed.senses.collapse()),
        "global vectors": measured(decomposed.senses, "globalSim"),
    }
    table = pd.DataFrame(rows).T.reset_index(names="vectors")
    return table[["vectors", "rho", "low", "high", "used", "total"]]


def _draw(decomposed: Decomposed, folder: Path) -> None:
    from exrpca.analysis import Decomposed
    from exrpca.analysis.plots import plot_components, plot_overview, save_figure

    pca = Decomposed.of(decomposed.senses, method="pca", rank=_RANK)
    save_figure(plot_overview(decomposed, _WORDS), folder / "overview.png")
    save_figure(plot_components(pca, decomposed), folder / "components.png")
