import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA

from exrpca.errors import InputError
from exrpca.evaluation.baselines import all_but_the_top, map_pseudo_pairs, neighbor_map, wordnet_map
from exrpca.evaluation.wordnet import load_wordnet
from exrpca.senses import DifferenceMatrix, SenseVectors, make_senses


@pytest.fixture(scope="module")
def planted():
    return make_senses(n_words=500, dim=24, n_components=2, seed=4)


def spread(senses, pairs):
    """The mean cosine distance of the pairs' senses."""
    unit = senses.vectors / np.linalg.norm(senses.vectors, axis=1, keepdims=True)
    X = DifferenceMatrix(senses)
    distance = 1 - np.einsum("nd,nd->n", unit[X.rows_a], unit[X.rows_b])
    return distance[pairs].mean()


def test_all_but_the_top_removes_the_mean_and_scikit_learns_first_components(planted):
    senses = planted.senses
    result = all_but_the_top(senses, 3)
    pca = PCA(3).fit(senses.vectors)
    centered = senses.vectors - pca.mean_
    expected = centered - centered @ pca.components_.T @ pca.components_
    assert_allclose(result.vectors, expected, atol=1e-4)
    assert result.centers is senses.centers
    for rank in (0, 24):
        with pytest.raises(InputError, match=f"rank={rank} must be between 1 and 23"):
            all_but_the_top(senses, rank)


def test_neighbor_map_draws_pseudo_senses_together_more_than_real_ones(planted):
    real = planted.pairs["real"].to_numpy()
    mapped = neighbor_map(planted.senses)
    drawn = [spread(mapped, pairs) / spread(planted.senses, pairs) for pairs in (~real, real)]
    assert drawn[0] < 0.5
    assert drawn[0] < 0.7 * drawn[1]
    with pytest.raises(InputError, match="needs globals"):
        neighbor_map(planted.senses.replace(globals=None))


def test_map_minimizes_what_it_says(planted):
    senses = planted.senses
    profiles = []

    def numbered(neighbors):
        """One of 19 numbers per sense, so that some pairs have high scores by chance."""
        profiles.append(np.arange(len(neighbors))[:, None] % 19.0)
        return profiles[0]

    mapped = map_pseudo_pairs(senses, numbered)
    X = DifferenceMatrix(senses)
    order = np.random.default_rng(0).permutation(len(X))
    a, b = X.rows_a[order], X.rows_b[order]
    rows = np.unique(np.concatenate([a, b]))
    number = dict(zip(rows, profiles[0][:, 0], strict=True))
    shuffled = np.random.default_rng(0).permutation(b)
    by_chance = [
        number[i] * number[j]
        for i, j in zip(a, shuffled, strict=True)
        if senses.word_of_row[i] != senses.word_of_row[j]
    ]
    limit = np.quantile(by_chance, 0.95)
    pseudo = np.array([number[i] * number[j] > limit for i, j in zip(a, b, strict=True)])
    assert pseudo.any()
    A = np.linalg.lstsq(senses.vectors, mapped.vectors, rcond=None)[0].astype(np.float64)
    first, second = (senses.vectors[rows[pseudo]].astype(np.float64) for rows in (a, b))
    V, M = np.vstack([first, second]), np.vstack([(first + second) / 2] * 2)
    alpha = 0.01 * np.trace(V.T @ V) / senses.dim
    gradient = V.T @ (V @ A - M) + alpha * (A - np.eye(senses.dim))
    assert abs(gradient).max() < 1e-4 * abs(V.T @ M).max()


def test_no_pseudo_pair_leaves_the_vectors_alone(planted):
    senses = planted.senses
    assert map_pseudo_pairs(senses, lambda near: np.zeros((len(near), 1))) == senses


def test_one_multi_sense_word_is_too_few():
    rng = np.random.default_rng(0)
    senses = SenseVectors(["a", "b"], rng.normal(size=(3, 4)), [2, 1], globals=np.eye(2, 4))
    with pytest.raises(InputError, match="only one multi-sense word"):
        neighbor_map(senses)


def test_wordnet_map_joins_senses_with_like_neighbors():
    try:
        load_wordnet()
    except InputError as error:
        pytest.skip(str(error))
    groups = (
        "cat dog horse cow sheep goat pig mouse lion tiger",
        "bread cheese butter soup cake pie rice meat pasta jam",
        "baker butcher tailor carpenter miller smith mason potter cook clerk",
    )
    rng = np.random.default_rng(0)
    words, vectors, n_senses, pseudo = [], [], [], rng.normal(size=12)
    for axis, group in enumerate(groups):
        for word in group.split():
            base = 4 * np.eye(12)[axis] + rng.normal(scale=0.3, size=12)
            words.append(word)
            vectors += [base, base + pseudo]
            n_senses.append(2)
    senses = SenseVectors(words, vectors, n_senses)
    mapped = wordnet_map(senses)
    all_pairs = np.ones(len(words), dtype=bool)
    assert spread(mapped, all_pairs) < 0.5 * spread(senses, all_pairs)
