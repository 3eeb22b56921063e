"""Pseudo pairs by what WordNet says of their neighbors, and a map that joins them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array

from exrpca.evaluation.baselines.pseudo_map import Integers, join_pseudo_senses
from exrpca.evaluation.wordnet import load_wordnet
from exrpca.senses import SenseVectors


def wordnet_map(senses: SenseVectors, *, n_pairs: int = 5000, seed: int = 0) -> SenseVectors:
    """Map the senses of pseudo pairs to their mean; WordNet decides which are pseudo.

    The 20 nearest neighbors of a sense have a profile: the synsets of these words and all
    their hypernyms, each weighing the less the more words it covers. A pair's score is the
    cosine of its two profiles. `map_pseudo_pairs` says what follows.

    Parameters
    ----------
    senses : SenseVectors
    n_pairs : int, default 5000
        How many pairs, drawn at random, the map is fitted to.
    seed : int, default 0

    Returns
    -------
    SenseVectors

    References
    ----------
    Shi, Li, Hu (2016). Real Multi-Sense or Pseudo Multi-Sense: An Approach to Improve Word
    Representation. CL4LC 2016, 79-88.
    """
    return join_pseudo_senses(senses, partial(wordnet_profiles, senses), n_pairs=n_pairs, seed=seed)


def wordnet_profiles(senses: SenseVectors, neighbors: Integers) -> csr_array[Any, Any]:
    """Return the profile of each row of neighbors, with length 1; see `wordnet_map`."""
    words, columns = np.unique(neighbors, return_inverse=True)
    starts = np.arange(len(neighbors) + 1) * neighbors.shape[1]
    counts = csr_array(
        (np.ones(columns.size), columns.ravel(), starts), shape=(len(neighbors), len(words))
    )
    return _unit(counts @ _concepts([senses.words[i] for i in words], load_wordnet()))


def _concepts(words: list[str], wordnet: Any) -> csr_array[Any, Any]:
    """Return the weights of the synsets and hypernyms of each word, shape (words, synsets)."""
    columns: dict[Any, int] = {}
    known: dict[Any, frozenset[int]] = {}

    def closure(synset: Any) -> frozenset[int]:
        if synset not in known:
            above = synset.hypernyms() + synset.instance_hypernyms()
            own = frozenset([columns.setdefault(synset, len(columns))])
            known[synset] = own.union(*map(closure, above))
        return known[synset]

    covered = [frozenset().union(*map(closure, wordnet.synsets(word))) for word in words]
    starts = np.cumsum([0] + [len(concepts) for concepts in covered])
    indices = np.array([at for concepts in covered for at in sorted(concepts)], dtype=np.int64)
    shape = (len(words), max(len(columns), 1))
    membership = csr_array((np.ones(len(indices)), indices, starts), shape=shape)
    n_words = np.bincount(indices, minlength=shape[1])
    weights = diags_array(np.log(len(words) / np.maximum(n_words, 1)))
    return csr_array(membership @ weights)


def _unit(rows: csr_array[Any, Any]) -> csr_array[Any, Any]:
    lengths = np.sqrt(rows.multiply(rows).sum(axis=1))
    return csr_array(diags_array(1 / np.where(lengths > 0, lengths, 1)) @ rows)
