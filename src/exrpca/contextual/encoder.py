"""`Encoder`: contextual vectors of words in their sentences, by ONNX Runtime."""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.assignment import sense_probabilities
from exrpca.contextual.encoder_files import (
    checked_inputs,
    load_session,
    load_tokenizer,
    model_file,
    read_config,
    tokenizer_file,
)
from exrpca.contextual.pieces import Pieces, batches_of_like_length, pieces_of
from exrpca.errors import InputError
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import encoding_entry

VectorName = Literal["target", "target+context"]
VECTORS: tuple[VectorName, ...] = get_args(VectorName)

_DEFAULT_LAYER = "last_hidden_state"

_loaded: dict[tuple[Any, ...], Encoder] = {}
_loading = threading.Lock()


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
        self._tokenizer = load_tokenizer(self.folder)
        self._session = load_session(self.folder, threads)
        self._inputs = checked_inputs(self._session, self.folder)
        config = read_config(self.folder)
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
            pieces_of(encoding, example, self.max_length)
            for encoding, example in zip(encodings, examples, strict=True)
        ]
        return batches_of_like_length(pieces)

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
