import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exrpca.errors import InputError
from exrpca.senses import load, save

WORDS = ["bank", "bank", "river"]
SENSES = [0, 1, 0]
VECTORS = [[0.1, -2.0], [3e-7, 4.0], [5.0, 0.25]]


def frame(**columns):
    return pd.DataFrame({"word": WORDS, "sense": SENSES, **columns})


def numbered(prefix, first=0):
    return {f"{prefix}{first + j}": [row[j] for row in VECTORS] for j in range(2)}


FORMS = {
    "lists": frame(vector=VECTORS),
    "arrays": frame(vector=[np.array(row, dtype=np.float32) for row in VECTORS]),
    "arrays of float64": frame(vector=[np.array(row) for row in VECTORS]),
    "JSON": frame(vector=[str(row) for row in VECTORS]),
    "numbers and spaces": frame(vector=[" ".join(map(str, row)) for row in VECTORS]),
    "printed arrays": frame(vector=[f"[{a}\n {b}]" for a, b in VECTORS]),
    "semicolons": frame(vector=[f"({a};{b})" for a, b in VECTORS]),
    "v0": frame(**numbered("v")),
    "dim_1": frame(**numbered("dim_", first=1)),
    "numbers": frame(**numbered("")),
    "other columns": frame(**numbered("v"), note=["x", "y", "z"], year2020=[1, 2, 3]),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", ["frame", "csv", "tsv", "semicolon", "csv.gz", "parquet"])
def test_a_vector_in_every_form(form, way, tmp_path):
    table = FORMS[form]
    path = tmp_path / "table"
    match way:
        case "frame":
            source = table
        case "parquet":
            table.to_parquet(path)
            source = path
        case _:
            packed = "gzip" if way == "csv.gz" else None
            separator = {"tsv": "\t", "semicolon": ";"}.get(way, ",")
            table.to_csv(path, index=False, compression=packed, sep=separator)
            source = path
    senses = load(source)
    assert senses.words == ("bank", "river")
    assert senses.vectors.tolist() == np.array(VECTORS, dtype=np.float32).tolist()


def test_counts_centers_and_global_vectors(tmp_path):
    table = frame(vector=VECTORS, count=[3, 1, 2], center=VECTORS[::-1])
    table["global"] = [[1.0, 1.0], None, [2.0, 2.0]]
    table.to_csv(tmp_path / "a.csv", index=False)
    for source in (table, tmp_path / "a.csv"):
        senses = load(source)
        assert senses.counts.tolist() == [3, 1, 2]
        assert senses.centers.tolist() == np.array(VECTORS[::-1], dtype=np.float32).tolist()
        assert senses.globals.tolist() == [[1, 1], [2, 2]]


def test_numbered_centers_beside_numbered_vectors():
    senses = load(frame(**numbered("x"), **numbered("center_")))
    assert senses.centers.tolist() == senses.vectors.tolist()


def test_rows_in_any_order_with_everything_a_row_has(senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet").to_pandas()
    shuffled = table.iloc[[3, 1, 2, 0]]
    read = load(shuffled)
    assert read.words == ("naïve", "bank", "</s>")
    assert read.select(senses.words) == senses


@pytest.mark.parametrize("word", ["null", "NaN", "", "1", 'quo"te', "a,b", "two words"])
def test_csv_words_that_look_like_something_else(word, tmp_path):
    table = pd.DataFrame({"word": [word], "sense": [0], "vector": ["1 2"]})
    table.to_csv(tmp_path / "a.csv", index=False)
    assert load(tmp_path / "a.csv").words == (word,)


def test_csv_encoding(tmp_path):
    (tmp_path / "a.csv").write_bytes("word,sense,vector\ncafé,0,1 2\n".encode("iso-8859-15"))
    assert load(tmp_path / "a.csv", encoding="iso-8859-15").words == ("café",)
    with pytest.raises(InputError, match=r"a.csv: .*UTF8"):
        load(tmp_path / "a.csv")


BAD_TABLES = [
    (frame(), "no column vector among word, sense; expected word, sense and vector"),
    (pd.DataFrame({"vector": VECTORS}), "no column word among vector"),
    (frame(**numbered("a"), **numbered("b")), "no column vector"),
    (frame(v0=[1, 2, 3], v2=[1, 2, 3]), "no column vector"),
    (frame(vector=[[1.0], [1.0, 2.0], [1.0]]), "row 2: 2 values, expected 1"),
    (frame(vector=["1 2", "1 2 3", "1 2"]), "row 2: 3 values, expected 2"),
    (frame(vector=["1 2", "1 x", "1 2"]), "row 2: .*'x'.* expected numbers"),
    (frame(vector=["1 2", "1 nan", "1 2"]), "row 2: found nan, expected finite numbers"),
    (frame(vector=["1 2", "", "1 2"]), "row 2: no vector"),
    (frame(v0=[1, np.inf, 2]), "row 2: found inf, expected finite numbers"),
    (frame(v0=[1, None, 2]), "row 2: found nan, expected finite numbers"),
    (frame(v0=[1, 2, 3], count=[1, 2, 0.5]), "count.*"),
    (frame(v0=[1, 2, 3]).assign(sense=[0, 0, 0]), "row 2: sense 0 of the word .* appears twice"),
    (frame(v0=[1, 2, 3]).assign(sense=["a", "a", "c"]), "row 2: sense 'a' of the word 'bank' app"),
    (frame(v0=[1, 2, 3]).assign(sense=["a", None, "c"]), "row 2: no sense, expected a number or"),
    (frame(v0=[1, 2, 3]).iloc[:0], "no rows"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "message"), BAD_TABLES)
@pytest.mark.parametrize("way", ["frame", "csv", "parquet"])
def test_bad_tables(table, message, way, tmp_path):
    path = tmp_path / "table"
    if way == "csv":
        table.to_csv(path, index=False)
    elif way == "parquet":
        table.to_parquet(path)
    with pytest.raises(InputError) as caught:
        load(table if way == "frame" else path, reader="table" if way == "csv" else None)
    assert str(caught.value).startswith("data frame: " if way == "frame" else f"{path}: ")
    assert "\n" not in str(caught.value)
    if way != "csv":  # there Arrow speaks of some of them first
        caught.match(message)


@pytest.mark.parametrize("way", ["frame", "csv", "parquet"])
@pytest.mark.parametrize(
    ("sense", "labels"),
    [
        (["money", "water", "1"], ("money", "water", "1")),
        (["0", "1", "0"], None),
        ([3, 7, 12], ("3", "7", "12")),
        (None, None),  # the rows of a word are its senses
    ],
)
def test_senses_are_numbers_or_labels(way, sense, labels, tmp_path):
    table = frame(vector=VECTORS).drop(columns="sense")
    if sense is not None:
        table["sense"] = sense
    if way == "csv":
        table.to_csv(tmp_path / "table", index=False)
    elif way == "parquet":
        table.to_parquet(tmp_path / "table")
    senses = load(table if way == "frame" else tmp_path / "table")
    assert senses.words == ("bank", "river")
    assert senses.labels == labels


@pytest.mark.parametrize("way", ["csv", "parquet"])
def test_columns_with_other_names(way, tmp_path):
    table = frame(emb=VECTORS).rename(columns={"word": "lemma"}).assign(word="not this one")
    if way == "csv":
        table.to_csv(tmp_path / "table", index=False)
    else:
        table.to_parquet(tmp_path / "table")
    senses = load(tmp_path / "table", columns={"word": "lemma", "vector": "emb"})
    assert senses == load(table, columns={"word": "lemma", "vector": "emb"})
    assert senses.words == ("bank", "river")


def test_a_word_without_global_vector():
    table = frame(vector=VECTORS)
    table["global"] = [[1.0, 1.0], None, None]
    with pytest.raises(InputError, match="the word 'river' has no global vector"):
        load(table)


@pytest.mark.parametrize("value", [{"a": 1}, [[1.0]], True])
def test_columns_that_hold_no_numbers(value):
    with pytest.raises(InputError, match=r"data frame: .* expected (lists of )?numbers"):
        load(frame(vector=[value, value, value]))


def test_a_missing_word():
    with pytest.raises(InputError, match="data frame: row 2: no word"):
        load(frame(vector=VECTORS).assign(word=["a", None, "b"]))


def test_arrow_types_of_other_programs(tmp_path):
    table = pa.table(
        {
            "word": pa.array(WORDS).dictionary_encode(),
            "sense": pa.array(SENSES, pa.uint8()),
            "vector": pa.array([np.array(row, np.float16) for row in VECTORS]).cast(
                pa.large_list(pa.float16())
            ),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    assert load(tmp_path / "a.parquet").words == ("bank", "river")
