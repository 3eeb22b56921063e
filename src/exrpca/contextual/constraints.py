"""Senses that respect what a person said about some occurrences; the rest follows.

The occurrences that were said to have one sense are its seeds (constrained k-means; Basu, Banerjee
and Mooney 2002), with the other members of the cluster that was meant. A cluster without any seed
stays as it was found. The members of the others go to the nearest mean of the senses that have
seeds in their cluster. `induce` then computes the means again, with all
members, and moves every occurrence that nothing was said about to the nearest one.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.assignment import NO_SENSE, closeness, cluster_means
from exrpca.contextual.centering import Floats, Integers
from exrpca.contextual.corrections import TEXT, Said
from exrpca.contextual.occurrences import Occurrences
from exrpca.errors import InputError, InputWarning

# An occurrence that nothing was said about. −1 is noise.
NOT_SAID = -2


def said_labels(
    occurrences: Occurrences, said: Mapping[str, Said]
) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the sense that each occurrence was said to have, and whether it only shows which one.

    Examples
    --------
    >>> occurrences = Occurrences.from_arrays(["bank", "bank"], np.eye(2))
    >>> said_labels(occurrences, {})
    (array([-2, -2]), array([False, False]))
    """
    labels = np.full(len(occurrences), NOT_SAID)
    typical = np.zeros(len(occurrences), dtype=bool)
    if unknown := [word for word in said if word not in occurrences.words]:
        raise InputError(f"the corrections are about {unknown[0]!r}, which has no occurrences")
    for word, rows in occurrences.by_word():
        if word in said:
            of_text = said[word].labels
            if unseen := set(said[word].names) - set(of_text.values()):
                raise InputError(
                    f"the corrections name sense {min(unseen)} of {word!r}, but say of no "
                    "sentence that it has this sense"
                )
            texts = _texts(occurrences, rows)
            found = [of_text.get(text, NOT_SAID) for text in texts]
            labels[rows] = found
            typical[rows] = [text in said[word].typical for text in texts]
            _check_found(word, sum(label != NOT_SAID for label in found), len(of_text))
    return labels, typical


def _texts(occurrences: Occurrences, rows: Integers) -> list[tuple[str, ...]]:
    if occurrences.texts is None:
        raise InputError("corrections need the texts of the occurrences, and these have none")
    chosen = occurrences.texts.take(rows)
    columns = [
        chosen.column(part).to_pylist() if part in chosen.column_names else [""] * len(rows)
        for part in TEXT
    ]
    return list(zip(*columns, strict=True))


def _check_found(word: str, n_found: int, n_said: int) -> None:
    if n_said and not n_found:
        raise InputError(
            f"none of the {n_said:,} corrected sentences of {word!r} is among the occurrences: "
            "encode the same text with the same settings"
        )
    if n_found < n_said:
        warnings.warn(
            f"{n_said - n_found:,} of {n_said:,} corrected sentences of {word!r} are not among "
            "the occurrences",
            InputWarning,
            stacklevel=5,
        )


def with_seeds(x: Floats, found: Integers, said: Integers, typical: NDArray[np.bool_]) -> Integers:
    """Return clusters that respect what was said.

    Parameters
    ----------
    x : ndarray of shape (m, dim)
    found : ndarray of int, shape (m,)
        The clusters found without a person.
    said : ndarray of int, shape (m,)
        The sense of each occurrence, −1 for noise, or `NOT_SAID`.
    typical : ndarray of bool, shape (m,)
        Which occurrences only show which sense was meant. If those of one sense are in a cluster,
        this cluster is what was meant.

    Returns
    -------
    ndarray of int
        The clusters of said senses come first, in the order of their numbers; −1 is noise.

    Examples
    --------
    >>> x = np.array([[0.0, 1], [0.1, 1], [1, 0], [1, 0.1], [0.9, 0]])
    >>> said, none = np.array([3, -2, 7, -2, -1]), np.zeros(5, dtype=bool)
    >>> with_seeds(x, np.zeros(5, dtype=int), said, none)
    array([ 0,  0,  1,  1, -1])
    """
    meant = said.copy()
    for cluster in np.unique(found):
        members = found == cluster
        senses_meant = np.unique(said[members & typical])
        if len(senses_meant) == 1:
            meant[members & (said == NOT_SAID)] = senses_meant
    senses, seeds = seeds_of(meant)
    means = cluster_means([(slice(None), x)], seeds, len(senses), x.shape[1])
    labels, n_clusters = np.zeros(len(x), dtype=np.int64), len(senses)
    for cluster in np.unique(found):
        members = found == cluster
        here = np.unique(seeds[members & (seeds >= 0)])
        if len(here):
            labels[members] = here[closeness(x[members], means[here]).argmax(axis=1)]
        elif (said[members] == NOT_SAID).any():
            labels[members] = n_clusters
            n_clusters += 1
    return as_said(labels, said)


def as_said(labels: Integers, said: Integers) -> Integers:
    """Return the labels, with those of the seeds and of noise in their places."""
    return np.where(said == NOT_SAID, labels, seeds_of(said)[1])


def seeds_of(said: Integers) -> tuple[Integers, Integers]:
    """Return the senses that were said, and the place among them of each occurrence, or −1."""
    senses = np.unique(said[said >= 0])
    return senses, np.where(said >= 0, np.searchsorted(senses, said), NO_SENSE)
