import signal
import socket
import sys

import httpx
import pytest

from exrpca.cli.main import run
from exrpca.explorer.server import address_of, open_socket
from exrpca.senses import save


@pytest.fixture
def refusal(monkeypatch, capsys):
    """Run `exrpca explore` on something it refuses, and return what it says."""

    def refused(*arguments):
        monkeypatch.setattr(sys, "argv", ["exrpca", "explore", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            run()
        printed = capsys.readouterr()
        assert (ended.value.code, printed.out) == (1, "")
        return printed.err

    return refused


def test_serves_until_ctrl_c(start, vectors_file):
    process, address = start(vectors_file)
    assert httpx.get(address).status_code == 200
    assert httpx.get(f"{address}api/about").json()["name"] == "planted.parquet"
    port = int(address.rstrip("/").rpartition(":")[2])
    assert address == f"http://127.0.0.1:{port}/"  # this machine only
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", port))
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert errors == "Ctrl-C to stop\n"


def test_port_in_use(refusal, vectors_file):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal(vectors_file, "--port", port)
    assert said.startswith(f"exrpca: port {port} is in use: choose another")


def test_without_a_port_another_is_taken_while_the_usual_is_in_use():
    with open_socket(None) as first, open_socket(None) as second:
        assert address_of(first) != address_of(second)


def test_vectors_without_centers_or_globals(start, bare, tmp_path):
    save(bare, tmp_path / "bare.parquet")
    _, address = start(tmp_path / "bare.parquet")
    about = httpx.get(f"{address}api/about").json()
    assert [about[name] for name in ("counts", "centers", "globals")] == [False] * 3


@pytest.mark.parametrize(
    ("option", "missing"), [("", "vectors.txt"), ("--scws", "rated.txt"), ("--corpus", "text.txt")]
)
def test_what_is_missing_is_named(refusal, vectors_file, tmp_path, option, missing):
    path = tmp_path / missing
    said = refusal(*([vectors_file, option] if option else []), path, "--no-browser")
    assert said == f"exrpca: {path}: no such file\n"


def test_verdicts_about_other_vectors(refusal, vectors_file, tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text("word,sense_a,sense_b,verdict\nbank,0,99,real\n")
    said = refusal(vectors_file, "--verdicts", path)
    assert said == f"exrpca: {path}, line 2: 'bank' has no pair of senses 0 and 99\n"


def test_export_writes_one_file_and_does_not_serve(start, vectors_file, tmp_path):
    path = tmp_path / "page.html"
    process, address = start(vectors_file, "--export", path)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, address) == (0, "")
    assert errors.startswith(f"{path}: ")
    assert "<script" in path.read_text(encoding="utf-8")


def test_map_without_export(refusal, vectors_file):
    assert "add --export and a file name" in refusal(vectors_file, "--map")
