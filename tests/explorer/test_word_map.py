import numpy as np

from exrpca.explorer.neighbours import NeighbourSearch, names_of
from exrpca.explorer.word_map import draw_map, points_of


def orthonormal(rank, dim, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(dim, rank)))[0].T


def test_points_stand_once_with_the_word_first(senses):
    points = points_of(senses, NeighbourSearch(senses), "bank", ["money", "bank"], n=4)
    rows = [point.row for point in points]
    assert len(rows) == len(set(rows))
    names = names_of(senses, np.array(rows))
    n_senses = len(senses["bank"])
    assert names[:n_senses] == [("bank", i) for i in range(n_senses)]
    assert {name for (name, _), p in zip(names, points, strict=True) if p.kind == "added"} == {
        "money"
    }
    neighbours = [p for p in points if p.kind == "neighbour"]
    assert 4 <= len(neighbours) <= 4 * n_senses
    assert {p.near for p in neighbours} <= set(range(n_senses))


def test_axes_do_not_depend_on_the_rank():
    vectors = np.random.default_rng(1).normal(size=(30, 12)).astype(np.float32)
    components = orthonormal(5, 12)
    maps = [draw_map(vectors, components[:rank], components) for rank in (1, 5)]
    np.testing.assert_allclose(maps[0].before, maps[1].before, atol=1e-5)
    assert abs(maps[0].after - maps[1].after).max() > 0.01


def test_removing_what_is_not_there_leaves_the_map():
    components = np.eye(8)[:2]
    vectors = np.random.default_rng(2).normal(size=(10, 8))
    vectors[:, :2] = 0
    drawn = draw_map(vectors, components, components)
    np.testing.assert_allclose(drawn.before, drawn.after, atol=1e-6)
    np.testing.assert_allclose(drawn.cosines_before, drawn.cosines_after, atol=1e-6)


def test_senses_that_differ_along_the_component_alone_meet():
    vectors = np.array([[1, 3, 0.0], [1, -3, 0], [0, 0, 1]])
    drawn = draw_map(vectors, np.eye(3)[1:2], np.eye(3)[1:2])
    assert np.linalg.norm(drawn.before[0] - drawn.before[1]) > 1
    np.testing.assert_allclose(drawn.after[0], drawn.after[1], atol=1e-9)
    assert drawn.cosines_after[0, 1] > 0.999
