"""The occurrences of three words and their senses; writes docs/images/induced_senses.png.

Usage: python docs/examples/induced_senses.py OCCURRENCES, a file that `exrpca encode` wrote
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.decomposition import PCA

import exrpca
from exrpca.contextual import Occurrences
from exrpca.files import atomic_path

PICTURE = Path(__file__).parent.parent / "images" / "induced_senses.png"
SHOWN = ("crane", "seal", "pitch")


def main(path: str) -> None:
    """Induce the senses and draw each word on the two main directions of its occurrences."""
    occurrences = Occurrences.load(path)
    senses, assignments = exrpca.induce(occurrences)
    rows = dict(occurrences.by_word())
    figure, axes = plt.subplots(1, len(SHOWN), figsize=(13, 5), layout="constrained")
    for axis, word in zip(axes, SHOWN, strict=True):
        places = PCA(2).fit_transform(occurrences.vectors[rows[word]].astype("float32"))
        sense_of = assignments["sense"].to_numpy()[rows[word]]
        for sense in range(len(senses[word])):
            left, target, right = senses.examples[senses.row(word, sense)][0]
            near = " ".join([*left.split()[-3:], target.upper(), *right.split()[:3]])
            label = f"{word}#{sense}: … {near} …"
            axis.scatter(*places[sense_of == sense].T, s=14, alpha=0.7, label=label)
        axis.set(title=f"{word}: {len(places)} occurrences", xticks=[], yticks=[])
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), fontsize=8, frameon=False)
    with atomic_path(PICTURE) as temporary:
        figure.savefig(temporary, format="png", dpi=100)


if __name__ == "__main__":
    main(sys.argv[1])
