"""The `exrpca` program: its commands, and what it says when something goes wrong."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from typing import Annotated, TextIO

import typer

from exrpca import __version__
from exrpca.cli import (
    clean,
    components,
    convert,
    datasets,
    demo,
    detect,
    diagnose,
    disambiguate,
    encode,
    evaluate,
    explore,
    induce,
    info,
    merge,
    neighbors,
    plot,
    reproduce,
    retag,
    sweep,
    tag,
    train,
)
from exrpca.errors import InputError

app = typer.Typer(
    name="exrpca",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# In the order of `exrpca --help`: the order in which a person would use them.
app.command()(demo.demo)
app.command()(info.info)
app.command()(diagnose.diagnose)
app.command()(convert.convert)
app.command()(train.train)
app.command()(encode.encode)
app.command()(induce.induce)
app.command()(clean.clean)
app.command()(components.components)
app.command()(detect.detect)
app.command()(merge.merge)
app.command()(neighbors.neighbors)
app.command()(disambiguate.disambiguate)
app.command()(tag.tag)
app.command()(retag.retag)
app.command()(evaluate.evaluate)
app.command()(sweep.sweep)
app.add_typer(plot.app, name="plot")
app.command()(reproduce.reproduce)
app.command()(explore.explore)
app.add_typer(datasets.app, name="datasets")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"exrpca {__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Tell real word senses from pseudo senses, clean and merge sense vectors, tag text."""


_OBJECTS_PER_COLLECTION = 50_000


def run() -> None:
    """Run the program: exit code 0, 1 for bad input, 2 for wrong usage, 130 after Ctrl-C."""
    warnings.showwarning = _show_warning
    # A short command would spend a sixth of its time collecting garbage. Imports leave none. Most
    # of that time is at exit, when the system frees the memory anyway.
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    atexit.register(gc.freeze)
    try:
        app()
    except BrokenPipeError:
        # the reader, say `head`, has seen enough; nothing may be written while closing either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (InputError, OSError) as error:
        print(f"exrpca: {_line(error)}", file=sys.stderr)
        sys.exit(1)


def _line(error: InputError | OSError) -> str:
    """Return what an error says, in one line: what, where, what to do."""
    text = str(error)
    if isinstance(error, OSError) and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    return "; ".join([text, *getattr(error, "__notes__", [])])


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print what concerns the user as one line; leave out where in the program it came from."""
    if issubclass(category, UserWarning):
        print(f"exrpca: {message}", file=sys.stderr)
    else:
        print(warnings.formatwarning(message, category, filename, lineno), file=sys.stderr)
