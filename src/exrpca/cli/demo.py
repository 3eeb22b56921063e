"""`exrpca demo`: the whole story on the bundled vectors, without a download."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exrpca.cli.options import TableStyle
from exrpca.cli.output import print_table, remark

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.cleaning import SenseDecomposition
    from exrpca.senses import SenseVectors

_RANK = 2
_WORDS = ["bank", "apple", "plant", "rock", "prime", "engine", "cat"]


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the pictures.")
    ] = Path("exrpca-demo"),
) -> None:
    """Show what exrpca does, on the vectors that come with it."""
    from exrpca.analysis import describe_components
    from exrpca.cleaning import SenseDecomposition
    from exrpca.files import check_output_folder
    from exrpca.senses import bundled

    check_output_folder(output)
    senses = bundled()
    remark(f"The bundled vectors: {senses!r}\n", quiet=False)
    decomposition = SenseDecomposition.fit(senses, rank=_RANK)
    columns = ["component", "explained_variance_ratio", "positive_pole", "negative_pole"]
    print_table(
        describe_components(decomposition)[columns],
        TableStyle.TABLE,
        title="1. The directions that pseudo senses share",
    )
    print_table(_verdicts(decomposition), TableStyle.TABLE, title="\n2. Which senses are real")
    print_table(
        _scores(decomposition),
        TableStyle.TABLE,
        title="\n3. Agreement with people's ratings of WordSim-353 (Spearman's rho)",
    )
    output.mkdir(parents=True, exist_ok=True)
    _draw(decomposition, output)
    print(f"\n4. Pictures: {output}/overview.png, {output}/components.png")
    print("\nNext: exrpca explore, or exrpca clean YOUR_VECTORS -o CLEAN_VECTORS")


def _verdicts(decomposition: SenseDecomposition) -> pd.DataFrame:
    """Return the sense pairs of the demo's words with neighbors and verdict."""
    from exrpca.analysis import describe_pairs
    from exrpca.cleaning import detect

    return describe_pairs(decomposition.senses, detect(decomposition), _WORDS, n_neighbors=3)


def _scores(decomposition: SenseDecomposition) -> pd.DataFrame:
    """Return avgSim before and after cleaning, and of the baselines beside them."""
    import pandas as pd

    from exrpca.evaluation import evaluate, wordsim353

    def measured(senses: SenseVectors, measure: str = "avgSim") -> pd.Series[Any]:
        scores = evaluate(senses, wordsim353())
        return scores[scores["measure"] == measure].iloc[0]

    rows = {
        "as trained": measured(decomposition.senses),
        f"cleaned, rank {_RANK}": measured(decomposition.cleaned),
        "collapsed to one vector per word": measured(decomposition.senses.collapse()),
        "global vectors": measured(decomposition.senses, "globalSim"),
    }
    table = pd.DataFrame(rows).T.reset_index(names="vectors")
    return table[["vectors", "rho", "low", "high", "used", "total"]]


def _draw(decomposition: SenseDecomposition, folder: Path) -> None:
    from exrpca.analysis import beside_pca
    from exrpca.analysis.plots import plot_components, plot_overview, save_figure
    from exrpca.files import together

    with together():
        save_figure(plot_overview(decomposition, _WORDS), folder / "overview.png")
        save_figure(plot_components(*beside_pca(decomposition)), folder / "components.png")
