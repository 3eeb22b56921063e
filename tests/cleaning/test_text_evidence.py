"""Detection with a text: words of two topics and words of one, whose vectors look much alike."""

import gzip
import lzma
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from exrpca import InputError, SenseVectors, detect, make_senses, merge
from exrpca.cleaning import SenseDecomposition
from exrpca.cleaning.real_share import RealShare
from exrpca.cleaning.text_evidence import TWO_HUMPS, Judged, TextCoverage, with_text
from exrpca.text import Corpus

N_WORDS, N_TOPICS, N_TOPIC_WORDS, DIM, N_LINES = 120, 30, 15, 20, 60


def planted(n, seed=0):
    """Return senses, a text, and which words have two topics.

    Every word has two senses. The contexts of one of two topics form two clouds. Those of one topic
    form one, and its centers are somewhere in it.
    """
    rng = np.random.default_rng(seed)
    topics = 0.6 * rng.normal(size=(N_TOPICS, DIM))
    topic_words = np.repeat(topics, N_TOPIC_WORDS, axis=0)
    topic_words = topic_words + 0.9 * rng.normal(size=topic_words.shape)
    two = np.arange(n) % 3 == 0
    first = rng.integers(N_TOPICS, size=n)
    second = np.where(two, (first + 1 + rng.integers(N_TOPICS - 1, size=n)) % N_TOPICS, first)
    # centers on both sides of their topics, and what is the word's own; some are as far apart as
    # those of two topics
    off = rng.normal(size=(n, DIM)) * rng.uniform(0.05, 0.45, size=(n, 1))
    along = np.einsum("nd,nd->n", off, topics[first]) / (topics[first] ** 2).sum(axis=1)
    off -= along[:, None] * topics[first]
    own = 0.6 * rng.normal(size=(n, DIM))
    centers = np.stack([topics[first] + own + off, topics[second] + own - off], axis=1)
    names = [f"word{i}" for i in range(n)] + [f"topic{i}" for i in range(len(topic_words))]
    rest = topic_words / 10
    senses = SenseVectors(
        names,
        np.concatenate([rng.normal(size=(2 * n, DIM)), rest]),
        [2] * n + [1] * len(rest),
        centers=np.concatenate([centers.reshape(-1, DIM), rest]),
        globals=np.concatenate([np.zeros((n, DIM)), topic_words]),
        metadata={"context": {"window": 4}},
    )
    lines = []
    for word in range(n):
        for line in range(N_LINES):
            topic = (first if line % 2 else second)[word]
            around = rng.integers(N_TOPIC_WORDS, size=8) + topic * N_TOPIC_WORDS
            tokens = [f"topic{i}" for i in around]
            lines.append([*tokens[:4], f"word{word}", *tokens[4:]])
    return senses, [lines[i] for i in rng.permutation(len(lines))], two


@pytest.fixture(scope="module")
def many():
    return planted(N_WORDS)


@pytest.fixture(scope="module")
def judged(many):
    senses, lines, _ = many
    return detect(senses), detect(senses, corpus=lines)


def test_a_text_tells_words_of_two_topics_from_words_of_one(many, judged) -> None:
    two = many[2]
    without, with_it = (roc_auc_score(two, pairs["score"]) for pairs in judged)
    assert without < 0.95
    assert with_it > 0.98
    humps = judged[1]["humps"].to_numpy()
    assert np.nanmin(humps[two]) > TWO_HUMPS > np.nanmax(humps[~two])


def test_verdicts_get_better(many, judged) -> None:
    two = many[2]
    without, with_it = (pairs["verdict"].to_numpy() for pairs in judged)
    assert (with_it[two] == "pseudo").sum() < (without[two] == "pseudo").sum()
    assert (with_it[two] == "real").sum() >= (without[two] == "real").sum()
    assert (with_it[~two] == "pseudo").sum() > (without[~two] == "pseudo").sum()


def test_the_text_changes_the_order_and_not_the_share(judged) -> None:
    without, with_it = judged
    assert without.attrs["real_share"].basis == "contrast"
    assert with_it.attrs["real_share"] == without.attrs["real_share"]
    np.testing.assert_allclose(np.sort(with_it["probability"]), np.sort(without["probability"]))
    assert list(with_it) == ["word", "sense_a", "sense_b", "humps", *list(without)[3:]]
    n_judged = int(with_it["humps"].notna().sum())
    assert with_it.attrs["text"] == TextCoverage(N_WORDS, N_WORDS, N_WORDS, n_judged)


