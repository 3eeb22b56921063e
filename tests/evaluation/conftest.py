"""A model of three words small enough to work out by hand."""

import numpy as np
import pytest

from exrpca.evaluation import Context, WordPairs
from exrpca.senses import SenseVectors

ROOT_HALF = np.sqrt(0.5)


@pytest.fixture
def three_words() -> SenseVectors:
    """`bank` with two senses along the axes, `river` along the second, `cash` between both."""
    return SenseVectors(
        ["bank", "river", "cash"],
        [[2, 0], [0, 3], [0, 1], [5, 5]],
        [2, 1, 1],
        counts=[3, 1, 4, 4],
        centers=[[1, 0], [0, 1], [0, 1], [1, 0]],
        globals=[[1, 1], [0, 1], [1, 0]],
    )


@pytest.fixture
def three_pairs() -> WordPairs:
    near_cash = Context((), ("cash", "unknown"))
    near_river = Context(("river", "."), ())
    return WordPairs(
        "three",
        (("bank", "river"), ("Bank", "cash"), ("bank", "bank"), ("bank", "tree")),
        np.array([2.0, 6.0, 4.0, 1.0]),
        (
            (near_river, near_cash),
            (near_cash, near_river),
            (near_cash, near_river),
            (near_cash, near_river),
        ),
    )
