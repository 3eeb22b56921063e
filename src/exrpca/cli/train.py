"""`exrpca train`: sense vectors from text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from exrpca.cli.options import OutputFile, Quiet, Writer
from exrpca.cli.output import counted, remark, remark_losses

# The defaults, and in brackets those of --preset neelakantan2014. exrpca.training.settings has
# them, which would take a second to import for --help.
DEFAULTS = {
    "model": "mssg (np-mssg)",
    "dim": "300",
    "window": "5",
    "negatives": "5 (1)",
    "window_negatives": "15 (0)",
    "min_count": "20",
    "sample": "0.001",
    "max_senses": "3",
    "multi_sense_top": "30000",
    "threshold": "-0.5",
    "contexts": "words (globals)",
    "context_window": "10",
    "optimizer": "sgd (adagrad)",
    "learning_rate": "0.025",
    "single_sense_epochs": "2 (0)",
    "epochs": "2 (1)",
    "seed": "1",
    "tokenizer": "whitespace",
    "lowercase": "as it is",
}


def _setting(flag: str, text: str, **options: Any) -> Any:
    """Return an option whose default is the value of the preset."""
    name = flag.removeprefix("--").replace("-", "_")
    return typer.Option(flag, help=text, show_default=DEFAULTS[name], **options)


def train(
    context: typer.Context,
    corpus: Annotated[
        list[str],
        typer.Argument(
            help="Text files, plain or compressed (gz, bz2, xz, zst); - is standard input."
        ),
    ],
    output: OutputFile,
    writer: Writer = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            help="The settings to start from: default, or neelakantan2014, with the values in "
            "parentheses.",
        ),
    ] = "default",
    model: Annotated[str | None, _setting("--model", "mssg or np-mssg.")] = None,
    dim: Annotated[int | None, _setting("--dim", "Number of dimensions of the vectors.")] = None,
    window: Annotated[
        int | None, _setting("--window", "Largest number of context tokens on each side.")
    ] = None,
    negatives: Annotated[int | None, _setting("--negatives", "Negatives per context word.")] = None,
    window_negatives: Annotated[
        int | None,
        _setting(
            "--window-negatives",
            "Negatives shared by a window; with 0, each context word has its own.",
        ),
    ] = None,
    contexts: Annotated[
        str | None,
        _setting("--contexts", "What senses are chosen by: words, or globals as in the paper."),
    ] = None,
    context_window: Annotated[
        int | None,
        _setting("--context-window", "Tokens on each side, with --contexts words."),
    ] = None,
    min_count: Annotated[
        int | None, _setting("--min-count", "Leave out words that occur less often.")
    ] = None,
    sample: Annotated[
        float | None, _setting("--sample", "Subsample words with a larger share of the text.")
    ] = None,
    max_senses: Annotated[
        int | None, _setting("--max-senses", "Largest number of senses per word.")
    ] = None,
    multi_sense_top: Annotated[
        int | None, _setting("--multi-sense-top", "How many frequent words get several senses.")
    ] = None,
    threshold: Annotated[
        float | None,
        _setting("--threshold", "np-mssg adds a sense if the best cosine is lower."),
    ] = None,
    optimizer: Annotated[
        str | None, _setting("--optimizer", "sgd, or adagrad, which needs --window-negatives 0.")
    ] = None,
    learning_rate: Annotated[
        float | None, _setting("--learning-rate", "Step size; for sgd, the initial one.")
    ] = None,
    single_sense_epochs: Annotated[
        int | None,
        _setting(
            "--single-sense-epochs", "Passes with one sense per word, before words get several."
        ),
    ] = None,
    epochs: Annotated[
        int | None, _setting("--epochs", "Passes with several senses per word.")
    ] = None,
    seed: Annotated[int | None, _setting("--seed", "Seed of the random numbers.")] = None,
    lowercase: Annotated[
        bool | None, _setting("--lowercase", "Convert the text to lower case.")
    ] = None,
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
        typer.Option("--resume", help="Continue the unfinished run of this output, or start one."),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Train multi-sense word vectors on text. Contexts do not cross line ends.

    Ctrl-C saves the state next to the output; --resume continues from there. Several threads write
    to the same arrays without locks: only --threads 1 is reproducible bit for bit.
    """
    from exrpca.training import Settings, TrainingStopped
    from exrpca.training import train as train_senses

    given = {
        name: value
        for name, value in context.params.items()
        if name in Settings.__dataclass_fields__ and value is not None
    }
    _check_before(output, writer, corpus, resume=resume, quiet=quiet)
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
        remark(f"exrpca: {stop}{': continue with --resume' if stop.folder else ''}", quiet=False)
        raise typer.Exit(128 + stop.signal) from None
    remark(
        f"{output}: {counted(len(senses), 'word')}, {counted(len(senses.vectors), 'sense')}, "
        f"{senses.metadata['tokens']:,} tokens per pass",
        quiet=quiet,
    )


def _check_before(
    output: Path, writer: str | None, corpus: list[str], *, resume: bool, quiet: bool
) -> None:
    """Check the output, and say what the user might not expect of the run."""
    from exrpca.senses.formats import plan_output
    from exrpca.training.run_folder import RunFolder

    plan = plan_output(output, writer=writer, other_than=corpus)
    lost = plan.losses(("counts", "centers", "globals", "metadata"))
    remark_losses(plan, lost, quiet=quiet)
    if resume and not RunFolder.beside(output).has_checkpoint:
        remark(f"{output}: no unfinished run to resume, starting a new one", quiet=quiet)
