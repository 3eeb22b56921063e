"""The map of all senses: a plane in which near senses are near, before and after cleaning."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.neighbors import KNeighborsRegressor

from exrpca.cleaning import Projector
from exrpca.evaluation.download import cache_folder
from exrpca.files import atomic_path
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors

Floats = NDArray[np.float32]
Places = NDArray[np.uint16]

# t-SNE places this many senses, the most frequent; the others go where their neighbors are.
_LANDMARKS = 4000
_DIMENSIONS = 30
_NEIGHBORS = 3
_STEPS = 400
# The layout after cleaning begins with that before, so that senses stay where they can.
_MORE_STEPS = 250
# Another number makes a cached map of an older rule unknown.
_RULE = b"3"


class SenseMap(NamedTuple):
    """The place of each sense before and after cleaning, in the square from 0 to 65,535."""

    before: Places
    after: Places


def cached_sense_map(
    senses: SenseVectors, components: Floats, folder: Path | None = None
) -> SenseMap:
    """Return the map of some vectors; it is computed once and kept in the user's cache.

    Parameters
    ----------
    senses : SenseVectors
    components : ndarray of shape (rank, dim)
        What cleaning removes.
    folder : Path, optional
        Where to keep it.
    """
    folder = cache_folder() / "maps" if folder is None else folder
    path = folder / f"{_fingerprint(senses, components)}.npy"
    if path.exists():
        before, after = np.load(path)
        return SenseMap(before, after)
    found = sense_map(senses, components)
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.save(file, np.stack(found))
    return found


def sense_map(senses: SenseVectors, components: Floats) -> SenseMap:
    """Place all senses in a plane, before and after cleaning.

    PCA, then t-SNE of the most frequent senses. Each other sense is placed among the nearest of
    those, so that the time grows in proportion to the number of senses.
    """
    landmarks = _most_frequent(senses)
    unit = unit_vectors(senses.vectors)
    before, layout = _laid_out(unit, landmarks, None)
    cleaned = unit_vectors(Projector(components).apply(senses.vectors))
    after, _ = _laid_out(cleaned, landmarks, layout)
    return SenseMap(_in_square(before), _in_square(after))


def _most_frequent(senses: SenseVectors) -> NDArray[np.int64]:
    n = min(_LANDMARKS, len(senses.vectors))
    if senses.counts is None:
        return np.arange(n)  # files begin with the most frequent words
    return np.argsort(-senses.counts, kind="stable")[:n]


def _laid_out(
    unit: Floats, landmarks: NDArray[np.int64], start: Floats | None
) -> tuple[Floats, Floats]:
    """Return the places of all senses, and those of the landmarks."""
    n_dimensions = min(_DIMENSIONS, unit.shape[1], len(landmarks))
    pca = PCA(n_dimensions, random_state=0).fit(unit[landmarks])
    reduced = pca.transform(unit).astype(np.float32)
    chosen = reduced[landmarks]
    layout = TSNE(
        init=_small(chosen[:, :2]) if start is None else _small(start),
        perplexity=min(30, (len(landmarks) - 1) / 3),
        max_iter=_STEPS if start is None else _MORE_STEPS,
        # a layout that is there need not be pulled together first
        early_exaggeration=12 if start is None else 1,
        random_state=0,
        n_jobs=-1,
    ).fit_transform(chosen)
    places = _among(reduced, chosen, layout)
    places[landmarks] = layout
    return places, layout


def _small(places: Floats) -> Floats:
    """Return places scaled as t-SNE wants them to begin."""
    if places.shape[1] < 2:
        places = np.column_stack([places, np.zeros(len(places))])
    return np.asarray(places / max(float(places[:, 0].std()), 1e-9) * 1e-4, dtype=np.float32)


def _among(points: Floats, landmarks: Floats, layout: Floats) -> Floats:
    """Place points at the mean of their nearest landmarks, the nearest counting most."""
    model = KNeighborsRegressor(
        min(_NEIGHBORS, len(landmarks)),
        weights=lambda distances: 1 / np.maximum(distances**2, 1e-6) ** 2,
        algorithm="brute",
    )
    return np.asarray(model.fit(landmarks, layout).predict(points), dtype=np.float32)


def _in_square(places: Floats) -> Places:
    """Fill the square: how wide t-SNE makes a layout says nothing."""
    low, high = places.min(axis=0), places.max(axis=0)
    size = max(float((high - low).max()), 1e-9)
    centered = (places - (low + high) / 2) / size + 0.5
    return np.asarray((centered.clip(0, 1) * 65535).round().astype(np.uint16))


def _fingerprint(senses: SenseVectors, components: Floats) -> str:
    found = hashlib.blake2b(_RULE, digest_size=16)
    for part in (senses.vectors, senses.counts, components.round(3)):
        found.update(b"" if part is None else np.ascontiguousarray(part).data)
    return found.hexdigest()
