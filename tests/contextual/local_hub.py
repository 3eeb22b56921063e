"""A server on this machine that lays files out as the Hugging Face Hub does."""

import hashlib
import http.server
import re
import threading

_PATH = re.compile(r"/(?P<name>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)")


class LocalHub:
    """Repositories by name, each with the files of its commits and the commits of its branches.

    `requests` lists what was asked for, `damaged` the files that arrive with a wrong byte.
    """

    def __init__(self):
        self.repositories = {}
        self.requests = []
        self.damaged = set()
        hub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_HEAD(self):
                hub.answer(self)

            def do_GET(self):
                hub.answer(self)

            def log_message(self, *parts):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def add(self, name, commit, folder, *, branch="main"):
        files = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        commits, branches = self.repositories.setdefault(name, ({}, {}))
        commits[commit], branches[branch] = files, commit

    def answer(self, handler):
        self.requests.append(f"{handler.command} {handler.path}")
        found = _PATH.fullmatch(handler.path)
        if found is None:  # the library also asks for things that are no files
            self._refuse(handler, 404, "NotFound", "Not found")
            return
        commits, branches = self.repositories.get(found["name"], ({}, {}))
        commit = branches.get(found["revision"], found["revision"])
        if not commits:
            # the Hub does not tell a private repository from one that does not exist
            self._refuse(handler, 401, "RepoNotFound", "Repository not found")
        elif commit not in commits:
            self._refuse(handler, 404, "RevisionNotFound", "Invalid rev id")
        elif found["file"] not in commits[commit]:
            self._refuse(handler, 404, "EntryNotFound", "Entry not found", commit)
        else:
            self._send(handler, found["file"], commits[commit][found["file"]], commit)

    def _refuse(self, handler, status, code, message, commit=None):
        handler.send_response(status)
        handler.send_header("X-Error-Code", code)
        handler.send_header("X-Error-Message", message)
        if commit:
            handler.send_header("X-Repo-Commit", commit)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def _send(self, handler, file, content, commit):
        handler.send_response(200)
        handler.send_header("X-Repo-Commit", commit)
        handler.send_header("Content-Length", str(len(content)))
        if file.endswith(".onnx"):  # a large file has its SHA-256, a small one that of Git
            handler.send_header("X-Linked-Etag", f'"{hashlib.sha256(content).hexdigest()}"')
            handler.send_header("X-Linked-Size", str(len(content)))
            handler.send_header("ETag", '"of-the-storage"')
        else:
            blob = b"blob %d\0" % len(content) + content
            handler.send_header("ETag", f'"{hashlib.sha1(blob).hexdigest()}"')
        handler.end_headers()
        if handler.command == "GET":
            if file in self.damaged:
                content = bytes([content[0] ^ 1]) + content[1:]
            handler.wfile.write(content)
