import numpy as np
import pytest

from exrpca import disambiguate, load
from exrpca.errors import InputError
from exrpca.training import PRESETS, Settings, train

SMALL = {"dim": 20, "min_count": 1, "max_senses": 2, "threads": 1}


def topic_of(senses, word, sense):
    """Which kind of context words the sense's vector predicts best."""
    scores = senses.globals @ senses[word, sense]
    return senses.words[int(np.argmax(scores))].rstrip("0123456789")


@pytest.mark.parametrize(
    ("optimizer", "window_negatives"), [("sgd", 5), ("sgd", 0), ("adagrad", 0)]
)
def test_planted_senses_separate(planted_lines, optimizer, window_negatives):
    settings = {"optimizer": optimizer, "window_negatives": window_negatives, "epochs": 4}
    senses = train(planted_lines, **SMALL, **settings)
    topics = {"money", "river"}
    assert {topic_of(senses, "bank", 0), topic_of(senses, "bank", 1)} == topics
    chosen = {
        topic: topic_of(
            senses,
            "bank",
            disambiguate(senses, "bank", [f"{topic}{i}" for i in range(8)]).probability.argmax(),
        )
        for topic in topics
    }
    assert chosen == {"money": "money", "river": "river"}


def test_np_mssg_opens_a_sense_for_a_second_kind_of_context_alone(planted_lines):
    senses = train(planted_lines, **SMALL, model="np-mssg", epochs=4, threshold=0.3)
    assert len(senses["bank"]) == 2
    assert len(senses["coin"]) == len(senses["boat"]) == 1


