"""Errors and warnings about input: one line that says what, where and what to do."""

from __future__ import annotations

from os import PathLike

# Longer messages, which quote what a damaged file holds, are cut in the middle.
_LONGEST_MESSAGE = 240


def _shortened(message: str) -> str:
    if len(message) <= _LONGEST_MESSAGE:
        return message
    return f"{message[: _LONGEST_MESSAGE * 2 // 3]} … {message[-_LONGEST_MESSAGE // 4 :]}"


class InputError(ValueError):
    """Bad input from a person: a file, a word or a setting that cannot be used.

    The command line prints it as one line and exits with code 1.

    Parameters
    ----------
    message : str
        What was found and what was expected; cut in the middle if it is very long.
    path : path-like, optional
        The file it was found in.
    line : int, optional
        The line of that file, counted from 1.

    Examples
    --------
    >>> str(InputError("4 values, expected 3", path="vectors.txt", line=7))
    'vectors.txt, line 7: 4 values, expected 3'
    """

    def __init__(
        self, message: str, *, path: str | PathLike[str] | None = None, line: int | None = None
    ) -> None:
        self.message = message = _shortened(message)
        self.path = path
        self.line = line
        where = "" if path is None else str(path)
        if line is not None:
            where += f", line {line}"
        super().__init__(f"{where}: {message}" if where else message)


class InputWarning(UserWarning):
    """Something a person should know about input that is used all the same.

    The command line prints it as one line.
    """


class UnknownWordError(InputError, KeyError):
    """A word, or a sense of a word, that is not among the vectors.

    Also a `KeyError`, as a mapping raises for a missing key.
    """

    # KeyError shows its message in quotes
    __str__ = Exception.__str__
