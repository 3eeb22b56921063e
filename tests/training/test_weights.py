import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.training import Settings
from exrpca.training import weights as weights_module
from exrpca.training.vocabulary import Vocabulary
from exrpca.training.weights import as_sense_vectors, initial_weights, lookup_tables


def vocabulary(n_words):
    words = [f"w{i}" for i in range(n_words)]
    return Vocabulary(words, np.arange(n_words, 0, -1, dtype=np.int64) ** 3)


@given(data=st.data(), n_words=st.integers(1, 9), n_multi=st.integers(0, 9))
def test_trained_senses_survive_in_order_of_their_counts(data, n_words, n_multi):
    settings = Settings(dim=2, max_senses=3, multi_sense_top=n_multi)
    weights = initial_weights(vocabulary(n_words), settings)
    counts = data.draw(
        st.lists(st.integers(0, 3), min_size=len(weights.counts), max_size=len(weights.counts))
    )
    weights.counts[:] = counts
    before = weights.vectors.copy()
    with_senses = np.minimum(n_words, n_multi)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weights_module, "_WORDS_AT_A_TIME", 2)
        senses = as_sense_vectors(weights, vocabulary(n_words), settings, {})
    row = 0
    for i, word in enumerate(senses.words):
        own = np.arange(row, row + (3 if i < with_senses else 1))
        row = own[-1] + 1
        used = [r for r in sorted(own, key=lambda r: -counts[r]) if counts[r] > 0] or [own[0]]
        np.testing.assert_array_equal(senses[word], before[used])
        assert senses.counts[senses.rows(word)].tolist() == [counts[r] for r in used]


def test_negatives_are_drawn_by_the_power_of_their_count():
    words = vocabulary(50)
    drawn = np.bincount(lookup_tables(words, Settings()).negatives, minlength=50)
    power = words.counts**0.75
    np.testing.assert_allclose(drawn / drawn.sum(), power / power.sum(), atol=1e-3)


def test_rare_words_are_kept_and_frequent_ones_thinned():
    keep = lookup_tables(vocabulary(50), Settings(sample=1e-3)).keep
    assert keep[-1] == 1
    assert keep[0] < keep[10] < 1
    assert (lookup_tables(vocabulary(50), Settings(sample=0)).keep == 1).all()
