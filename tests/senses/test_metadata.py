import pytest

from exrpca import bundled, make_senses
from exrpca.errors import InputError
from exrpca.senses.metadata import (
    Metadata,
    context_entry,
    is_merged,
    updated,
    without_file_entries,
)


def test_the_context_of_the_centers_comes_before_that_of_the_training():
    metadata = {"context": {"window": 9, "weights": 1e-4}, "training": {"window": 3}}
    assert context_entry(metadata) == {"window": 9, "weights": 1e-4}
    assert context_entry({"training": {"lowercase": True}}) == {"window": 5}


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"training": 3}, "metadata: training is 3, expected an object"),
        ({"context": "x"}, "metadata: context is 'x', expected an object"),
        ({"context": {"window": 0}}, "the window 0 must be"),
        ({"training": {"window": "wide"}}, "the window 'wide' must be"),
    ],
)
def test_entries_of_another_kind_are_refused(metadata, message):
    with pytest.raises(InputError, match=message):
        context_entry(metadata)


def test_what_is_asked_of_metadata():
    assert is_merged(updated({}, merged={"senses_before": 7}))
    assert not is_merged({})
    assert without_file_entries(make_senses(n_words=3).senses.metadata).keys() == {"origin"}


def test_the_bundled_vectors_have_known_entries_only():
    assert bundled().metadata.keys() <= Metadata.__annotations__.keys()
