import gzip
import signal
import socket

import httpx
import pytest

from exrpca.explorer.address import address_of, open_socket
from exrpca.senses import save


def failure(process):
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def test_serves_until_ctrl_c(start, vectors_file):
    process, address = start(vectors_file)
    assert httpx.get(address).status_code == 200
    assert httpx.get(f"{address}api/about").json()["name"] == "planted.parquet"
    process.send_signal(signal.SIGINT)
    code, errors = failure(process)
    assert code == 0
    assert errors == "Ctrl-C to stop\n"


def test_listens_on_this_machine_only(start, vectors_file):
    _, address = start(vectors_file)
    port = int(address.rstrip("/").rpartition(":")[2])
    assert address == f"http://127.0.0.1:{port}/"
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", port))


def test_port_in_use(start, vectors_file):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process, _ = start(vectors_file, "--port", port)
        code, errors = failure(process)
    assert code == 1
    assert errors.startswith(f"exrpca: port {port} is in use: choose another")


def test_without_a_port_another_is_taken_while_the_usual_is_in_use():
    with open_socket(None) as first, open_socket(None) as second:
        assert address_of(first) != address_of(second)


@pytest.mark.parametrize("name", ["empty.txt", "empty.gz", "missing.txt"])
def test_nothing_to_show(start, tmp_path, name):
    path = tmp_path / name
    if name == "empty.txt":
        path.touch()
    elif name == "empty.gz":
        path.write_bytes(gzip.compress(b""))
    process, address = start(path)
    code, errors = failure(process)
    assert (code, address) == (1, "")
    assert errors.startswith(f"exrpca: {path}: ")
    assert errors.count("\n") == 1


def test_vectors_without_centers_or_globals(start, bare, tmp_path):
    save(bare, tmp_path / "bare.parquet")
    _, address = start(tmp_path / "bare.parquet")
    about = httpx.get(f"{address}api/about").json()
    assert [about[name] for name in ("counts", "centers", "globals")] == [False] * 3


def test_bundled_vectors_when_no_file_is_given(start):
    _, address = start()
    assert httpx.get(f"{address}api/word", params={"word": "bank"}).status_code == 200


def test_missing_scws_file(start, vectors_file, tmp_path):
    process, _ = start(vectors_file, "--scws", tmp_path / "ratings.txt")
    code, errors = failure(process)
    assert code == 1
    assert "ratings.txt: no such file" in errors


def test_missing_text(start, vectors_file, tmp_path):
    process, _ = start(vectors_file, "--corpus", tmp_path / "text.txt")
    code, errors = failure(process)
    assert (code, errors) == (1, f"exrpca: {tmp_path / 'text.txt'}: no such file\n")


def test_verdicts_about_other_vectors(start, vectors_file, tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text("word,sense_a,sense_b,verdict\nbank,0,99,real\n")
    process, _ = start(vectors_file, "--verdicts", path)
    code, errors = failure(process)
    assert code == 1
    assert errors == f"exrpca: {path}, line 2: 'bank' has no pair of senses 0 and 99\n"


def test_export_writes_one_file_and_does_not_serve(start, vectors_file, tmp_path):
    path = tmp_path / "page.html"
    process, address = start(vectors_file, "--export", path, "--word", "bank")
    code, errors = failure(process)
    assert (code, address) == (0, "")
    assert errors.startswith(f"{path}: ")
    assert "<script" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", [["--word", "bank"], ["--map"]])
def test_words_and_map_without_export(start, vectors_file, option):
    process, _ = start(vectors_file, *option)
    code, errors = failure(process)
    assert code == 1
    assert "add --export and a file name" in errors
