"""The functions people call are reachable from the top."""

import exrpca


def test_every_name_can_be_reached():
    assert [name for name in exrpca.__all__ if not hasattr(exrpca, name)] == []
    assert sorted(exrpca.__all__) == exrpca.__all__ == dir(exrpca)
