"""The files of an encoder: found, checked and loaded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from exrpca.errors import InputError

# ONNX Runtime's name of the folder with weights that are not in the model itself.
_WEIGHTS_FOLDER = "session.model_external_initializers_file_folder_path"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_INTEGER_TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}

# The length of BERT's input, for a folder that names none.
_DEFAULT_LENGTH = 512
_UNLIMITED = 1_000_000
# Models that count positions from the number after that of the padding.
_SHIFTED_POSITIONS = ("camembert", "mpnet", "roberta", "xlm-roberta")


class Config(NamedTuple):
    """What the configuration of an encoder says.

    Attributes
    ----------
    max_length : int
        The longest input in pieces.
    padding : int
        The number of the piece that fills short inputs.
    layers : int or None
        How many layers the model has, if that is stated.
    """

    max_length: int
    padding: int
    layers: int | None


def _runtime() -> tuple[Any, Any]:
    try:
        import onnxruntime
        import tokenizers
    except ImportError:
        raise InputError(
            "encoders need onnxruntime and tokenizers: pip install 'exrpca[contextual]'"
        ) from None
    return onnxruntime, tokenizers


def load_tokenizer(folder: Path) -> Any:
    """Return the tokenizer, which neither pads nor cuts."""
    _, tokenizers = _runtime()
    path = tokenizer_file(folder)
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises Exception itself
        raise InputError(f"is not a tokenizer ({error})", path=path) from None
    # files from the Hub pad and cut to a length of their own
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def tokenizer_file(folder: Path) -> Path:
    """Return where an encoder's folder has its tokenizer."""
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise InputError("the encoder's folder has no tokenizer.json: download it", path=folder)
    return path


def model_file(folder: Path, names: Sequence[str]) -> Path:
    """Return the model's file in the folder of an encoder: the first one that exists."""
    found = [folder / name for name in names if (folder / name).is_file()]
    if not found:
        raise InputError(
            f"the encoder's folder has no {' or '.join(names)}: download it, or export the "
            "model to ONNX",
            path=folder,
        )
    return found[0]


def load_session(path: Path, threads: int | None, part: bytes | None = None) -> Any:
    """Return the model of a file, ready to run; or a part of it, which has its weights there."""
    onnxruntime, _ = _runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0  # 0: all cores
    options.log_severity_level = 3  # errors; they are also raised
    if part is not None:
        options.add_session_config_entry(_WEIGHTS_FOLDER, str(path.parent))
    try:
        return onnxruntime.InferenceSession(
            part or str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # what ONNX Runtime raises has no common type of its own
        reason = str(error).splitlines()[0]
        raise InputError(
            f"is not a model that ONNX Runtime can load ({reason})", path=path
        ) from None


def checked_inputs(session: Any, folder: Path) -> dict[str, Any]:
    """Return the type of each input of the model, if these are the inputs of an encoder of text."""
    found = {each.name: each.type for each in session.get_inputs()}
    if unknown := found.keys() - set(_INPUTS):
        raise InputError(
            f"the model has the input {min(unknown)}; an encoder of text has input_ids, "
            "attention_mask and perhaps token_type_ids",
            path=folder,
        )
    if missing := set(_INPUTS[:2]) - found.keys():
        raise InputError(f"the model has no input {' or '.join(sorted(missing))}", path=folder)
    for name, kind in found.items():
        if kind not in _INTEGER_TYPES:
            raise InputError(f"the model's input {name} is {kind}, expected integers", path=folder)
    return {name: _INTEGER_TYPES[kind] for name, kind in found.items()}


def read_config(folder: Path) -> Config:
    """Return what is known of the model's longest input, and of its padding."""
    config = _json(folder / "config.json")
    padding = config.get("pad_token_id")
    padding = padding if isinstance(padding, int) else 0
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _SHIFTED_POSITIONS:
        positions -= padding + 1
    limits = positions, _json(folder / "tokenizer_config.json").get("model_max_length")
    # a tokenizer without a limit has a huge one
    known = [limit for limit in limits if isinstance(limit, int) and 0 < limit < _UNLIMITED]
    layers = config.get("num_hidden_layers")
    return Config(
        min(known, default=_DEFAULT_LENGTH), padding, layers if isinstance(layers, int) else None
    )


def base_model(folder: Path) -> str | None:
    """Return the model that an encoder says it was made from."""
    base = _json(folder / "config.json").get("_name_or_path")
    return base if isinstance(base, str) else None


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"is not JSON ({error})", path=path) from None
    return content if isinstance(content, dict) else {}
