"""The options of commands that work on text, and how they write it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Literal

import typer

from exrpca.cli.output import remark
from exrpca.files import atomic_path
from exrpca.progress import progress_bar

if TYPE_CHECKING:
    from exrpca.contextual import Encoder
    from exrpca.senses import SenseVectors
    from exrpca.text import Corpus

CorpusFiles = Annotated[
    list[str],
    typer.Argument(help="Text files, plain or compressed (gz, bz2, xz, zst); - is standard input."),
]
TextOutput = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        show_default="standard output",
        help="The file to write.",
    ),
]
FormsTable = Annotated[
    Path | None,
    typer.Option(
        "--forms",
        metavar="CSV",
        show_default="none",
        help="A table of word forms, with the columns form and word.",
    ),
]
Window = Annotated[
    int | None,
    typer.Option(
        "--window",
        min=1,
        show_default="as in training, or 5",
        help="The number of context tokens on each side.",
    ),
]
SensesEncoder = Annotated[
    Path | None,
    typer.Option(
        "--encoder",
        metavar="FOLDER",
        show_default="none",
        help="For senses from induce: the encoder that they were made with.",
    ),
]
# The names of exrpca.text.tokens, which would take half a second to import for --help.
Tokenizer = Annotated[
    Literal["words", "whitespace"],
    typer.Option(
        "--tokenizer", help="How to find tokens; whitespace is for text that is already tokenized."
    ),
]

# Lines between two reports of progress.
_REPORT_EVERY = 1000


def remark_choice(senses: SenseVectors, *, quiet: bool) -> None:
    """Say what chooses the senses, if it is not their centers."""
    from exrpca.text.choice import how_chosen

    if senses.centers is None or senses.globals is None:
        remark(f"senses are chosen by {how_chosen(senses)}", quiet=quiet)


def load_encoder(folder: Path | None, senses: SenseVectors) -> Encoder | None:
    """Return the encoder that chooses among senses, if one is named."""
    if folder is None:
        return None
    from exrpca.contextual import Encoder

    return Encoder.for_senses(folder, senses)


def write_lines(
    lines: Iterable[str], corpus: Corpus, output: Path | None, *, label: str, quiet: bool
) -> None:
    """Write lines made from a corpus, with a bar that shows how much of it is read.

    Parameters
    ----------
    lines : iterable of str
    corpus : Corpus
    output : Path or None
        None writes to standard output.
    label : str
        Stands before the bar.
    quiet : bool
        Show no bar.
    """
    with progress_bar(label, corpus.size or 1, show=not quiet) as report, _opened(output) as file:
        for number, line in enumerate(lines, 1):
            file.write(line + "\n")
            if number % _REPORT_EVERY == 0:
                report(corpus.position(), f"{number:,} lines")


@contextlib.contextmanager
def _opened(output: Path | None) -> Iterator[IO[str]]:
    if output is None:
        # UTF-8 as in a file, whatever the terminal is set to
        with open(sys.stdout.fileno(), "w", encoding="utf-8", closefd=False) as stdout:
            yield stdout
        return
    with atomic_path(output) as temporary, temporary.open("w", encoding="utf-8") as file:
        yield file
