import base64
import io
import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from fastapi.testclient import TestClient

from exrpca.cleaning import read_verdicts
from exrpca.contextual import Encoder, Occurrences, encode, induce
from exrpca.errors import InputError
from exrpca.evaluation import wordsim353
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration
from exrpca.senses import SenseVectors, load
from exrpca.text import disambiguate
from tests.contextual.conftest import tiny  # noqa: F401


def get(client, path, status=200, **parameters):
    response = client.get(f"/api/{path}", params=parameters)
    assert response.status_code == status, response.text
    return response.json()


def test_about(client, senses):
    about = get(client, "about")
    assert (about["words"], about["senses"]) == (len(senses), len(senses.vectors))
    assert about["centers"]
    assert about["highest_rank"] == 10
    assert about["working"] == []


def test_completion(client):
    assert [found["word"] for found in get(client, "words", beginning="ban")] == ["bank"]
    assert get(client, "words", beginning="<SCR")[0]["word"] == "<script>alert(1)</script>"


def test_word(client, senses):
    word = get(client, "word", word="bank", n=4)
    assert len(word["senses"]) == len(senses["bank"])
    assert sum(sense["share"] for sense in word["senses"]) == pytest.approx(1)
    assert all(len(sense["neighbors"]) == 4 for sense in word["senses"])
    assert get(client, "word", word="bank", rank=3) != get(client, "word", word="bank")


def test_odd_words(client, odd_words):
    for word in odd_words:
        assert get(client, "word", word=word)["word"] == word
        assert get(client, "map", word=word, add=odd_words)["points"]


def test_unknown_word(client):
    detail = get(client, "word", 404, word="banck")["detail"]
    assert detail.startswith("no word 'banck'; close matches: bank")
    get(client, "word/pairs", 404, word="banck")
    get(client, "word/sense", 404, word="banck", text="money")
    found = get(client, "map", word="bank", add=["banck", "tiger"])
    assert found["unknown"] == ["banck"]
    assert {point["word"] for point in found["points"] if point["kind"] == "added"} == {"tiger"}


def test_capitals_find_the_word(client):
    assert get(client, "word", word="BANK")["word"] == "bank"
    assert get(client, "word/pairs", word="Bank") == get(client, "word/pairs", word="bank")
    assert get(client, "map", word="bank", add="Tiger")["unknown"] == []


def test_pairs_and_what_would_be_merged(client, senses):
    for word in ("bank", "<b>bold</b>", "money"):
        answer = get(client, "word/pairs", word=word)
        n = len(senses[word])
        assert len(answer["pairs"]) == n * (n - 1) // 2
        groups = [meaning["senses"] for meaning in answer["meanings"]]
        assert sorted(itertools.chain(*groups)) == list(range(n))
        assert 1 <= answer["fewest"] <= len(groups)
    alone = next(w for w in senses if len(senses[w]) == 1)
    answer = get(client, "word/pairs", word=alone)
    assert (answer["pairs"], answer["meanings"][0]["senses"]) == ([], [0])


def test_senses_are_named_by_neighbors_that_the_others_lack(client, senses):
    names = get(client, "word/pairs", word="bank")["names"]
    assert len(names) == len(senses["bank"])
    assert all(len(name) == 2 for name in names)
    assert len(set(itertools.chain(*names))) == 2 * len(names)
    near = {
        near["word"] for near in get(client, "word", word="bank", n=100)["senses"][0]["neighbors"]
    }
    assert set(names[0]) <= near - {"bank"}
    assert get(client, "names", word=["bank", "money"])["bank"] == names


def test_sense_of_a_sentence_is_that_of_disambiguate(client, senses):
    text = "The Bank, lent money (cash) to xyzzy"
    answer = get(client, "word/sense", word="bank", text=text)
    expected = disambiguate(senses, "bank", "bank money cash")["probability"]
    assert [each["probability"] for each in answer["senses"]] == pytest.approx(list(expected))
    parts = {token["text"]: token["part"] for token in answer["tokens"]}
    assert [text for text, part in parts.items() if part == "context"] == ["money", "cash"]
    assert (parts["Bank"], parts["xyzzy"]) == ("word", "unknown")
    assert "".join(token["before"] + token["text"] for token in answer["tokens"]) == text


