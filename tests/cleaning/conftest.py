import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def minilm():
    """The folder of a real encoder."""
    folder = Path(os.environ.get("EXRPCA_DATA", "")) / "encoder-minilm"
    if not os.environ.get("EXRPCA_DATA") or not folder.is_dir():
        pytest.skip("needs encoder-minilm in the folder EXRPCA_DATA")
    return folder
