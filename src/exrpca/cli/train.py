"""`exrpca train`: sense vectors from text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from exrpca.cli.options import OutputFile, Quiet, Writer
from exrpca.cli.output import remark


def _setting(flag: str, text: str, **options: Any) -> Any:
    """Return an option that, left out, keeps what the preset says."""
    return typer.Option(flag, help=text, show_default=False, **options)


def train(
    context: typer.Context,
    corpus: Annotated[
        list[str],
        typer.Argument(help="Text files, plain or gz, bz2, xz, zst; - is standard input."),
    ],
    output: OutputFile,
    writer: Writer = None,
    preset: Annotated[
        str, typer.Option("--preset", help="The settings to begin with: default, neelakantan2014.")
    ] = "default",
    model: Annotated[str | None, _setting("--model", "mssg or np-mssg.")] = None,
    dim: Annotated[int | None, _setting("--dim", "Dimensions of the vectors.")] = None,
    window: Annotated[
        int | None, _setting("--window", "Most tokens of context on each side.")
    ] = None,
    negative: Annotated[int | None, _setting("--negative", "Noise words a context word.")] = None,
    window_noise: Annotated[
        int | None,
        _setting("--window-noise", "Noise words a window shares; 0: each word has its own."),
    ] = None,
    whole_window: Annotated[
        bool | None,
        _setting("--whole-window/--drawn-window", "Which words of the window choose the sense."),
    ] = None,
    min_count: Annotated[int | None, _setting("--min-count", "Leave rarer words out.")] = None,
    sample: Annotated[
        float | None, _setting("--sample", "Share of the text above which a word is thinned.")
    ] = None,
    max_senses: Annotated[int | None, _setting("--max-senses", "Most senses a word.")] = None,
    multi_sense_top: Annotated[
        int | None, _setting("--multi-sense-top", "How many frequent words get several senses.")
    ] = None,
    threshold: Annotated[
        float | None,
        _setting("--threshold", "np-mssg opens a sense where the best cosine is lower."),
    ] = None,
    optimizer: Annotated[
        str | None, _setting("--optimizer", "sgd, or adagrad, which needs --window-noise 0.")
    ] = None,
    learning_rate: Annotated[
        float | None, _setting("--learning-rate", "Step size, at the start for sgd.")
    ] = None,
    single_sense_epochs: Annotated[
        int | None, _setting("--single-sense-epochs", "Passes before the senses open.")
    ] = None,
    epochs: Annotated[int | None, _setting("--epochs", "Passes with senses.")] = None,
    seed: Annotated[int | None, _setting("--seed", "Seed of the random numbers.")] = None,
    lowercase: Annotated[bool | None, _setting("--lowercase", "Turn text lower case.")] = None,
    tokenizer: Annotated[
        str | None, _setting("--tokenizer", "whitespace, or words for text with punctuation.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", show_default="all cores", help="Threads to use.")
    ] = None,
    checkpoint_minutes: Annotated[
        float, typer.Option("--checkpoint-minutes", help="How often the state is saved.")
    ] = 5.0,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Go on with the unfinished run of this output; if none, begin one."
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Train multi-sense word vectors on text. A context does not reach beyond its line.

    Ctrl-C saves the state beside the output; --resume goes on from there. Several threads
    write to the same arrays without locks: repeatable to the bit is --threads 1 alone.
    """
    from exrpca.training import Settings, TrainingStopped
    from exrpca.training import train as train_senses

    given = {
        name: value
        for name, value in context.params.items()
        if name in Settings.__dataclass_fields__ and value is not None
    }
    _remark_before(output, writer, resume=resume, quiet=quiet)
    try:
        senses = train_senses(
            corpus,
            preset=preset,
            output=output,
            writer=writer,
            resume=resume,
            checkpoint_seconds=60 * checkpoint_minutes,
            threads=threads,
            progress=not quiet,
            **given,
        )
    except TrainingStopped as stop:
        remark(f"exrpca: {stop}{': go on with --resume' if stop.folder else ''}", quiet=False)
        raise typer.Exit(128 + stop.signal) from None
    remark(
        f"{output}: {len(senses):,} words, {len(senses.vectors):,} senses, "
        f"{senses.metadata['tokens']:,} tokens a pass",
        quiet=quiet,
    )


def _remark_before(output: Path, writer: str | None, *, resume: bool, quiet: bool) -> None:
    """Say what a person might not expect of a run that is about to start."""
    from exrpca.senses.formats.registry import format_to_write
    from exrpca.training.run_folder import RunFolder

    format = format_to_write(output, writer=writer)
    if format.drops:
        remark(
            f"{output}: the format {format.name} holds no {', '.join(format.drops)}", quiet=quiet
        )
    if resume and not RunFolder.beside(output).has_checkpoint:
        remark(f"{output}: no unfinished run, beginning one", quiet=quiet)