def test_suggestions_have_the_verdict_and_different_neighbors(client, exploration):
    found = get(client, "suggestions")
    pairs = exploration.inventory.result().pairs
    for verdict, words in found["words"].items():
        for suggestion in words:
            assert verdict in set(pairs.loc[pairs["word"] == suggestion["word"], "verdict"])
    assert found["words"]["real"]
    assert found["worked"] in pairs["word"].to_numpy()


def test_map_moves_with_the_rank_on_the_same_axes(client):
    maps = [get(client, "map", word="bank", rank=rank, n=5)["points"] for rank in (1, 2)]
    assert [p["before"] for p in maps[0]] == [p["before"] for p in maps[1]]
    assert [p["after"] for p in maps[0]] != [p["after"] for p in maps[1]]


def test_directions(client):
    found = get(client, "directions")
    assert [each["component"] for each in found] == [1, 2, 3]
    assert all(each["pairs"] and each["positive_pole"] for each in found)


def test_inventory_pages(client, exploration):
    whole = get(client, "inventory", limit=1000)
    assert whole["total"] == exploration.n_pairs
    page = get(client, "inventory", offset=10, limit=5)
    assert page["rows"] == whole["rows"][10:15]
    probable = [row["probability"] for row in whole["rows"]]
    assert probable == sorted(probable, reverse=True)
    real = get(client, "inventory", verdict="real", word="a")
    assert all(row["verdict"] == "real" and "a" in row["word"] for row in real["rows"])
    assert get(client, "inventory", offset=10**6)["rows"] == []


def test_inventory_export(client, exploration):
    response = client.get("/api/inventory.csv", params={"sort": "word", "descending": False})
    assert response.headers["content-type"].startswith("text/csv")
    table = pd.read_csv(io.StringIO(response.text), keep_default_na=False)
    assert len(table) == exploration.n_pairs
    assert list(table["word"]) == sorted(table["word"])


def test_histogram(client, exploration):
    found = get(client, "inventory/histogram")
    verdicts = ("real", "pseudo", "undecided")
    assert sum(sum(found[verdict]) for verdict in verdicts) == exploration.n_pairs


def test_scores_before_and_after(client):
    scores = get(client, "scores")
    assert {score["method"] for score in scores} == {"none", "exrpca", "abtt", "collapsed"}
    assert {score["dataset"] for score in scores} == {"WS-353"}
    sweep = get(client, "scores/sweep")
    assert {point["removed"] for point in sweep} == set(range(20))


def test_a_rank_is_decomposed_once_for_all_views(senses, fits):
    exploration = Exploration(senses, "new.parquet", [wordsim353()])
    exploration.prepare()
    views = (exploration.inventory, exploration.directions, exploration.sweep)
    for task in (*views, exploration.cleaned_task(1)):
        task.wait()
    assert sorted(fits) == [("ExRPCA", 1), ("ExRPCA", 3)]


def test_what_is_not_ready_says_so(senses):
    exploration = Exploration(senses, "new.parquet", [])
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    response = client.get("/api/inventory")
    assert response.status_code == 202
    assert response.json()["working"].startswith("Judging")
    assert response.headers["retry-after"] == "1"
    exploration.inventory.wait()
    assert client.get("/api/inventory").status_code == 200


def test_vectors_alone(bare):
    client = TestClient(create_app(Exploration(bare, "bare", [])), base_url="http://127.0.0.1")
    assert get(client, "word", word="bank")["senses"][0]["count"] is None
    assert get(client, "word/sense", word="bank", text="money")["senses"]


def test_one_sense_a_word():
    senses = SenseVectors(["a", "b", "c"], [[1, 0], [0, 1], [1, 1]], [1, 1, 1])
    exploration = Exploration(senses, "single", [])
    exploration.prepare()
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    assert get(client, "about")["highest_rank"] == 0
    assert get(client, "word", word="a")["senses"][0]["neighbors"][0]["word"] == "c"
    assert "only one sense" in get(client, "map", 400, word="a")["detail"]
    for task, path in (
        (exploration.directions, "directions"),
        (exploration.inventory, "inventory"),
    ):
        with pytest.raises(InputError, match="only one sense"):
            task.wait()
        assert "only one sense" in get(client, path, 400)["detail"]


