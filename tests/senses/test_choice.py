"""Choosing senses for whole texts agrees with choosing them one by one."""

import numpy as np
import pytest

from exrpca import InputError, SenseVectors, make_senses
from exrpca.senses.choice import NO_WORD, SenseChooser, numbered_blocks


def test_agrees_with_disambiguate() -> None:
    senses = make_senses(n_words=50, dim=10).senses
    rng = np.random.default_rng(0)
    lines = [rng.permutation(50)[: rng.integers(1, 20)] for _ in range(30)]
    tokens = np.concatenate(lines)
    starts = np.cumsum([0] + [len(line) for line in lines])
    chosen = SenseChooser(senses, window=3).choose(tokens, starts)
    for start, line in zip(starts, lines, strict=False):
        text = [senses.words[i] for i in line]
        for at, word in enumerate(text):
            if len(text) > 1:
                expected = senses.disambiguate(word, text, window=3)["probability"].argmax()
                assert chosen[start + at] == expected


def test_unknown_tokens_count_as_places_but_not_as_context() -> None:
    senses = SenseVectors(
        ["bank", "river", "money"],
        np.ones((4, 2)),
        [2, 1, 1],
        centers=[[1, 0], [0, 1], [1, 1], [1, 1]],
        globals=[[0, 0], [1, 0], [0, 1]],
    )
    chooser = SenseChooser(senses, window=2)
    # money is three places off, river two
    tokens = np.array([2, NO_WORD, NO_WORD, 0, NO_WORD, 1])
    np.testing.assert_array_equal(chooser.choose(tokens, np.array([0, 6])), [0, -1, -1, 0, -1, 0])
    # no context at all: the first sense
    np.testing.assert_array_equal(chooser.choose(np.array([0]), np.array([0, 1])), [0])


def test_lines_are_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exrpca.senses.choice._BLOCK", 3)
    blocks = list(numbered_blocks([["a", "b"], ["a", "a"], [], ["c"]], {"a": 0, "b": 1}))
    assert [block for block, _, _ in blocks] == [[["a", "b"], ["a", "a"]], [[], ["c"]]]
    assert [tokens.tolist() for _, tokens, _ in blocks] == [[0, 1, 0, 0], [NO_WORD]]
    assert [starts.tolist() for _, _, starts in blocks] == [[0, 2, 4], [0, 0, 1]]


def test_needs_centers_and_globals() -> None:
    with pytest.raises(InputError, match="there are no centers and globals"):
        SenseChooser(SenseVectors(["a"], [[1.0]], [1]))
