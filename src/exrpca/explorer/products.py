"""Dot products with all sense vectors: one pass through memory for everybody who waits."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class BatchedProducts:
    """Answers `vectors @ query` for many callers at once.

    Reading the vectors from memory is what costs: 24 queries in one matrix product take not
    much longer than one. Queries that arrive while a product is under way form the next one.

    Parameters
    ----------
    vectors : ndarray of shape (n, dim)

    Examples
    --------
    >>> products = BatchedProducts(np.eye(3, dtype=np.float32))
    >>> products.with_all(np.array([[1, 2, 3]], dtype=np.float32))
    array([[1., 2., 3.]], dtype=float32)
    """

    def __init__(self, vectors: Floats) -> None:
        self._vectors = vectors
        self._waiting: queue.SimpleQueue[tuple[Floats, Future[Floats]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="products", daemon=True).start()

    def with_all(self, queries: Floats) -> Floats:
        """Return the dot product of each query with each vector, shape (n_queries, n)."""
        answer: Future[Floats] = Future()
        self._waiting.put((queries, answer))
        return answer.result()

    def _work(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            try:
                products = np.concatenate([queries for queries, _ in batch]) @ self._vectors.T
            except MemoryError as error:
                # the callers must be told, or they would wait forever
                for _, answer in batch:
                    answer.set_exception(error)
                continue
            ends = np.cumsum([len(queries) for queries, _ in batch])
            for (_, answer), rows in zip(batch, np.split(products, ends[:-1]), strict=True):
                answer.set_result(rows)
