import socket
import threading

import pytest

from exrpca.explorer.server import open_socket, server_of

OTHER_SITES = [
    {"host": "evil.example"},
    {"host": "127.0.0.1.evil.example:80"},
    {"host": ""},
    {"host": "127.0.0.1:80@evil.example"},
    {"host": "user@127.0.0.1:8735"},
    {"host": "localhost:port"},
    {"host": "localhost:"},
    {"host": "localhost:80:80"},
    {"origin": "http://evil.example"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "null"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"},
]
OWN = [
    {"host": "127.0.0.1:8735"},
    {"host": "localhost:8735"},
    {"host": "localhost"},
    {"host": "127.0.0.1:8735", "origin": "http://127.0.0.1:8735"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"},
]
PATHS = ["/", "/api/about", "/static/app.js"]


@pytest.mark.parametrize("headers", OTHER_SITES, ids=str)
@pytest.mark.parametrize("path", PATHS)
def test_other_sites_are_refused(client, path, headers):
    assert client.get(path, headers=headers).status_code == 403


@pytest.mark.parametrize("headers", OWN, ids=str)
@pytest.mark.parametrize("path", PATHS)
def test_the_page_itself_is_not(client, path, headers):
    assert client.get(path, headers=headers).status_code == 200


def test_no_inline_script_and_no_sharing(client):
    headers = client.get("/").headers
    scripts = headers["content-security-policy"].split("script-src ")[1].split(";")[0]
    assert scripts == "'self'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/etc/passwd"]
)
def test_no_other_file_is_served(client, path):
    assert client.get(path).status_code == 404


HEAD = b" HTTP/1.1\r\nHost: localhost\r\n"
UNFINISHED = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: ",
    "half a body": b"POST /api/verdicts/given" + HEAD + b"Content-Length: 50\r\n\r\n{",
    "half a second request": b"GET /api/words" + HEAD + b"\r\nGET /api/words HTTP/1.1\r\n",
}


def test_a_request_that_never_ends_is_cut_off(exploration, monkeypatch):
    monkeypatch.setattr("exrpca.explorer.server._SECONDS_TO_ASK", 0.1)
    server = server_of(exploration)
    listening = open_socket(0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        for sent in UNFINISHED.values():
            with socket.create_connection(listening.getsockname(), timeout=60) as idle:
                idle.sendall(sent)
                while idle.recv(100_000):  # what was asked before is answered
                    pass
    finally:
        server.should_exit = True
        thread.join()
