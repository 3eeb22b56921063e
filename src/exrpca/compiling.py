"""Numba functions that are compiled once and cached wherever a cache can be written."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.caching import FunctionCache


def cached_njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator like `numba.njit(cache=True, **options)` that never fails for the cache.

    Numba keeps compiled code in `NUMBA_CACHE_DIR` if that is set, else next to the source, else in
    the user's cache folder. If none of them can be written, as in many containers, the code goes
    to a private folder among the temporary files. If that is not possible either, or the disk is
    full, each process compiles for itself.

    Parameters
    ----------
    **options
        As for `numba.njit`.

    Examples
    --------
    >>> @cached_njit(nogil=True)
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42
    """

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(**options)(function)
        if cache := _cache_of(function):
            dispatcher._cache = cache
        return dispatcher

    return decorate


class _Cache(FunctionCache):
    """A cache that does without what it cannot write."""

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def _cache_of(function: Callable[..., Any]) -> _Cache | None:
    # Numba raises RuntimeError when it finds no folder that can be written
    with contextlib.suppress(RuntimeError):
        return _Cache(function)
    folder = _private_folder()
    if folder is None:
        return None
    config: Any = numba.config  # its attributes are made from the environment
    chosen, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        with contextlib.suppress(RuntimeError):
            return _Cache(function)
    finally:
        config.CACHE_DIR = chosen
    return None


def _private_folder() -> Path | None:
    """Return a folder among the temporary files that nobody else can write to."""
    if not hasattr(os, "getuid"):
        return None
    try:
        folder = Path(tempfile.gettempdir()) / f"exrpca-cache-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    # cached code is run when it is loaded: a folder of another user cannot be trusted
    is_private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    return folder if is_private and found.st_uid == os.getuid() else None
