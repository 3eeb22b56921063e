"""Tasks on the workers of a Dask cluster."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Name = TypeVar("Name")


def on_workers(
    client: Any, function: Callable[..., Any], tasks: Iterable[tuple[Name, tuple[Any, ...]]]
) -> Iterator[tuple[Name, Any]]:
    """Yield the name and the result of each task, in any order.

    Enough tasks are submitted at a time that no worker waits, and few enough that what they need
    is never all in memory. Dask repeats what a worker that dies was at.

    Parameters
    ----------
    client : dask.distributed.Client
    function : callable
        What a task is: a function of a module, which the workers can import.
    tasks : iterable of (name, arguments)
    """
    from distributed import as_completed

    rest = iter(tasks)
    name_of: dict[str, Name] = {}

    def submitted(name: Name, arguments: tuple[Any, ...]) -> Any:
        future = client.submit(function, *arguments, pure=False)
        name_of[future.key] = name
        return future

    at_once = 2 * max(1, sum(client.nthreads().values()))
    running = as_completed([submitted(*task) for task in itertools.islice(rest, at_once)])
    for future in running:
        yield name_of.pop(future.key), future.result()
        for task in itertools.islice(rest, 1):
            running.add(submitted(*task))
