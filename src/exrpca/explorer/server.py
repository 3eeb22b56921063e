"""Serving the page on this machine alone."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
import webbrowser

import uvicorn

from exrpca.errors import InputError
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration

_ADDRESS = "127.0.0.1"
# Taken when it is free, so that bookmarks hold from one day to the next.
_USUAL_PORT = 8735


def open_socket(port: int | None) -> socket.socket:
    """Return a listening socket on 127.0.0.1.

    Parameters
    ----------
    port : int, optional
        Without one, the usual port, or a free one while that is in use.
    """
    try:
        return socket.create_server((_ADDRESS, _USUAL_PORT if port is None else port))
    except OSError as error:
        if error.errno == errno.EACCES:
            raise InputError(f"port {port} may not be opened: choose one above 1023") from None
        if error.errno != errno.EADDRINUSE:
            raise
    if port is None:
        return socket.create_server((_ADDRESS, 0))
    raise InputError(f"port {port} is in use: choose another, or leave --port out for a free one")


def address_of(listening: socket.socket) -> str:
    """Return the address to type into a browser."""
    return f"http://{_ADDRESS}:{listening.getsockname()[1]}/"


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
    config = uvicorn.Config(
        create_app(exploration), log_level="warning", timeout_graceful_shutdown=2
    )
    if browser:
        # in a thread: a browser that runs in the terminal returns only when it is closed
        address = address_of(listening)
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):  # the way to end it
        uvicorn.Server(config).run(sockets=[listening])
