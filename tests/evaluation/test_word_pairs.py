import pytest

from exrpca.errors import InputError
from exrpca.evaluation import read_scws, read_word_pairs, wordsim353

RATINGS = "\t".join(["5.0"] * 10)


def scws_line(number, words=("bank", "river"), contexts=("a <b> bank </b> b", "<b>river</b> c")):
    fields = [str(number), words[0], "n", words[1], "n", *contexts, "5.0"]
    return "\t".join(fields) + "\t" + RATINGS


@pytest.fixture
def write(tmp_path):
    def write(*lines, name="file.txt"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def test_scws_contexts_with_odd_spacing_and_targets_at_the_edges(write):
    path = write(
        scws_line(1, contexts=("  one   two <b>  bank</b>three ", "<b> river </b> .")),
        "",
        scws_line(2, contexts=("x , <b>bank </b>", "<b> river </b>")),
    )
    data = read_scws(path)
    (bank, river), (edge, alone) = data.contexts
    assert (bank.left, bank.right) == (("one", "two"), ("three",))
    assert (river.left, river.right) == ((), (".",))
    assert (edge.left, edge.right) == (("x", ","), ())
    assert (alone.left, alone.right) == ((), ())
    assert data.words == (("bank", "river"), ("bank", "river"))
    assert data.name == "SCWS"


def test_contexts_of_text_that_is_not_tokenized(write):
    contexts = ("The <b>bank</b>, near a well-known river.", "“<b>River</b>”!")
    lines = [scws_line(number, contexts=contexts) for number in (1, 2)]
    (bank, river), _ = read_scws(write(*lines), tokenizer="words").contexts
    assert (bank.left, bank.right) == (("The",), ("near", "a", "well", "known", "river"))
    assert (river.left, river.right) == ((), ())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (scws_line(2).rsplit("\t", 1)[0], "17 tab-separated fields, expected 18"),
        (scws_line(2, contexts=("no target", "<b> river </b>")), "0 words marked"),
        (scws_line(2, contexts=("<b> a </b> <b> b </b>", "<b> river </b>")), "2 words marked"),
        (scws_line(2).replace("5.0", "five", 1), "'five' is not a number"),
        (scws_line(2).replace("5.0", "11", 1), "11 is not between 0 and 10"),
        (scws_line(2).replace("5.0", "nan", 1), "nan is not between 0 and 10"),
        (scws_line(2, words=("", "river")), "a word is empty"),
    ],
)
def test_scws_errors_name_file_and_line(write, line, message):
    path = write(scws_line(1), line)
    with pytest.raises(InputError, match=message) as error:
        read_scws(path)
    assert error.value.line == 2
    assert str(path) in str(error.value)


def test_scws_refuses_other_bytes_and_empty_files(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes(scws_line(1).encode() + b"\n\xff\n")
    with pytest.raises(InputError, match="line 2: is not UTF-8"):
        read_scws(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="0 word pairs"):
        read_scws(path)
    with pytest.raises(InputError, match="no such file"):
        read_scws(tmp_path / "absent")


@pytest.mark.parametrize("separator", ["\t", ",", ", ", " ", ";"])
def test_word_pair_files_with_any_separator(write, separator):
    path = write(
        "# a comment",
        separator.join(["word1", "word2", "rating"]),
        "",
        separator.join(["cat", "dog", "7.5"]),
        separator.join(["cat", "car", "1"]),
        name="pets.csv",
    )
    data = read_word_pairs(path)
    assert data.name == "pets"
    assert data.words == (("cat", "dog"), ("cat", "car"))
    assert data.ratings.tolist() == [7.5, 1]
    assert data.contexts is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cat\tdog", "line 2: 2 fields, expected 3"),
        ("cat\tdog\tmuch", "line 2: the rating 'much' is not a number"),
        ("cat\tdog\tinf", "line 2: the rating 'inf' is not finite"),
    ],
)
def test_word_pair_errors_name_the_line(write, line, message):
    with pytest.raises(InputError, match=message):
        read_word_pairs(write("a\tb\t1", line))


def test_word_pairs_refuse_other_bytes_and_empty_files(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_bytes(b"a b 1\n\xe9 b 2\n")
    with pytest.raises(InputError, match="line 2: is not UTF-8"):
        read_word_pairs(path)
    path.write_bytes(b"# nothing\n")
    with pytest.raises(InputError, match="0 word pairs"):
        read_word_pairs(path)


def test_wordsim353_is_bundled_whole():
    data = wordsim353()
    assert len(data) == 353
    assert data.name == "WS-353"
    assert data.words[-1] == ("architecture", "century")
    assert (data.ratings.min(), data.ratings.max()) == (0.23, 10.0)
