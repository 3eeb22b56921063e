"""`exrpca train`: sense vectors from text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from exrpca.cli.options import CorpusFiles, OutputFile, Quiet, Resume, Threads, Writer, gathers
from exrpca.cli.output import counted, remark, remark_losses

# The type of each setting, its default, in parentheses that of --preset neelakantan2014, and what
# it is. exrpca.training.settings has the defaults, which would take a second to import for --help.
SETTINGS: dict[str, tuple[type, str, str]] = {
    "model": (str, "mssg (np-mssg)", "mssg or np-mssg."),
    "dim": (int, "300", "Number of dimensions of the vectors."),
    "window": (int, "5", "Largest number of context tokens on each side."),
    "negatives": (int, "5 (1)", "Negatives per context word."),
    "window_negatives": (
        *(int, "15 (0)"),
        "Negatives shared by a window; with 0, each context word has its own.",
    ),
    "contexts": (
        *(str, "words (globals)"),
        "What senses are chosen by: words, or globals as in the paper.",
    ),
    "context_window": (int, "10", "Tokens on each side, with --contexts words."),
    "min_count": (int, "20", "Leave out words that occur less often."),
    "sample": (float, "0.001", "Subsample words with a larger share of the text."),
    "max_senses": (int, "3", "Largest number of senses per word."),
    "multi_sense_top": (int, "30000", "How many frequent words get several senses."),
    "threshold": (float, "-0.5", "np-mssg adds a sense if the best cosine is lower."),
    "optimizer": (str, "sgd (adagrad)", "sgd, or adagrad, which needs --window-negatives 0."),
    "learning_rate": (float, "0.025", "Step size; for sgd, the initial one."),
    "single_sense_epochs": (
        *(int, "2 (0)"),
        "Passes with one sense per word, before words get several.",
    ),
    "epochs": (int, "2 (1)", "Passes with several senses per word."),
    "seed": (int, "1", "Seed of the random numbers."),
    "lowercase": (bool, "as it is", "Convert the text to lower case."),
    "tokenizer": (str, "whitespace", "whitespace, or words for text with punctuation."),
}


def _option(name: str, kind: type, default: str, text: str) -> Any:
    flag = f"--{name.replace('_', '-')}"
    return Annotated[kind | None, typer.Option(flag, help=text, show_default=default)]


@gathers("settings", {name: _option(name, *each) for name, each in SETTINGS.items()}, dict)
def train(
    corpus: CorpusFiles,
    output: OutputFile,
    settings: dict[str, Any],
    writer: Writer = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            help="The settings to start from: default, or neelakantan2014, with the values in "
            "parentheses.",
        ),
    ] = "default",
    threads: Threads = None,
    checkpoint_minutes: Annotated[
        float, typer.Option("--checkpoint-minutes", help="How often the state is saved.")
    ] = 5.0,
    resume: Resume = False,
    quiet: Quiet = False,
) -> None:
    """Train multi-sense word vectors on text. Contexts do not cross line ends.

    Ctrl-C saves the state next to the output; --resume continues from there. Several threads write
    to the same arrays without locks: only --threads 1 is reproducible bit for bit.
    """
    import warnings

    from exrpca.training import TrainingStopped
    from exrpca.training import train as train_senses
    from exrpca.training.trainer import small_text

    # said by a remark below
    warnings.filterwarnings("ignore", message="only .* tokens", category=UserWarning)
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
            **{name: value for name, value in settings.items() if value is not None},
        )
    except TrainingStopped as stop:
        remark(f"exrpca: {stop}{': continue with --resume' if stop.folder else ''}", quiet=False)
        raise typer.Exit(128 + stop.signal) from None
    remark(
        f"{output}: {counted(len(senses), 'word')}, {counted(len(senses.vectors), 'sense')}, "
        f"{senses.metadata['tokens']:,} tokens per pass",
        quiet=quiet,
    )
    if small := small_text(senses.metadata["tokens"]):
        remark(small, quiet=quiet)


def _check_before(
    output: Path, writer: str | None, corpus: list[str], *, resume: bool, quiet: bool
) -> None:
    """Check the output, and say what the user might not expect of the run."""
    from exrpca.senses.formats import plan_output
    from exrpca.training.checkpoint import TrainingFolder

    plan = plan_output(output, writer=writer, other_than=corpus)
    lost = plan.losses(("counts", "centers", "globals", "metadata"))
    remark_losses(plan, lost, quiet=quiet)
    if resume and not TrainingFolder.beside(output).can_resume:
        remark(f"{output}: no unfinished run to resume, starting a new one", quiet=quiet)
