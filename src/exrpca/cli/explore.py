"""`exrpca explore`: the senses, the directions and the cleaning on a local web page."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli import options
from exrpca.cli.encoder_options import SensesEncoder, load_encoder
from exrpca.cli.output import remark
from exrpca.cli.vectors import rated_pairs
from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.contextual.corrections import Corrections
    from exrpca.explorer.exploration import Exploration


@options.reads_vectors
def explore(
    vectors: Annotated[
        Path | None,
        typer.Argument(
            metavar="VECTORS",
            help="A file of sense vectors in any known format; without it, the bundled vectors.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, show_default="8735, or a free one", help="Serve on this port."
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="HTML",
            show_default="none",
            help="Write the page to one file that works offline, instead of serving it.",
        ),
    ] = None,
    words: Annotated[
        str | None,
        typer.Option(
            "--words",
            metavar="LIST",
            show_default="clear examples of each verdict",
            help="With --export: the words to put into the file, separated by commas, or a file "
            "with one word per line.",
        ),
    ] = None,
    with_map: Annotated[
        bool,
        typer.Option("--map", help="With --export: put the map of all senses into the file, too."),
    ] = False,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="TEXT",
            show_default="none",
            help="Show typical sentences from this text, plain or compressed (repeatable). "
            "Senses from induce have their own.",
        ),
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV",
            show_default="none",
            help="Keep your verdicts in this file, for merge --verdicts. Without it, the page "
            "writes nothing.",
        ),
    ] = None,
    assigned: Annotated[
        Path | None,
        typer.Option(
            metavar="TABLE",
            show_default="none",
            help="Show the sentences of each sense from this table of induce --assignments, to "
            "move and name them.",
        ),
    ] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV",
            show_default="none",
            help="Keep your corrections of the sentences in this file.",
        ),
    ] = None,
    encoder: SensesEncoder = None,
    scws: options.ScwsFile = None,
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Open a local web page that shows words, their senses and what cleaning does.

    No data leaves this computer. Press Ctrl-C to stop.
    """
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn")):
        raise InputError("the page needs more packages: pip install 'exrpca[explore]'")
    from exrpca.explorer.exploration import Exploration
    from exrpca.explorer.server import address_of, open_socket, serve
    from exrpca.files import check_output
    from exrpca.senses import bundled
    from exrpca.text.corpus import Corpus

    # what can fail comes first, what takes a while to import after it
    texts = corpus or []
    inputs = [*texts, *(path for path in (vectors, assigned) if path is not None)]
    if export is not None:
        check_output(export, other_than=inputs)
    elif words:
        raise InputError("--words only works with --export: add --export and a file name")
    elif with_map:
        raise InputError("--map only works with --export: add --export and a file name")
    listening = open_socket(port) if export is None else None
    Corpus(texts).sources  # noqa: B018 - a file that is missing is named before the work
    if verdicts is not None:
        check_output(verdicts, other_than=inputs)
    corrected = _corrected(assigned, corrections, inputs)
    datasets = rated_pairs(scws, None, quiet=True)
    if vectors is None:
        senses, name = bundled(), "the bundled vectors"
    else:
        senses = read.load(vectors, quiet=quiet)
        name = vectors.name
    loaded = load_encoder(encoder, senses)
    exploration = Exploration(
        senses,
        name,
        datasets,
        verdicts=verdicts,
        corpus=texts,
        encoder=loaded,
        corrections=corrected,
    )
    if export is not None:
        _export(
            exploration, options.words_given(words) if words else [], with_map, export, quiet=quiet
        )
    elif listening is not None:
        print(address_of(listening), flush=True)
        remark("Ctrl-C to stop", quiet=quiet)
        serve(exploration, listening, browser=browser)


def _corrected(
    assigned: Path | None, corrections: Path | None, inputs: list[Path]
) -> Corrections | None:
    from exrpca.contextual.assigned import read_assigned
    from exrpca.contextual.corrections import Corrections
    from exrpca.files import check_output

    if corrections is not None:
        check_output(corrections, other_than=inputs)
        if assigned is None:
            raise InputError("--corrections needs sentences: add --assigned and a table of them")
    return None if assigned is None else Corrections(read_assigned(assigned), corrections)


def _export(
    exploration: Exploration, words: list[str], with_map: bool, path: Path, *, quiet: bool
) -> None:
    from exrpca.explorer.export import exported_page
    from exrpca.explorer.show import Page

    Page(exported_page(exploration, words, with_map=with_map)).save(path)
    remark(f"{path}: {path.stat().st_size // 1024:,} KB", quiet=quiet)
