"""Serving the page at an address of this machine, until Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
import webbrowser
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from exrpca.errors import InputError
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration

HOST = "127.0.0.1"
# Taken when it is free, so that bookmarks hold from one day to the next.
_USUAL_PORT = 8735
# A browser opens six. Above this number, requests are answered with status 503.
_MOST_CONNECTIONS = 500
# A request that is not whole after this time, or after twice this time at most, is cut off.
_SECONDS_TO_ASK = 10


def open_socket(port: int | None) -> socket.socket:
    """Return a listening socket that this machine alone can reach.

    Parameters
    ----------
    port : int, optional
        Without one, the usual port, or a free one while that is in use.
    """
    try:
        return _listen(_USUAL_PORT if port is None else port)
    except OSError as error:
        if error.errno == errno.EACCES:
            raise InputError(f"port {port} may not be opened: choose one above 1023") from None
        if error.errno != errno.EADDRINUSE:
            raise
    if port is None:
        return _listen(0)
    raise InputError(f"port {port} is in use: choose another, or leave --port out for a free one")


def _listen(port: int) -> socket.socket:
    listening = socket.create_server((HOST, port))
    # without it each answer waits 40 ms for the client to acknowledge its header
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address to type into a browser."""
    return f"http://{HOST}:{listening.getsockname()[1]}/"


class _Impatient(AutoHTTPProtocol):  # type: ignore[valid-type,misc]
    """The HTTP protocol, but a connection on which a request does not end is closed."""

    def connection_made(self, transport: Any) -> None:
        """Start to look, again and again, whether a request is still on its way."""
        super().connection_made(transport)
        self._look(unfinished=())

    def _look(self, unfinished: tuple[Any, ...]) -> None:
        """Close if the request is the one that was unfinished the last time."""
        now = (self.cycle,) if self._is_asking() else ()
        if now and now == unfinished:
            self.transport.close()
        elif not self.transport.is_closing():
            self.loop.call_later(_SECONDS_TO_ASK, self._look, now)

    def _is_asking(self) -> bool:
        """Whether the head or the body of a request has not arrived whole."""
        if self.cycle is None:
            return True
        if self.cycle.response_complete:  # until the next request begins, a timer runs
            return self.timeout_keep_alive_task is None
        return bool(self.cycle.more_body)


def server_of(exploration: Exploration) -> uvicorn.Server:
    """Return the server of a page; `serve` runs it."""
    config = uvicorn.Config(
        create_app(exploration),
        http=_Impatient,
        log_level="warning",
        timeout_graceful_shutdown=2,
        limit_concurrency=_MOST_CONNECTIONS,
    )
    return uvicorn.Server(config)


def serve(exploration: Exploration, listening: socket.socket, *, browser: bool) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    exploration : Exploration
    listening : socket
        From `open_socket`.
    browser : bool
        Open the page in the person's browser.
    """
    exploration.prepare()
    if browser:
        # in a thread: a browser that runs in the terminal returns only when it is closed
        address = address_of(listening)
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):  # the way to end it
        server_of(exploration).run(sockets=[listening])
