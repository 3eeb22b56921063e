"""The format of an output, and what it cannot hold, are known before the work."""

import pytest

from exrpca.errors import InputError
from exrpca.senses import SenseVectors, load, save
from exrpca.senses.formats import FORMATS, WRITERS, parts_of, plan_output
from exrpca.senses.formats.format import SEVERAL_CENTERS


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.parquet", "parquet"),
        ("a.vec", "word2vec"),
        ("a.vec.gz", "word2vec"),
        ("a.bin", "word2vec-binary"),
        ("a.w2v", "word2vec"),
        ("a.mssg", "mssg"),
        ("a.MSSG.txt", "mssg"),
        ("a.MSSG.vec", "word2vec"),
        ("a.mssg.parquet.gz", "parquet"),
        ("a_global.vec", "three-files"),
    ],
)
def test_the_name_tells_the_format(name, format, tmp_path):
    assert plan_output(tmp_path / name).format.name == format
    assert plan_output(tmp_path / name, writer="mssg").format.name == "mssg"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("writer", ["mssg", "word2vec"])
def test_a_name_that_tells_nothing_keeps_the_format_of_the_input(writer, senses, tmp_path):
    save(senses, tmp_path / "in", writer=writer)
    assert plan_output(tmp_path / "out.txt", source=tmp_path / "in").format.name == writer


def test_the_error_lists_every_ending_and_writer(tmp_path):
    with pytest.raises(InputError, match="cannot tell the format") as refused:
        plan_output(tmp_path / "out.xyz")
    endings = [ending for writer in WRITERS for ending in FORMATS[writer].endings]
    assert f"({', '.join(endings)})" in str(refused.value)
    assert f"({', '.join(WRITERS)})" in str(refused.value)
    assert all(FORMATS[writer].endings for writer in WRITERS)


def test_a_table_that_came_in_cannot_be_kept(tmp_path):
    (tmp_path / "in.csv").write_text("word,sense,vector\nbank,0,1 0\n")
    with pytest.raises(InputError, match="cannot tell the format"):
        plan_output(tmp_path / "out.txt", source=tmp_path / "in.csv")


def test_what_cannot_be_written_is_refused(senses, tmp_path):
    save(senses, tmp_path / "in.parquet")
    with pytest.raises(InputError, match=r"cannot tell the format .*\.parquet, .* writer"):
        plan_output(tmp_path / "out.txt", source=tmp_path / "in.parquet")
    with pytest.raises(InputError, match="writer='table' must be one of"):
        plan_output(tmp_path / "out.txt", writer="table")
    with pytest.raises(InputError, match="key_pattern='x' must be one of"):
        plan_output(tmp_path / "out.vec", key_pattern="x")
    with pytest.raises(InputError, match="is a folder"):
        plan_output(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        plan_output(tmp_path / "no" / "out.vec")
    with pytest.raises(InputError, match="is another file of this command"):
        plan_output(tmp_path / "out.vec", other_than=[tmp_path / "out.vec"])


@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_not_named_as_lost_is_kept(writer, labeled, tmp_path):
    path = tmp_path / {"three-files": "a_local.vec"}.get(writer, "a")
    plan = plan_output(path, writer=writer)
    plan.check(labeled)
    plan.save(labeled)
    lost = set(plan.losses(parts_of(labeled)))
    kept = set(parts_of(load(path, reader=writer)))
    if "centers" in lost:  # with all centers, there is no need to speak of several
        lost.add(SEVERAL_CENTERS)
    assert lost | kept == set(parts_of(labeled))
    assert lost.isdisjoint(kept)
    assert bool(lost) == (writer != "parquet")


def test_only_what_is_there_can_be_lost(senses):
    bare = SenseVectors(["a"], [[1]], [1], metadata={"format": "mssg", "encoding": "utf-8"})
    assert parts_of(bare) == ()
    assert parts_of(senses) == ("counts", "centers", "globals", "metadata")


@pytest.mark.parametrize("name", ["a.mssg", "a.vec", "a.bin", "a_local.vec"])
def test_words_that_text_cannot_hold_are_found_before_writing(name, senses, tmp_path):
    spaced = SenseVectors(["a b"], [[1]], [1], centers=[[1]], globals=[[1]])
    plan = plan_output(tmp_path / name)
    plan.check(senses)
    with pytest.raises(InputError, match="contains whitespace"):
        plan.check(spaced)


def test_three_files_need_centers(senses, tmp_path):
    plan = plan_output(tmp_path / "a_local.vec")
    with pytest.raises(InputError, match="needs centers and globals: there are no centers"):
        plan.check(senses.replace(centers=None))
