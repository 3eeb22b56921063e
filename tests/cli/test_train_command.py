import pytest

from exrpca import load
from exrpca.cli.train import SETTINGS
from exrpca.training.settings import PRESETS, Settings

SMALL = ("--dim", "5", "--min-count", "1", "--threads", "1")


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("The cat SAT\nthe Dog sat\n" * 50)
    return path


@pytest.mark.parametrize(
    ("output", "dropped"),
    [
        ("out.parquet", ""),
        ("out.mssg", "format mssg does not keep metadata"),
        ("out.bin", "word2vec-binary does not keep counts, centers, globals, metadata"),
        ("out_global.vec", "format three-files does not keep counts, metadata"),
    ],
)
def test_what_a_format_cannot_hold_is_said_once(exrpca, text, output, dropped):
    remarks = exrpca("train", text, "-o", output, *SMALL).stderr
    assert remarks.count("does not keep") == bool(dropped)
    assert dropped in remarks
    assert "does not keep" not in exrpca("train", text, "-o", output, *SMALL, "--quiet").stderr


def test_a_writer_serves_a_name_that_tells_no_format(exrpca, text, tmp_path):
    refused = exrpca("train", text, "-o", "out.txt", *SMALL, code=1)
    assert refused.stderr.startswith("exrpca: cannot tell the format from the name 'out.txt'")
    assert refused.stderr.count("\n") == 1
    exrpca("train", text, "-o", "out.txt", "--writer", "mssg", *SMALL)
    assert len(load(tmp_path / "out.txt", reader="mssg")) == 6


def test_every_setting_has_an_option(exrpca, text, tmp_path):
    options = ("--optimizer", "adagrad", "--window-negatives", "0", "--contexts", "globals")
    exrpca("train", text, "-o", "out.parquet", *SMALL, *options, "--lowercase")
    training = load(tmp_path / "out.parquet").metadata["training"]
    assert training["window_negatives"] == 0
    assert training["contexts"] == "globals"
    assert training["lowercase"] is True
    refused = exrpca("train", text, "-o", "out.parquet", *SMALL, *options[:2], code=1)
    assert "--window-negatives 15 must be 0 with --optimizer adagrad" in refused.stderr


def test_help_shows_the_defaults_of_both_presets():
    paper = PRESETS["neelakantan2014"]
    for name, (_, shown, _) in SETTINGS.items():
        if name != "lowercase":
            default, papers = (getattr(settings, name) for settings in (Settings(), paper))
            assert shown == (f"{default}" if default == papers else f"{default} ({papers})")
