"""The web application: the JSON interface and the page that shows it."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

import exrpca
from exrpca.errors import InputError, UnknownWordError
from exrpca.explorer.background import NotReadyError
from exrpca.explorer.exploration import Exploration
from exrpca.explorer.routes import ROUTERS
from exrpca.explorer.security import LocalOnly

STATIC = Path(__file__).with_name("static")


def create_app(exploration: Exploration) -> FastAPI:
    """Return the web application for some vectors.

    Parameters
    ----------
    exploration : Exploration

    Returns
    -------
    FastAPI
        An ASGI application; `/openapi.json` describes its interface.
    """
    app = FastAPI(
        title="exrpca explore",
        summary="Sense vectors, the directions of their pseudo senses, and the cleaning.",
        version=exrpca.__version__,
        # these pages take their scripts from the network
        docs_url=None,
        redoc_url=None,
    )
    app.state.exploration = exploration
    for router in ROUTERS:
        app.include_router(router, prefix="/api")
    app.add_middleware(LocalOnly)
    app.add_exception_handler(NotReadyError, _still_working)
    app.add_exception_handler(InputError, _bad_input)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_api_route("/", _page, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _page() -> FileResponse:
    return FileResponse(STATIC / "index.html")


def _still_working(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"working": str(error)}, 202, headers={"Retry-After": "1"})


def _bad_request(request: Request, error: Exception) -> JSONResponse:
    """Say what is wrong, but not repeat it: infinity and lone surrogates are no JSON."""
    found = error.errors() if isinstance(error, RequestValidationError) else []
    detail = [{name: each[name] for name in ("type", "loc", "msg")} for each in found]
    return JSONResponse({"detail": detail}, 422)


def _bad_input(request: Request, error: Exception) -> JSONResponse:
    status = 404 if isinstance(error, UnknownWordError) else 400
    return JSONResponse({"detail": str(error)}, status)
