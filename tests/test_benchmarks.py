"""The harness of the benchmarks: what it records, and what it keeps."""

import json
from types import ModuleType

import pytest

from benchmarks import harness


@pytest.fixture
def benchmark(tmp_path, monkeypatch):
    monkeypatch.setattr(harness, "RESULTS", tmp_path)
    module = ModuleType("benchmarks.small")
    module.PACKAGES = ("numpy",)
    module.SECTIONS = {"one": lambda: {"seconds": 1.5}, "two": lambda: {"seconds": 2.5}}
    module.fills = lambda: {"seconds": str(harness.results("small")["one"]["seconds"])}
    return module


def test_a_run_records_every_section_with_its_conditions(benchmark, tmp_path, capsys):
    harness.run(benchmark, None, 2)
    recorded = json.loads((tmp_path / "small.json").read_text())
    assert (recorded["one"], recorded["two"]) == ({"seconds": 1.5}, {"seconds": 2.5})
    assert recorded["conditions"]["two"]["threads"] == 2
    assert recorded["conditions"]["two"]["versions"].keys() == {"numpy"}
    assert "seconds: 1.5" in capsys.readouterr().out


def test_sections_that_do_not_run_keep_their_result(benchmark, tmp_path):
    harness.run(benchmark, None, 1)
    benchmark.SECTIONS["two"] = lambda: {"seconds": 9.0}
    harness.run(benchmark, ["two"], 4)
    recorded = json.loads((tmp_path / "small.json").read_text())
    assert (recorded["one"], recorded["two"]) == ({"seconds": 1.5}, {"seconds": 9.0})
    assert [recorded["conditions"][name]["threads"] for name in ("one", "two")] == [1, 4]


def test_a_benchmark_without_its_data_says_what_it_needs(benchmark, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("EXRPCA_DATA", raising=False)
    benchmark.SECTIONS = {"one": lambda: harness.data_file("scws/ratings.txt")}
    harness.run(benchmark, None, 1)
    assert "skipped, needs scws/ratings.txt in the folder EXRPCA_DATA" in capsys.readouterr().out
    assert not (tmp_path / "small.json").exists()


def test_tasks_take_turns():
    order = []
    tasks = {name: lambda name=name: order.append(name) for name in "ab"}
    seconds = harness.interleaved(tasks, repeats=2)
    assert order == ["a", "b", "a", "b"]
    assert [len(values) for values in seconds.values()] == [2, 2]
