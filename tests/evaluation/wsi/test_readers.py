import gzip

import pandas as pd
import pytest

from exrpca.errors import InputError
from exrpca.evaluation import WsiData, read_wsi


def rows(data):
    return list(data.table.itertuples(index=False, name=None))


def test_semeval_aligns_contexts_with_labels_by_instance_number(semeval):
    data = read_wsi(semeval)
    assert data.name == "SemEval-2010"
    assert rows(data) == [
        ("bank.n", "bank", "the river", "bank", "was steep", "bank.n.1"),
        ("bank.n", "bank", "a loan from the", "bank", "", "bank.n.2"),
        ("run.v", "run", "they", "run", "a shop", "run.v.3"),
    ]


def test_coarsewsd_reads_train_and_test_of_each_word(coarsewsd):
    data = read_wsi(coarsewsd)
    assert data.name == "CoarseWSD-20"
    assert rows(data) == [
        ("bank", "bank", "the", "banks", ", steep", "0"),
        ("bank", "bank", "", "Bank", "of England", "1"),
        ("bank", "bank", "my own", "bank", "", "1"),
    ]


def test_coarsewsd_tokens_are_separated_by_spaces_and_lines_by_line_ends(coarsewsd):
    sentence = "an\u00a0odd\u2028token then bank\x85"
    (coarsewsd / "bank" / "test.data.txt").write_text(f"2\t{sentence}\n", encoding="utf-8")
    row = rows(read_wsi(coarsewsd))[-1]
    assert row == ("bank", "bank", "an\u00a0odd\u2028token then", "bank\x85", "", "1")


def test_coarsewsd_takes_occurrences_spread_over_a_long_file(coarsewsd):
    lines = [f"0\tbank {i}" for i in range(1000)]
    (coarsewsd / "bank" / "train.data.txt").write_text("\n".join(lines) + "\n")
    (coarsewsd / "bank" / "train.gold.txt").write_text("0\n" * 1000)
    data = read_wsi(coarsewsd)
    taken = data.table["right"][data.table["right"].str.isdecimal()].astype(int)
    assert len(taken) == 250
    assert (taken.iloc[0], taken.iloc[-1]) == (0, 999)
    assert set(taken.diff().dropna()) == {4, 5}


def test_semcor_words_are_lemmas_with_their_part_of_speech(semcor):
    data = read_wsi(semcor)
    assert data.name == "SemCor-WSI"
    assert rows(data) == [
        ("bank.NN", "bank", "The", "banks", "of a few rivers , then .", "1:17:01::"),
        ("bank.NN", "bank", "He said the", "bank", "closed .", "1:14:00::"),
    ]


BANKS = [
    ("bank.n", "bank", "the river", "banks", 'were "steep", here', "shore"),
    ("bank.n", "bank", "my", "bank", "lends", "money"),
]


def test_plain_tables_of_each_kind(plain, tmp_path):
    assert read_wsi(plain).name == "banks"
    assert rows(read_wsi(plain)) == BANKS
    table = pd.read_csv(plain)
    table.assign(note=7).to_parquet(tmp_path / "banks.parquet")
    table.to_csv(tmp_path / "banks.tsv", sep="\t", index=False)
    (tmp_path / "banks.csv.gz").write_bytes(gzip.compress(plain.read_bytes()))
    for name in ("banks.parquet", "banks.tsv", "banks.csv.gz"):
        assert rows(read_wsi(tmp_path / name)) == BANKS
        assert read_wsi(tmp_path / name).name == "banks"


def test_a_plain_table_may_give_the_lemma(plain, tmp_path):
    table = pd.read_csv(plain).assign(lemma=["depot", "Bank"])
    for path in (tmp_path / "given.csv", tmp_path / "given.parquet"):
        table.to_csv(path, index=False) if path.suffix == ".csv" else table.to_parquet(path)
        assert list(read_wsi(path).table["lemma"]) == ["depot", "Bank"]


def test_gold_senses_may_be_numbers(plain, tmp_path):
    pd.read_csv(plain).assign(gold=[3, 7]).to_parquet(tmp_path / "numbers.parquet")
    assert list(read_wsi(tmp_path / "numbers.parquet").table["gold"]) == ["3", "7"]


def test_line_ends_and_signatures_of_other_systems(plain):
    plain.write_bytes(b"\xef\xbb\xbf" + plain.read_bytes().replace(b"\n", b"\r\n"))
    assert rows(read_wsi(plain)) == BANKS


def replaced(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "message"),
    [
        ("dataset.txt", "bank.n 2", "bank.n", 1, "expected a word and how many contexts"),
        ("dataset.txt", "bank.n 2", "bank.n 3", 1, "bank.n has 3 contexts but 2 labels in key.txt"),
        ("dataset.txt", "run.v 1", "fly.v 1", 4, "fly.v has 1 contexts but 0 labels"),
        ("dataset.txt", "from the\t", "from the", 3, "separated by one tab"),
        ("dataset.txt", "they\ta shop\n", "", 4, "separated by one tab"),
        ("key.txt", "run.v.1 run.v.3", "run.v.1", 1, "expected word, instance and sense"),
        ("key.txt", "bank.n.9", "bank.n.x", 3, "expected word, instance and sense"),
    ],
)
def test_bad_semeval_files(semeval, file, old, new, line, message):
    replaced(semeval / file, old, new)
    with pytest.raises(InputError, match=message) as error:
        read_wsi(semeval)
    assert (error.value.path, error.value.line) == (semeval / file, line)


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "message"),
    [
        ("train.data.txt", "0\tBank", "3\tBank", 2, "there are 3 tokens"),
        ("train.data.txt", "1\tthe", "the", 1, "expected the position of a token"),
        ("test.data.txt", "2\t", "-2\t", 1, "expected the position of a token"),
        ("train.data.txt", "0\tBank of England\n", "", None, "1 occurrences but 2 labels"),
    ],
)
def test_bad_coarsewsd_files(coarsewsd, file, old, new, line, message):
    replaced(coarsewsd / "bank" / file, old, new)
    with pytest.raises(InputError, match=message) as error:
        read_wsi(coarsewsd)
    assert (error.value.path, error.value.line) == (coarsewsd / "bank" / file, line)


