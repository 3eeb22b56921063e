"""A moving object taken out of a picture series with ExRPCA; writes docs/images/moving_object.png.

Usage: python docs/examples/moving_object.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition import ExRPCA
from exrpca.files import atomic_path

PICTURE = Path(__file__).parent.parent / "images" / "moving_object.png"
HEIGHT, WIDTH, FRAMES = 60, 90, 80
SHOWN = 30


def series() -> NDArray[np.float64]:
    """Return the frames: a scene in changing light, a disc that crosses it, and camera noise."""
    random = np.random.default_rng(0)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    scene = 0.5 + 0.2 * np.sin(x / 7) * np.cos(y / 9) + 0.15 * (x > 55)
    evening = y / HEIGHT
    frames = np.empty((FRAMES, HEIGHT, WIDTH))
    for t in range(FRAMES):
        light = 1 + 0.2 * np.sin(t / 10)
        frames[t] = light * scene + 0.3 * (t / FRAMES) * evening
        disc = (x - 1.2 * t) ** 2 + (y - 15 - 0.4 * t) ** 2 < 20
        frames[t][disc] = 0.05
    return frames + random.normal(scale=0.02, size=frames.shape)


def main() -> None:
    """Decompose the series and draw one frame of each part."""
    frames = series()
    # One row per pixel and one column per frame: the long side goes into the rows.
    X = frames.reshape(FRAMES, -1).T
    L, E, S = ExRPCA(2, center=False).fit(X).decompose(X)
    parts = {
        "one frame of X": X,
        "L: the scene": L,
        "S: the object": S.toarray(),
        "E: noise (× 5)": 5 * E,
    }
    figure, axes = plt.subplots(1, 4, figsize=(12, 2.6), layout="constrained")
    for axis, (title, part) in zip(axes, parts.items(), strict=True):
        low, high = (0, 1.1) if title[0] in "oL" else (-0.8, 0.8)
        axis.imshow(part[:, SHOWN].reshape(HEIGHT, WIDTH), cmap="gray", vmin=low, vmax=high)
        axis.set_title(title, fontsize=10)
        axis.set_axis_off()
    with atomic_path(PICTURE) as temporary:
        figure.savefig(temporary, format="png", dpi=110)


if __name__ == "__main__":
    main()
