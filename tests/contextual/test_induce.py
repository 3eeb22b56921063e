"""Senses from occurrences: what is split, what is not, and that order does not matter."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exrpca
from exrpca.contextual import Occurrences, assign
from exrpca.errors import InputError
from exrpca.senses import load, save

DIM = 100


def induce(occurrences, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # these occurrences are few
        return exrpca.induce(occurrences, **options)


def clusters(sizes, *, apart, seed=0, dim=DIM):
    """Round clouds around centers at right angles, and the cloud of each row."""
    rng = np.random.default_rng(seed)
    cloud = np.repeat(np.arange(len(sizes)), sizes)
    return rng.normal(size=(len(cloud), dim)) + apart * np.eye(len(sizes), dim)[cloud], cloud


def with_other_words(vectors, n=5, size=30, seed=1):
    """The occurrences of "it", after those of some words with one sense."""
    others = np.random.default_rng(seed).normal(size=(n * size, vectors.shape[1]))
    names = np.repeat([f"w{i}" for i in range(n)], size)
    return Occurrences.from_arrays(
        [*names, *["it"] * len(vectors)], np.concatenate([others, vectors])
    )


def senses_of(occurrences, **options):
    """The sense of each occurrence of "it"."""
    found = induce(occurrences, **options)[1]
    return found.loc[found["word"] == "it", "sense"].to_numpy()


def same_partition(a, b):
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


def test_a_table_or_its_file_will_do(tmp_path):
    vectors, _ = clusters([30, 30], apart=15)
    occurrences = with_other_words(vectors)
    occurrences.save(tmp_path / "o.parquet")
    words = np.array(occurrences.words)[occurrences.word_of]
    frame = pd.DataFrame({"word": words, "vector": list(occurrences.vectors)})
    expected = induce(occurrences)[1]
    for table in (frame, tmp_path / "o.parquet", str(tmp_path / "o.parquet")):
        pd.testing.assert_frame_equal(induce(table)[1], expected)


# --- what is split --------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(4, 4), (10, 30), (100, 100), (1500, 500)])
def test_two_far_clusters_become_two_senses(sizes):
    vectors, cloud = clusters(sizes, apart=25)
    assert same_partition(senses_of(with_other_words(vectors)), cloud)


def test_three_far_clusters_become_three_senses():
    vectors, cloud = clusters((50, 40, 30), apart=25)
    found = senses_of(with_other_words(vectors))
    assert same_partition(found, cloud)
    assert np.bincount(found).tolist() == [50, 40, 30]  # the most frequent first


@pytest.mark.parametrize("m", [1, 2, 5, 20, 200, 700])
@pytest.mark.parametrize("alone", [True, False])
def test_one_round_cloud_stays_one_sense(m, alone):
    for seed in range(3):
        vectors, _ = clusters((m,), apart=0, seed=seed)
        occurrences = Occurrences.from_arrays(["it"] * m, vectors)
        occurrences = occurrences if alone else with_other_words(vectors)
        assert set(senses_of(occurrences)) == {0}


@pytest.mark.parametrize("m", [20, 40, 60])
def test_few_occurrences_of_a_round_cloud_are_seldom_split(m):
    words = np.repeat([f"w{i}" for i in range(40)], m)
    vectors = np.random.default_rng(m).normal(size=(len(words), DIM))
    senses, _ = induce(Occurrences.from_arrays(words, vectors))
    # a valley that may be chance counts for nothing; it would be up to a third otherwise
    assert (senses.n_senses > 1).mean() <= 0.15


def test_two_occurrences_are_split_only_if_far_apart_for_the_vocabulary():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(50) for _ in range(2)]
    vectors = np.repeat(rng.normal(size=(50, DIM)), 2, axis=0) + 0.3 * rng.normal(size=(100, DIM))
    far = rng.normal(size=(2, DIM))
    near = rng.normal(size=DIM) + 0.3 * rng.normal(size=(2, DIM))
    occurrences = Occurrences.from_arrays(
        [*words, "far", "far", "near", "near"], np.concatenate([vectors, far, near])
    )
    senses, _ = induce(occurrences)
    assert (len(senses["far"]), len(senses["near"])) == (2, 1)


def test_more_occurrences_than_decide_go_to_the_nearest_center():
    vectors, cloud = clusters((4000, 2000), apart=12)
    found = senses_of(with_other_words(vectors))
    assert ((found == 0) == (cloud == 0)).mean() > 0.99


def test_the_dial_goes_from_many_senses_to_one():
    vectors, _ = clusters((60, 50, 40), apart=6)
    numbers = [
        senses_of(with_other_words(vectors), lost=lost).max() + 1 for lost in (0, 0.1, 0.4, 0.7, 1)
    ]
    assert numbers == sorted(numbers, reverse=True)
    assert (numbers[0], numbers[-1]) == (6, 1)


# --- what has no influence ------------------------------------------------------------------------


@settings(max_examples=8)
@given(st.randoms(use_true_random=False), st.sampled_from([(3, 2), (20, 15)]))
def test_order_of_rows_and_words_has_no_influence(random, sizes):
    vectors, _ = clusters(sizes, apart=8, dim=30)
    occurrences = with_other_words(vectors)
    order = np.array(random.sample(range(len(occurrences)), len(occurrences)))
    word = np.array(occurrences.words)[occurrences.word_of]
    shuffled = Occurrences.from_arrays(word[order], occurrences.vectors[order])
    senses, found = induce(occurrences)
    other_senses, other_found = induce(shuffled)
    assert other_found["sense"].tolist() == found["sense"][order].tolist()
    assert other_found["probability"].tolist() == found["probability"][order].tolist()
    assert other_senses.select(senses.words) == senses


def test_a_seed_gives_the_same_result_again():
    vectors, _ = clusters((400, 300), apart=5)
    one, two = (induce(with_other_words(vectors), seed=3) for _ in range(2))
    assert one[0] == two[0]
    assert one[1].equals(two[1])


def test_the_length_of_vectors_has_no_influence():
    vectors, cloud = clusters((40, 30), apart=25)
    vectors *= np.random.default_rng(2).uniform(0.5, 2, size=(70, 1))
    assert same_partition(senses_of(with_other_words(vectors)), cloud)


# --- what is returned -----------------------------------------------------------------------------


def test_vectors_and_counts_are_those_of_the_occurrences():
    vectors, _ = clusters((40, 30), apart=25)
    occurrences = with_other_words(vectors)
    senses, found = induce(occurrences)
    assert senses.words == occurrences.words
    for sense in (0, 1):
        own = ((found["word"] == "it") & (found["sense"] == sense)).to_numpy()
        assert senses.counts[senses.row("it", sense)] == own.sum()
        np.testing.assert_allclose(
            senses["it", sense], occurrences.vectors[own].mean(axis=0), atol=1e-5
        )


def test_senses_from_a_file_assign_occurrences_as_they_were(tmp_path):
    vectors, _ = clusters((400, 300), apart=8)
    occurrences = with_other_words(vectors)
    senses, found = induce(occurrences)
    assert len(senses["it"]) == 2
    save(senses, tmp_path / "senses.parquet")
    again = assign(load(tmp_path / "senses.parquet"), occurrences)
    assert (again["sense"] == found["sense"]).all()
    np.testing.assert_allclose(again["probability"], found["probability"], atol=1e-5)


def test_probabilities_are_low_between_senses():
    vectors, _ = clusters((100, 100), apart=12)
    middle = vectors.mean(axis=0, keepdims=True)
    occurrences = with_other_words(np.concatenate([vectors, middle]))
    probability = induce(occurrences)[1]["probability"].to_numpy()
    assert ((probability >= 0.5) & (probability <= 1)).all()
    assert probability[-1] < np.median(probability[-201:-1])
    assert (probability[:150] == 1).all()  # words with one sense


def test_new_occurrences_of_other_sizes_are_refused():
    senses, _ = induce(with_other_words(clusters((40, 30), apart=25)[0]))
    with pytest.raises(InputError, match="7 dimensions, the centers of the senses 100"):
        assign(senses, Occurrences.from_arrays(["it"], np.ones((1, 7))))


def test_senses_from_elsewhere_assign_nothing():
    senses = exrpca.make_senses(n_words=20, dim=7).senses
    with pytest.raises(InputError, match="not induced"):
        assign(senses, Occurrences.from_arrays(["it"], np.ones((1, 7))))


def test_typical_sentences_are_the_nearest_to_the_center():
    vectors, cloud = clusters((40, 30), apart=25)
    texts = pa.table(
        {
            "left": [f"{c} left {i} " for i, c in enumerate(cloud)],
            "target": ["it"] * 70,
            "right": [" right"] * 70,
        }
    )
    occurrences = Occurrences.from_arrays(["it"] * 70, vectors, texts=texts)
    senses, found = induce(occurrences)
    assert [len(own) for own in senses.examples] == [5, 5]
    for own, cluster in zip(senses.examples, "01", strict=True):
        assert {example.left[0] for example in own} == {cluster}
        assert len(set(own)) == 5
    assert found["right"].tolist() == [" right"] * 70


# --- clusters of the user's own -------------------------------------------------------------------


def labeled(vectors, labels):
    return Occurrences.from_arrays(["it"] * len(vectors), vectors, labels=labels)


def test_given_clusters_of_one_cloud_are_merged():
    vectors, cloud = clusters((60, 60), apart=25)
    labels = 2 * cloud + np.arange(120) % 2
    assert same_partition(senses_of(labeled(vectors, labels)), cloud)


def test_given_clusters_that_differ_stay_whatever_their_names():
    vectors, cloud = clusters((60, 40), apart=25)
    assert senses_of(labeled(vectors, np.where(cloud == 0, 7, 3))).tolist() == cloud.tolist()


def test_no_cluster_stays_no_sense():
    vectors, cloud = clusters((60, 40), apart=25)
    labels = np.where(np.arange(100) % 10 == 0, -1, cloud)
    senses, found = induce(labeled(vectors, labels))
    assert found["sense"].tolist() == labels.tolist()
    assert (found["probability"].isna() == (labels == -1)).all()
    assert senses.counts.tolist() == [54, 36]


def test_a_word_without_any_cluster_is_left_out():
    vectors, cloud = clusters((60, 40), apart=25)
    occurrences = Occurrences.from_arrays(
        ["it"] * 60 + ["no"] * 40, vectors, labels=np.where(cloud == 0, 0, -1)
    )
    senses, found = induce(occurrences)
    assert senses.words == ("it",)
    assert set(found.loc[found["word"] == "no", "sense"]) == {-1}
    with pytest.raises(InputError, match="all occurrences are labeled -1"):
        induce(labeled(vectors, np.full(100, -1)))


def test_a_small_given_cluster_is_not_lost_beside_a_large_one():
    vectors, cloud = clusters((3000, 10), apart=25)
    assert senses_of(labeled(vectors, cloud)).tolist() == cloud.tolist()


# --- bad and odd input ----------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("m", [1, 2, 5, 50])
def test_equal_vectors_are_one_sense(value, m):
    vectors = np.full((m, DIM), value)
    assert set(senses_of(Occurrences.from_arrays(["it"] * m, vectors))) == {0}
    assert set(senses_of(with_other_words(vectors))) == {0}


def test_zero_vectors_among_others_do_no_harm():
    vectors, cloud = clusters((40, 30), apart=25)
    vectors[:3] = 0
    senses, found = induce(with_other_words(vectors))
    assert np.isfinite(senses.vectors).all()
    assert np.isfinite(senses.centers).all()
    assert same_partition(found["sense"].to_numpy()[-67:], cloud[3:])


def test_values_that_are_not_finite_are_refused():
    with pytest.raises(InputError, match="row 2 of the vectors"):
        Occurrences.from_arrays(["it"] * 2, np.array([[1.0, 2.0], [np.nan, 1.0]]))


def test_no_occurrences_are_refused():
    with pytest.raises(InputError, match="no occurrences"):
        exrpca.induce(Occurrences((), np.zeros(0, dtype=np.int64), np.zeros((0, 3))))


@pytest.mark.parametrize("lost", [-0.1, 1.1, np.nan])
def test_a_dial_outside_0_to_1_is_refused(lost):
    with pytest.raises(InputError, match="lost"):
        exrpca.induce(with_other_words(np.ones((3, 5))), lost=lost)


@pytest.mark.parametrize(
    ("m", "n_others", "lost", "message"),
    [
        (30, 0, 0.6, "only one word"),
        (5, 5, 0.6, "1 of 6 words have fewer than 20 occurrences"),
        (30, 5, 0.0, "lost is 0"),
        (30, 5, 1.0, "lost is 1"),
    ],
)
def test_doubts_are_said(m, n_others, lost, message):
    occurrences = with_other_words(clusters((m,), apart=0)[0], n=n_others)
    with pytest.warns(UserWarning, match=message):
        exrpca.induce(occurrences, lost=lost)


def test_without_doubts_nothing_is_said():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exrpca.induce(with_other_words(clusters((30,), apart=0)[0]))


def test_memory_is_bounded():
    """Beside the vectors as given there are blocks of them only."""
    import tracemalloc

    n, dim = 60_000, 128
    vectors = np.random.default_rng(0).normal(size=(n, dim)).astype(np.float16)
    occurrences = Occurrences(("a", "b"), (np.arange(n) % 50 == 0).astype(np.int64), vectors)
    induce(with_other_words(clusters((30,), apart=0)[0]))  # imports and caches
    tracemalloc.start()
    induce(occurrences)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * n * dim  # less than the vectors as float32
