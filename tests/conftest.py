import gc
import os
import signal
import sys
import warnings
from typing import NamedTuple

import pytest
from hypothesis import settings

from exrpca.cli import main
from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA

# How long an example takes says more about the machine, and about what compiles first, than
# about the code.
settings.register_profile("exrpca", deadline=None)
settings.load_profile("exrpca")

# NLTK reads its folders when it is imported.
if "EXRPCA_DATA" in os.environ:
    os.environ.setdefault("NLTK_DATA", os.path.join(os.environ["EXRPCA_DATA"], "nltk_data"))


# A run started in the background of a script ignores Ctrl-C, and so would the processes it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    if any("no Chromium" in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(
            "The tests of the explorer's page were skipped. They need Chromium or Chrome, which "
            "`apt-get install chromium` or `brew install --cask chromium` installs.",
            yellow=True,
        )


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
def fits(monkeypatch):
    """The estimators that are really fitted during a test, by name and number of components."""
    seen = []

    def count(estimator):
        fit = estimator.fit

        def counted_fit(self, X, y=None):
            threshold = getattr(self, "threshold", None)
            name = "PCA" if threshold == float("inf") else estimator.__name__
            seen.append((name, self.n_components))
            return fit(self, X, y)

        monkeypatch.setattr(estimator, "fit", counted_fit)

    for estimator in (ExRPCA, ConvexExRPCA, RobustPCA):
        count(estimator)
    return seen