@pytest.fixture
def judging(senses, tmp_path):
    """A page whose verdicts are kept in a file, with one pair left undecided."""
    exploration = Exploration(senses, "new.parquet", [], verdicts=tmp_path / "verdicts.csv")
    pairs = exploration.inventory.wait().pairs
    pairs.loc[pairs["word"] == "bank", "verdict"] = "undecided"
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    return client, tmp_path / "verdicts.csv"


def give(client, status=200, **verdict):
    response = client.post("/api/verdicts/given", json=verdict)
    assert response.status_code == status, response.text
    return response.json()


def test_verdicts_are_kept_in_the_file_and_change_what_is_merged(judging, senses):
    client, path = judging
    assert not path.exists()
    before = get(client, "verdicts")
    waiting = [
        pair
        for offset in range(0, before["waiting"], 100)
        for pair in get(client, "verdicts/queue", offset=offset, limit=100)
    ]
    assert len(waiting) == before["waiting"]
    assert {"word": "bank", "sense_a": 0, "sense_b": 1} in waiting
    told = give(client, word="bank", sense_a=0, sense_b=1, verdict="pseudo")
    assert (told["given"], told["waiting"]) == (1, before["waiting"] - 1)
    assert read_verdicts(path, senses) == {("bank", 0, 1): "pseudo"}
    answer = get(client, "word/pairs", word="bank")
    assert answer["pairs"][0]["yours"] == "pseudo"
    assert answer["meanings"][0]["senses"][:2] == [0, 1]
    mapping = pd.read_csv(io.StringIO(client.get("/api/merged/map.csv").text))
    bank = mapping[mapping["word"] == "bank"].set_index("old_sense")["new_sense"]
    assert bank[0] == bank[1]
    give(client, word="bank", sense_a=0, sense_b=1, verdict=None)
    assert read_verdicts(path, senses) == {}


def test_first_and_last_sense_are_joined(judging):
    client, _ = judging
    for a, b, verdict in ((0, 1, "real"), (0, 2, "pseudo"), (1, 2, "real")):
        give(client, word="bank", sense_a=a, sense_b=b, verdict=verdict)
    answer = get(client, "word/pairs", word="bank")
    assert [meaning["senses"] for meaning in answer["meanings"]] == [[0, 2], [1]]
    assert answer["fewest"] == 2


def test_agreement_counts_what_both_decided(judging):
    client, _ = judging
    found = get(client, "inventory", verdict="real", limit=2)["rows"]
    for row, verdict in zip(found, ("real", "pseudo"), strict=True):
        pair = {name: row[name] for name in ("word", "sense_a", "sense_b")}
        told = give(client, **pair, verdict=verdict)
    assert (told["agreed"], told["decided"]) == (1, 2)


def test_verdicts_on_pairs_that_do_not_exist(judging):
    client, path = judging
    give(client, 404, word="bank", sense_a=0, sense_b=50, verdict="real")
    give(client, 404, word="banck", sense_a=0, sense_b=1, verdict="real")
    assert not path.exists()


