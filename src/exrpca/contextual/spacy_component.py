"""The spaCy component `exrpca_senses`: the sense of each token of a document."""

from __future__ import annotations

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Token

from exrpca.contextual.encoder import Encoder
from exrpca.senses import SenseVectors, bundled, load
from exrpca.senses.metadata import is_induced
from exrpca.text.choice import choose_senses
from exrpca.text.context import ContextSettings
from exrpca.text.lookup import Lookup
from exrpca.text.sense_encoder import choice_by_encoder
from exrpca.text.tagging import keys_in_text


class SenseComponent:
    """Chooses a sense for each token that is in the vocabulary.

    Contexts end with sentences if the pipeline finds them, and with the document otherwise.
    After it, each token has

    - `token._.sense`: the number of its sense, None if its word is not in the vocabulary;
    - `token._.sense_key`: the word and the sense, such as "bank#1" or "bank|NOUN".

    Parameters
    ----------
    senses : SenseVectors
    window : int, optional
        How many tokens on each side are the context; by default, as many as the centers were
        made with.
    encoder : Encoder, optional
        Chooses among senses from `induce`, which need the encoder that they were made with.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> _ = nlp.add_pipe("exrpca_senses")  # the bundled vectors; config={"vectors": "my.parquet"}
    >>> doc = nlp("The plant, a factory near Detroit, makes engines.")
    >>> doc[1]._.sense_key
    'plant#1'
    """

    def __init__(
        self, senses: SenseVectors, window: int | None = None, encoder: Encoder | None = None
    ) -> None:
        self._senses = senses
        if encoder is None:
            settings = ContextSettings.of(senses, window)
            self._choose = lambda _, places, starts: choose_senses(senses, places, starts, settings)
        else:
            self._choose = choice_by_encoder(senses, encoder, window)
        self._lookup = Lookup(senses)
        self._keys = keys_in_text(senses)

    def __call__(self, doc: Doc) -> Doc:
        """Set the senses of a document's tokens."""
        places = np.array([self._lookup[token.text] for token in doc], dtype=np.int64)
        sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
        starts = np.array([*(sentence.start for sentence in sentences), len(doc)])
        if len(doc) == 0:
            return doc
        lines = [[token.text for token in sentence] for sentence in sentences]
        chosen = self._choose(lines, places, starts)
        for token, place, sense in zip(doc, places.tolist(), chosen.tolist(), strict=True):
            if place >= 0:
                token._.sense = sense
                token._.sense_key = self._keys[self._senses.offsets[place] + sense]
        return doc


@Language.factory(
    "exrpca_senses",
    assigns=["token._.sense", "token._.sense_key"],
    default_config={"vectors": None, "window": None, "encoder": None},
)
def make_component(
    nlp: Language, name: str, vectors: str | None, window: int | None, encoder: str | None
) -> SenseComponent:
    """Return the component that `nlp.add_pipe("exrpca_senses")` adds.

    Parameters
    ----------
    nlp, name
        The pipeline, and the name of the component in it.
    vectors : str, optional
        The path of a file of sense vectors; by default the bundled ones.
    window : int, optional
        As for `SenseComponent`.
    encoder : str, optional
        For senses from `induce`: the name or the folder of the encoder that they were made with;
        by default the one that they name.
    """
    for extension in ("sense", "sense_key"):
        if not Token.has_extension(extension):
            Token.set_extension(extension, default=None)
    senses = bundled() if vectors is None else load(vectors)
    if encoder is None and not is_induced(senses.metadata):
        return SenseComponent(senses, window)
    return SenseComponent(senses, window, Encoder.for_senses(senses, encoder))
