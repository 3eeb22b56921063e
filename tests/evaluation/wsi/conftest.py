"""Small data sets in each layout, and the real ones."""

import os
from pathlib import Path

import pytest

SEMEVAL_TEXTS = """\
bank.n 2
the river\twas steep
a loan from the\t
run.v 1
they\ta shop
"""
SEMEVAL_KEY = """\
run.v run.v.1 run.v.3
bank.n bank.n.12 bank.n.2
bank.n bank.n.9 bank.n.1
"""
SEMCOR = """\
sentence,lemma,lexsn,wnsn,pos,position
"The banks of a_few rivers , then .",bank,1:17:01::,1,NN,"(4, 9)"
He said the bank closed .,bank,1:14:00::,2,NN,"(12, 16)"
"""
PLAIN = """\
word,left,target,right,gold
bank.n,the river,banks,"were ""steep"", here",shore
bank.n,my,bank,lends,money
"""


@pytest.fixture
def semeval(tmp_path):
    folder = tmp_path / "semeval"
    folder.mkdir()
    (folder / "dataset.txt").write_text(SEMEVAL_TEXTS)
    (folder / "key.txt").write_text(SEMEVAL_KEY)
    return folder


@pytest.fixture
def coarsewsd(tmp_path):
    folder = tmp_path / "coarse"
    word = folder / "bank"
    word.mkdir(parents=True)
    (folder / "README.txt").write_text("about")
    (word / "train.data.txt").write_text("1\tthe banks , steep\n0\tBank of England\n")
    (word / "train.gold.txt").write_text("0\n1\n")
    (word / "test.data.txt").write_text("2\tmy own bank\n")
    (word / "test.gold.txt").write_text("1\n")
    return folder


@pytest.fixture
def semcor(tmp_path):
    path = tmp_path / "dev.csv"
    path.write_text(SEMCOR)
    return path


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "banks.csv"
    path.write_text(PLAIN)
    return path


@pytest.fixture(scope="session")
def real_data():
    """The folder of the published data sets."""
    folder = os.environ.get("EXRPCA_DATA")
    if not folder or not (Path(folder) / "wsi").is_dir():
        pytest.skip("needs the folder wsi in EXRPCA_DATA")
    return Path(folder) / "wsi"