@pytest.mark.parametrize(
    "body",
    [
        '{"word": "bank", "sense_a": 1e999, "sense_b": 1, "verdict": "real"}',
        '{"word": "bank", "sense_a": NaN, "sense_b": 1, "verdict": "real"}',
        '{"word": "\\ud800", "sense_a": 0, "sense_b": 1, "verdict": "real"}',
        '{"word": "bank", "sense_a": 0, "sense_b": 1, "verdict": "\\ud800"}',
        '{"word": "bank", "sense_a": 0, "sense_b": 1, "verdict"',
    ],
)
def test_verdicts_that_are_no_json_are_refused(judging, body):
    client, path = judging
    response = client.post(
        "/api/verdicts/given", content=body, headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 422
    assert response.json()["detail"][0]["msg"]
    assert not path.exists()


def test_without_a_file_verdicts_are_kept_in_memory(senses, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exploration = Exploration(senses, "new.parquet", [])
    exploration.inventory.wait()
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    told = give(client, word="bank", sense_a=0, sense_b=1, verdict="real")
    assert (told["file"], told["given"]) == (None, 1)
    assert list(tmp_path.iterdir()) == []


def test_merged_vectors_have_the_senses_of_the_mapping(judging, tmp_path):
    client, _ = judging
    mapping = pd.read_csv(
        io.StringIO(client.get("/api/merged/map.csv").text), keep_default_na=False
    )
    path = tmp_path / "merged.parquet"
    path.write_bytes(client.get("/api/merged/vectors.parquet").content)
    merged = load(path)
    assert len(merged.vectors) == len(mapping[["word", "new_sense"]].drop_duplicates())


def test_induced_senses_are_shown_and_chosen_by_their_encoder_only():
    """Without an encoder the page says what is needed and shows all the rest."""
    rng = np.random.default_rng(0)
    cloud = np.repeat(np.arange(60), 30)
    vectors = rng.normal(size=(1800, 40)) + 3 * rng.normal(size=(60, 40))[cloud]
    words = np.repeat([f"w{i}" for i in range(30)], 60)
    senses, _ = induce(Occurrences.from_arrays(words, vectors))
    assert senses.n_senses.max() > 1
    exploration = Exploration(senses, "induced.parquet", [])
    exploration.prepare()
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    about = get(client, "about")
    assert (about["senses"], about["globals"]) == (len(senses.vectors), False)
    assert len(get(client, "word", word="w3")["senses"]) == len(senses["w3"])
    detail = get(client, "word/sense", 400, word="w3", text="w3 w4")["detail"]
    assert "needs the encoder" in detail
    exploration.inventory.wait()
    assert get(client, "word/pairs", word="w3")["word"] == "w3"


def test_an_encoder_chooses_among_induced_senses(tiny):  # noqa: F811
    text = [[a, kind, "bank", b] for a in "abcdef" for b in "abcd" for kind in ("money", "river")]
    found = encode(text, words=["bank"], encoder=tiny)
    with pytest.warns(UserWarning, match="only one word"):
        senses, _ = induce(replace(found, labels=np.tile([0, 1], len(found) // 2)))
    encoder = Encoder.for_senses(senses, tiny)
    exploration = Exploration(senses, "induced.parquet", [], encoder=encoder)
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    assert get(client, "about")["chooses"]
    answer = get(client, "word/sense", word="bank", text="a river bank, a river")
    chosen = max(answer["senses"], key=lambda each: each["probability"])
    assert (chosen["sense"], chosen["cosine"]) == (1, None)
    assert [(token["text"], token["part"]) for token in answer["tokens"]] == [
        ("a river ", "context"),
        ("bank", "word"),
        (", a river", "context"),
    ]
    assert "not in the text" in get(client, "word/sense", 400, word="bank", text="a")["detail"]
    assert get(client, "word/examples", word="bank")["senses"][1]


def test_map_of_all_senses(client, exploration, senses):
    found = get(client, "senses")
    assert found["words"] == list(senses.words)
    numbers = {name: base64.b64decode(found[name]) for name in ("before", "after", "kinds")}
    n = len(senses.vectors)
    assert len(numbers["before"]) == len(numbers["after"]) == 4 * n
    kinds = np.frombuffer(numbers["kinds"], dtype=np.uint8)
    assert (kinds == 0).sum() == (senses.n_senses == 1).sum()
    pairs = exploration.inventory.result().pairs
    with_pseudo = pairs[pairs["verdict"] == "pseudo"]
    rows = senses.offsets[with_pseudo["word"].map(senses.index)] + with_pseudo["sense_a"]
    assert (kinds[rows] == 3).all()


@pytest.mark.parametrize("cleaned", [False, True])
def test_area_of_the_map_filters_the_inventory(client, exploration, senses, cleaned):
    before, after = exploration.sense_map.result()
    places = after if cleaned else before
    middle = int(np.median(places[:, 0]))
    area = f"0,0;{middle},0;{middle},65535;0,65535"
    found = get(client, "inventory", area=area, cleaned=cleaned, limit=1000)
    inside = {senses.words[i] for i in senses.word_of_row[places[:, 0] <= middle]}
    assert 0 < found["total"] < exploration.n_pairs
    assert {row["word"] for row in found["rows"]} <= inside
    assert get(client, "inventory", area="0,0;1,0;1,1")["total"] == 0
    get(client, "inventory", 422, area="0,0;1,0")
