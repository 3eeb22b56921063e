"""`train`: from text to sense vectors."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from exrpca.errors import InputError
from exrpca.progress import progress_bar
from exrpca.senses import SenseVectors, save
from exrpca.senses.formats.registry import format_to_write
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

    Skip-gram with negative sampling in which a token trains the one sense of its word whose
    centre is nearest to the token's context: MSSG, with a fixed number of senses, or NP-MSSG,
    which opens senses as it meets contexts unlike those before (Neelakantan et al. 2014).

    Parameters
    ----------
    corpus : path, or iterable of paths or of token lists
        Files are UTF-8 text, plain or compressed (gz, bz2, xz, zst); "-" is standard input.
        A list of tokens counts as a line. A context does not reach beyond its line. The text
        is read once and never held in memory.
    preset : {"default", "neelakantan2014"}, default "default"
        Which settings to begin with.
    output : path-like, optional
        Where to save the vectors; the name tells the format, as for `save`. An unfinished run
        keeps its state in a folder beside it, `OUTPUT.training`.
    writer : str, optional
        The name of a format, one of `WRITERS`, to write no matter the name.
    resume : bool, default False
        Go on with the unfinished run of `output`, without reading the corpus again; begin one if
        there is none.
    checkpoint_seconds : float, default 300
        How often the state is saved; it is also saved on Ctrl-C and SIGTERM.
    threads : int, optional
        All cores when left out. One thread makes the vectors repeatable to the bit; several
        write to the same arrays without locks.
    progress : bool, default False
        Show progress bars on standard error.
    **settings
        What differs from the preset: see `Settings`.

    Returns
    -------
    SenseVectors
        With centres, global vectors and counts; the settings and how often each word stands in
        the text are in its metadata.

    Raises
    ------
    TrainingStopped
        After Ctrl-C or SIGTERM, once the state is saved. Only with an `output`. A signal that
        finds nothing left to train stops nothing: the output is written.

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
    if output is not None:
        format_to_write(output, writer=writer)  # the end of a long run is late for a bad name
    with (
        _run_folder(None if output is None else Path(output), resume=resume) as folder,
        Interruption(folder) as interruption,
    ):
        text = Corpus(corpus, tokenizer=chosen.tokenizer, lowercase=chosen.lowercase)
        run = _prepared(text, folder, chosen, show=progress)
        interruption.wait()
        _train_to_end(run, folder, interruption, threads, checkpoint_seconds, show=progress)
        senses = _result(run, threads)
        if output is not None:
            save(senses, output, writer=writer, progress=progress)
        folder.remove()
    return senses


def _checked_threads(threads: int | None) -> int:
    if threads is None:
        return os.cpu_count() or 1
    if threads < 1:
        raise InputError(f"threads={threads} must be at least 1")
    return threads


@contextmanager
def _run_folder(output: Path | None, *, resume: bool) -> Iterator[RunFolder]:
    """Give the folder of the run; it goes when the run ends without a checkpoint."""
    if output is None:
        if resume:
            raise InputError("resume=True needs an output: the state of a run lies beside it")
        with tempfile.TemporaryDirectory(prefix="exrpca-") as temporary:
            yield RunFolder(Path(temporary) / "run", keeps_checkpoints=False)
        return
    if output.is_dir() or not output.parent.is_dir():
        raise InputError("expected a file name in an existing folder", path=output)
    folder = RunFolder.beside(output)
    folder.check_own()
    if folder.has_checkpoint and not resume:
        raise InputError(
            "holds an unfinished run: resume it, or delete the folder to train anew",
            path=folder.path,
        )
    try:
        yield folder
    finally:
        if not folder.has_checkpoint:
            folder.remove()


def _prepared(corpus: Corpus, folder: RunFolder, settings: Settings, *, show: bool) -> Run:
    """Return the run where its checkpoint left it, or a fresh one."""
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
    return Run(tokens, vocabulary, settings, initial_weights(vocabulary, settings))


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
                report(run.done, f"{speed:,.0f} tokens/s, {senses:.2f} senses a word")
                return interruption.signal is not None or now >= due

            run.advance(threads, pause)
            if run.done == run.total:
                return  # whatever signal came: what is left is to write the output
            if folder.keeps_checkpoints:
                folder.save(run.weights, run.done, run.settings)
            interruption.raise_if_stopped()


def _result(run: Run, threads: int) -> SenseVectors:
    metadata = {
        "training": asdict(run.settings),
        "threads": threads,
        "tokens": run.vocabulary.n_tokens,
        "word_counts": run.vocabulary.counts.tolist(),
    }
    return as_sense_vectors(run.weights, run.vocabulary, run.settings, metadata)
