"""`exrpca encode`: contextual vectors of words from text."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from exrpca.cli.options import (
    CorpusFiles,
    FormsTable,
    OutputFile,
    Quiet,
    Resume,
    Threads,
    Tokenizer,
    Words,
    words_given,
)
from exrpca.cli.output import counted, remark
from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.contextual.encode import Encoded


def encode(
    corpus: CorpusFiles,
    encoder: Annotated[
        Path,
        typer.Option(
            "--encoder",
            metavar="FOLDER",
            help="The folder of the encoder, with onnx/model.onnx and tokenizer.json.",
        ),
    ],
    output: OutputFile,
    words: Words = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=1,
            show_default="none",
            help="Instead of --words: how many of the most frequent words.",
        ),
    ] = None,
    forms: FormsTable = None,
    per_word: Annotated[
        int,
        typer.Option(
            "--per-word",
            min=0,
            help="The most occurrences per word, evenly spaced over the text; 0 for all.",
        ),
    ] = 1000,
    window: Annotated[
        int, typer.Option("--window", min=1, help="How many tokens the encoder reads on each side.")
    ] = 20,
    # The names of exrpca.contextual.encoder, which would take half a second to import for --help.
    vector: Annotated[
        Literal["target", "target+context"],
        typer.Option("--vector", help="What the vector of an occurrence is made of."),
    ] = "target+context",
    layer: Annotated[
        str, typer.Option("--layer", help="The output of the model to use.")
    ] = "last_hidden_state",
    tokenizer: Tokenizer = "words",
    threads: Threads = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            show_default="none",
            help="Encode on the workers of this Dask cluster.",
        ),
    ] = None,
    resume: Resume = False,
    quiet: Quiet = False,
) -> None:
    """Find the occurrences of words in text and encode each one in its sentence.

    Writes one row per occurrence, with word, form, left, target, right, source
    and vector. If you press Ctrl-C, the finished parts are kept next to the
    output, and --resume continues from there.
    """
    if (words is None) == (top is None):
        raise InputError("pass either --words or --top")
    from exrpca.contextual import Encoder
    from exrpca.contextual.encode import Search, encode_file
    from exrpca.contextual.encoding_folder import EncodingFolder
    from exrpca.contextual.occurrence_writer import check_occurrences_output

    check_occurrences_output(output, other_than=corpus)
    search = Search(
        words_given(words) if words else top or 0, forms, per_word or None, window, tokenizer
    )
    loaded = Encoder(encoder, vector=vector, layer=layer, threads=threads)
    folder = EncodingFolder.beside(output)
    if resume and not folder.can_resume:
        remark(f"{output}: no unfinished run to resume, starting a new one", quiet=quiet)
    try:
        with _client(scheduler) as client:
            encoded = encode_file(
                corpus,
                output,
                search,
                loaded,
                resume=resume,
                client=client,
                progress=not quiet,
            )
    except KeyboardInterrupt:
        state = "continue with --resume" if folder.can_resume else "nothing was encoded yet"
        remark(f"exrpca: stopped: {state}", quiet=False)
        raise typer.Exit(130) from None
    _summarize(output, encoded, quiet=quiet)


def _client(scheduler: str | None) -> AbstractContextManager[Any]:
    if scheduler is None:
        return nullcontext()
    try:
        from distributed import Client
    except ImportError:
        raise InputError("a cluster needs Dask: pip install 'exrpca[dask]'") from None
    client: AbstractContextManager[Any] = Client(scheduler)
    return client


def _summarize(output: Path, encoded: Encoded, *, quiet: bool) -> None:
    if missing := encoded.missing:
        shown = ", ".join(missing[:10]) + (", …" if len(missing) > 10 else "")
        remark(f"not found in the text: {shown}", quiet=quiet)
    remark(
        f"{output}: {counted(encoded.n_occurrences, 'occurrence')} of "
        f"{counted(encoded.n_words, 'word')}",
        quiet=quiet,
    )
