"""`Encoder`: contextual vectors of words in their sentences, by ONNX Runtime."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.assignment import sense_probabilities
from exrpca.errors import InputError
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import encoding_entry

VectorName = Literal["target", "target+context"]
VECTORS: tuple[VectorName, ...] = get_args(VectorName)

_MODEL_FILES = ("onnx/model.onnx", "model.onnx")
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_INTEGER_TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}

_DEFAULT_LAYER = "last_hidden_state"

# Sentences per batch: more are no faster on a processor.
_BATCH = 32
# The length of BERT's input, for a folder that names none.
_DEFAULT_LENGTH = 512
_UNLIMITED = 1_000_000
# Models that count positions from the number after that of the padding.
_SHIFTED_POSITIONS = ("camembert", "mpnet", "roberta", "xlm-roberta")

_loaded: dict[tuple[Any, ...], Encoder] = {}
_loading = threading.Lock()


class Pieces(NamedTuple):
    """A sentence as the model reads it.

    Attributes
    ----------
    ids : ndarray of int64
        The number of each piece, special ones included.
    target : ndarray of bool
        Which pieces are of the target.
    context : ndarray of bool
        Which pieces are of the rest of the sentence.
    """

    ids: NDArray[np.int64]
    target: NDArray[np.bool_]
    context: NDArray[np.bool_]


class Encoder:
    """A transformer that gives each occurrence of a word a vector.

    With t the mean of the target's pieces in the model's output, and c the mean of all other
    pieces without the special ones, the vector is t, or t/‖t‖ + c/‖c‖ for "target+context".

    Parameters
    ----------
    folder : path-like
        An encoder as the Hugging Face Hub publishes it for ONNX Runtime: `onnx/model.onnx` or
        `model.onnx`, `tokenizer.json`, and `config.json` or `tokenizer_config.json` for the
        longest input.
    vector : {"target+context", "target"}, default "target+context"
        What the vector is made of. With the context it tells senses apart better, see
        :doc:`/how-to/encode`.
    layer : str, default "last_hidden_state"
        The output of the model to use; some models offer other layers.
    threads : int, optional
        Threads of one batch; all cores by default.

    Attributes
    ----------
    dim : int
        The number of dimensions of the vectors.
    max_length : int
        The longest input in pieces. Longer sentences are cut around the target.

    Examples
    --------
    >>> from exrpca.contextual import Encoder
    >>> encoder = Encoder("all-MiniLM-L6-v2")  # doctest: +SKIP
    >>> encoder.encode([("The ", "bank", " is closed."), ("A river ", "bank", ".")]).shape
    ... # doctest: +SKIP
    (2, 384)
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        vector: VectorName = "target+context",
        layer: str = _DEFAULT_LAYER,
        threads: int | None = None,
    ) -> None:
        if vector not in VECTORS:
            raise InputError(f"vector={vector!r} must be one of {', '.join(VECTORS)}")
        if threads is not None and threads < 1:
            raise InputError(f"threads={threads} must be at least 1")
        self.folder = Path(folder)
        self.vector: VectorName = vector
        self.layer = layer
        self.threads = threads
        self._tokenizer = _tokenizer(self.folder)
        self._session = _session(self.folder, threads)
        self._inputs = _checked_inputs(self._session, self.folder)
        config = _config(self.folder)
        self.max_length = config.max_length
        self._padding = config.padding
        self._check_layer()
        self.dim = self._checked_dim()

    def encode(self, examples: Sequence[Example | tuple[str, str, str]]) -> NDArray[np.float16]:
        """Return the vector of the target of each sentence.

        Parameters
        ----------
        examples : sequence of (left, target, right)
            Sentences in three parts.

        Returns
        -------
        ndarray of float16, shape (n, dim)
        """
        vectors = np.empty((len(examples), self.dim), dtype=np.float16)
        for rows, pieces in self.batches(examples):
            vectors[rows] = self._pooled(self.run(pieces), pieces)
        return vectors

    @classmethod
    def for_senses(
        cls,
        folder: str | os.PathLike[str],
        senses: SenseVectors,
        *,
        threads: int | None = None,
    ) -> Encoder:
        """Load an encoder to choose among senses from `induce`.

        It makes its vectors as those were made that `induce` saw: of the same parts of the
        sentence, from the same layer.

        Parameters
        ----------
        folder, threads
            As for `Encoder`.
        senses : SenseVectors
            From `induce`.

        Examples
        --------
        >>> senses = exrpca.load("senses.parquet")  # doctest: +SKIP
        >>> encoder = Encoder.for_senses("all-MiniLM-L6-v2", senses)  # doctest: +SKIP
        >>> list(exrpca.tag(senses, ["The bank is closed."], encoder=encoder))  # doctest: +SKIP
        ['The bank#0 is closed.']
        """
        made = encoding_entry(senses.metadata)
        vector, layer = made.get("vector", "target+context"), made.get("layer", _DEFAULT_LAYER)
        encoder = cls(folder, vector=cast(VectorName, vector), layer=layer, threads=threads)
        encoder.check_senses(senses)
        return encoder

    @functools.cached_property
    def digest(self) -> str:
        """A short name of the model and its tokenizer, by content."""
        digest = hashlib.sha256()
        for path in (model_file(self.folder), tokenizer_file(self.folder)):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:16]

    def check_senses(self, senses: SenseVectors) -> None:
        """Raise `InputError` unless the senses were induced from vectors of this encoder.

        Of senses from occurrences that were not encoded by `encode`, only the number of
        dimensions is known.
        """
        made = encoding_entry(senses.metadata)
        if made.get("digest", self.digest) != self.digest:
            raise InputError(
                f"the senses were induced with another encoder, {made.get('encoder')}, or another "
                "version of it: use that one, or encode and induce again",
                path=self.folder,
            )
        for name in ("vector", "layer"):
            own = getattr(self, name)
            if (other := made.get(name, own)) != own:
                raise InputError(
                    f"the senses were induced from vectors with {name}={other!r}, this encoder has "
                    f"{own!r}: use Encoder.for_senses"
                )
        if senses.dim != self.dim:
            raise InputError(
                f"the encoder's vectors have {self.dim} dimensions, those of the senses "
                f"{senses.dim}: use the encoder that the senses were made with",
                path=self.folder,
            )

    def sense_probabilities(
        self, senses: SenseVectors, words: NDArray[np.int64], sentences: Sequence[Example]
    ) -> NDArray[Any]:
        """Return how probable each sense of the target of each sentence is.

        Parameters
        ----------
        senses : SenseVectors
            From `induce`.
        words : ndarray of int, shape (n,)
            The position of each target's word in `senses.words`.
        sentences : sequence of (left, target, right)

        Returns
        -------
        ndarray of shape (n, most senses of a word)
            0 where a word has no such sense.
        """
        return sense_probabilities(senses, words, self.encode(sentences))

    def batches(
        self, examples: Sequence[Example | tuple[str, str, str]]
    ) -> list[tuple[NDArray[np.int64], list[Pieces]]]:
        """Return the sentences in batches of like length, each with its rows."""
        encodings = self._tokenizer.encode_batch(["".join(example) for example in examples])
        pieces = [
            self._pieces(encoding, example)
            for encoding, example in zip(encodings, examples, strict=True)
        ]
        order = np.argsort([len(each.ids) for each in pieces], kind="stable")
        starts = range(0, len(order), _BATCH)
        batches = [order[start : start + _BATCH] for start in starts]
        return [(rows, [pieces[row] for row in rows.tolist()]) for rows in batches]

    def inputs(self, pieces: Sequence[Pieces]) -> dict[str, NDArray[Any]]:
        """Return the model's inputs for a batch, each of shape (n, longest)."""
        shape = len(pieces), max(len(each.ids) for each in pieces)
        ids = np.full(shape, self._padding, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        for row, each in enumerate(pieces):
            ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = 1
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return {name: values[name].astype(kind, copy=False) for name, kind in self._inputs.items()}

    def run(self, pieces: Sequence[Pieces]) -> NDArray[np.float32]:
        """Return the model's output for a batch, of shape (n, longest, dim)."""
        output = self._session.run([self.layer], self.inputs(pieces))[0]
        return np.asarray(output, dtype=np.float32)

    def has_pieces(self, word: str) -> bool:
        """Whether anything of the word is left by the model's tokenizer."""
        encoding = self._tokenizer.encode(word)
        return not all(encoding.special_tokens_mask)

    def _pieces(self, encoding: Any, example: Example | tuple[str, str, str]) -> Pieces:
        left, target, _ = example
        start, end = len(left), len(left) + len(target)
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        # pieces of no characters are special, too
        text = ~special & (offsets[:, 1] > offsets[:, 0])
        inside = text & (offsets[:, 0] < end) & (offsets[:, 1] > start)
        if not inside.any():
            raise InputError(
                f"the encoder's tokenizer leaves nothing of {target!r} in "
                f"{left[-20:] + target!r}: leave the word out"
            )
        ids = np.array(encoding.ids, dtype=np.int64)
        kept = _kept(special, inside, self.max_length)
        return Pieces(ids[kept], inside[kept], (text & ~inside)[kept])

    def _pooled(self, output: NDArray[np.float32], pieces: Sequence[Pieces]) -> NDArray[np.float32]:
        weights = np.zeros((len(pieces), 2, output.shape[1]), dtype=np.float32)
        for row, each in enumerate(pieces):
            # a sentence of the target alone: the target is its own context
            context = each.context if each.context.any() else each.target
            weights[row, 0, : len(each.ids)] = each.target / each.target.sum()
            weights[row, 1, : len(each.ids)] = context / context.sum()
        means = weights @ output
        if self.vector == "target":
            return np.asarray(means[:, 0])
        lengths = np.linalg.norm(means, axis=2, keepdims=True)
        return np.asarray((means / np.maximum(lengths, np.finfo(np.float32).tiny)).sum(axis=1))

    def _check_layer(self) -> None:
        names = [output.name for output in self._session.get_outputs()]
        if self.layer not in names:
            raise InputError(
                f"the model has no output {self.layer!r}: choose one of {', '.join(names)}",
                path=self.folder,
            )

    def _checked_dim(self) -> int:
        """Encode one word: shows that the model runs, and how long its vectors are."""
        ids = np.array(self._tokenizer.encode("a").ids, dtype=np.int64)
        everything = np.ones(len(ids), dtype=bool)
        try:
            shape = self.run([Pieces(ids, everything, everything)]).shape
        except Exception as error:  # what ONNX Runtime raises has no common type of its own
            reason = str(error).splitlines()[0]
            raise InputError(f"the model does not run ({reason})", path=self.folder) from None
        if len(shape) != 3 or shape[:2] != (1, len(ids)):
            raise InputError(
                f"the output {self.layer!r} has the shape {shape} for {len(ids)} pieces, expected "
                "one vector per piece: choose another layer",
                path=self.folder,
            )
        return int(shape[2])

    def __repr__(self) -> str:
        return f"Encoder({str(self.folder)!r}, vector={self.vector!r}, layer={self.layer!r})"


def load_encoder(folder: str, vector: VectorName, layer: str, threads: int | None) -> Encoder:
    """Return an encoder that this process has loaded before, or load it; for workers."""
    key = folder, vector, layer, threads
    with _loading:
        if key not in _loaded:
            _loaded[key] = Encoder(folder, vector=vector, layer=layer, threads=threads)
        return _loaded[key]


def _kept(
    special: NDArray[np.bool_], inside: NDArray[np.bool_], longest: int
) -> NDArray[np.int64] | slice:
    """Return the pieces of a sentence to keep: special ones, and a run around the target.

    Examples
    --------
    >>> special = np.array([1, 0, 0, 0, 0, 0, 1], dtype=bool)
    >>> inside = np.array([0, 0, 0, 0, 1, 0, 0], dtype=bool)
    >>> _kept(special, inside, 5)
    array([0, 3, 4, 5, 6])
    """
    if len(special) <= longest:
        return slice(None)
    pieces = np.flatnonzero(~special)
    room = max(1, longest - int(special.sum()))
    target = np.flatnonzero(inside[pieces])
    first, last = int(target[0]), int(target[-1]) + 1
    start = first if last - first >= room else (first + last - room) // 2
    start = min(max(start, 0), len(pieces) - room)
    chosen = pieces[start : start + room]
    return np.sort(np.concatenate([np.flatnonzero(special), chosen]))


# --- the files of an encoder ---------------------------------------------------------------------


class _Config(NamedTuple):
    max_length: int
    padding: int


def _runtime() -> tuple[Any, Any]:
    try:
        import onnxruntime
        import tokenizers
    except ImportError:
        raise InputError(
            "encoders need onnxruntime and tokenizers: pip install 'exrpca[contextual]'"
        ) from None
    return onnxruntime, tokenizers


def _tokenizer(folder: Path) -> Any:
    _, tokenizers = _runtime()
    if not folder.is_dir():
        raise InputError("no such folder, expected that of an encoder", path=folder)
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


def model_file(folder: Path) -> Path:
    """Return the model's file in the folder of an encoder."""
    found = [folder / name for name in _MODEL_FILES if (folder / name).is_file()]
    if not found:
        raise InputError(
            f"the encoder's folder has no {' or '.join(_MODEL_FILES)}: download it, or export the "
            "model to ONNX",
            path=folder,
        )
    return found[0]


def _session(folder: Path, threads: int | None) -> Any:
    onnxruntime, _ = _runtime()
    path = model_file(folder)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0  # 0: all cores
    options.log_severity_level = 3  # errors; they are also raised
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # what ONNX Runtime raises has no common type of its own
        reason = str(error).splitlines()[0]
        raise InputError(
            f"is not a model that ONNX Runtime can load ({reason})", path=path
        ) from None


def _checked_inputs(session: Any, folder: Path) -> dict[str, Any]:
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


def _config(folder: Path) -> _Config:
    config = _json(folder / "config.json")
    padding = config.get("pad_token_id")
    padding = padding if isinstance(padding, int) else 0
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _SHIFTED_POSITIONS:
        positions -= padding + 1
    limits = positions, _json(folder / "tokenizer_config.json").get("model_max_length")
    # a tokenizer without a limit has a huge one
    known = [limit for limit in limits if isinstance(limit, int) and 0 < limit < _UNLIMITED]
    return _Config(min(known, default=_DEFAULT_LENGTH), padding)


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"is not JSON ({error})", path=path) from None
    return content if isinstance(content, dict) else {}
