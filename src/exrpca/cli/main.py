"""The `exrpca` program: its commands, and what it says when something goes wrong."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import re
import shlex
import sys
import warnings
from typing import Annotated, TextIO

import typer

from exrpca import __version__
from exrpca.cli.output import printable
from exrpca.errors import InputError

app = typer.Typer(
    name="exrpca",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# In the order of `exrpca --help`: the order in which a person would use them. Each command is a
# function in the file of its name; `plot` and `datasets` are groups of commands.
_COMMANDS = (
    *("demo", "info", "diagnose", "convert", "train", "senses", "encode", "induce", "report"),
    *(
        "compare",
        "durel",
        "clean",
        "components",
        "detect",
        "merge",
        "neighbors",
        "disambiguate",
        "tag",
    ),
    *("retag", "evaluate", "sweep", "plot", "reproduce", "explore", "datasets"),
)
for _name in _COMMANDS:
    _module = importlib.import_module(f"exrpca.cli.{_name}")
    if hasattr(_module, "app"):
        app.add_typer(_module.app, name=_name)
    else:
        app.command()(getattr(_module, _name))


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
        print(f"exrpca: {printable(_line(error))}", file=sys.stderr)
        sys.exit(1)


def _line(error: InputError | OSError) -> str:
    """Return what an error says, in one line: what, where, what to do."""
    text = _naming_options(str(error))
    if isinstance(error, OSError) and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    return "; ".join([text, *getattr(error, "__notes__", [])])


def _naming_options(text: str) -> str:
    """Name options instead of the arguments of Python: `--rank 20` for `rank=20`."""
    options: dict[str, str] = {}
    groups = [typer.main.get_command(app)]
    for command in groups:
        groups += getattr(command, "commands", {}).values()
        options |= {str(p.name): p.opts[0] for p in command.params if p.opts[0][:2] == "--"}

    def named(found: re.Match[str]) -> str:
        name, entries, quoted, plain = found.groups()
        value = plain or shlex.quote(quoted or "")
        if entries:  # {"word": "lemma"} is word=lemma
            value = entries.replace(": ", "=").replace(", ", ",").replace('"', "")
        return f"{options[name]} {value if found[0][-1] != '=' else ''}".strip()

    names = "|".join(map(re.escape, options))
    # behind a parenthesis it is a call of Python
    pattern = rf"(?<![\w(])({names})=(?:\{{([^}}]*)\}}|'([^']*)'|([^\s',;:{{]*))"
    return re.sub(pattern, named, text)


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
        print(f"exrpca: {printable(_naming_options(str(message)))}", file=sys.stderr)
    else:
        print(warnings.formatwarning(message, category, filename, lineno), file=sys.stderr)
