import threading

import pytest

from exrpca.errors import InputError
from exrpca.explorer.background import Background, NotReadyError


def test_result_is_computed_once():
    calls = []
    task = Background().task("Counting", lambda: calls.append(1) or len(calls))
    assert task.wait() == 1
    assert task.wait() == task.result() == 1


def test_unfinished_task_says_what_it_does():
    background, go = Background(), threading.Event()
    task = background.task("Waiting", go.wait)
    with pytest.raises(NotReadyError, match="Waiting"):
        task.result()
    assert background.unfinished() == ["Waiting"]
    go.set()
    assert task.wait() is True


def test_error_reaches_who_asks_and_later_tasks_run():
    background = Background()

    def fail():
        raise InputError("no pairs")

    failing = background.task("Failing", fail)
    failing.start()
    assert background.task("After", lambda: 7).wait() == 7
    for _ in range(2):
        with pytest.raises(InputError, match="no pairs"):
            failing.result()
