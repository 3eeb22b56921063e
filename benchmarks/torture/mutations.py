"""Damaged files of every format: each must be read or refused in one line, fast and in bounds."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import own_memory
from benchmarks.torture import children
from benchmarks.torture.samples import Sample, write_samples
from exrpca import InputError

# CPU seconds after which a reader counts as hung; an undamaged file takes a hundredth of one.
_MOST_SECONDS = 10
# What a damaged file may need beyond the undamaged one.
_MOST_MEMORY_MB = 200
_LONGEST_MESSAGE = 300
# Files read by one process.
_BATCH = 250

# What a person or a broken program may put in the place of a number or a word.
_TOKENS = (
    *(b"nan", b"inf", b"-1", b"0", b"1e99999999999999999999", b"1e-99999999999999999999"),
    *(b"1000000000000", b"1000000000", b"99999999999999999999999", b"9" * 5000, b"\xff\xfe"),
    *(b"", b" ", b"\n", b"\t", b"\0", b",", b'"', b"#", b"0x10", b"1_000", b"[" * 2000),
)


def mutated(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    """Return a file with one to three random changes."""
    for _ in range(int(random.integers(1, 4))):
        change = _CHANGES[int(random.integers(len(_CHANGES)))]
        content = change(content or b"\0", other, random)
    return content


def _at(content: bytes, random: np.random.Generator) -> int:
    # the beginning decides most: headers, magic numbers
    most = len(content) if random.random() < 0.7 else min(len(content), 64)
    return int(random.integers(most))


def _length(random: np.random.Generator) -> int:
    return int(2 ** random.uniform(0, 9))


def _flip(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    at = _at(content, random)
    return content[:at] + bytes([content[at] ^ 1 << int(random.integers(8))]) + content[at + 1 :]


def _overwrite(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    at, n = _at(content, random), _length(random)
    return content[:at] + random.bytes(n) + content[at + n :]


def _delete(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    at = _at(content, random)
    return content[:at] + content[at + _length(random) :]


def _repeat(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    at, n = _at(content, random), _length(random)
    return content[: at + n] + content[at : at + n] * int(random.integers(1, 5)) + content[at + n :]


def _cut(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    return content[: _at(content, random)]


def _zero(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    at, n = _at(content, random), _length(random)
    return content[:at] + bytes(n) + content[at + n :]


def _splice(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    return content[: _at(content, random)] + other[_at(other, random) :]


def _replace_token(content: bytes, other: bytes, random: np.random.Generator) -> bytes:
    """Put something else in the place of what is between two separators."""
    at = _at(content, random)
    start = max(content.rfind(sign, 0, at) for sign in (b" ", b"\n", b",", b"\t")) + 1
    ends = [content.find(sign, at) for sign in (b" ", b"\n", b",", b"\t")]
    end = min((end for end in ends if end >= 0), default=len(content))
    token = _TOKENS[int(random.integers(len(_TOKENS)))]
    return content[:start] + token + content[max(start, end) :]


_CHANGES: tuple[Callable[[bytes, bytes, np.random.Generator], bytes], ...] = (
    *(_flip, _overwrite, _delete, _repeat, _cut, _zero, _splice),
    *(_replace_token, _replace_token, _replace_token),
)


def attack(n_tries: int, seed: int = 0) -> dict[str, Any]:
    """Read `n_tries` damaged files, as many of each format."""
    with tempfile.TemporaryDirectory() as folder:
        samples = write_samples(Path(folder))
        usual = {name: _warmed(sample) for name, sample in samples.items()}
        found: list[tuple[str, str, float]] = []
        for name, sample in samples.items():
            share = range(-(-n_tries // len(samples)))
            found += [(name, *outcome) for outcome in _attack_file(sample, share, seed)]
    return _summary(found, usual)


def _warmed(sample: Sample) -> float:
    """Read a good file, so that all that is compiled is compiled; return its memory in MB."""
    sample.read()
    return _memory_of(sample.read)[1]


def _attack_file(sample: Sample, numbers: range, seed: int) -> Iterator[tuple[str, float]]:
    path = sample.path
    content = path.read_bytes()
    others = [other.read_bytes() for other in sorted(path.parent.glob("a.*"))]
    done = 0
    while done < len(numbers):
        batch = numbers[done : done + _BATCH]
        outcomes, ended = _in_child(sample, content, others, batch, seed)
        yield from outcomes
        done += len(outcomes)
        if len(outcomes) < len(batch):  # the next one killed the process
            yield ("hang" if -ended in (signal.SIGPROF, signal.SIGKILL) else "crash"), 0.0
            done += 1
    path.write_bytes(content)


def _in_child(
    sample: Sample, content: bytes, others: list[bytes], batch: range, seed: int
) -> tuple[list[tuple[str, float]], int]:
    path = sample.path
    report = path.with_name("report.jsonl")

    def task() -> None:
        warnings.simplefilter("ignore")
        with report.open("w", buffering=1) as file:
            for number in batch:
                random = np.random.default_rng([seed, number, len(content)])
                other = others[int(random.integers(len(others)))]
                path.write_bytes(mutated(content, other, random))
                signal.setitimer(signal.ITIMER_PROF, _MOST_SECONDS)
                print(json.dumps(_memory_of(lambda: outcome(sample))), file=file)

    log = path.with_name("log")
    ended = children.wait(children.start(task, log), log)
    if ended.code > 0:
        raise RuntimeError(f"the attack itself failed: {ended.stderr}")
    lines = report.read_text().splitlines()
    return [tuple(json.loads(line)) for line in lines], ended.code


def _memory_of(task: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a task returned, and the memory in MB that it needed at most."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # the high-water mark starts anew
    before = own_memory("VmRSS")
    result = task()
    return result, (own_memory("VmHWM") - before) / 1e6


def outcome(sample: Sample) -> str:
    """Return what happens when a file is read: "read", "refused" or the kind of failure."""
    try:
        sample.read()
    except InputError as error:
        if error.__cause__ is not None:
            return "refused, unforeseen"
        # the name of the folder does not count, it may be as long as it likes
        message = str(error).replace(os.fspath(sample.path.parent), "")
        return "refused" if len(message) <= _LONGEST_MESSAGE else "long message"
    except BaseException as error:  # any other is a failure
        return type(error).__name__
    return "read"


def _summary(found: list[tuple[str, str, float]], usual: dict[str, float]) -> dict[str, Any]:
    good = ("read", "refused", "refused, unforeseen")
    failures = collections.Counter(kind for _, kind, _ in found if kind not in good)
    beyond = [memory - usual[name] for name, _, memory in found]
    too_much = sum(memory > _MOST_MEMORY_MB for memory in beyond)
    if too_much:
        failures["memory"] = too_much
    formats = {}
    for name in usual:
        kinds = collections.Counter(kind for of, kind, _ in found if of == name)
        formats[name] = {
            "tries": sum(kinds.values()),
            "refused": kinds["refused"] + kinds["refused, unforeseen"],
            "read": kinds["read"],
            "failures": sum(n for kind, n in kinds.items() if kind not in good),
        }
    return {
        "tries": len(found),
        "survived": len(found) - sum(failures.values()),
        "failures": dict(failures),
        "refused by the last net": sum(kind == "refused, unforeseen" for _, kind, _ in found),
        "most memory beyond the undamaged file, MB": max(beyond),
        "formats": formats,
    }
