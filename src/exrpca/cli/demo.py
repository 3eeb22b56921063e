"""`exrpca demo`: the full workflow on the bundled vectors, without a download."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exrpca.cli.detect import remark_detection
from exrpca.cli.options import TableStyle
from exrpca.cli.output import print_table, remark

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.cleaning import SenseDecomposition
    from exrpca.senses import SenseVectors

_WORDS = ["bank", "apple", "cell", "plant", "rock", "prime"]
_PRINTED_COLUMNS = ["component", "explained_variance_ratio", "positive_pole", "negative_pole"]


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the figures.")
    ] = Path("exrpca-demo"),
) -> None:
    """Show what exrpca does, using the bundled vectors.

    Each step does what the command of the same name does by default.
    """
    from exrpca.analysis import describe_components, describe_pairs
    from exrpca.cleaning import SenseDecomposition, clean, detect, merge
    from exrpca.cleaning.detect import DEFAULT_LOST
    from exrpca.files import check_output_folder
    from exrpca.senses import bundled

    check_output_folder(output)
    senses = bundled()
    remark(f"The bundled vectors: {senses!r}\n", quiet=False)
    pairs = detect(senses)
    print_table(
        describe_pairs(senses, pairs, _WORDS, n_neighbors=3),
        TableStyle.TABLE,
        title="1. Which senses are real (exrpca detect)",
    )
    remark_detection(pairs, DEFAULT_LOST, quiet=False)

    merged = merge(senses, pairs)[0]
    print_table(
        _inventory(senses, merged),
        TableStyle.TABLE,
        title="\n2. Pseudo senses are joined; real and undecided ones stay separate (exrpca merge)",
    )
    print("How well they agree with senses that people labeled: exrpca evaluate --wsi DATA.")

    decomposition = SenseDecomposition.fit(senses)
    print_table(
        describe_components(decomposition)[_PRINTED_COLUMNS],
        TableStyle.TABLE,
        title="\n3. The directions along which senses differ most (exrpca components)",
    )

    cleaned = clean(senses)
    print_table(
        _scores({"as trained": senses, "merged": merged, "cleaned": cleaned}),
        TableStyle.TABLE,
        title="\n4. Agreement with people's ratings of WordSim-353 (exrpca clean, exrpca evaluate)",
    )
    rank = cleaned.metadata["cleaned"]["rank"]
    print(f"exrpca clean removes {rank} directions from these vectors (exrpca diagnose says why).")
    print("Such ratings cannot see a lost sense; people's labels of senses can.")

    output.mkdir(parents=True, exist_ok=True)
    _draw(decomposition, output)
    print(f"\n5. Pictures: {output}/overview.png, {output}/components.png")
    print("\nNext: exrpca explore, or exrpca diagnose YOUR_VECTORS")


def _inventory(senses: SenseVectors, merged: SenseVectors) -> pd.DataFrame:
    """Return how many senses there are, before and after merging."""
    import pandas as pd

    return pd.DataFrame(
        {
            "vectors": name,
            "senses": len(each.vectors),
            **{word: len(each[word]) for word in _WORDS},
        }
        for name, each in (("as trained", senses), ("merged", merged))
    )


def _scores(variants: dict[str, SenseVectors]) -> pd.DataFrame:
    """Return avgSim of the variants and of the baselines."""
    import pandas as pd

    from exrpca.evaluation import evaluate, wordsim353

    def measured(senses: SenseVectors, measure: str = "avgSim") -> pd.Series[Any]:
        scores = evaluate(senses, wordsim353())
        return scores[scores["measure"] == measure].iloc[0]

    senses = variants["as trained"]
    rows = {
        **{name: measured(each) for name, each in variants.items()},
        "collapsed to one vector per word": measured(senses.collapse()),
        "global vectors": measured(senses, "globalSim"),
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
