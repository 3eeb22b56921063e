import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from exrpca.errors import InputError
from exrpca.senses import SenseVectors, load, save
from exrpca.senses.metadata import context_entry

DATA = Path(__file__).parent / "data"
EXPECTED_METADATA = {"window": 5, "format": "parquet"}


def test_pandas_opens_it(senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    table = pd.read_parquet(tmp_path / "a.parquet")
    assert list(table.columns) == ["word", "sense", "count", "vector", "center", "global"]
    assert table["word"].tolist() == ["bank", "bank", "</s>", "naïve"]
    assert table["sense"].tolist() == [0, 1, 0, 0]
    assert table["vector"][1].tolist() == senses["bank", 1].tolist()
    assert table["global"].isna().tolist() == [False, True, False, False]


def test_pandas_opens_labels_several_centers_and_examples(labeled, tmp_path):
    save(labeled, tmp_path / "a.parquet")
    table = pd.read_parquet(tmp_path / "a.parquet")
    assert table["label"].tolist() == ["money", "water", "", "|NOUN"]
    assert [len(centers) for centers in table["centers"]] == [2, 1, 1, 1]
    assert table["examples"][0][1] == {"left": "a ", "target": "Bank", "right": ""}
    assert load(table) == labeled


def test_columns_are_lists_that_every_pyarrow_reads(labeled, tmp_path):
    """Up to pyarrow 25, lists of a fixed size with gaps cannot be read (apache/arrow#35692)."""
    save(labeled, tmp_path / "a.parquet")
    schema = pq.read_schema(tmp_path / "a.parquet")
    for name in ("vector", "global"):
        assert str(schema.field(name).type) == "list<element: float not null>"
    assert "fixed" not in str(schema)


def test_settings_are_kept(senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    assert load(tmp_path / "a.parquet").metadata == {"window": 5, "format": "parquet"}
    with pytest.raises(InputError, match="metadata cannot be written as JSON"):
        save(senses.replace(metadata={"a": object()}), tmp_path / "b.parquet")


def test_what_is_absent_stays_absent(tmp_path):
    save(SenseVectors(["a"], [[1, 2]], [1]), tmp_path / "a.parquet")
    assert pq.read_schema(tmp_path / "a.parquet").names == ["word", "sense", "vector"]
    read = load(tmp_path / "a.parquet")
    assert read.counts is read.centers is read.globals is None


def test_many_groups_of_rows(many, tmp_path):
    save(many, tmp_path / "a.parquet")
    assert pq.ParquetFile(tmp_path / "a.parquet").num_row_groups > 1
    assert load(tmp_path / "a.parquet") == many


def test_a_group_of_rows_without_any_global_vector(tmp_path):
    n = 40_000
    senses = SenseVectors(["a"], np.arange(n * 2.0).reshape(n, 2), [n], globals=[[1, 2]])
    save(senses, tmp_path / "a.parquet")
    assert load(tmp_path / "a.parquet") == senses


def test_packed_parquet_is_named(senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    (tmp_path / "b").write_bytes(gzip.compress((tmp_path / "a.parquet").read_bytes()))
    with pytest.raises(InputError, match="compressed with gz: decompress it"):
        load(tmp_path / "b")


def test_everything_is_kept_whatever_the_order_of_the_rows(labeled, tmp_path):
    save(labeled, tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet").take([3, 1, 0, 2])
    pq.write_table(table.replace_schema_metadata(None), tmp_path / "b.parquet")
    # a word keeps its global vector in the first of its rows, wherever that is
    read = load(tmp_path / "b.parquet").select(labeled.words)
    assert read == labeled


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([[[1.0, 2], [3, 4]], [], [[1, 2]], [[1, 2]]], "row 2: no centers, expected at least one"),
        ([[[1.0, 2], [3, 4]], None, [[1, 2]], [[1, 2]]], "row 2: no centers"),
        ([[[1.0, 2], None], [[1, 2]], [[1, 2]], [[1, 2]]], "row 1: a missing vector in centers"),
        ([[[1.0, 2], [1]], [[1, 2]], [[1, 2]], [[1, 2]]], "row 1: 1 values, expected 2"),
        ([[[1.0]], [[1]], [[1]], [[1]]], "centers has shape"),
        ([[[1.0, np.nan]], [[1, 2]], [[1, 2]], [[1, 2]]], "row 1: found nan"),
    ],
)
def test_bad_lists_of_centers(column, message, senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet").replace_schema_metadata(None)
    pq.write_table(table.append_column("centers", [column]), tmp_path / "b.parquet")
    with pytest.raises(InputError, match=message):
        load(tmp_path / "b.parquet")


def test_columns_of_other_origin_with_our_names_are_left_alone(senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet").replace_schema_metadata(None)
    for name, column in {"label": [1.5] * 4, "centers": ["x"] * 4, "examples": [["x"]] * 4}.items():
        table = table.append_column(name, [column])
    pq.write_table(table, tmp_path / "b.parquet")
    assert load(tmp_path / "b.parquet") == senses
    assert load(table.to_pandas()) == senses


def test_a_label_column_of_csv(tmp_path):
    (tmp_path / "a.csv").write_text("word,sense,label,vector\nbank,0,money,1 0\nbank,1,,0 1\n")
    assert load(tmp_path / "a.csv").labels == ("money", "")


def test_a_file_of_version_0_1():
    senses = load(DATA / "version_0_1.parquet")
    assert senses.words == ("bank", "river", "cell", "naïve", "the end")
    assert senses.n_senses.tolist() == [3, 1, 2, 1, 1]
    np.testing.assert_array_equal(senses.vectors, np.arange(32).reshape(8, 4) / 8)
    np.testing.assert_array_equal(senses.centers, -np.arange(32).reshape(8, 4) / 4)
    np.testing.assert_array_equal(senses.globals, np.arange(20).reshape(5, 4))
    assert senses.counts.tolist() == [0, 10, 20, 30, 40, 50, 60, 70]
    assert senses.n_centers.tolist() == [1] * 8
    assert senses.labels is senses.examples is None
    assert senses.metadata["note"] == "mine"
    assert context_entry(senses.metadata) == {"window": 7}


@pytest.mark.parametrize("revision", ["3", "x"])
def test_a_file_of_a_later_revision_asks_for_an_update(revision, senses, tmp_path):
    path = rewritten(senses, tmp_path, **{"exrpca.revision": revision})
    with pytest.raises(InputError, match=f"has revision {revision} .* update exrpca"):
        load(path)


@pytest.mark.parametrize("settings", ["[1]", "{", "[" * 100_000])
def test_settings_that_are_not_an_object(settings, senses, tmp_path):
    path = rewritten(senses, tmp_path, exrpca=settings)
    with pytest.raises(InputError, match="not a JSON object"):
        load(path)


def test_changed_settings_or_columns_are_noticed(labeled, tmp_path):
    path = rewritten(labeled, tmp_path, exrpca='{"window": 6}')
    with pytest.raises(InputError, match="does not match its checksum"):
        load(path)
    table = pq.read_table(rewritten(labeled, tmp_path))
    for name in ("label", "count", "centers", "global", "examples"):
        pq.write_table(table.drop_columns([name]), path)
        with pytest.raises(InputError, match="does not match its checksum"):
            load(path)
    pq.write_table(table, path, compression="zstd")  # laid out otherwise, the content is the same
    assert load(path) == labeled


def test_a_flipped_bit_is_noticed_or_harmless(labeled, tmp_path):
    """At most one flip in a hundred may change what is read, even in a file of four rows."""
    path = tmp_path / "a.parquet"
    save(labeled, path)
    content = path.read_bytes()
    rng = np.random.default_rng(0)
    n_flips, n_changed = 200, 0
    for bit in rng.choice(8 * len(content), n_flips, replace=False):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << (bit % 8)
        path.write_bytes(damaged)
        try:
            read = load(path, reader="parquet")
        except InputError:
            continue
        n_changed += read != labeled or dict(read.metadata) != EXPECTED_METADATA
    assert n_changed <= n_flips / 100


def rewritten(senses, folder, **entries):
    """Save senses with other entries in the metadata of the schema."""
    path = folder / "rewritten.parquet"
    save(senses, path)
    table = pq.read_table(path)
    metadata = table.schema.metadata | {key.encode(): value for key, value in entries.items()}
    pq.write_table(table.replace_schema_metadata(metadata), path)
    return path
