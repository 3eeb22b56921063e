import json
import sys
from pathlib import Path

import pytest

from exrpca import make_senses, save


@pytest.fixture
def program():
    return Path(sys.executable).with_name("exrpca")


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
