import numpy as np
import pytest

from exrpca.cleaning import SenseDecomposition
from exrpca.evaluation import WordPairs
from exrpca.senses import make_senses


@pytest.fixture(scope="session")
def planted():
    return make_senses(n_words=400, dim=24, n_components=2, seed=3)


@pytest.fixture(scope="session")
def decomposition(planted):
    return SenseDecomposition.fit(planted.senses, rank=2)


@pytest.fixture(scope="session")
def pairs(planted):
    """Word pairs rated by the cosine of their global vectors, with noise."""
    senses = planted.senses
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, len(senses), size=(2, 120))
    ratings = np.einsum("nd,nd->n", senses.globals[a], senses.globals[b]) + rng.normal(size=120)
    words = tuple((senses.words[i], senses.words[j]) for i, j in zip(a, b, strict=True))
    return WordPairs("planted", words, ratings)
