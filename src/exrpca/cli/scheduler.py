"""The option that names a Dask cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, Any

import typer

from exrpca.errors import InputError

Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        show_default="none",
        help="Work on the workers of this Dask cluster.",
    ),
]


def connected(scheduler: str | None) -> AbstractContextManager[Any]:
    """Return the client of a cluster, if one is named."""
    if scheduler is None:
        return nullcontext()
    try:
        from distributed import Client
    except ImportError:
        raise InputError("a cluster needs Dask: pip install 'exrpca[dask]'") from None
    client: AbstractContextManager[Any] = Client(scheduler)
    return client
