import pytest

from exrpca import load

SMALL = ("--dim", "5", "--min-count", "1", "--threads", "1")


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("The cat SAT\nthe Dog sat\n" * 50)
    return path


def test_every_setting_has_an_option(exrpca, text, tmp_path):
    options = ("--optimizer", "adagrad", "--window-noise", "0", "--drawn-window", "--lowercase")
    exrpca("train", text, "-o", "out.parquet", *SMALL, *options)
    training = load(tmp_path / "out.parquet").metadata["training"]
    assert training["window_noise"] == 0
    assert training["whole_window"] is False
    assert training["lowercase"] is True
    refused = exrpca("train", text, "-o", "out.parquet", *SMALL, *options[:2], code=1)
    assert "window_noise=5 must be 0 with optimizer='adagrad'" in refused.stderr
