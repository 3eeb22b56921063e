"""`exrpca datasets`: data that is not bundled."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="List or fetch data sets that are not bundled.", no_args_is_help=True)


@app.callback()
def datasets() -> None:
    """List or fetch data sets that are not bundled."""


@app.command("list")
def list_datasets() -> None:
    """Show where each data set is published and what to pass to `exrpca evaluate`."""
    from exrpca.evaluation.download import PUBLISHED

    for name, address, use in PUBLISHED:
        print(f"{name:14}{address}\n{'':14}{use}")


@app.command()
def get(name: Annotated[str, typer.Argument(help="The data set: scws.")]) -> None:
    """Download a data set into the user's cache, check it, and print where it is."""
    from exrpca.evaluation.download import fetch

    print(fetch(name))
