import hashlib
import http.server
import io
import threading
import zipfile

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
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path


@pytest.fixture
def publish(server, monkeypatch):
    """Let the data set be on the test's server."""

    def publish(archive, scheme="http", name="data.zip"):
        server.files["/data.zip"] = archive
        address = f"{scheme}://127.0.0.1:{server.server_port}/{name}"
        file = download.RemoteFile(address, "SCWS/ratings.txt", hashlib.sha256(CONTENT).hexdigest())
        monkeypatch.setitem(download.DATASETS, "scws", file)

    return publish


ARCHIVE = zipped("SCWS/ratings.txt", CONTENT)


def files_below(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_fetch_downloads_once_and_keeps_the_file(publish, server, cache):
    publish(ARCHIVE)
    assert download.cached("scws") is None
    path = download.fetch("scws")
    assert path == cache / "scws" / "ratings.txt"
    assert path.read_bytes() == CONTENT
    assert download.cached("scws") == path
    assert download.fetch("scws") == path
    assert server.asked == ["/data.zip"]


def test_a_copy_that_changed_is_refused_and_replaced(publish):
    publish(ARCHIVE)
    download.fetch("scws").write_bytes(b"changed")
    with pytest.raises(InputError, match=r"ratings\.txt: is damaged: get it again"):
        download.cached("scws")
    assert download.fetch("scws").read_bytes() == CONTENT


def test_http_serves_where_https_is_not_offered(publish):
    publish(ARCHIVE, scheme="https")
    assert download.fetch("scws").read_bytes() == CONTENT


def test_fetch_keeps_nothing_that_has_another_hash(publish, cache):
    publish(zipped("SCWS/ratings.txt", b"something else"))
    with pytest.raises(InputError, match=r"has SHA-256 \w+, expected .*nothing was kept"):
        download.fetch("scws")
    assert files_below(cache) == []


def test_fetch_says_what_is_wrong_with_the_archive(publish, cache):
    for archive, name, message in (
        (b"<html>moved</html>", "data.zip", "did not send a zip archive"),
        (zipped("other.txt", CONTENT), "data.zip", r"has no SCWS/ratings\.txt in it"),
        (ARCHIVE, "absent.zip", r"could not be fetched .*Not Found"),
    ):
        publish(archive, name=name)
        with pytest.raises(InputError, match=message):
            download.fetch("scws")
    assert files_below(cache) == []


def test_fetch_off_line_says_what_to_do(publish, server):
    publish(ARCHIVE)
    server.server_close()  # connections are refused
    with pytest.raises(InputError, match=r"could not be fetched .* elsewhere and pass the path"):
        download.fetch("scws")


def test_unknown_data_set_is_refused():
    with pytest.raises(InputError, match="no data set 'swcs'; available: scws"):
        download.fetch("swcs")
