"""Where the files of an encoder are: in a folder, in this package, or on the Hub."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from exrpca.contextual.encoder_files import base_model, model_file
from exrpca.contextual.hub import fetch, hub_name
from exrpca.contextual.recommended import DEFAULT, RECOMMENDED, Recommended
from exrpca.errors import InputError

# The model of a repository that is not known here.
_MODEL_FILES = ("onnx/model.onnx", "model.onnx")


@dataclass(frozen=True)
class EncoderSource:
    """An encoder that was found.

    Attributes
    ----------
    name : str
        The name of its repository on the Hub, of its folder, or `minilm`.
    revision : str or None
        The commit of the repository.
    reference : str
        What finds the same encoder again.
    folder : Path
    model : Path
    known : Recommended or None
        The settings that suit it.
    """

    name: str
    revision: str | None
    reference: str
    folder: Path
    model: Path
    known: Recommended | None


def find_encoder(name_or_folder: str | os.PathLike[str] | None) -> EncoderSource:
    """Return where the files of an encoder are; those of the Hub are downloaded first.

    Parameters
    ----------
    name_or_folder : path-like, str or None
        A folder, a short name of `RECOMMENDED`, a name on the Hub, or nothing for the default.
    """
    text = DEFAULT if name_or_folder is None else os.fspath(name_or_folder)
    if name_or_folder is not None and Path(text).is_dir():
        return _in_folder(Path(text))
    name, _, revision = text.partition("@")
    known = RECOMMENDED.get(name)
    if known is not None and known.folder is not None:
        return _in_package(name, known)
    if known is not None:
        return _on_hub(known.repository, revision or None, known)
    if found := hub_name(text):
        return _on_hub(*found, _known_repository(found[0]))
    raise InputError(
        f"no such folder, and no encoder has this name: choose one of {', '.join(RECOMMENDED)}, "
        "or a name on the Hugging Face Hub such as intfloat/e5-small-v2",
        path=text,
    )


def _in_folder(folder: Path) -> EncoderSource:
    return EncoderSource(
        name=folder.resolve().name,
        revision=None,
        reference=str(folder.absolute()),
        folder=folder,
        model=model_file(folder, _MODEL_FILES),
        known=_known_base(folder),
    )


def _in_package(name: str, known: Recommended) -> EncoderSource:
    assert known.folder is not None  # noqa: S101 - the caller looked
    return EncoderSource(name, None, name, known.folder, known.folder / known.model, known)


def _on_hub(name: str, revision: str | None, known: Recommended | None) -> EncoderSource:
    models = _MODEL_FILES if known is None else (known.model,)
    files = fetch(name, revision or (known.revision if known else None), models)
    return EncoderSource(
        name=name,
        revision=files.revision,
        reference=f"{name}@{files.revision}",
        folder=files.folder,
        model=files.folder / files.model,
        known=known or _known_base(files.folder),
    )


def _known_repository(name: str) -> Recommended | None:
    """Return what is known of a repository whose own files are used."""
    matching = (one for one in RECOMMENDED.values() if one.repository == name and not one.folder)
    return next(matching, None)


def _known_base(folder: Path) -> Recommended | None:
    """Return what is known of a copy of an encoder, by the model it was made from."""
    base = base_model(folder)
    return next((one for one in RECOMMENDED.values() if base and one.base == base), None)