def test_only_the_most_frequent_words_get_several_senses(planted_lines):
    senses = train(planted_lines, **SMALL, multi_sense_top=1)
    assert senses.words[0] == "bank"
    assert senses.n_senses.tolist() == [2] + [1] * (len(senses) - 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_one_thread_and_one_seed_give_equal_bits(planted_lines, preset):
    first, second, other = (
        train(planted_lines, preset=preset, **SMALL, seed=seed) for seed in (1, 1, 2)
    )
    assert first == second
    assert not np.array_equal(first.globals, other.globals)


def test_counts_are_the_tokens_of_one_epoch(planted_lines):
    senses = train(planted_lines, **SMALL, sample=0)
    counts = dict(zip(senses.words, senses.metadata["word_counts"], strict=True))
    assert counts["bank"] == len(planted_lines)
    assert senses.counts[senses.rows("bank")].sum() == counts["bank"]


def mean_logit(lines, negatives, window_negatives):
    """Train with small steps; return the mean of v · g, which falls as log(negatives) grows."""
    senses = train(
        lines, dim=10, min_count=1, max_senses=1, threads=1, sample=0, learning_rate=0.002,
        negatives=negatives, window_negatives=window_negatives, contexts="globals",
    )  # fmt: skip
    return float((senses.vectors @ senses.globals.T).mean())


def test_shared_and_unshared_negatives_agree(planted_lines):
    unshared = mean_logit(planted_lines, 10, 0)
    # What a shared weight that is 10% too high would amount to.
    ten_percent = unshared - mean_logit(planted_lines, 11, 0)
    assert ten_percent > 0.05
    for window_negatives in (5, 15, 50):
        shared = mean_logit(planted_lines, 10, window_negatives)
        assert abs(shared - unshared) < 0.2 * ten_percent


def test_the_output_is_saved_and_the_run_folder_gone(planted_lines, tmp_path):
    output = tmp_path / "senses.parquet"
    senses = train(planted_lines, **SMALL, output=output)
    assert load(output) == senses
    assert load(output).metadata["training"]["dim"] == 20
    assert [path.name for path in tmp_path.iterdir()] == ["senses.parquet"]


def test_nothing_is_left_after_bad_input(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        train(tmp_path / "absent", output=tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


def test_the_highest_seed_trains(planted_lines):
    assert len(train(planted_lines[:50], **SMALL, seed=2**63 - 1)) > 2


@pytest.mark.parametrize(("contexts", "window"), [("words", 4), ("globals", 3)])
def test_senses_are_chosen_by_the_window_they_were_trained_with(planted_lines, contexts, window):
    settings = {"window": 3, "context_window": 4, "contexts": contexts}
    senses = train(planted_lines[:50], **SMALL, **settings)
    assert senses.metadata["context"] == {"window": window}


def test_lower_casing_is_a_setting_of_the_run():
    senses = train([["The", "CAT"], ["the", "cat"]] * 9, **SMALL, lowercase=True)
    assert sorted(senses) == ["cat", "the"]
    assert senses.metadata["training"]["lowercase"] is True


def unread():
    raise AssertionError("the corpus is read")
    yield


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ({"output": "out.txt"}, r"cannot tell the format from the name .*out\.txt"),
        ({"output": "out.vec", "writer": "csv"}, "writer='csv' must be one of"),
    ],
)
def test_an_output_that_cannot_be_written_is_named_before_the_corpus_is_read(
    tmp_path, monkeypatch, output, message
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        train(unread(), **output)
    assert list(tmp_path.iterdir()) == []


def test_a_writer_counts_more_than_the_name(planted_lines, tmp_path):
    senses = train(planted_lines, **SMALL, output=tmp_path / "out.txt", writer="parquet")
    assert load(tmp_path / "out.txt", reader="parquet") == senses


def test_a_folder_with_anything_else_in_it_is_refused(planted_lines, tmp_path):
    folder = tmp_path / "out.parquet.training"
    folder.mkdir()
    for name in ("notes.txt", "tokens.i32"):
        (folder / name).write_text("mine")
    with pytest.raises(InputError, match=r"contains notes\.txt, which no run wrote"):
        train(planted_lines, **SMALL, output=tmp_path / "out.parquet")
    assert len(list(folder.iterdir())) == 2


def test_what_a_killed_run_left_gives_way(planted_lines, tmp_path):
    folder = tmp_path / "out.parquet.training"
    folder.mkdir()
    for name in ("tokens.i32", ".vocabulary.json.0123abcd.tmp", ".checkpoint.npz.0123abcd.tmp"):
        (folder / name).write_text("cut sh")
    train(planted_lines, **SMALL, output=tmp_path / "out.parquet")
    assert not folder.exists()


def test_what_is_put_into_the_folder_meanwhile_stays(planted_lines, tmp_path):
    notes = tmp_path / "out.parquet.training" / "notes.txt"

    def lines():
        yield from planted_lines
        notes.write_text("mine")

    train(lines(), **SMALL, output=tmp_path / "out.parquet")
    assert list(notes.parent.iterdir()) == [notes]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dim": 0}, "dim=0 must be at least 1"),
        ({"model": "glove"}, "model='glove' must be one of mssg, np-mssg"),
        ({"optimizer": "adam"}, "optimizer='adam' must be one of"),
        ({"threshold": 2}, "threshold=2 must be between -1 and 1"),
        ({"learning_rate": 0}, "learning_rate=0 must be above 0"),
        ({"learning_rate": float("inf")}, "learning_rate=inf must be above 0 and at most 1"),
        ({"sample": float("nan")}, "sample=nan must be at least 0"),
        ({"seed": 2**63}, f"seed={2**63} must be at most {2**63 - 1}"),
        ({"optimizer": "adagrad"}, "window_negatives=15 must be 0 with optimizer='adagrad'"),
        ({"contexts": "both"}, "contexts='both' must be one of words, globals"),
        ({"context_window": 0}, "context_window=0 must be at least 1"),
        ({"single_sense_epochs": 0}, "single_sense_epochs=0 needs contexts='globals'"),
        ({"dims": 5}, "unknown setting dims; known are model, dim"),
    ],
)
def test_bad_settings_are_named(changes, message):
    with pytest.raises(InputError, match=message):
        Settings().with_changes(**changes)


def test_bad_arguments_are_named(planted_lines, tmp_path):
    with pytest.raises(InputError, match="preset='best' must be one of"):
        train(planted_lines, preset="best")
    with pytest.raises(InputError, match="threads=0 must be at least 1"):
        train(planted_lines, threads=0)
    with pytest.raises(InputError, match="needs an output"):
        train(planted_lines, resume=True)
    with pytest.raises(InputError, match="does not exist"):
        train(planted_lines, output=tmp_path / "absent" / "out.parquet")


def test_a_folder_is_a_text_and_its_output_is_none(planted_lines, tmp_path):
    for name, lines in (("a.txt", planted_lines[:200]), ("b/c.txt", planted_lines[200:400])):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("\n".join(map(" ".join, lines)))
    options = {"dim": 4, "min_count": 1, "threads": 1, "output": tmp_path / "o.parquet"}
    first, again = (train(tmp_path, **options) for _ in range(2))
    assert first == again
    (tmp_path / "d").write_bytes(b"\0")
    with pytest.raises(InputError, match="d: is not UTF-8 text"):
        train(tmp_path, **options)


def test_a_small_text_is_said_to_be_small(planted_lines):
    with pytest.warns(UserWarning, match="mostly noise below 5,000,000"):
        train(planted_lines, **SMALL, epochs=1)
