import pytest

from exrpca.analysis import beside_pca, sweep
from exrpca.analysis.plots import plot_components, plot_overview, plot_sweep, save_figure
from exrpca.errors import InputError


@pytest.fixture(scope="session")
def words(planted):
    return [word for word in planted.senses if len(planted.senses[word]) > 1][:4]


def texts(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_overview_shows_every_sense_before_and_after(decomposition, words):
    figure = plot_overview(decomposition, words)
    before, after, legend, _ = figure.axes
    assert before.get_title() == "As trained"
    assert after.get_title() == "2 components removed (exrpca)"
    n_senses = sum(len(decomposition.senses[word]) for word in words)
    for panel in (before, after):
        assert len(panel.texts) == n_senses
    assert [text.split(":")[0] for text in texts(legend)] == words
    with pytest.raises(InputError, match="1 words, expected 2 to 7"):
        plot_overview(decomposition, words[:1])


def test_components_show_both_decompositions(decomposition):
    variances, residual = plot_components(*beside_pca(decomposition)).axes
    assert texts(variances) == ["pca, rank 2", "exrpca, rank 2"]
    shares = variances.lines[0].get_ydata()
    assert 0 < shares[0] <= 100
    assert "outside 3σ" in texts(residual)[0]


def test_sweep_has_a_panel_per_data_set(decomposition, pairs):
    figure = plot_sweep(sweep(decomposition, [pairs]), collapsed={"planted": 0.5})
    (axes,) = figure.axes
    assert texts(axes) == ["globalSim", "avgSim", "maxSim", "collapsed to one vector per word"]
    assert axes.get_xlabel() == "removed directions"
    assert axes.get_title() == "planted (120 of 120 pairs)"


def test_figures_are_written_as_png_and_svg_and_made_alike_are_the_same(
    decomposition, words, tmp_path
):
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        paths = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
        for path in paths:
            save_figure(plot_overview(decomposition, words), path)
        assert paths[0].read_bytes().startswith(start)
        assert paths[0].read_bytes() == paths[1].read_bytes()
    with pytest.raises(InputError, match=r"ends with '\.pdf', expected \.png or \.svg"):
        save_figure(plot_overview(decomposition, words), tmp_path / "three.pdf")
    assert len(list(tmp_path.iterdir())) == 4
