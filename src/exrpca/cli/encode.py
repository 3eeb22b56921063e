"""`exrpca encode`: contextual vectors of words from text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli.encoder_options import (
    EncoderName,
    LayerChoice,
    VectorKind,
    hide_download,
    parsed_layer,
    remark_default,
)
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
from exrpca.cli.scheduler import Scheduler, connected
from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.contextual.encode import Encoded


Language = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="CODE",
        help="Whose lemmas say which forms belong to a word (banks to bank): en, de, fr, …; "
        "none finds only the word itself.",
    ),
]
TextColumn = Annotated[
    str,
    typer.Option(
        "--text-column",
        metavar="NAME",
        help="The column of a table that has the text; the others are kept.",
    ),
]

# Words, and forms of each, whose counts are shown.
_WORDS_SHOWN = 10
_FORMS_SHOWN = 6


def encode(
    corpus: CorpusFiles,
    output: OutputFile,
    encoder: EncoderName = None,
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
    language: Language = "en",
    forms: FormsTable = None,
    names: Annotated[
        bool,
        typer.Option(
            "--names/--no-names",
            help="Whether capitalized uses inside sentences count, as in West Bank.",
        ),
    ] = True,
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
    vector: VectorKind = None,
    layer: LayerChoice = None,
    tokenizer: Tokenizer = "words",
    text_column: TextColumn = "text",
    join_lines: Annotated[
        bool,
        typer.Option(
            "--join-lines/--keep-lines",
            help="Whether to join the lines of paragraphs where lines look wrapped.",
        ),
    ] = True,
    threads: Threads = None,
    scheduler: Scheduler = None,
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
        words_given(words) if words else top or 0,
        forms=forms,
        language=language,
        names=names,
        per_word=per_word or None,
        window=window,
        tokenizer=tokenizer,
        text_column=text_column,
        join_lines=join_lines,
    )
    remark_default(encoder, quiet=quiet)
    hide_download(quiet=quiet)
    loaded = Encoder(encoder, vector=vector, layer=parsed_layer(layer), threads=threads)
    folder = EncodingFolder.beside(output)
    if resume and not folder.can_resume:
        remark(f"{output}: no unfinished run to resume, starting a new one", quiet=quiet)
    try:
        with connected(scheduler) as client:
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
    summarize(output, encoded, per_word, quiet=quiet)


def summarize(output: Path, encoded: Encoded, per_word: int, *, quiet: bool) -> None:
    """Say what was found, how many were taken, and why."""
    if encoded.n_joined:
        remark(
            f"{counted(encoded.n_joined, 'file')} with wrapped lines: joined to paragraphs "
            "(encode --keep-lines keeps them)",
            quiet=quiet,
        )
    if missing := [word for word, forms in encoded.found.items() if not forms]:
        shown = ", ".join(missing[:10]) + (", …" if len(missing) > 10 else "")
        remark(f"not found in the text: {shown}", quiet=quiet)
    for word in list(encoded.taken)[:_WORDS_SHOWN]:
        forms = list(encoded.found[word].items())
        shown = ", ".join(f"{n:,} {form}" for form, n in forms[:_FORMS_SHOWN])
        remark(f"{word}: {shown}{', …' if len(forms) > _FORMS_SHOWN else ''}", quiet=quiet)
    if len(encoded.taken) > _WORDS_SHOWN:
        remark(f"… and {counted(len(encoded.taken) - _WORDS_SHOWN, 'more word')}", quiet=quiet)
    n_taken = sum(encoded.taken.values())
    n_found = sum(sum(forms.values()) for forms in encoded.found.values())
    why = (
        f" of {n_found:,}, at most {per_word:,} per word (--per-word)" if n_taken < n_found else ""
    )
    remark(
        f"{output}: {counted(n_taken, 'occurrence')}{why} of {counted(len(encoded.taken), 'word')}",
        quiet=quiet,
    )
