"""The projector T that removes components and leaves everything orthogonal to them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Rows projected at a time: intermediate results stay small compared with the result.
_BLOCK = 65_536


class Projector:
    """T = I − UᵀU for orthonormal rows U.

    It is the only linear map that sends each component to 0 and every vector orthogonal to
    all of them to itself.

    Parameters
    ----------
    components : array-like of shape (n_components, dim)
        Orthonormal rows.

    Examples
    --------
    >>> T = Projector([[0.0, 1.0, 0.0]])
    >>> T.apply([1.0, 2.0, 3.0])
    array([1., 0., 3.])
    """

    def __init__(self, components: ArrayLike) -> None:
        self.components: NDArray[Any] = np.atleast_2d(np.asarray(components))
        if self.components.dtype.kind != "f":
            self.components = self.components.astype(np.float64)
        gram = self.components @ self.components.T
        if not np.allclose(gram, np.eye(len(gram)), atol=1e-4):
            raise ValueError("components must be orthonormal rows")

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return int(self.components.shape[1])

    def apply(self, vectors: ArrayLike) -> NDArray[Any]:
        """Return the vectors without their part along the components; no d×d matrix is formed."""
        vectors = np.asarray(vectors)
        result = np.array(vectors, dtype=np.result_type(vectors.dtype, np.float32))
        rows = np.atleast_2d(result)
        components = self.components.astype(result.dtype, copy=False)
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            block -= (block @ components.T) @ components
        return result

    def matrix(self) -> NDArray[Any]:
        """Return T itself, d×d."""
        identity = np.eye(self.dim, dtype=self.components.dtype)
        return np.asarray(identity - self.components.T @ self.components)
