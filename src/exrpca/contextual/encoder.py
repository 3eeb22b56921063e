"""`Encoder`: contextual vectors of words in their sentences, by ONNX Runtime."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import threading
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.assignment import sense_probabilities
from exrpca.contextual.encoder_files import (
    checked_inputs,
    load_session,
    load_tokenizer,
    read_config,
    tokenizer_file,
)
from exrpca.contextual.encoder_source import find_encoder
from exrpca.contextual.layers import cut_after, layer_number, layer_outputs, load_model
from exrpca.contextual.pieces import Pieces, batches_of_like_length, pieces_of
from exrpca.contextual.pooling import VECTORS, VectorName, pooled, unit
from exrpca.contextual.recommended import RECOMMENDED
from exrpca.errors import InputError
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import encoding_entry

Layer = int | float | str

# What exporters call the output of the last layer.
_LAST_LAYER = ("last_hidden_state", "token_embeddings")
# What encoders of marked words, such as XL-LEXEME, find around the target.
_MARKS = "<t>", "</t>"

_SEVERAL_LAYERS = re.compile(r"\d+(,\d+)+")

_loaded: dict[tuple[Any, ...], Encoder] = {}
_loading = threading.Lock()


class Encoder:
    """A transformer that gives each occurrence of a word a vector.

    With t the mean over the target's pieces in the output of a layer, and c the mean over all
    other pieces without the special ones, the vector is t, c, or t/‖t‖ + c/‖c‖ for
    "target+context". With "marked" it is the mean over all pieces of the sentence, in which the
    target stands between `<t>` and `</t>`.

    Parameters
    ----------
    name_or_folder : str or path-like, optional
        By default, the encoder that comes with this package: all-MiniLM-L6-v2 in 8 bits. Otherwise
        a short name such as "mpnet" (:doc:`/how-to/encode` has the list), a name on the Hugging
        Face Hub such as "intfloat/e5-small-v2" or "intfloat/e5-small-v2@REVISION", or a folder with
        the files that the Hub has for ONNX Runtime: `onnx/model.onnx` or `model.onnx`,
        `tokenizer.json` and `config.json`. What is not in the cache of the Hub is downloaded.
    vector : {"target", "context", "target+context", "marked"}, optional
        What the vector is made of; by default, what suits the encoder, or "target" if it is not
        known here.
    layer : int, float or str, optional
        The number of a hidden layer from 1, a share of the depth such as 0.8, or the name of an
        output of the model. Several layers, as "9,10,11,12", are joined: each piece has the sum of
        its unit vectors in them. By default, what suits the encoder, or the last layer.
    threads : int, optional
        Threads of one batch; all cores by default.

    Attributes
    ----------
    name : str
        The name of the encoder on the Hub or of its folder.
    revision : str or None
        The commit on the Hub.
    reference : str
        What loads the same encoder again.
    vector : str
    layer : int or str
        The number of the hidden layer, the numbers of several, or the name of the output.
    dim : int
        The number of dimensions of the vectors.
    max_length : int
        The longest input in pieces. Longer sentences are cut around the target.

    Examples
    --------
    >>> from exrpca.contextual import Encoder
    >>> encoder = Encoder()
    >>> encoder.encode([("The ", "bank", " is closed."), ("A river ", "bank", ".")]).shape
    (2, 384)
    """

    def __init__(
        self,
        name_or_folder: str | os.PathLike[str] | None = None,
        *,
        vector: VectorName | None = None,
        layer: Layer | None = None,
        threads: int | None = None,
    ) -> None:
        if vector is not None and vector not in VECTORS:
            raise InputError(f"vector={vector!r} must be one of {', '.join(VECTORS)}")
        if threads is not None and threads < 1:
            raise InputError(f"threads={threads} must be at least 1")
        self._source = source = find_encoder(name_or_folder)
        self.name, self.revision, self.reference = source.name, source.revision, source.reference
        self.threads = threads
        known = source.known
        self.vector: VectorName = vector or (known.vector if known else "target")
        config = read_config(source.folder)
        self.max_length, self._padding = config.max_length, config.padding
        self._tokenizer = load_tokenizer(source.folder)
        if layer is None and known is not None:
            layer = known.layer
        self._load(layer, config.layers)
        self._inputs = checked_inputs(self._session, source.folder)
        self._check_marks()
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
            vectors[rows] = pooled(self.run(pieces), pieces, self.vector)
        return vectors

    @classmethod
    def for_senses(
        cls,
        senses: SenseVectors,
        name_or_folder: str | os.PathLike[str] | None = None,
        *,
        threads: int | None = None,
    ) -> Encoder:
        """Load an encoder to choose among senses from `induce`.

        It makes its vectors as those were made that `induce` saw: of the same parts of the
        sentence, from the same layer.

        Parameters
        ----------
        senses : SenseVectors
            From `induce`.
        name_or_folder : str or path-like, optional
            By default, the encoder that the senses were made with, unless it was in a folder.
        threads : int, optional
            As for `Encoder`.

        Examples
        --------
        >>> senses = exrpca.load("senses.parquet")  # doctest: +SKIP
        >>> encoder = Encoder.for_senses(senses)  # doctest: +SKIP
        >>> list(exrpca.tag(senses, ["The bank is closed."], encoder=encoder))  # doctest: +SKIP
        ['The bank#0 is closed.']
        """
        made = encoding_entry(senses.metadata)
        chosen = name_or_folder or recorded_encoder(senses)
        if chosen is None:
            raise InputError(
                f"the senses do not say where their encoder is ({made.get('encoder', 'unknown')}): "
                "name it, or its folder"
            )
        vector, layer = made.get("vector"), made.get("layer")
        encoder = cls(chosen, vector=cast("VectorName", vector), layer=layer, threads=threads)
        encoder.check_senses(senses)
        return encoder

    @functools.cached_property
    def digest(self) -> str:
        """A short name of the model and its tokenizer, by content."""
        digest = hashlib.sha256()
        for path in (self._source.model, tokenizer_file(self._source.folder)):
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
                path=self._source.folder,
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
                path=self._source.folder,
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
        if self.vector == "marked":
            before, after = _MARKS
            examples = [(left, before + target + after, right) for left, target, right in examples]
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
        found = self._session.run(self._outputs, self.inputs(pieces))
        layers = [np.asarray(layer, dtype=np.float32) for layer in found]
        return layers[0] if len(layers) == 1 else np.sum([unit(layer) for layer in layers], axis=0)

    def has_pieces(self, word: str) -> bool:
        """Whether anything of the word is left by the model's tokenizer."""
        encoding = self._tokenizer.encode(word)
        return not all(encoding.special_tokens_mask)

    def _load(self, layer: Layer | None, stated_layers: int | None) -> None:
        """Load the model, up to the layers that are asked for."""
        path = self._source.model
        if asked := _asked_layers(layer):
            model = load_model(path)
            names = layer_outputs(model)
            numbers = [layer_number(each, names, stated_layers, path) for each in asked]
            if numbers != [len(names)]:
                several = len(numbers) > 1
                self.layer: int | str = ",".join(map(str, numbers)) if several else numbers[0]
                self._outputs = [names[number - 1] for number in numbers]
                part = cut_after(model, self._outputs)
                self._session = load_session(path, self.threads, part)
                return
            layer = None  # the last one is an output already
        self._session = load_session(path, self.threads)
        outputs = [output.name for output in self._session.get_outputs()]
        wanted = _LAST_LAYER if layer is None else (str(layer),)
        found = next((name for name in wanted if name in outputs), None)
        if found is None:
            raise InputError(
                f"the model has no output {wanted[0]!r}: the layer is a number, or one of "
                f"{', '.join(outputs)}",
                path=self._source.folder,
            )
        self.layer, self._outputs = found, [found]

    def _check_marks(self) -> None:
        if self.vector != "marked":
            return
        if any(self._tokenizer.token_to_id(mark) is None for mark in _MARKS):
            raise InputError(
                f"vector='marked' needs an encoder that knows {' and '.join(_MARKS)}: choose "
                "another vector",
                path=self._source.folder,
            )

    def _checked_dim(self) -> int:
        """Encode one word: shows that the model runs, and how long its vectors are."""
        ids = np.array(self._tokenizer.encode("a").ids, dtype=np.int64)
        everything = np.ones(len(ids), dtype=bool)
        try:
            shape = self.run([Pieces(ids, everything, everything)]).shape
        except Exception as error:  # what ONNX Runtime raises has no common type of its own
            reason = str(error).splitlines()[0]
            raise InputError(
                f"the model does not run ({reason})", path=self._source.folder
            ) from None
        if len(shape) != 3 or shape[:2] != (1, len(ids)):
            raise InputError(
                f"the layer {self.layer!r} has the shape {shape} for {len(ids)} pieces, expected "
                "one vector per piece: choose another layer",
                path=self._source.folder,
            )
        return int(shape[2])

    def __repr__(self) -> str:
        return f"Encoder({self.reference!r}, vector={self.vector!r}, layer={self.layer!r})"


def _asked_layers(layer: Layer | None) -> list[float]:
    """Return the layers that are asked for by number or share.

    Examples
    --------
    >>> _asked_layers(0.8), _asked_layers("9,12"), _asked_layers("last_hidden_state")
    ([0.8], [9, 12], [])
    """
    if isinstance(layer, int | float):
        return [layer]
    if layer is None or not _SEVERAL_LAYERS.fullmatch(layer):
        return []
    return [int(number) for number in layer.split(",")]


def recorded_encoder(senses: SenseVectors) -> str | None:
    """Return what loads the encoder that senses from `induce` were made with, if they say it."""
    made = encoding_entry(senses.metadata)
    name, revision = made.get("encoder"), made.get("revision")
    if name in RECOMMENDED:
        return name
    return None if revision is None else f"{name}@{revision}"


def load_encoder(reference: str, vector: VectorName, layer: Layer, threads: int | None) -> Encoder:
    """Return an encoder that this process has loaded before, or load it; for workers."""
    key = reference, vector, layer, threads
    with _loading:
        if key not in _loaded:
            _loaded[key] = Encoder(reference, vector=vector, layer=layer, threads=threads)
        return _loaded[key]
