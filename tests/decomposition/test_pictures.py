"""The pictures show what the tables say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from exrpca.decomposition import ExRPCA, cell_map, make_low_rank, outlier_map


@pytest.fixture(scope="module")
def broken():
    X = make_low_rank(200, 12, n_components=2, outlier_share=0).matrix
    X[:10] += 30
    X[50, 3] += 25
    X = pd.DataFrame(X, columns=[f"f{j}" for j in range(12)]).add_prefix("")
    X.index = [f"r{i}" for i in range(200)]
    return X, ExRPCA(2).fit(X)


def test_the_map_shows_every_row_in_the_color_of_predict(broken):
    X, model = broken
    rows, axes = model.row_distances(X), outlier_map(model, X, n_labels=3)
    fits, outlying = (points.get_offsets() for points in axes.collections)
    places = rows[["score_distance", "orthogonal_distance"]].to_numpy()
    np.testing.assert_allclose(outlying, places[model.predict(X) == -1])
    np.testing.assert_allclose(fits, places[model.predict(X) == 1])
    labels = {text.get_text() for text in axes.texts}
    assert len(labels) == 3
    assert labels <= {f"r{i}" for i in range(10)}
    plt.close(axes.figure)


def test_the_cell_map_names_rows_and_columns_and_shows_values(broken):
    X, model = broken
    figure, given = plt.subplots()
    part = X.iloc[40:60]
    axes = cell_map(model, part, axes=given)
    assert axes is given
    assert [text.get_text() for text in axes.get_xticklabels()] == list(X.columns)
    image = axes.images[0].get_array()
    assert np.unravel_index(np.abs(image).argmax(), image.shape) == (10, 3)
    assert f"{part.iloc[10, 3]:.3g}" in {text.get_text() for text in axes.texts}
    plt.close(figure)


def test_a_large_cell_map_shows_the_worst_cell_of_each_block(broken):
    X, model = broken
    axes = cell_map(model, X.iloc[:-1])
    image = axes.images[0].get_array()
    assert image.shape == (50, 12)
    assert abs(image[12, 3]) == np.abs(image[12]).max()
    assert not axes.texts
    plt.close(axes.figure)
