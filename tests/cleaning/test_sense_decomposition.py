"""The fitted decomposition: what it holds, and that whoever gets one does not fit again."""

import numpy as np
import pandas as pd
import pytest

from exrpca import InputError, SenseVectors, clean, detect, make_senses
from exrpca.cleaning import DECOMPOSITIONS, SenseDecomposition
from exrpca.cleaning.sense_decomposition import usable_rank


@pytest.fixture(scope="module")
def senses():
    return make_senses(n_words=400, dim=20, n_components=2, seed=2).senses


@pytest.mark.parametrize("method", DECOMPOSITIONS)
def test_parts_add_up(senses, method):
    found = SenseDecomposition.fit(senses, method=method, rank=2)
    assert (found.method, found.rank) == (method, 2)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(2), atol=1e-5)
    X, kept = (np.concatenate(parts) for parts in zip(*found.blocks(), strict=True))
    np.testing.assert_array_equal(X, found.differences[:])
    np.testing.assert_allclose(np.linalg.norm(X - kept, axis=1), found.outlier_norm, atol=1e-4)
    assert (found.outlier_norm.max() == 0) == (method == "pca")
    assert abs(found.cleaned.vectors @ found.components.T).max() < 1e-4
    np.testing.assert_array_equal(found.projector.apply(senses.vectors), found.cleaned.vectors)


def test_a_decomposition_gives_what_its_vectors_give_and_is_fitted_once(senses, fits):
    found = SenseDecomposition.fit(senses, rank=2)
    cleaned, pairs = clean(found), detect(found, lost=0.1)
    assert fits == [("ExRPCA", 2)]
    again = clean(senses, rank=2)
    np.testing.assert_allclose(cleaned.vectors, again.vectors, atol=1e-5)
    assert cleaned.metadata == again.metadata
    pd.testing.assert_frame_equal(pairs.drop(columns="outlier_norm"), detect(senses, lost=0.1))
    assert fits == [("ExRPCA", 2)] * 2


@pytest.mark.parametrize("settings", [{"rank": 2}, {"method": "exrpca"}])
def test_settings_of_a_fit_beside_a_decomposition_are_refused(senses, settings):
    found = SenseDecomposition.fit(senses, rank=2)
    with pytest.raises(InputError, match="already fitted: leave out method and rank"):
        clean(found, **settings)


def test_fewer_components_than_asked_for_are_enough_unless_they_are_to_be_removed():
    # differences along one direction only: the convex problem finds no second one
    along = np.outer(np.repeat([3.0, -3.0], 40), np.eye(6)[0])
    vectors = np.random.default_rng(0).normal(size=(40, 6)).repeat(2, axis=0)
    vectors += along.reshape(2, 40, 6).transpose(1, 0, 2).reshape(80, 6)
    senses = SenseVectors([f"w{i}" for i in range(40)], vectors, [2] * 40)
    found = SenseDecomposition.fit(senses, method="convex", rank=3)
    assert found.rank == 1
    assert len(detect(found)) == 40
    with pytest.raises(InputError, match="'convex' found 1 components, fewer than rank=3"):
        clean(senses, method="convex", rank=3)


@pytest.mark.parametrize(
    ("n_senses", "dim", "rank", "expected"),
    [(2, 9, 3, 1), (3, 9, 3, 1), (4, 9, 3, 3), (9, 3, 3, 2), (9, 9, 4, 4)],
)
def test_usable_rank_leaves_something_of_each_pair(n_senses, dim, rank, expected):
    senses = SenseVectors(["word"], np.ones((n_senses, dim)), [n_senses])
    assert usable_rank(senses, rank) == expected
