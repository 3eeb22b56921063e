"""Serving the page until Ctrl-C."""

from __future__ import annotations

import contextlib
import socket
import threading
import webbrowser
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from exrpca.explorer.address import address_of
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration

# A browser opens six. Above this number, requests are answered with status 503.
_MOST_CONNECTIONS = 500
# How long a connection may be open without a whole request.
_SECONDS_TO_ASK = 20


class _Impatient(AutoHTTPProtocol):  # type: ignore[valid-type,misc]
    """The HTTP protocol, but a connection that asks for nothing is closed."""

    def connection_made(self, transport: Any) -> None:
        """Start to wait for the first request."""
        super().connection_made(transport)
        self.loop.call_later(_SECONDS_TO_ASK, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None:  # no request has arrived whole
            self.transport.close()


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
        create_app(exploration),
        http=_Impatient,
        log_level="warning",
        timeout_graceful_shutdown=2,
        limit_concurrency=_MOST_CONNECTIONS,
    )
    if browser:
        # in a thread: a browser that runs in the terminal returns only when it is closed
        address = address_of(listening)
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):  # the way to end it
        uvicorn.Server(config).run(sockets=[listening])
