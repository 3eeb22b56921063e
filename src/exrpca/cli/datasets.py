"""`exrpca datasets`: data that is not bundled."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Fetch data sets that are not bundled.", no_args_is_help=True)


@app.callback()
def datasets() -> None:
    """Fetch data sets that are not bundled."""


@app.command()
def get(name: Annotated[str, typer.Argument(help="The data set: scws.")]) -> None:
    """Download a data set into the user's cache, check it, and print where it is."""
    from exrpca.evaluation.download import fetch

    print(fetch(name))
