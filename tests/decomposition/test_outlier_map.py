"""The outlier map shows the rows and cutoffs that `row_distances` gives."""

import matplotlib.pyplot as plt
import numpy as np

from exrpca.decomposition import ExRPCA, make_low_rank, outlier_map


def test_the_map_shows_every_row_in_the_color_of_predict():
    X = make_low_rank(400, 30, outlier_share=0.01).matrix
    X[:20] += 30
    model = ExRPCA(3).fit(X)
    rows = model.row_distances(X)
    axes = outlier_map(rows)
    fits, outlying = (points.get_offsets() for points in axes.collections)
    predicted = model.predict(X)
    distances = np.column_stack([rows.score_distance, rows.orthogonal_distance])
    np.testing.assert_allclose(outlying, distances[predicted == -1])
    np.testing.assert_allclose(fits, distances[predicted == 1])
    cutoffs = [line.get_xydata()[0] for line in axes.lines]
    assert (cutoffs[0][0], cutoffs[1][1]) == (rows.score_cutoff, rows.orthogonal_cutoff)
    plt.close(axes.figure)


def test_the_map_is_drawn_where_it_is_asked_for():
    X = make_low_rank(100, 20).matrix
    figure, given = plt.subplots()
    assert outlier_map(ExRPCA(3).fit(X).row_distances(X), given) is given
    plt.close(figure)
