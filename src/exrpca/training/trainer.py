"""`train`: from text to sense vectors."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from exrpca.errors import InputError
from exrpca.files import is_stream, only_run
from exrpca.progress import progress_bar
from exrpca.senses import SenseVectors
from exrpca.senses.formats import OutputPlan, plan_output
from exrpca.senses.metadata import Metadata
from exrpca.text.corpus import Corpus, Source
from exrpca.training.interruption import Interruption
from exrpca.training.run import Run
from exrpca.training.run_folder import RunFolder
from exrpca.training.settings import Settings, named_settings
from exrpca.training.vocabulary import number_tokens, numbered_tokens
from exrpca.training.weights import as_sense_vectors, initial_weights


def train(
    corpus: Source,
    *,
    preset: str = "default",
    output: str | os.PathLike[str] | None = None,
    writer: str | None = None,
    resume: bool = False,
    checkpoint_seconds: float = 300.0,
    threads: int | None = None,
    progress: bool = False,
    **settings: Any,
) -> SenseVectors:
    """Train multi-sense word vectors on a text.

    Skip-gram with negative sampling, in which a token trains the sense of its word whose center
    is nearest to the context. MSSG has a fixed number of senses; NP-MSSG opens a sense when a
    context is unlike those before (Neelakantan et al. 2014).

    Parameters
    ----------
    corpus : path, or iterable of paths or of token lists
        Files are UTF-8 text, plain or compressed (gz, bz2, xz, zst); "-" is standard input.
        A list of tokens counts as one line. Contexts do not cross the end of a line. The text
        is read once and never held in memory.
    preset : {"default", "neelakantan2014"}, default "default"
        The settings to start from.
    output : path-like, optional
        Where to save the vectors, in the format of the file extension, as with `save`. An
        unfinished run keeps its state in a folder next to it, `OUTPUT.training`.
    writer : str, optional
        The format to write, one of `WRITERS`, whatever the extension.
    resume : bool, default False
        Continue the unfinished run of `output` without reading the corpus again. If there is
        none, start one.
    checkpoint_seconds : float, default 300
        How often the state is saved; it is also saved on Ctrl-C and SIGTERM.
    threads : int, optional
        All cores by default. With one thread the vectors are reproducible to the bit; several
        threads write to the same arrays without locks.
    progress : bool, default False
        Show progress bars on standard error.
    **settings
        Settings that differ from the preset: see `Settings`.

    Returns
    -------
    SenseVectors
        With centers, global vectors and counts. Its metadata has the settings and the number of
        tokens of each word.

    Raises
    ------
    TrainingStopped
        After Ctrl-C or SIGTERM, once the state is saved; only with an `output`. If all tokens are
        already trained, the signal is ignored and the output is written.

    References
    ----------
    Neelakantan, Shankar, Passos, McCallum (2014). Efficient Non-parametric Estimation of
    Multiple Embeddings per Word in Vector Space. EMNLP 2014, 1059-1069.

    Examples
    --------
    >>> text = [["the", "cat", "sat"], ["a", "dog", "sat"]] * 50
    >>> senses = train(text, dim=8, min_count=1, max_senses=2, threads=1)
    >>> sorted(senses)
    ['a', 'cat', 'dog', 'sat', 'the']
    >>> senses.metadata["training"]["dim"]
    8
    """
    chosen = named_settings(preset).with_changes(**settings)
    threads = _checked_threads(threads)
    plan = None if output is None else plan_output(output, writer=writer)
    with (
        nullcontext() if plan is None else _only_run(plan.path),
        _run_folder(None if plan is None else plan.path, resume=resume) as folder,
        Interruption(folder) as interruption,
    ):
        text = Corpus(corpus, tokenizer=chosen.tokenizer, lowercase=chosen.lowercase)
        run = _prepared(text, folder, chosen, show=progress)
        interruption.wait()
        _train_to_end(run, folder, interruption, threads, checkpoint_seconds, show=progress)
        senses = _result(run, threads)
        if plan is not None:
            _save(senses, plan, folder, show=progress)
        folder.remove()
    return senses


def _only_run(output: Path) -> AbstractContextManager[None]:
    if is_stream(output):
        raise InputError("is not a file: training keeps its state next to its output", path=output)
    return only_run(output)


def _checked_threads(threads: int | None) -> int:
    if threads is None:
        return os.cpu_count() or 1
    if threads < 1:
        raise InputError(f"threads={threads} must be at least 1")
    return threads


@contextmanager
def _run_folder(output: Path | None, *, resume: bool) -> Iterator[RunFolder]:
    """Yield the folder of the run; it is removed if the run ends without a checkpoint."""
    if output is None:
        if resume:
            raise InputError("resume=True needs an output: the state of a run is kept next to it")
        with tempfile.TemporaryDirectory(prefix="exrpca-") as temporary:
            yield RunFolder(Path(temporary) / "run", keeps_checkpoints=False)
        return
    folder = RunFolder.beside(output)
    folder.check_own()
    if folder.has_checkpoint and not resume:
        raise InputError(
            "holds an unfinished run: resume it, or delete the folder to start over",
            path=folder.path,
        )
    try:
        yield folder
    finally:
        if not folder.has_checkpoint:
            folder.remove()


def _prepared(corpus: Corpus, folder: RunFolder, settings: Settings, *, show: bool) -> Run:
    """Return the run as its checkpoint left it, or a new one."""
    sources = corpus.sources
    if folder.has_checkpoint:
        weights, done = folder.load(settings)
        folder.check_sources(sources)
        vocabulary, tokens = numbered_tokens(folder.path)
        return Run(tokens, vocabulary, settings, weights, done)
    folder.make(sources)
    with progress_bar("Reading", corpus.size, show=show) as report:
        vocabulary, tokens = number_tokens(
            corpus, folder.path, min_count=settings.min_count, report=report
        )
    weights = initial_weights(vocabulary, settings)
    folder.check_room(weights)
    return Run(tokens, vocabulary, settings, weights)


def _train_to_end(
    run: Run,
    folder: RunFolder,
    interruption: Interruption,
    threads: int,
    checkpoint_seconds: float,
    *,
    show: bool,
) -> None:
    start, done_before = time.monotonic(), run.done
    with progress_bar("Training", run.total, show=show) as report:
        while run.done < run.total:
            due = time.monotonic() + checkpoint_seconds

            def pause(due: float = due) -> bool:
                now = time.monotonic()
                speed = run.tokens_since(done_before) / max(now - start, 1e-9)
                senses = run.weights.n_senses.mean()
                report(run.done, f"{speed:,.0f} tokens/s, {senses:.2f} senses per word")
                return interruption.signal is not None or now >= due

            run.advance(threads, pause)
            # at the end too: the output may fail to be written
            if folder.keeps_checkpoints:
                _save_state(run, folder, interruption)
            if run.done < run.total:  # else only the output remains to be written
                interruption.raise_if_stopped()


def _save_state(run: Run, folder: RunFolder, interruption: Interruption) -> None:
    """Write a checkpoint; a full disk ends the run only if it is to end anyway."""
    try:
        folder.save(run.weights, run.done, run.settings)
    except OSError as error:
        if interruption.signal is not None and run.done < run.total:
            raise
        warnings.warn(
            f"{folder.path}: the state could not be saved ({error.strerror}): training goes on",
            stacklevel=4,
        )


def _save(senses: SenseVectors, plan: OutputPlan, folder: RunFolder, *, show: bool) -> None:
    try:
        plan.save(senses, progress=show)
    except OSError as error:
        if folder.has_checkpoint:
            error.add_note(f"the state is in {folder.path}: resume when there is room")
        raise


def _result(run: Run, threads: int) -> SenseVectors:
    settings = run.settings
    of_words = settings.contexts == "words"
    metadata: Metadata = {
        "training": asdict(settings),
        "context": {"window": settings.context_window if of_words else settings.window},
        "threads": threads,
        "tokens": run.vocabulary.n_tokens,
        "word_counts": run.vocabulary.counts.tolist(),
    }
    return as_sense_vectors(run.weights, run.vocabulary, settings, metadata)