def test_coarsewsd_names_a_missing_file_and_an_empty_label(coarsewsd):
    (coarsewsd / "bank" / "test.gold.txt").write_text(" \n")
    with pytest.raises(InputError, match=r"row 3: gold is empty"):
        read_wsi(coarsewsd)
    (coarsewsd / "bank" / "test.gold.txt").unlink()
    with pytest.raises(InputError, match=r"test.gold.txt: no such file"):
        read_wsi(coarsewsd)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(12, 16)", "(12, 99)", r"row 2: the position '\(12, 99\)' must be"),
        ("(4, 9)", "4-9", "row 1: the position '4-9' must be"),
        ("(4, 9)", "(9, 4)", "must be"),
        ("1:14:00::", "", "row 2: gold is empty"),
        (",2,NN", ",2,NN,more", "Expected 6 fields in line 3, saw 7"),
    ],
)
def test_bad_semcor_files(semcor, old, new, message):
    replaced(semcor, old, new)
    with pytest.raises(InputError, match=message) as error:
        read_wsi(semcor)
    assert error.value.path == semcor


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("gold\n", "sense\n", "no column gold; expected the columns word, left"),
        ("bank.n,my,bank", "bank.n,my,", "row 2: target is empty"),
        ("bank.n,my", ",my", "row 2: word is empty"),
        ("lends,money", "lends", "row 2: gold is empty"),
        ("my,bank", 'my,"bank', "is not a CSV file"),
    ],
)
def test_bad_plain_tables(plain, old, new, message):
    replaced(plain, old, new)
    with pytest.raises(InputError, match=message) as error:
        read_wsi(plain)
    assert error.value.path == plain


def test_records_may_span_several_lines(plain):
    replaced(plain, "the river", '"the\nwide\nriver"')
    assert read_wsi(plain).table["left"][0] == "the\nwide\nriver"


def test_uses_without_a_sense_are_left_out_as_in_dwug(plain):
    replaced(plain, "bank.n,my,bank,lends,money", "bank_nn,my,bank,lends,-1\nbank_nn,,bank,,3")
    assert rows(read_wsi(plain))[1:] == [("bank_nn", "bank", "", "bank", "", "3")]


def test_bad_parquet_tables(plain, tmp_path):
    path = tmp_path / "banks.parquet"
    table = pd.read_csv(plain)
    for broken, message in [
        (table.assign(gold=["shore", None]), "row 2: gold is empty"),
        (table.assign(gold=[0.5, 2]), r"row 1: gold is 0\.5, expected text"),
        (table.assign(word=[None, "bank"]), "row 1: word is empty"),
        (table.assign(word=[5, 6]), "row 1: word is 5, expected text"),
        (table.drop(columns="left"), "no column left"),
        (table[:0], "no occurrence"),
    ]:
        broken.to_parquet(path)
        with pytest.raises(InputError, match=message):
            read_wsi(path)
    path.write_bytes(b"PAR1 and so on")
    with pytest.raises(InputError, match="is not a complete Parquet file"):
        read_wsi(path)


def test_what_is_no_data_set(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_wsi(tmp_path / "absent")
    with pytest.raises(InputError, match="for a table, give the file itself"):
        read_wsi(tmp_path)
    path = tmp_path / "empty.csv"
    path.write_text("")
    with pytest.raises(InputError, match="is not a CSV file"):
        read_wsi(path)
    path.write_text('word,"left')
    with pytest.raises(InputError, match="is not a CSV file"):
        read_wsi(path)
    path.write_text("word,left,target,right,gold\n")
    with pytest.raises(InputError, match="no occurrence, expected at least 1"):
        read_wsi(path)
    path.write_bytes(b"word,left,target,right,gold\nbank,\xff,bank,,x\n")
    with pytest.raises(InputError, match="line 2: is not UTF-8 text"):
        read_wsi(path)


def test_a_damaged_compressed_table(plain, tmp_path):
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(gzip.compress(plain.read_bytes())[:-12])
    with pytest.raises(InputError, match="is damaged: get a fresh copy"):
        read_wsi(path)


def test_a_table_made_in_memory_is_checked(plain):
    table = read_wsi(plain).table
    with pytest.raises(InputError, match="has no column lemma, gold"):
        WsiData("banks", table.drop(columns=["gold", "lemma"]))
    with pytest.raises(InputError, match="row 2: lemma is empty"):
        WsiData("banks", table.assign(lemma=["bank", ""]))


@pytest.mark.parametrize(
    ("path", "name", "n_occurrences", "n_words"),
    [
        ("semeval-2010", "SemEval-2010", 8915, 100),
        ("coarsewsd-20", "CoarseWSD-20", 7903, 20),
        ("semcor-wsi/dev.csv", "SemCor-WSI", 15308, 1271),
        ("dwug-en/uses.csv.xz", "uses", 4440, 23),
    ],
)
def test_the_published_sets(real_data, path, name, n_occurrences, n_words):
    data = read_wsi(real_data / path)
    assert (data.name, len(data), data.n_words) == (name, n_occurrences, n_words)