def test_where_vectors_say_nothing_two_humps_are_real_and_one_is_undecided() -> None:
    senses, lines, two = planted(20)  # too few pairs to compare with other words
    assert (detect(senses)["verdict"] == "undecided").all()
    pairs = detect(senses, corpus=lines)
    verdict = pairs["verdict"].to_numpy()
    assert (verdict[two] == "real").all()
    assert (verdict[~two] == "undecided").all()
    np.testing.assert_array_equal(verdict == "real", pairs["humps"] >= TWO_HUMPS)
    merged, _ = merge(senses, pairs)
    assert len(merged.vectors) == len(senses.vectors)


def test_words_that_the_text_lacks_keep_what_their_vectors_say(many, judged) -> None:
    senses, lines, _ = many
    absent = {"word0", "word1"}
    pairs = detect(senses, corpus=[line for line in lines if not absent & set(line)])
    left_out = pairs["word"].isin(absent)
    assert pairs["humps"][left_out].isna().all()
    columns = ["word", "score", "probability"]
    pd.testing.assert_frame_equal(pairs[left_out][columns], judged[0][left_out][columns])
    assert "118 of 120 words" in str(pairs.attrs["text"])


@pytest.mark.parametrize("lines", [[], [["nothing", "known"]]])
def test_a_text_without_any_of_the_words_changes_nothing(many, judged, lines) -> None:
    pairs = detect(many[0], corpus=lines)
    assert pairs["humps"].isna().all()
    pd.testing.assert_frame_equal(pairs.drop(columns="humps"), judged[0], check_flags=False)
    assert pairs.attrs["text"].words_found == 0


def test_a_few_contexts_say_nothing(many, judged) -> None:
    senses, lines, _ = many
    pairs = detect(senses, corpus=lines[: len(lines) // 10])
    assert pairs["humps"].isna().all()
    pd.testing.assert_series_equal(pairs["verdict"], judged[0]["verdict"])
    assert pairs.attrs["text"] == TextCoverage(N_WORDS, N_WORDS, N_WORDS, 0)


@pytest.mark.parametrize("kind", ["plain", "gz", "xz"])
def test_files_are_read_as_in_training(many, judged, tmp_path, kind) -> None:
    senses, lines, _ = many
    opened = {"plain": open, "gz": gzip.open, "xz": lzma.open}[kind]
    path = tmp_path / f"text.{kind}"
    with opened(path, "wt", encoding="utf-8") as file:
        file.writelines(" ".join(line) + "\n" for line in lines)
    pd.testing.assert_frame_equal(detect(senses, corpus=path), judged[1])


def test_training_settings_decide_how_a_file_is_read(many, judged, tmp_path) -> None:
    senses, lines, _ = many
    path = tmp_path / "text.txt"
    path.write_text("\n".join(" , ".join(line).upper() for line in lines))
    training = {"tokenizer": "words", "lowercase": True}
    trained = senses.replace(metadata={**senses.metadata, "training": training})
    pd.testing.assert_frame_equal(detect(trained, corpus=path), judged[1])
    whitespace = senses.replace(metadata={**senses.metadata, "training": {}})
    split = detect(whitespace, corpus=Corpus(path, tokenizer="whitespace"))
    assert not split["humps"].equals(judged[1]["humps"])  # commas took places in the windows


def test_a_decomposition_takes_a_text_too(many, judged) -> None:
    senses, lines, _ = many
    pairs = detect(SenseDecomposition.fit(senses, method="pca", rank=1), corpus=lines)
    pd.testing.assert_series_equal(pairs["verdict"], judged[1]["verdict"])


def test_clear_lengths_decide_alone() -> None:
    truth = make_senses(n_words=200)
    lines = [[word] * 5 for word in truth.senses.words] * 20
    pairs = detect(truth.senses, corpus=lines)
    assert pairs.attrs["real_share"].basis == "mixture"
    pd.testing.assert_series_equal(pairs["verdict"], detect(truth.senses)["verdict"])


@pytest.mark.parametrize("part", ["centers", "globals"])
def test_vectors_without_centers_cannot_use_a_text(many, part) -> None:
    with pytest.raises(InputError, match="these vectors have none"):
        detect(many[0].replace(**{part: None}), corpus=many[1])


def test_a_missing_file_is_an_error_before_the_work(many, monkeypatch) -> None:
    monkeypatch.delattr(sys.modules["exrpca.cleaning.detect"], "find_mixture")  # the work
    with pytest.raises(InputError, match="no such file"):
        detect(many[0], corpus="nosuch.txt")


def test_one_hump_is_no_evidence_against_a_pair() -> None:
    share = RealShare(None, 0.2, 1.0, "contrast")
    score = np.arange(5.0)
    found = with_text(Judged(score, score / 5, share), np.array([0.0, 0.1, -2.0, 0.2, 5.0]))
    np.testing.assert_array_equal(found.score[:4], score[:4])
    assert found.score[4] > 4
