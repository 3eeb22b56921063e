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
_TOKENIZER, _OPTIONAL = "tokenizer.json", ("config.json", "tokenizer_config.json")
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
    known = [model for model in models if repository.cached(model)]
    complete = known and repository.cached(_TOKENIZER)
    model = known[0] if complete else _download(repository, models)
    for file in (_TOKENIZER, *_OPTIONAL, model, _weights(model)):
        if path := repository.cached(file):
            # the cache links to files that are named after the checksum that the Hub stated
            check_file(path, path.readlink().name if path.is_symlink() else "")
    found = repository.cached(model)
    assert found is not None  # noqa: S101 - it was there or was downloaded
    return HubFiles(found.parents[model.count("/")], repository.revision, model)


def _download(repository: _Repository, models: Sequence[str]) -> str:
    """Download the files of an encoder, the model last: where it is, all others are, too."""
    repository.add(_TOKENIZER)
    for file in _OPTIONAL:
        if repository.has(file):
            repository.add(file)
    model = next((each for each in models if repository.has(each)), None)
    if model is None:
        raise InputError(
            f"the Hub has no {' or '.join(models)} of {repository.name}: choose another encoder, "
            "or export this one to a folder"
        )
    if repository.has(_weights(model)):
        repository.add(_weights(model))
    repository.add(model)
    return model


def _weights(model: str) -> str:
    """Return where a model of more than 2 GB has its weights."""
    return f"{model}_data"


class _Repository:
    """A repository of the Hub at one commit."""

    def __init__(self, name: str, revision: str | None) -> None:
        self._hub = _library()
        self.name = name
        self.revision = revision or _NEWEST
        if not _COMMIT.fullmatch(self.revision):
            self.revision = self._commit()

    def cached(self, file: str) -> Path | None:
        """Return where the cache has a file, if it has it."""
        path = self._hub.try_to_load_from_cache(self.name, file, revision=self.revision)
        return Path(path) if isinstance(path, str) else None

    def add(self, file: str) -> None:
        """Download a file to the cache."""
        if not self.has(file):
            raise InputError(f"the Hub has no {file} of {self.name}: choose another encoder")
        try:
            self._hub.hf_hub_download(self.name, file, revision=self.revision)
        except Exception as error:  # of the connection or the disk; these have no common type
            raise self._unreachable(error) from None

    def _commit(self) -> str:
        """Return the commit that a branch or tag is at, or was when it was last asked for."""
        try:
            self.add(_TOKENIZER)
        except _UnreachableError:
            if self.cached(_TOKENIZER) is None:
                raise
        path = self.cached(_TOKENIZER)
        assert path is not None  # noqa: S101
        return path.parent.name

    def has(self, file: str) -> bool:
        """Whether the Hub has a file. It is asked once, where a download would go on trying."""
        from huggingface_hub import errors

        url = self._hub.hf_hub_url(self.name, file, revision=self.revision)
        try:
            self._hub.get_hf_file_metadata(url)
        except errors.GatedRepoError:
            raise InputError(
                f"{self.name} needs an account that has agreed to its terms: set HF_TOKEN"
            ) from None
        except errors.RepositoryNotFoundError:
            raise InputError(f"the Hub knows no encoder {self.name!r}") from None
        except errors.RevisionNotFoundError:
            raise InputError(f"{self.name} has no revision {self.revision!r}") from None
        except errors.EntryNotFoundError:
            return False
        except Exception as error:  # of the connection; these have no common type
            raise self._unreachable(error) from None
        return True

    def _unreachable(self, error: Exception) -> InputError:
        from huggingface_hub import constants

        if constants.HF_HUB_OFFLINE:
            return _UnreachableError(
                f"{self.name} is not in the cache, and HF_HUB_OFFLINE forbids to download it"
            )
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        return _UnreachableError(
            f"{self.name} cannot be downloaded from {constants.ENDPOINT} ({reason}): try again, "
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
