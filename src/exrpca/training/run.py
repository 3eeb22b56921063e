"""A run: threads train on chunks of the text, epoch after epoch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from exrpca.training.kernel import Plan, Weights, train_chunk
from exrpca.training.opening import open_senses, to_context_rows
from exrpca.training.settings import Settings
from exrpca.training.vocabulary import Vocabulary
from exrpca.training.weights import first_rows, lookup_tables, multi_sense_words

# Tokens per chunk: a fraction of a second of training.
_CHUNK = 1 << 16

# How many contexts a center from drawn contexts, or from an earlier epoch, counts for. Where
# the number comes from is not recorded.
_PRIOR_CONTEXTS = 100

# A threshold that no cosine is below: no sense is opened.
_NEVER = -2.0


class Run:
    """A training run over numbered tokens.

    Parameters
    ----------
    tokens : ndarray of int32
        Positions in the vocabulary, `LINE_END` where a line ends.
    vocabulary : Vocabulary
    settings : Settings
    weights : Weights
        Changed in place.
    done : int, default 0
        How many chunks, over all epochs, the weights have been trained on.

    Attributes
    ----------
    done : int
        How many chunks have been trained on, over all epochs.
    total : int
        How many chunks there are, over all epochs.
    """

    def __init__(
        self,
        tokens: NDArray[np.int32],
        vocabulary: Vocabulary,
        settings: Settings,
        weights: Weights,
        done: int = 0,
    ) -> None:
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.settings = settings
        self.weights = weights
        self.done = done
        self._tables = lookup_tables(vocabulary, settings)
        self._per_epoch = -(-len(tokens) // _CHUNK)
        self.total = self._per_epoch * (settings.single_sense_epochs + settings.epochs)

    def advance(self, threads: int, pause: Callable[[], bool]) -> None:
        """Train to the end, or until `pause()`, called after each chunk, returns True.

        On return no thread is running: the weights have been trained on exactly the first `done`
        chunks. With one thread the result does not depend on the pauses.
        """
        with ThreadPoolExecutor(threads) as pool:
            paused = False
            while self.done < self.total and not paused:
                epoch = self.done // self._per_epoch
                if self.done % self._per_epoch == 0:
                    self._begin(epoch, pool)
                paused = self._go_through(epoch, pool, 2 * threads, pause)

    def tokens_since(self, done: int) -> int:
        """Return how many tokens have been trained since `done` chunks were done."""
        return (self.done - done) * _CHUNK

    def _begin(self, epoch: int, pool: ThreadPoolExecutor) -> None:
        warm = self.settings.single_sense_epochs
        if epoch < warm:
            return
        if epoch == warm and warm > 0:
            self._open_senses(self._plan(epoch), pool)
        self.weights.counts[:] = 0

    def _open_senses(self, plan: Plan, pool: ThreadPoolExecutor) -> None:
        weights, tokens, seed = self.weights, self.tokens, self.settings.seed
        if plan.context_window > 0:
            first = first_rows(len(weights.globals), plan.n_multi, plan.max_senses)
            np.take(weights.vectors, first, axis=0, out=weights.contexts)
            to_context_rows(
                weights.contexts,
                self.vocabulary.counts,
                tokens,
                window=plan.context_window,
                seed=seed,
            )
        if self.settings.model == "mssg":
            open_senses(tokens, weights, plan, seed=seed, pool=pool)

    def _go_through(
        self, epoch: int, pool: ThreadPoolExecutor, most_waiting: int, pause: Callable[[], bool]
    ) -> bool:
        """Train the rest of an epoch; return whether it was paused."""
        plan = self._plan(epoch)
        waiting: deque[Future[None]] = deque()
        paused = False
        for chunk in range(self.done, (epoch + 1) * self._per_epoch):
            waiting.append(pool.submit(self._train_chunk, chunk, plan))
            if len(waiting) == most_waiting:
                waiting.popleft().result()
                self.done += 1
                paused = pause()
                if paused:
                    break
        for future in waiting:
            future.result()
            self.done += 1
        return paused or pause()

    def _train_chunk(self, chunk: int, plan: Plan) -> None:
        start = chunk % self._per_epoch * _CHUNK
        rate = self.settings.learning_rate
        if self.settings.optimizer == "sgd":
            rate *= max(1e-4, 1 - chunk / self.total)
        # each chunk has its own random numbers, so that only `done` needs to be saved
        seed = np.random.SeedSequence([self.settings.seed, chunk]).generate_state(1, np.uint64)[0]
        train_chunk(
            self.tokens[start : start + _CHUNK], self.weights, self._tables, plan, rate, seed
        )

    def _plan(self, epoch: int) -> Plan:
        settings = self.settings
        warm = settings.single_sense_epochs
        opens = settings.model == "np-mssg"
        return Plan(
            window=settings.window,
            negatives=settings.negatives,
            window_negatives=settings.window_negatives,
            n_multi=multi_sense_words(self.vocabulary, settings),
            max_senses=settings.max_senses,
            with_senses=epoch >= warm,
            context_window=settings.context_window if settings.contexts == "words" else 0,
            prior=_PRIOR_CONTEXTS if epoch > 0 else 0,
            threshold=settings.threshold if opens else _NEVER,
            adagrad=settings.optimizer == "adagrad",
        )
