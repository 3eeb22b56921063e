"""Long computations: each done once, in one thread of its own, while the page stays usable."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class NotReadyError(Exception):
    """What was asked for is still being computed; the message says what that is."""


class Task(Generic[T]):
    """One computation of a `Background`; made by its method `task`."""

    def __init__(
        self, label: str, compute: Callable[[], T], enqueue: Callable[[Task[Any]], None]
    ) -> None:
        self.label = label
        self.future: Future[T] = Future()
        self._compute = compute
        self.start = lambda: enqueue(self)

    def result(self) -> T:
        """Return what was computed; the first call starts it.

        Raises
        ------
        NotReadyError
            While it is not finished.
        Exception
            Whatever the computation raised.
        """
        self.start()
        if not self.future.done():
            raise NotReadyError(self.label)
        return self.future.result()

    def wait(self) -> T:
        """Return what was computed, however long it takes."""
        self.start()
        return self.future.result()

    def run(self) -> None:
        """Compute; an error is kept for whoever asks for the result."""
        try:
            self.future.set_result(self._compute())
        except Exception as error:
            self.future.set_exception(error)


class Background:
    """Works tasks off one after the other, in the order they were started.

    One thread: the parallel loops inside the tasks use all cores, and not every threading
    layer of numba may be entered from two threads at once. It is a daemon, so that Ctrl-C
    does not wait for it.

    Examples
    --------
    >>> background = Background()
    >>> total = background.task("Adding up", lambda: sum(range(4)))
    >>> total.wait()
    6
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Task[Any]] = queue.SimpleQueue()
        self._started: dict[Task[Any], None] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._work, name="background", daemon=True).start()

    def task(self, label: str, compute: Callable[[], T]) -> Task[T]:
        """Return a task that waits to be started; `label` says what it does."""
        return Task(label, compute, self._enqueue)

    def unfinished(self) -> list[str]:
        """Return the labels of all tasks that run or wait."""
        with self._lock:
            return [task.label for task in self._started if not task.future.done()]

    def _enqueue(self, task: Task[Any]) -> None:
        with self._lock:
            if task not in self._started:
                self._started[task] = None
                self._queue.put(task)

    def _work(self) -> None:
        while True:
            self._queue.get().run()
