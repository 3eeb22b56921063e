"""Pictures: senses before and after cleaning, the components, the sweep."""

from exrpca.analysis.plots.components import plot_components
from exrpca.analysis.plots.overview import plot_overview
from exrpca.analysis.plots.style import check_figure_path, save_figure, write_figure
from exrpca.analysis.plots.sweep import plot_sweep

__all__ = [
    "check_figure_path",
    "plot_components",
    "plot_overview",
    "plot_sweep",
    "save_figure",
    "write_figure",
]
