"""A Dask cluster gives the same vectors and senses, even if a worker dies."""

import importlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

from exrpca import InputError, encode, induce, load
from exrpca.contextual import Encoder, Occurrences, encoder, encoding_folder
from exrpca.contextual.encoding_folder import EncodingFolder


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


@pytest.fixture
def options(tiny, monkeypatch):
    monkeypatch.setattr(encoding_folder, "PART_ROWS", 4)
    text = [["the", "river", "bank", *["money"] * (i % 7)] for i in range(50)]
    return {"corpus": text, "words": ["bank", "river"], "encoder": tiny}


def same(one, other):
    np.testing.assert_array_equal(one.vectors, other.vectors)
    assert one.texts == other.texts
    assert one.words == other.words


def test_workers_give_the_same_rows_and_load_the_encoder_once(client, options):
    same(encode(**options, client=client), encode(**options))
    loaded = client.run(lambda: len(encoder._loaded))
    assert set(loaded.values()) == {1}


def test_a_worker_that_dies_costs_nothing(client, options, monkeypatch):
    save = EncodingFolder.save
    killed = []

    def save_and_kill(folder, part, vectors):
        save(folder, part, vectors)
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    expected = encode(**options)
    monkeypatch.setattr(EncodingFolder, "save", save_and_kill)
    same(encode(**options, client=client), expected)
    assert len(killed) == 1


def test_what_a_worker_raises_is_one_clear_line(client, options, tmp_path):
    folder = shutil.copytree(options["encoder"], tmp_path / "encoder")
    loaded = Encoder(folder)
    (folder / "tokenizer.json").unlink()  # a worker does not find what is here
    with pytest.raises(InputError, match=r"encoder: the encoder's folder has no tokenizer\.json"):
        encode(**options | {"encoder": loaded}, client=client)


def test_the_command_line_finds_the_cluster(client, options, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("".join(" ".join(line) + "\n" for line in options["corpus"]))
    command = ["encode", text, "--words", "bank", "--encoder", options["encoder"]]
    address = client.scheduler.address
    program = Path(sys.executable).with_name("exrpca")
    for name, more in (("here", []), ("there", ["--scheduler", address])):
        output = tmp_path / f"{name}.parquet"
        subprocess.run([program, *command, "-o", output, *more], check=True)
    same(*(Occurrences.load(tmp_path / f"{name}.parquet") for name in ("here", "there")))


@pytest.fixture(scope="module")
def many():
    """Words of which every second one has two senses."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(12 * 40, 30))
    second = (np.arange(len(vectors)) % 40 < 20) & (np.arange(len(vectors)) // 40 % 2 == 0)
    vectors[second, 0] += 20
    return Occurrences.from_arrays([f"w{i // 40}" for i in range(len(vectors))], vectors)


def test_senses_are_the_same_even_if_a_worker_dies(client, many, monkeypatch):
    module = importlib.import_module("exrpca.contextual.induce")  # not the function
    on_workers, killed = module.on_workers, []

    def one_dies(*arguments):
        for result in on_workers(*arguments):
            if not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)
            yield result

    senses, table = induce(many)
    monkeypatch.setattr(module, "on_workers", one_dies)
    there, table_there = induce(many, client=client)
    assert len(killed) == 1
    assert there == senses
    pd.testing.assert_frame_equal(table_there, table)


def test_induce_finds_the_cluster(client, many, tmp_path):
    many.save(tmp_path / "o.parquet")
    program = Path(sys.executable).with_name("exrpca")
    for name, more in (("here", []), ("there", ["--scheduler", client.scheduler.address])):
        output = tmp_path / f"{name}.parquet"
        subprocess.run([program, "induce", tmp_path / "o.parquet", "-o", output, *more], check=True)
    assert load(tmp_path / "here.parquet") == load(tmp_path / "there.parquet")
