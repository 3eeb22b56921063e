"""The functions people call are reachable from the top."""

import exrpca


def test_every_name_can_be_reached():
    assert [name for name in exrpca.__all__ if not hasattr(exrpca, name)] == []
    assert sorted(exrpca.__all__) == exrpca.__all__ == dir(exrpca)


def test_the_functions_people_call_are_at_the_top():
    functions = (
        "load save bundled make_senses train encode clean detect merge tag retag disambiguate"
    )
    assert {*functions.split(), "evaluate", "to_gensim"} <= set(exrpca.__all__)
