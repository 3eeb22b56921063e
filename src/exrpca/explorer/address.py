"""The address of the page: a port on this machine."""

from __future__ import annotations

import errno
import socket

from exrpca.errors import InputError

HOST = "127.0.0.1"
# Taken when it is free, so that bookmarks hold from one day to the next.
_USUAL_PORT = 8735


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
