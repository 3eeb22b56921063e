"""The measures of SemEval-2013: by hand, and against their definitions written out pair by pair."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.errors import InputError
from exrpca.evaluation import fuzzy_b_cubed, fuzzy_nmi


def agreement(weights, other):
    shared = set(weights) & set(other)
    return sum(1 - abs(weights[cluster] - other[cluster]) for cluster in shared)


def b_cubed_by_pairs(gold, found):
    """Return precision and recall as the official scorer goes through the pairs."""
    scores = []
    for of in (found, gold):
        total = 0
        for i in range(len(of)):
            shares = [
                min(agreement(gold[i], gold[j]), agreement(found[i], found[j]))
                / agreement(of[i], of[j])
                for j in range(len(of))
                if i != j and set(of[i]) & set(of[j])
            ]
            total += sum(shares) / len(shares) if shares else 0
        scores.append(total / len(of))
    return scores


def entropy(values):
    return -sum(n / len(values) * math.log2(n / len(values)) for n in Counter(values).values())


def bin_of(weight):
    return next(bin_ for bin_ in range(10) if weight <= (bin_ + 1) / 10)


def informs_by_complement(one, other):
    def part(inside, other_inside):
        share = np.mean(
            [(a > 0) == inside and (b > 0) == other_inside for a, b in zip(one, other, strict=True)]
        )
        return -share * math.log(share) if share else 0

    return part(True, True) + part(False, False) < part(True, False) + part(False, True)


def nmi_by_pairs(gold, found):
    def clusters(rows):
        return [[row.get(name, 0) for row in rows] for name in sorted(set().union(*rows))]

    def left(of, given):
        total = 0
        for one in of:
            bins = [bin_of(weight) for weight in one]
            entropies = [entropy(bins)] if all(informs_by_complement(one, g) for g in given) else []
            for other in given:
                if not informs_by_complement(one, other):
                    known = [bin_of(weight) for weight in other]
                    joint = list(zip(bins, known, strict=True))
                    entropies.append(entropy(joint) - entropy(known))
            total += min(entropies)
        return total

    senses, groups = clusters(gold), clusters(found)
    of_gold, of_found = (
        sum(entropy([bin_of(weight) for weight in one]) for one in part)
        for part in (senses, groups)
    )
    if max(of_gold, of_found) == 0:
        return 1
    information = (of_gold - left(senses, groups) + of_found - left(groups, senses)) / 2
    return information / max(of_gold, of_found)


@st.composite
def graded(draw):
    """Two clusterings of some occurrences, each in one cluster or more, the largest weight 1."""
    n = draw(st.integers(2, 9))
    row = st.dictionaries(st.integers(0, 3), st.integers(1, 5), min_size=1, max_size=4)
    rows = draw(st.lists(row, min_size=2 * n, max_size=2 * n))
    rows = [{name: weight / max(row.values()) for name, weight in row.items()} for row in rows]
    return rows[:n], rows[n:]


def matrix(rows):
    return np.array([[row.get(name, 0) for name in range(4)] for row in rows])


@given(graded())
def test_agree_with_the_official_definitions(made):
    gold, found = made
    expected = b_cubed_by_pairs(gold, found)
    assert fuzzy_b_cubed(matrix(gold), matrix(found)) == pytest.approx(expected)
    assert fuzzy_nmi(matrix(gold), matrix(found)) == pytest.approx(nmi_by_pairs(gold, found))


@given(graded())
def test_weights_count_relative_to_the_largest_of_an_occurrence(made):
    gold, found = map(matrix, made)
    scaled = found * np.linspace(0.1, 5, len(found))[:, None]
    assert fuzzy_b_cubed(gold, scaled) == pytest.approx(fuzzy_b_cubed(gold, found))


def test_fuzzy_b_cubed_by_hand():
    # two occurrences share the first cluster with weights 1 and 1/2: they agree by 1/2
    gold, found = [[1], [1]], [[1, 0], [0.5, 1]]
    assert fuzzy_b_cubed(gold, found) == (1, 0.5)


def test_nmi_of_one_sense_in_one_cluster_is_1():
    assert fuzzy_nmi([[1], [1]], [[2], [2]]) == 1


@pytest.mark.parametrize("found", [[[1]], [1, 1], [[1], [-1]], [[1], [np.nan]]])
def test_refuse_what_is_no_membership(found):
    with pytest.raises(InputError, match="membership"):
        fuzzy_b_cubed([[1], [1]], found)
