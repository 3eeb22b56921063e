"""The uses of six words and the meanings found; writes docs/images/induced_senses.png.

Usage: python docs/examples/induced_senses.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.decomposition import PCA

import exrpca
from exrpca.files import atomic_path
from exrpca.text import bundled_text

PICTURE = Path(__file__).parent.parent / "images" / "induced_senses.png"
WORDS = ["cell", "mouse", "organ", "pitch", "plant", "rock"]
# Colors that people with any kind of color vision tell apart (Okabe and Ito 2008).
COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]


def main() -> None:
    """Find the meanings and draw each word on the two main directions of its uses."""
    occurrences = exrpca.encode(bundled_text(), words=WORDS)
    _, assigned = exrpca.induce(occurrences)
    found = exrpca.report(assigned).senses
    rows = dict(occurrences.by_word())
    figure, axes = plt.subplots(2, 3, figsize=(11, 6.6), layout="constrained")
    for axis, word in zip(axes.flat, WORDS, strict=True):
        places = PCA(2).fit_transform(occurrences.vectors[rows[word]].astype("float32"))
        sense_of = assigned["sense"].to_numpy()[rows[word]]
        for _, sense in found[found["word"] == word].iterrows():
            number = sense["sense"]
            axis.scatter(
                *places[sense_of == number].T,
                s=18,
                color=COLORS[number],
                label=f"{sense['share']:.0%}  {sense['name']}",
            )
        axis.set_title(word, loc="left", fontsize=15, fontweight="bold")
        axis.set(xticks=[], yticks=[])
        axis.spines[:].set_color("#cccccc")
        axis.legend(loc="upper left", bbox_to_anchor=(-0.02, 0), fontsize=9.5, frameon=False)
    with atomic_path(PICTURE) as temporary:
        figure.savefig(temporary, format="png", dpi=90)


if __name__ == "__main__":
    main()
