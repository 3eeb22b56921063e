"""Serving the page until Ctrl-C."""

from __future__ import annotations

import contextlib
import socket
import threading
import webbrowser

import uvicorn

from exrpca.explorer.address import address_of
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration


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
