"""Encoders by name: from a hub on this machine, once, checked, and offline afterwards."""

import os
import shutil
import subprocess
import sys

import huggingface_hub.constants
import numpy as np
import pytest

from exrpca import InputError, SenseVectors, encode
from exrpca.contextual import Encoder
from exrpca.contextual.recommended import RECOMMENDED
from tests.contextual.local_hub import LocalHub

NAME = "someone/tiny"
FIRST, SECOND = "1" * 40, "2" * 40
SENTENCE = ("The river ", "bank", ", the money")


@pytest.fixture
def hub(tiny, tmp_path, monkeypatch):
    hub = LocalHub()
    hub.add(NAME, FIRST, tiny)
    constants = huggingface_hub.constants
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)
    template = hub.url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    yield hub
    hub.close()


def gets(hub):
    return [line for line in hub.requests if line.startswith("GET")]


def test_an_encoder_by_name_is_that_of_its_folder(hub, tiny):
    encoder = Encoder(NAME)
    assert (encoder.name, encoder.revision) == (NAME, FIRST)
    assert encoder.reference == f"{NAME}@{FIRST}"
    assert encoder.digest == Encoder(tiny).digest
    np.testing.assert_array_equal(encoder.encode([SENTENCE]), Encoder(tiny).encode([SENTENCE]))


def test_files_are_downloaded_once_and_a_commit_asks_for_nothing(hub):
    Encoder(NAME)
    assert len(gets(hub)) == 3  # model, tokenizer, config; there is no tokenizer_config.json
    Encoder(NAME)
    assert len(gets(hub)) == 3
    hub.requests.clear()
    Encoder(f"{NAME}@{FIRST}")
    assert hub.requests == []


@pytest.mark.parametrize("name", [name for name, one in RECOMMENDED.items() if not one.folder])
def test_a_recommended_encoder_is_that_of_its_commit_with_what_suits_it(hub, tiny, tmp_path, name):
    known = RECOMMENDED[name]
    folder = tmp_path / "files"
    shutil.copytree(tiny, folder)
    (folder / "onnx" / "model.onnx").rename(folder / known.model)
    hub.add(known.repository, known.revision, folder)
    hub.add(known.repository, SECOND, tiny)  # what came later does not count
    for asked in (name, known.repository):
        encoder = Encoder(asked, layer="last_hidden_state")  # the tiny model has no other layers
        assert (encoder.name, encoder.revision) == (known.repository, known.revision)
        assert encoder.vector == known.vector
        assert Encoder(encoder.reference, layer="last_hidden_state").digest == encoder.digest


def test_the_default_encoder_asks_for_nothing(hub):
    assert Encoder().encode([SENTENCE]).shape == (1, 384)
    assert hub.requests == []


def test_a_revision_is_a_commit_a_branch_or_a_tag(hub, tiny, tmp_path):
    hub.add(NAME, SECOND, tiny, branch="v2")
    assert Encoder(NAME).revision == FIRST
    assert Encoder(f"{NAME}@v2").revision == SECOND
    assert Encoder(f"{NAME}@{SECOND}").revision == SECOND


def test_without_network_the_cache_serves(hub, monkeypatch):
    with_network = Encoder(NAME).encode([SENTENCE])
    hub.close()
    for name in (NAME, f"{NAME}@{FIRST}"):
        np.testing.assert_array_equal(Encoder(name).encode([SENTENCE]), with_network)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    np.testing.assert_array_equal(Encoder(NAME).encode([SENTENCE]), with_network)
    with pytest.raises(InputError, match="else/where is not in the cache, and HF_HUB_OFFLINE"):
        Encoder("else/where")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("someone/nobody", "the Hub knows no encoder 'someone/nobody'"),
        (f"{NAME}@v9", "someone/tiny has no revision 'v9'"),
        ("someone/empty", r"the Hub has no tokenizer\.json of someone/empty"),
        ("someone/torch", r"the Hub has no onnx/model\.onnx or model\.onnx of someone/torch"),
        ("nothing", "no encoder has this name: choose one of minilm, mpnet"),
        ("./no/such/folder", "no such folder"),
    ],
)
def test_a_name_that_leads_nowhere_is_one_clear_line(hub, tiny, tmp_path, name, message):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "README.md").write_text("nothing else")
    hub.add("someone/empty", FIRST, folder)
    (folder / "tokenizer.json").write_bytes((tiny / "tokenizer.json").read_bytes())
    hub.add("someone/torch", FIRST, folder)
    with pytest.raises(InputError, match=message) as raised:
        Encoder(name)
    assert "\n" not in str(raised.value)


def test_no_network_and_no_cache_is_one_clear_line_at_once(hub):
    hub.close()
    with pytest.raises(InputError, match="someone/tiny cannot be downloaded from http") as raised:
        Encoder(NAME)
    assert "name no encoder for the one that comes with exrpca" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("file", ["onnx/model.onnx", "tokenizer.json"])
def test_a_damaged_download_is_refused(hub, file):
    hub.damaged.add(file)
    with pytest.raises(InputError, match="its checksum is not the stated one"):
        Encoder(NAME)


def test_a_file_that_is_damaged_in_the_cache_is_refused(hub, tmp_path):
    Encoder(NAME)
    path = next((tmp_path / "cache").rglob("snapshots/*/onnx/model.onnx"))
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.resolve().write_bytes(content)
    with pytest.raises(InputError, match="its checksum is not the stated one"):
        Encoder(NAME)


def test_occurrences_and_senses_know_their_encoder(hub):
    text = [["the", "river", "bank"], ["the", "bank", "money"]]
    found = encode(text, words=["bank"], encoder=Encoder(NAME, vector="context"))
    made = {key: found.metadata[key] for key in ("encoder", "revision", "vector", "layer")}
    assert made == {
        "encoder": NAME,
        "revision": FIRST,
        "vector": "context",
        "layer": "last_hidden_state",
    }
    settings = {"mean": [0.0] * 8, "spread": 0.1, "vectors": dict(found.metadata)}
    senses = SenseVectors(["bank"], np.eye(2, 8), [2], metadata={"induction": settings})
    assert Encoder.for_senses(senses).encode([SENTENCE]) == pytest.approx(
        Encoder(NAME, vector="context").encode([SENTENCE])
    )


def test_by_the_environment_as_people_set_it(hub, tmp_path):
    program = f"from exrpca.contextual import Encoder; print(Encoder({NAME!r}).revision)"
    environment = os.environ | {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home")}
    for offline in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment | {"HF_HUB_OFFLINE": offline},
            capture_output=True,
            text=True,
        )
        assert (done.stdout, done.stderr) == (f"{FIRST}\n", "")
