"""Data sets that are not bundled: fetched from their public address, checked, kept in a cache."""

from __future__ import annotations

import hashlib
import io
import urllib.request
import zipfile
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_cache_path

from exrpca.errors import InputError
from exrpca.files import atomic_path

_TIMEOUT_SECONDS = 60
# An answer far larger than any of the data sets is not one of them.
_MAX_BYTES = 100_000_000


class RemoteFile(NamedTuple):
    """One file inside a zip archive on the web, with its SHA-256 in hexadecimal."""

    address: str
    member: str
    sha256: str


DATASETS = {
    "scws": RemoteFile(
        address="https://www-nlp.stanford.edu/~ehhuang/SCWS.zip",
        member="SCWS/ratings.txt",
        sha256="b371cee6142e6be9fad9129a2b6cc7e3b945b7bc931b355051043fb438c16000",
    ),
}

# What `exrpca evaluate` reads: the name, where it is published, and what to give to the program.
PUBLISHED = (
    ("SCWS", DATASETS["scws"].address, "exrpca datasets get scws"),
    (
        "SemEval-2010",
        "https://github.com/sbos/AdaGram.jl",
        "--wsi data/semeval-2010 (task: https://www.cs.york.ac.uk/semeval2010_WSI)",
    ),
    (
        "CoarseWSD-20",
        "https://github.com/danlou/bert-disambiguation",
        "--wsi the folder with one folder per word (CC BY-NC 4.0)",
    ),
    (
        "SemCor-WSI",
        "https://github.com/anya-bel/fullcorpus_wsi",
        "--wsi datasets/semcorwsi_dataset_all_dev.csv (SemCor's license)",
    ),
)


def cache_folder() -> Path:
    """Return the folder for downloaded data: `exrpca` in the user's cache."""
    return user_cache_path("exrpca", appauthor=False)


def cached(name: str) -> Path | None:
    """Return where a data set was kept by `fetch`, or None if it was not.

    A copy that has changed since is refused.
    """
    path = _place(name)
    if not path.is_file():
        return None
    if _sha256(path.read_bytes()) != DATASETS[name].sha256:
        raise InputError(f"is damaged: get it again with `exrpca datasets get {name}`", path=path)
    return path


def fetch(name: str) -> Path:
    """Return the path of a data set in the cache, after downloading it if it is not there.

    What arrives must have the expected SHA-256; otherwise nothing is kept.
    """
    if name not in DATASETS:
        raise InputError(f"no data set {name!r}; available: {', '.join(DATASETS)}")
    address, member, expected = DATASETS[name]
    path = _place(name)
    if path.is_file() and _sha256(path.read_bytes()) == expected:
        return path
    try:
        with zipfile.ZipFile(io.BytesIO(_download(address))) as archive:
            content = archive.open(member).read(_MAX_BYTES)
    except zipfile.BadZipFile:
        raise InputError(f"{address} did not send a zip archive") from None
    except KeyError:
        raise InputError(f"{address} has no {member} in it") from None
    if (found := _sha256(content)) != expected:
        raise InputError(
            f"{address}: {member} has SHA-256 {found}, expected {expected}; nothing was kept"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)
    return path


def _place(name: str) -> Path:
    return cache_folder() / name / Path(DATASETS[name].member).name


def _download(address: str) -> bytes:
    try:
        # the address is a constant of this module
        with urllib.request.urlopen(address, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
            content: bytes = answer.read(_MAX_BYTES + 1)
    except OSError as error:
        if address.startswith("https:"):  # not offered, perhaps; the SHA-256 is checked anyway
            return _download(f"http:{address.removeprefix('https:')}")
        reason = getattr(error, "reason", None) or error
        raise InputError(
            f"{address} could not be fetched ({reason}): try again when you are online, or "
            "download and unpack it elsewhere and pass the path of the unpacked file to the "
            "command that needs it"
        ) from None
    if len(content) > _MAX_BYTES:
        raise InputError(f"{address} sent more than {_MAX_BYTES:,} bytes; nothing was kept")
    return content


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
