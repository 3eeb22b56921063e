import io

import pandas as pd
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from exrpca.contextual.corrections import Corrections
from exrpca.errors import InputError
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration


def senses_of(corrections):
    return corrections.table()["sense"].tolist()


def test_each_step_is_kept_in_the_file_and_can_be_taken_back(assigned, tmp_path):
    path = tmp_path / "corrections.csv"
    corrections = Corrections(assigned, path)
    before = [senses_of(corrections)]
    corrections.correct("move", "bank", to=1, occurrences=[0, 2])
    before.append(senses_of(corrections))
    corrections.correct("name", "bank", sense=1, name=" riverside ")
    corrections.correct("move", "bank", to=-1, occurrences=[11])
    before.append(senses_of(corrections))
    corrections.correct("join", "bank", sense=1, to=2)
    assert senses_of(corrections) == [2, 0, 2, 0, 2, 2, 2, 2, 2, 2, 2, -1]
    assert set(corrections.table()["name"]) == {"riverside", ""}
    again = Corrections(assigned, path)
    pd.testing.assert_frame_equal(again.table(), corrections.table())
    again.undo()
    assert senses_of(again) == before[2]
    for _ in range(3):
        assert again.undo() == "bank"
    assert senses_of(again) == before[0]
    assert again.undo() is None
    assert senses_of(Corrections(assigned, path)) == before[0]


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("move"),
            st.fixed_dictionaries(
                {"to": st.integers(-1, 4), "occurrences": st.lists(st.integers(0, 11))}
            ),
        ),
        st.tuples(
            st.just("join"),
            st.fixed_dictionaries({"sense": st.integers(0, 3), "to": st.integers(0, 3)}),
        ),
    ),
    max_size=6,
)


@given(STEPS)
def test_what_was_said_last_holds_and_nothing_is_lost(assigned, steps):
    corrections, expected = Corrections(assigned), assigned["sense"].tolist()
    for action, what in steps:
        corrections.correct(action, "bank", **what)
        if action == "move":
            moved = set(what["occurrences"])
            expected = [what["to"] if i in moved else s for i, s in enumerate(expected)]
        else:
            expected = [what["to"] if s == what["sense"] else s for s in expected]
        assert senses_of(corrections) == expected
    assert corrections.table()["left"].tolist() == assigned["left"].tolist()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("word\nbank\n", "no column step"),
        ("step,action,word,sense,to,name,source,left,target,right\n1,drop,bank,0,0,,,,,\n", "2: "),
        ("step,action,word,sense,to,name,source,left,target,right\n1,join,bank,x,0,,,,,\n", "'x'"),
        ("step,action,word,sense,to,name,source,left,target,right\n1,join,tree,0,1,,,,,\n", "tree"),
        ("", "is no file of corrections"),
    ],
)
def test_files_about_something_else_are_refused(assigned, tmp_path, text, says):
    path = tmp_path / "corrections.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as refused:
        Corrections(assigned, path)
    assert str(path) in str(refused.value)


def test_the_page_corrects(senses, assigned, tmp_path):
    path = tmp_path / "corrections.csv"
    exploration = Exploration(senses, "n", [], corrections=Corrections(assigned, path))
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    assert client.get("/api/sentences/words").json() == {"bank": 12}
    found = client.get("/api/sentences", params={"word": "bank"}).json()
    assert [len(each["sentences"]) for each in found["senses"]] == [4, 4, 4]
    first = found["senses"][0]["sentences"][0]["id"]
    what = {"action": "move", "word": "bank", "to": 2, "occurrences": [first]}
    told = client.post("/api/sentences/correct", json=what).json()
    assert [len(each["sentences"]) for each in told["senses"]] == [3, 4, 5]
    assert (told["steps"], told["file"]) == (1, "corrections.csv")
    table = pd.read_csv(io.StringIO(client.get("/api/sentences/corrected.csv").text))
    assert table["sense"].tolist()[:2] == [2, 0]
    assert client.post("/api/sentences/undo").json()["steps"] == 0
    assert client.get("/api/sentences", params={"word": "tree"}).status_code == 404


def test_without_sentences_the_page_says_what_to_do(senses):
    client = TestClient(create_app(Exploration(senses, "n", [])), base_url="http://127.0.0.1")
    answer = client.get("/api/sentences", params={"word": "bank"})
    assert answer.status_code == 400
    assert "--assigned" in answer.json()["detail"]
