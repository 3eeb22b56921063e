import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import norm

from exrpca.analysis import (
    component_pairs,
    describe_components,
    outside_share,
    outside_shares,
    spectrum,
)
from exrpca.analysis.components import pair_cosines
from exrpca.analysis.spectrum import beside_pca, residual_density, residuals


def test_directions_are_orthonormal_and_begin_with_the_components(decomposition):
    variances, directions = spectrum(decomposition)
    assert_allclose(directions @ directions.T, np.eye(24), atol=1e-6)
    assert (np.diff(variances) <= 0).all()
    overlap = abs(np.sum(directions[:2] * decomposition.components, axis=1))
    assert_allclose(overlap, 1, atol=1e-3)


def test_outlier_norm_is_the_length_of_each_row_of_s(decomposition):
    dense = decomposition.estimator.sparse_.toarray()
    assert_allclose(decomposition.outlier_norm, np.linalg.norm(dense, axis=1), rtol=1e-5)


def test_pair_cosines_are_with_x_and_with_x_less_s(decomposition):
    raw, kept = pair_cosines(decomposition)
    X = decomposition.differences[:]
    rest = X - decomposition.estimator.sparse_.toarray()
    for found, rows in ((raw, X), (kept, rest)):
        expected = rows @ decomposition.components.T / np.linalg.norm(rows, axis=1, keepdims=True)
        assert_allclose(found, expected, atol=1e-5)


def test_component_pairs_are_the_best_explained_and_turned_to_be_positive(decomposition):
    table = component_pairs(decomposition, n=20)
    assert table["component"].tolist() == [1] * 20 + [2] * 20
    assert (table["sense_a"] > table["sense_b"]).any()
    assert (table["sense_a"] < table["sense_b"]).any()
    assert (table["cosine_without_outliers"] > 0).all()
    senses = decomposition.senses
    for row in table.itertuples():
        difference = senses[row.word, row.sense_a] - senses[row.word, row.sense_b]
        component = decomposition.components[row.component - 1]
        cosine = difference @ component / np.linalg.norm(difference)
        assert_allclose(row.cosine, cosine, atol=1e-5)
    best = abs(pair_cosines(decomposition)[1]).max(axis=0)
    firsts = table.groupby("component")["cosine_without_outliers"].first()
    assert_allclose(firsts, best, rtol=1e-6)
    assert not table.duplicated(["component", "word"]).any()


def test_description_has_poles_at_both_ends(decomposition):
    table = describe_components(decomposition)
    assert table["component"].tolist() == [1, 2]
    assert table["explained_variance_ratio"].is_monotonic_decreasing
    senses, component = decomposition.senses, decomposition.components[0]
    for pole, sign in (("positive_pole", 1), ("negative_pole", -1)):
        word = table[pole][0].split()[0]
        own = max(sign * senses.cosines(component)[senses.rows(word)])
        several = np.repeat(senses.n_senses > 1, senses.n_senses)
        assert_allclose(own, max(sign * senses.cosines(component)[several]))


def test_outside_share_of_known_residuals(decomposition):
    E = np.concatenate(list(residuals(decomposition)))
    assert_allclose(E @ decomposition.components.T, 0, atol=1e-4)
    sigma = np.sqrt(np.mean(E.astype(float) ** 2))
    assert_allclose(outside_share(decomposition), np.mean(abs(E) > 3 * sigma), atol=1e-9)
    both = beside_pca(decomposition)
    assert [each.rank for each in both] == [2, 2]
    assert beside_pca(both[0]) == both[:1]
    table = outside_shares(*both)
    assert table["method"].tolist() == ["pca", "exrpca"]
    # the planted real pairs are outliers to PCA; to Ex-RPCA they are S
    assert table["outside_3_sigma"][0] > 2 * table["outside_3_sigma"][1]
    assert_allclose(table["expected"], 2 * norm.sf(3))


def test_density_sums_to_one(decomposition):
    edges = np.linspace(-40, 40, 401)
    assert_allclose((residual_density(decomposition, edges) * np.diff(edges)).sum(), 1)
