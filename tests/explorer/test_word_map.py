import numpy as np

from exrpca.explorer.neighbors import NeighborSearch, names_of
from exrpca.explorer.word_map import MapPaper, points_of


def orthonormal(rank, dim, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(dim, rank)))[0].T


def test_points_stand_once_with_the_word_first(senses):
    points = points_of(senses, NeighborSearch(senses), "bank", ["money", "bank"], n=4)
    rows = [point.row for point in points]
    assert len(rows) == len(set(rows))
    names = names_of(senses, np.array(rows))
    n_senses = len(senses["bank"])
    assert names[:n_senses] == [("bank", i) for i in range(n_senses)]
    assert {name for (name, _), p in zip(names, points, strict=True) if p.kind == "added"} == {
        "money"
    }
    neighbors = [p for p in points if p.kind == "neighbor"]
    assert 4 <= len(neighbors) <= 4 * n_senses
    assert {p.near for p in neighbors} <= set(range(n_senses))


def test_axes_do_not_depend_on_the_rank():
    vectors = np.random.default_rng(1).normal(size=(30, 12)).astype(np.float32)
    components = orthonormal(5, 12)
    paper = MapPaper(vectors, components, 2)
    # what has no part along a component stays where it is
    free = vectors - vectors @ components.T @ components
    still = MapPaper(np.concatenate([vectors, free]), components, 2)
    np.testing.assert_allclose(
        still.draw().places[30:], still.draw(components[:3]).places[30:], atol=1e-5
    )
    assert abs(paper.draw(components[:1]).places - paper.draw(components).places).max() > 0.01


def test_removing_what_is_not_there_leaves_the_map():
    vectors = np.random.default_rng(2).normal(size=(10, 8))
    vectors[:, :2] = 0
    paper = MapPaper(vectors, np.eye(8)[:2], 3)
    before, after = paper.draw(), paper.draw(np.eye(8)[:2])
    np.testing.assert_allclose(before.places, after.places, atol=1e-6)
    np.testing.assert_allclose(before.cosines, after.cosines, atol=1e-6)
    assert before.cosines.shape == (3, 3)


def test_senses_that_differ_along_the_component_alone_meet():
    vectors = np.array([[1, 3, 0.0], [1, -3, 0], [0, 0, 1]])
    paper = MapPaper(vectors, np.eye(3)[1:2], 2)
    before, after = paper.draw(), paper.draw(np.eye(3)[1:2])
    assert np.linalg.norm(before.places[0] - before.places[1]) > 1
    np.testing.assert_allclose(after.places[0], after.places[1], atol=1e-9)
    assert after.cosines[0, 1] > 0.999


def test_one_sense_alone_has_a_place():
    drawn = MapPaper(np.array([[3.0, 4.0, 0.0]]), np.eye(3)[:1], 1).draw(np.eye(3)[:1])
    assert np.isfinite(drawn.places).all()
