"""`exrpca explore`: the senses, the directions and the cleaning on a local web page."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import ColumnNames, KeyPattern, KeyRegex, Quiet, Reader
from exrpca.cli.output import remark
from exrpca.cli.rated_pairs import ScwsFile, rated_pairs
from exrpca.cli.vectors import load_vectors
from exrpca.errors import InputError


def explore(
    vectors: Annotated[
        Path | None,
        typer.Argument(
            metavar="VECTORS",
            help="A file of sense vectors, in any known format; the bundled ones when left out.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, show_default="8735, or a free one", help="Serve at this port."
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    scws: ScwsFile = None,
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    key_regex: KeyRegex = None,
    columns: ColumnNames = None,
    quiet: Quiet = False,
) -> None:
    """Open a local page to look at words, their senses and the cleaning.

    Nothing leaves this machine. Ctrl-C ends it.
    """
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "plotly")):
        raise InputError("the page needs more packages: pip install 'exrpca[explore]'")
    from exrpca.explorer.address import address_of, open_socket
    from exrpca.senses import bundled

    # what can fail comes first, what takes a while to import after it
    listening = open_socket(port)
    datasets = rated_pairs(scws, None, None, quiet=True)
    if vectors is None:
        senses, name = bundled(), "the bundled vectors"
    else:
        senses = load_vectors(vectors, reader, key_pattern, key_regex, columns, quiet=quiet)
        name = vectors.name
    from exrpca.explorer.exploration import Exploration
    from exrpca.explorer.server import serve

    exploration = Exploration(senses, name, datasets)
    print(address_of(listening), flush=True)
    remark("Ctrl-C to stop", quiet=quiet)
    serve(exploration, listening, browser=browser)
