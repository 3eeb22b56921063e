import hashlib
import http.server
import io
import socket
import threading
import zipfile
from dataclasses import replace

import pytest

from exrpca.errors import InputError
from exrpca.evaluation import download

CONTENT = b"1\tbank\tn\n"


def zipped(member: str, content: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(member, content)
    return archive.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.server.files.get(self.path)
        self.server.asked.append(self.path)
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.asked = {}, []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path


def source(server, name="data.zip", content=CONTENT):
    address = f"http://127.0.0.1:{server.server_port}/{name}"
    return download.RemoteFile(address, "SCWS/ratings.txt", hashlib.sha256(content).hexdigest())


def files_below(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_fetch_downloads_once_and_keeps_the_file(server, cache, monkeypatch):
    monkeypatch.setitem(download.DATASETS, "scws", source(server))
    server.files["/data.zip"] = zipped("SCWS/ratings.txt", CONTENT)
    assert download.cached("scws") is None
    path = download.fetch("scws", source(server))
    assert path == cache / "exrpca" / "scws" / "ratings.txt"
    assert path.read_bytes() == CONTENT
    assert download.cached("scws") == path
    assert download.fetch("scws", source(server)) == path
    assert server.asked == ["/data.zip"]


def test_a_copy_that_changed_is_refused(server, monkeypatch):
    monkeypatch.setitem(download.DATASETS, "scws", source(server))
    server.files["/data.zip"] = zipped("SCWS/ratings.txt", CONTENT)
    download.fetch("scws").write_bytes(b"changed")
    with pytest.raises(InputError, match=r"ratings\.txt: is damaged: get it again"):
        download.cached("scws")


def test_http_serves_where_https_is_not_offered(server):
    server.files["/data.zip"] = zipped("SCWS/ratings.txt", CONTENT)
    plain = source(server)
    secure = replace(plain, address=plain.address.replace("http:", "https:"))
    assert download.fetch("scws", secure).read_bytes() == CONTENT


def test_fetch_replaces_a_damaged_copy(server):
    server.files["/data.zip"] = zipped("SCWS/ratings.txt", CONTENT)
    path = download.fetch("scws", source(server))
    path.write_bytes(b"damaged")
    assert download.fetch("scws", source(server)).read_bytes() == CONTENT


def test_fetch_keeps_nothing_that_has_another_hash(server, cache):
    server.files["/data.zip"] = zipped("SCWS/ratings.txt", b"something else")
    with pytest.raises(InputError, match=r"has SHA-256 \w+, expected .*nothing was kept"):
        download.fetch("scws", source(server))
    assert files_below(cache) == []


def test_fetch_says_what_is_wrong_with_the_archive(server, cache):
    server.files["/data.zip"] = b"<html>moved</html>"
    with pytest.raises(InputError, match="did not send a zip archive"):
        download.fetch("scws", source(server))
    server.files["/data.zip"] = zipped("other.txt", CONTENT)
    with pytest.raises(InputError, match=r"has no SCWS/ratings\.txt in it"):
        download.fetch("scws", source(server))
    with pytest.raises(InputError, match=r"could not be fetched .*Not Found"):
        download.fetch("scws", source(server, "absent.zip"))
    assert files_below(cache) == []


def test_fetch_off_line_says_what_to_do():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/SCWS.zip"
        nowhere = download.RemoteFile(address, "SCWS/ratings.txt", "0")
        with pytest.raises(
            InputError, match=r"could not be fetched .* elsewhere and pass the path"
        ):
            download.fetch("scws", nowhere)


def test_unknown_data_set_is_refused():
    with pytest.raises(InputError, match="no data set 'swcs'; available: scws"):
        download.fetch("swcs")
