import gc
import json
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

from exrpca import make_senses, save
from exrpca.cli import main


@pytest.fixture
def program():
    return Path(sys.executable).with_name("exrpca")


class Ended(NamedTuple):
    """How a command ended, as `subprocess.run` says it."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def exrpca(tmp_path, monkeypatch, capfd):
    """Run the program as a person would, in an empty folder, but in this process."""

    def run(*arguments, code=0):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["exrpca", *map(str, arguments)])
        capfd.readouterr()
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main.run()
        result = Ended(ended.value.code or 0, *capfd.readouterr())
        assert result.returncode == code, result.stderr
        return result

    threshold = gc.get_threshold()
    yield run
    gc.set_threshold(*threshold)


@pytest.fixture
def exrpca_json(exrpca):
    """Run a command with `--format json` and read what it prints."""
    return lambda *arguments: json.loads(exrpca(*arguments, "--format", "json").stdout)


@pytest.fixture(scope="session")
def planted():
    return make_senses(n_words=300, dim=20, n_components=2, seed=0)


@pytest.fixture(scope="session")
def vectors_file(planted, tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "planted.parquet"
    save(planted.senses, path)
    return path
