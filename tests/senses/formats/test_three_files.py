import pytest

from exrpca.errors import InputError
from exrpca.senses import load, save
from exrpca.senses.formats import plan_output


@pytest.fixture
def saved(senses, tmp_path):
    save(senses, tmp_path / "x", writer="three-files")
    return tmp_path


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_three_names(saved):
    names = sorted(path.name for path in saved.iterdir())
    assert names == ["x_context.vec", "x_global.vec", "x_local.vec"]


def test_any_name_and_any_order_will_do(senses, saved):
    for role in ("context", "global"):
        path = saved / f"x_{role}.vec"
        header, *lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        path.write_text("\n".join([header, *lines[::-1]]) + "\n", encoding="utf-8")
    for name in ("x", "x_local.vec", "x_context.vec", "x_global.vec"):
        assert load(saved / name) == senses.replace(counts=None)


def test_one_of_them_alone_is_a_word2vec_file(saved):
    assert load(saved / "x_global.vec", reader="word2vec").n_senses.tolist() == [1, 1, 1]
    (saved / "x_context.vec").unlink()
    (saved / "x_global.vec").unlink()
    assert load(saved / "x_local.vec").metadata["format"] == "word2vec"
    with pytest.raises(InputError, match=r"x_context.vec: no such file"):
        load(saved / "x", reader="three-files")


@pytest.mark.parametrize(
    ("role", "old", "new", "message"),
    [
        ("context", "bank#1", "bank#7", r"x_context.vec: no key 'bank#1', expected those of"),
        ("local", "4 2\nbank#0 0.1 -2\n", "3 2\n", r"x_context.vec: 4 vectors, expected the 3"),
        ("global", "bank", "tank", r"x_global.vec, line 2: the word 'tank' has no sense"),
        ("global", "naïve", "bank", r"x_global.vec, line 4: the word 'bank' appears twice"),
        ("global", "3 2\nbank 1 1\n", "2 2\n", r"the word 'bank' has no global vector"),
    ],
)
def test_files_that_do_not_fit_each_other(role, old, new, message, saved):
    change(saved / f"x_{role}.vec", old, new)
    with pytest.raises(InputError, match=message):
        load(saved / "x")


@pytest.mark.parametrize("missing", ["centers", "globals"])
def test_all_three_are_needed(missing, senses, tmp_path):
    with pytest.raises(InputError, match=f"there are no {missing}"):
        save(senses.replace(**{missing: None}), tmp_path / "x_local.vec")
    assert list(tmp_path.iterdir()) == []


def test_a_device_has_no_files_next_to_it(tmp_path):
    with pytest.raises(InputError, match="/dev/null: the format three-files needs the name of a"):
        plan_output("/dev/null", writer="three-files")
    (tmp_path / "x_global.vec").mkdir()
    with pytest.raises(InputError, match=r"x_global\.vec: is a folder"):
        plan_output(tmp_path / "x_local.vec")


def test_none_of_the_three_is_there(tmp_path):
    with pytest.raises(InputError, match=r"x_local\.vec: no such file, nor the other two"):
        load(tmp_path / "x", reader="three-files")
