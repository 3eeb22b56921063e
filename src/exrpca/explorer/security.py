"""Only pages of this server may read from it: Host and Origin are checked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A page elsewhere whose name is made to resolve to 127.0.0.1 still sends its own name as Host.
LOCAL_HOSTS = ("127.0.0.1", "localhost")

_HEADERS = {
    # No script and no style but the package's own files.
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class LocalOnly:
    """Refuses requests that a page of another site makes, and sets the headers that guard ours.

    Parameters
    ----------
    app : ASGI application
    hosts : sequence of str
        The names under which the page may be asked for, without the port.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] = LOCAL_HOSTS) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refusal = self._refusal(Headers(scope=scope))
        answer = self._app if refusal is None else JSONResponse({"detail": refusal}, 403)
        await answer(scope, receive, send_guarded)

    def _refusal(self, headers: Headers) -> str | None:
        host = headers.get("host", "")
        name, _, port = host.partition(":")
        if name not in self._hosts or (host != name and not re.fullmatch("[0-9]{1,5}", port)):
            return f"this page is served at {self._hosts[0]} only"
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return "pages of other sites may not read from here"
        # following a link to the page is fine, being read by a script is not
        foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if foreign and headers.get("sec-fetch-mode") != "navigate":
            return "pages of other sites may not read from here"
        return None
