"""`train`: from text to sense vectors."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from exrpca.errors import InputError
from exrpca.progress import progress_bar
from exrpca.senses import SenseVectors
from exrpca.senses.formats import OutputPlan, plan_output
from exrpca.senses.metadata import Metadata
from exrpca.text.corpus import Corpus, Source
from exrpca.training.checkpoint import Interruption, TrainingFolder
from exrpca.training.run import Run
from exrpca.training.settings import Settings, named_settings
from exrpca.training.vocabulary import number_tokens, numbered_tokens
from exrpca.training.weights import as_sense_vectors, initial_weights

# Of 1.5 million words of Wikipedia, `detect` finds the neighbors to be noise; of 9 million, not.
_FEW_TOKENS = 5_000_000


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
        Files are UTF-8 text, plain or compressed (gz, bz2, xz, zst); "-" is standard input. A
        folder stands for all files below it. A list of tokens counts as one line. Contexts do not
        cross the end of a line. The text
        is read once and is never in memory as a whole.
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

    Warns
    -----
    UserWarning
        If the text is too small for senses.

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
    if plan is None and resume:
        raise InputError("resume=True needs an output: the state of a run is kept next to it")
    own = () if plan is None else (plan.path, TrainingFolder.beside(plan.path).path)
    text = Corpus(corpus, tokenizer=chosen.tokenizer, lowercase=chosen.lowercase, without=own)
    text.check(chosen.tokenizer, tables=False)
    if plan is None:
        with tempfile.TemporaryDirectory(prefix="exrpca-") as temporary:
            run = _prepared(text, TrainingFolder(Path(temporary) / "run"), chosen, show=progress)
            _train_to_end(run, threads, show=progress)
            return _result(run, threads)
    with TrainingFolder.of_run(plan.path, resume=resume) as folder:
        interruption = Interruption(folder)
        with interruption.handled():
            run = _prepared(text, folder, chosen, show=progress)
            folder.check_room(run.weights)
            interruption.waits = True
            keeping = _Keeping(folder, interruption, checkpoint_seconds)
            _train_to_end(run, threads, keeping, show=progress)
            senses = _result(run, threads)
            _save(senses, plan, folder, show=progress)
            folder.remove()
    return senses


def _checked_threads(threads: int | None) -> int:
    if threads is None:
        return os.cpu_count() or 1
    if threads < 1:
        raise InputError(f"threads={threads} must be at least 1")
    return threads


def _prepared(corpus: Corpus, folder: TrainingFolder, settings: Settings, *, show: bool) -> Run:
    """Return the run as its checkpoint left it, or a new one."""
    started_with = {**asdict(settings), "sources": corpus.sources}
    if folder.can_resume:
        folder.check_settings(started_with)
        weights, done = folder.load()
        vocabulary, tokens = numbered_tokens(folder.path)
        return Run(tokens, vocabulary, settings, weights, done)
    folder.make(started_with)
    with progress_bar("Reading", corpus.size, show=show) as report:
        vocabulary, tokens = number_tokens(
            corpus, folder.path, min_count=settings.min_count, report=report
        )
    weights = initial_weights(vocabulary, settings)
    return Run(tokens, vocabulary, settings, weights)


class _Keeping(NamedTuple):
    """Where, when and how often the state of a run is saved."""

    folder: TrainingFolder
    interruption: Interruption
    seconds: float

    def is_due(self, since: float) -> bool:
        return self.interruption.signal is not None or time.monotonic() >= since + self.seconds

    def save(self, run: Run) -> None:
        """Write a checkpoint, and stop if a signal asked for it.

        Once everything is trained, only the output remains to be written, so no signal stops it. A
        full disk ends the run only if it is to end anyway.
        """
        stops = self.interruption.signal is not None and run.done < run.total
        try:
            self.folder.save(run.weights, run.done)
        except OSError as error:
            if stops:
                raise
            warnings.warn(
                f"{self.folder.path}: the state could not be saved ({error.strerror}): training "
                "goes on",
                stacklevel=4,
            )
        if stops:
            self.interruption.raise_if_stopped()


def _train_to_end(run: Run, threads: int, keeping: _Keeping | None = None, *, show: bool) -> None:
    start, done_before = time.monotonic(), run.done
    with progress_bar("Training", run.total, show=show) as report:
        while run.done < run.total:
            since = time.monotonic()

            def pause(since: float = since) -> bool:
                seconds = max(time.monotonic() - start, 1e-9)
                speed = run.tokens_since(done_before) / seconds
                senses = run.weights.n_senses.mean()
                report(run.done, f"{speed:,.0f} tokens/s, {senses:.2f} senses per word")
                return keeping is not None and keeping.is_due(since)

            run.advance(threads, pause)
            if keeping is not None:  # at the end too: the output may fail to be written
                keeping.save(run)


def _save(senses: SenseVectors, plan: OutputPlan, folder: TrainingFolder, *, show: bool) -> None:
    try:
        plan.save(senses, progress=show)
    except OSError as error:
        if folder.can_resume:
            error.add_note(f"the state is in {folder.path}: resume when there is room")
        raise


def small_text(n_tokens: int) -> str | None:
    """Return what to tell about a text that is too small for senses, if it is.

    Examples
    --------
    >>> small_text(1_500_000)[:54]
    'only 1,500,000 tokens: the senses will be mostly noise'
    >>> small_text(65_000_000)
    """
    if n_tokens >= _FEW_TOKENS:
        return None
    return (
        f"only {n_tokens:,} tokens: the senses will be mostly noise below {_FEW_TOKENS:,}; for "
        "less text use encode and induce"
    )


def _result(run: Run, threads: int) -> SenseVectors:
    settings = run.settings
    if small := small_text(run.vocabulary.n_tokens):
        warnings.warn(small, stacklevel=3)  # the line that called train
    of_words = settings.contexts == "words"
    metadata: Metadata = {
        "training": asdict(settings),
        "context": {"window": settings.context_window if of_words else settings.window},
        "threads": threads,
        "tokens": run.vocabulary.n_tokens,
        "word_counts": run.vocabulary.counts.tolist(),
    }
    return as_sense_vectors(run.weights, run.vocabulary, settings, metadata)
