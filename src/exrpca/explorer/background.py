"""Long computations: each done once, in one thread of its own, while the page stays usable."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)


class NotReadyError(Exception):
    """What was asked for is still being computed; `label` says what that is."""

    def __init__(self, label: str) -> None:
        self.label = label
        super().__init__(label)


class Task(Generic[T]):
    """One computation of a `Background`; made by its method `task`."""

    def __init__(
        self, label: str, compute: Callable[[], T], enqueue: Callable[[Task[T], bool], None]
    ) -> None:
        self.label = label
        self.finished = threading.Event()
        self._compute = compute
        self._enqueue = enqueue
        self._result: T
        self._error: Exception | None = None

    def start(self) -> None:
        """Put it in the queue, before anybody asks for it."""
        self._enqueue(self, False)

    def result(self) -> T:
        """Return what was computed; the first call starts it, or moves it to the front.

        Raises
        ------
        NotReadyError
            While it is not finished.
        Exception
            Whatever the computation raised.
        """
        if not self.finished.is_set():
            self._enqueue(self, True)
            raise NotReadyError(self.label)
        if self._error is not None:
            raise self._error
        return self._result

    def wait(self) -> T:
        """Return what was computed, however long it takes."""
        self._enqueue(self, True)
        self.finished.wait()
        return self.result()

    def run(self) -> None:
        """Compute, unless that has been done."""
        if self.finished.is_set():
            return
        try:
            self._result = self._compute()
        except Exception as error:
            # kept for whoever asks for the result: the thread must live on
            _log.debug("%s failed", self.label, exc_info=True)
            self._error = error
        self.finished.set()


class Background:
    """Works tasks off one after the other; those that a person waits for come first.

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
        self._queue: queue.PriorityQueue[tuple[int, int, Task[Any]]] = queue.PriorityQueue()
        self._order = itertools.count()
        self._lock = threading.Lock()
        # the tasks that run or wait, and whether somebody asked for them
        self._unfinished: dict[Task[Any], bool] = {}
        threading.Thread(target=self._work, name="background", daemon=True).start()

    def task(self, label: str, compute: Callable[[], T]) -> Task[T]:
        """Return a task that waits to be started; `label` says what it does."""
        return Task(label, compute, self._enqueue)

    def unfinished(self) -> list[str]:
        """Return the labels of all tasks that run or wait, in the order they were started."""
        with self._lock:
            return [task.label for task in self._unfinished]

    def _enqueue(self, task: Task[Any], urgent: bool) -> None:
        with self._lock:
            known = task in self._unfinished
            if task.finished.is_set() or (known and self._unfinished[task] >= urgent):
                return
            # a task moved to the front is in the queue twice: its second turn does nothing
            self._unfinished[task] = urgent
            self._queue.put((0 if urgent else 1, next(self._order), task))

    def _work(self) -> None:
        while True:
            task = self._queue.get()[2]
            task.run()
            with self._lock:
                self._unfinished.pop(task, None)
