"""The recommended encoders, each with the settings that suit it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from exrpca.contextual.pooling import VectorName

# Weights in 8 bits: four times smaller than in single precision, and faster on every processor
# with instructions for them. The Hub has this file of the encoders of sentence-transformers.
_INT8 = "onnx/model_qint8_avx512_vnni.onnx"


@dataclass(frozen=True)
class Recommended:
    """An encoder that is known here.

    Attributes
    ----------
    repository : str
        Its name on the Hugging Face Hub.
    revision : str
        The commit of the repository that is used.
    model : str
        The file of the model.
    megabytes : int
        The size of the download.
    license, languages : str
    vector : str
        What the vector of an occurrence is best made of.
    layer : int, optional
        The best layer; None is the last.
    base : str
        What `config.json` names as the model that this one was made from. A copy in a folder is
        recognized by it.
    folder : Path, optional
        Where the files come with this package.
    """

    repository: str
    revision: str
    model: str
    megabytes: int
    license: str
    languages: str
    vector: VectorName = "target"
    layer: int | None = None
    base: str | None = None
    folder: Path | None = None


# What `encode` uses when no encoder is named, and what is worth a download.
DEFAULT, BETTER = "minilm", "mpnet"

RECOMMENDED: dict[str, Recommended] = {
    "minilm": Recommended(
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
        model="onnx/model.onnx",
        megabytes=0,
        license="Apache-2.0",
        languages="English",
        # chosen on SemEval-2010, CoarseWSD-20 and SemCor-WSI dev
        vector="target+context",
        base="nreimers/MiniLM-L6-H384-uncased",
        folder=Path(str(resources.files("exrpca"))) / "data" / "minilm",
    ),
    "mpnet": Recommended(
        repository="sentence-transformers/all-mpnet-base-v2",
        revision="e8c3b32edf5434bc2275fc9bab85f82640a19130",
        model=_INT8,
        megabytes=110,
        license="Apache-2.0",
        languages="English",
    ),
    "multilingual": Recommended(
        repository="sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
        revision="4328cf26390c98c5e3c738b4460a05b95f4911f5",
        model=_INT8,
        megabytes=279,
        license="Apache-2.0",
        languages="50 languages",
    ),
    "multilingual-small": Recommended(
        repository="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        revision="e8f8c211226b894fcb81acc59f3b34ba3efd5f42",
        model=_INT8,
        megabytes=118,
        license="Apache-2.0",
        languages="50 languages",
    ),
}
