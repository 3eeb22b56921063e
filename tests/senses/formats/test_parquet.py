import gzip

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from exrpca.errors import InputError
from exrpca.senses import SenseVectors, load, save


def test_pandas_opens_it(senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    table = pd.read_parquet(tmp_path / "a.parquet")
    assert list(table.columns) == ["word", "sense", "count", "vector", "center", "global"]
    assert table["word"].tolist() == ["bank", "bank", "</s>", "naïve"]
    assert table["sense"].tolist() == [0, 1, 0, 0]
    assert table["vector"][1].tolist() == senses["bank", 1].tolist()
    assert table["global"].isna().tolist() == [False, True, False, False]


def test_columns_are_fixed_size_lists_of_float32(senses, tmp_path):
    save(senses, tmp_path / "a.parquet")
    schema = pq.read_schema(tmp_path / "a.parquet")
    assert str(schema.field("vector").type) == "fixed_size_list<element: float not null>[2]"


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
    with pytest.raises(InputError, match="Parquet packed as gz: unpack it first"):
        load(tmp_path / "b")
