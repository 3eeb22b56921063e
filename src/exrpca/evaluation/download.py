"""Data sets that are not bundled: fetched from their public address, checked, kept in a cache."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from exrpca.errors import InputError
from exrpca.files import atomic_path

_TIMEOUT_SECONDS = 60
# An answer far larger than any of the data sets is not one of them.
_MAX_BYTES = 100_000_000


@dataclass(frozen=True)
class RemoteFile:
    """One file inside a zip archive on the web.

    Attributes
    ----------
    address : str
        The archive.
    member : str
        The file's path in the archive.
    sha256 : str
        Of the file, in hexadecimal.
    """

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


class Published(NamedTuple):
    """A data set that `exrpca evaluate` reads.

    Attributes
    ----------
    name : str
    address : str
        Where it is published.
    use : str
        What to give to the program, and on what terms the data comes.
    """

    name: str
    address: str
    use: str


PUBLISHED = (
    Published("SCWS", DATASETS["scws"].address, "exrpca datasets get scws"),
    Published(
        "SemEval-2010",
        "https://github.com/sbos/AdaGram.jl",
        "--wsi data/semeval-2010 (task: https://www.cs.york.ac.uk/semeval2010_WSI)",
    ),
    Published(
        "CoarseWSD-20",
        "https://github.com/danlou/bert-disambiguation",
        "--wsi the folder with one folder per word (CC BY-NC 4.0)",
    ),
    Published(
        "SemCor-WSI",
        "https://github.com/anya-bel/fullcorpus_wsi",
        "--wsi datasets/semcorwsi_dataset_all_dev.csv (SemCor's license)",
    ),
)


def cache_folder() -> Path:
    """Return the folder for downloaded data: `exrpca` in the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "exrpca"


def cached(name: str) -> Path | None:
    """Return where a data set was kept by `fetch`, or None if it was not.

    A copy that has changed since is refused.
    """
    path = _place(name, DATASETS[name])
    if not path.is_file():
        return None
    if _sha256(path.read_bytes()) != DATASETS[name].sha256:
        raise InputError(f"is damaged: get it again with `exrpca datasets get {name}`", path=path)
    return path


def fetch(name: str, source: RemoteFile | None = None) -> Path:
    """Return the path of a data set in the cache, after downloading it if it is not there.

    What arrives must have the expected SHA-256; otherwise nothing is kept.

    Parameters
    ----------
    name : {"scws"}
    source : RemoteFile, optional
        Where it comes from, when not from its public address.
    """
    if source is None:
        if name not in DATASETS:
            raise InputError(f"no data set {name!r}; available: {', '.join(DATASETS)}")
        source = DATASETS[name]
    path = _place(name, source)
    if path.is_file() and _sha256(path.read_bytes()) == source.sha256:
        return path
    content = _extract(_download(source.address), source)
    if (found := _sha256(content)) != source.sha256:
        raise InputError(
            f"{source.address}: {source.member} has SHA-256 {found}, expected {source.sha256}; "
            "nothing was kept"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)
    return path


def _place(name: str, source: RemoteFile) -> Path:
    return cache_folder() / name / Path(source.member).name


def _download(address: str) -> bytes:
    """Return what is at an address; by http where https is not offered."""
    secure, _, rest = address.partition("https://")
    if not secure and rest:
        with contextlib.suppress(InputError):
            return _answer(address)
        # the SHA-256 of what arrives is checked in any case
        return _answer(f"http://{rest}")
    return _answer(address)


def _answer(address: str) -> bytes:
    try:
        # the address is a constant of this module, or the caller's own
        with urllib.request.urlopen(address, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
            content: bytes = answer.read(_MAX_BYTES + 1)
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise InputError(
            f"{address} could not be fetched ({reason}): try again when you are online, or "
            "download and unpack it elsewhere and pass the path of the unpacked file to the "
            "command that needs it"
        ) from None
    if len(content) > _MAX_BYTES:
        raise InputError(f"{address} sent more than {_MAX_BYTES:,} bytes; nothing was kept")
    return content


def _extract(archive: bytes, source: RemoteFile) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as file, file.open(source.member) as member:
            return member.read(_MAX_BYTES)
    except zipfile.BadZipFile:
        raise InputError(f"{source.address} did not send a zip archive") from None
    except KeyError:
        raise InputError(f"{source.address} has no {source.member} in it") from None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
