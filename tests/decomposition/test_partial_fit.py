"""`partial_fit`: a stream of batches ends near the fit of all rows."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from exrpca.decomposition import ExRPCA, make_low_rank


def residual(model, X):
    rows = X - model.mean_
    return float(((rows - rows @ model.components_.T @ model.components_) ** 2).sum())


def streamed(model, X, size):
    for start in range(0, len(X), size):
        model.partial_fit(X[start : start + size])
    return model


@pytest.mark.parametrize("center", [True, False])
def test_a_stream_ends_near_the_fit_of_all_rows(angle, center):
    parts = make_low_rank(3000, 40)
    train, clean = parts.matrix[:2500], (parts.low_rank + parts.noise)[2500:]
    whole = ExRPCA(3, center=center).fit(train)
    stream = streamed(ExRPCA(3, center=center), train, 250)
    assert residual(stream, clean) < 1.05 * residual(whole, clean)
    assert angle(stream.components_, whole.components_) < 0.02
    np.testing.assert_allclose(stream.singular_values_, whole.singular_values_, rtol=0.05)
    np.testing.assert_allclose(stream.noise_scale_, whole.noise_scale_, rtol=0.1)


def test_outliers_of_a_batch_are_take_out():
    parts = make_low_rank(1500, 40)
    model = streamed(ExRPCA(3), parts.matrix, 500)
    found, true = model.sparse_.toarray() != 0, parts.sparse[1000:] != 0
    assert (found & true).sum() > 0.9 * true.sum()
    assert (found & true).sum() > 0.9 * found.sum()


def test_the_cutoff_of_rows_is_that_of_the_model_of_the_moment():
    X = make_low_rank(1000, 20).matrix
    asked, silent = ExRPCA(3).fit(X[:500]), ExRPCA(3).fit(X[:500])
    assert asked.orthogonal_cutoff_ > 0
    assert asked.partial_fit(X[500:]).orthogonal_cutoff_ == (
        silent.partial_fit(X[500:]).orthogonal_cutoff_
    )


def test_a_fitted_model_goes_on_and_a_fit_begins_anew(angle):
    parts = make_low_rank(2000, 30)
    first, later = parts.matrix[:1000], parts.matrix[1000:]
    fitted = ExRPCA(3).fit(first).partial_fit(later)
    stream = ExRPCA(3).partial_fit(first).partial_fit(later)
    np.testing.assert_array_equal(fitted.components_, stream.components_)
    again = clone(fitted).fit(first)
    np.testing.assert_array_equal(fitted.fit(first).components_, again.components_)
    fitted.partial_fit(later)
    np.testing.assert_array_equal(fitted.components_, stream.components_)


def test_a_batch_may_be_one_row_and_have_gaps():
    X = make_low_rank(300, 20).matrix
    X[250, 3] = np.nan
    model = ExRPCA(3, missing="impute").partial_fit(X[:200])
    for i in range(240, 260):
        model.partial_fit(X[i : i + 1])
    assert np.isfinite(model.components_).all()
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-8)


def test_frames_of_a_video():
    folder = os.environ.get("EXRPCA_DATA")
    if not folder:
        pytest.skip("needs matrices/escalator.npz in the folder EXRPCA_DATA")
    frames = np.load(Path(folder) / "matrices" / "escalator.npz")["frames"]
    X = frames[:, ::2, ::2].reshape(len(frames), -1).astype(np.float32)
    held_out = np.arange(len(X)) % 5 == 4
    whole = ExRPCA(5).fit(X[~held_out])
    stream = streamed(ExRPCA(5), X[~held_out], 20)
    assert residual(stream, X[held_out]) < 1.05 * residual(whole, X[held_out])


@pytest.mark.filterwarnings("error")
def test_a_batch_beyond_any_number_is_refused_and_the_model_kept():
    X = np.random.default_rng(0).normal(size=(200, 6))
    model, other = ExRPCA(2).partial_fit(X), ExRPCA(2).partial_fit(X)
    with pytest.raises(ValueError, match="too large"):
        model.partial_fit(X * 1e200)
    np.testing.assert_array_equal(
        model.partial_fit(X).components_, other.partial_fit(X).components_
    )
