"""Encoders from the Hugging Face Hub: downloaded once, checked, and kept in its cache."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from exrpca.errors import InputError

# `organization/name`, perhaps with a revision.
_NAME = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(@(?P<revision>[\w./-]+))?")
_COMMIT = re.compile("[0-9a-f]{40}")
_NEWEST = "main"
_BLOCK = 1 << 20


class HubFiles(NamedTuple):
    """The files of an encoder in the cache of the Hub.

    Attributes
    ----------
    folder : Path
        It has them at their places in the repository.
    revision : str
        The commit they are of.
    model : str
        The file of the model.
    """

    folder: Path
    revision: str
    model: str


class _UnreachableError(InputError):
    """The Hub does not answer."""


def hub_name(text: str) -> tuple[str, str | None] | None:
    """Return the name and the revision that a text names on the Hub, if it can be a name.

    Examples
    --------
    >>> hub_name("intfloat/e5-small@c3b0c3a")
    ('intfloat/e5-small', 'c3b0c3a')
    >>> hub_name("my/own/folder")
    """
    found = _NAME.fullmatch(text)
    return None if found is None else (found["name"], found["revision"])


def fetch(name: str, revision: str | None, models: Sequence[str]) -> HubFiles:
    """Return the files of an encoder, downloading what the cache does not have.

    Parameters
    ----------
    name : str
        Of a repository, `organization/name`.
    revision : str or None
        A commit, branch or tag; None is the newest commit.
    models : sequence of str
        Files that can be the model; the first one that exists is it.
    """
    repository = _Repository(name, revision)
    if repository.file("tokenizer.json") is None:
        raise InputError(f"the Hub has no tokenizer.json of {name}: choose another encoder")
    repository.file("config.json")
    repository.file("tokenizer_config.json")
    for model in models:
        if path := repository.file(model):
            repository.file(f"{model}_data")  # weights beyond 2 GB lie beside the model
            folder = path.parents[model.count("/")]
            return HubFiles(folder, repository.revision, model)
    raise InputError(
        f"the Hub has no {' or '.join(models)} of {name}: choose another encoder, or export this "
        "one to a folder"
    )


class _Repository:
    """A repository of the Hub at one commit."""

    def __init__(self, name: str, revision: str | None) -> None:
        self._hub = _library()
        self._name = name
        self.revision = revision or _NEWEST
        if not _COMMIT.fullmatch(self.revision):
            self.revision = self._commit()

    def file(self, file: str) -> Path | None:
        """Return where the cache has a file, or None if the repository lacks it."""
        cached = self._hub.try_to_load_from_cache(self._name, file, revision=self.revision)
        if cached is not None and not isinstance(cached, str):
            return None  # known to be absent
        if cached is None:
            stated = self._stated(file)
            if stated is None:
                return None
            try:
                cached = self._hub.hf_hub_download(self._name, file, revision=self.revision)
            except Exception as error:
                raise self._unreachable(error) from None
        path = Path(cached)
        # the cache links to files that are named after the checksum that the Hub stated
        stated = path.readlink().name if path.is_symlink() else ""
        check_file(path, stated)
        return path

    def _commit(self) -> str:
        """Return the commit that a branch or tag is at, or was when it was last asked for."""
        first = "tokenizer.json"
        try:
            stated = self._stated(first)
        except _UnreachableError:
            cached = self._hub.try_to_load_from_cache(self._name, first, revision=self.revision)
            if isinstance(cached, str):
                return Path(cached).parent.name
            raise
        if stated is None:
            raise InputError(f"the Hub has no {first} of {self._name}: choose another encoder")
        return str(stated.commit_hash)

    def _stated(self, file: str) -> Any:
        """Return what the Hub says about a file, or None if there is none; tried only once."""
        from huggingface_hub import errors

        url = self._hub.hf_hub_url(self._name, file, revision=self.revision)
        try:
            return self._hub.get_hf_file_metadata(url)
        except errors.GatedRepoError:
            raise InputError(
                f"{self._name} needs an account that has agreed to its terms: set HF_TOKEN"
            ) from None
        except errors.RepositoryNotFoundError:
            raise InputError(f"the Hub knows no encoder {self._name!r}") from None
        except errors.RevisionNotFoundError:
            raise InputError(f"{self._name} has no revision {self.revision!r}") from None
        except errors.EntryNotFoundError:
            return None
        except Exception as error:  # of the connection; these have no common type
            raise self._unreachable(error) from None

    def _unreachable(self, error: Exception) -> InputError:
        from huggingface_hub import constants

        if constants.HF_HUB_OFFLINE:
            return _UnreachableError(
                f"{self._name} is not in the cache, and HF_HUB_OFFLINE forbids to download it"
            )
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        return _UnreachableError(
            f"{self._name} cannot be downloaded from {constants.ENDPOINT} ({reason}): try again, "
            "name a folder, or name no encoder for the one that comes with exrpca"
        )


def _library() -> Any:
    try:
        import huggingface_hub
    except ImportError:
        raise InputError(
            "encoders of the Hub need huggingface_hub: pip install 'exrpca[contextual]'"
        ) from None
    return huggingface_hub


def check_file(path: Path, stated: str) -> None:
    """Raise `InputError` unless a file has its stated checksum: SHA-256, or SHA-1 as of Git."""
    kinds = {64: hashlib.sha256(), 40: hashlib.sha1(usedforsecurity=False)}
    if (digest := kinds.get(len(stated))) is None:
        return  # a cache without links, as on some Windows machines, states none
    if len(stated) == 40:
        digest.update(b"blob %d\0" % path.stat().st_size)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != stated:
        raise InputError(
            "is damaged: its checksum is not the stated one; delete the file and try again",
            path=path,
        )
