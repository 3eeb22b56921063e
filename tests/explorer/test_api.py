import io
import itertools
import time

import numpy as np
import pandas as pd
import pytest
from fastapi.testclient import TestClient

from exrpca.contextual import Occurrences, induce
from exrpca.errors import InputError
from exrpca.evaluation import wordsim353
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration
from exrpca.senses import SenseVectors
from exrpca.text import disambiguate


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
    get(client, "map", 404, word="bank", add="banck")


def test_pairs_and_what_would_be_merged(client, senses):
    for word in ("bank", "<b>bold</b>", "money"):
        answer = get(client, "word/pairs", word=word)
        n = len(senses[word])
        assert len(answer["pairs"]) == n * (n - 1) // 2
        assert sorted(itertools.chain(*answer["merged"])) == list(range(n))
    alone = next(w for w in senses if len(senses[w]) == 1)
    assert get(client, "word/pairs", word=alone) == {"word": alone, "pairs": [], "merged": [[0]]}


def test_sense_of_a_sentence_is_that_of_disambiguate(client, senses):
    text = "The Bank, lent money (cash) to xyzzy"
    answer = get(client, "word/sense", word="bank", text=text)
    expected = disambiguate(senses, "bank", "bank money cash")["probability"]
    assert [each["probability"] for each in answer["senses"]] == pytest.approx(list(expected))
    assert answer["context"] == ["money", "cash"]


def test_map_moves_with_the_rank_on_the_same_axes(client):
    maps = [get(client, "map", word="bank", rank=rank, n=5)["points"] for rank in (1, 2)]
    assert [p["before"] for p in maps[0]] == [p["before"] for p in maps[1]]
    assert [p["after"] for p in maps[0]] != [p["after"] for p in maps[1]]


def test_few_dimensions():
    senses = SenseVectors(["a"], np.random.default_rng(0).normal(size=(4, 3)), [4])
    exploration = Exploration(senses, "small", [])
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    assert get(client, "about")["highest_rank"] == 2
    assert "between 1 and 2" in get(client, "map", 400, word="a", rank=3)["detail"]
    exploration.inventory.wait()
    assert get(client, "inventory")["total"] == 6


def test_directions(client):
    found = get(client, "directions")
    assert [c["component"] for c in found["components"]] == [1, 2, 3]
    assert all(c["pairs"] and c["positive_pole"] for c in found["components"])


def test_inventory_pages(client, exploration):
    whole = get(client, "inventory", limit=1000)
    assert whole["total"] == exploration.n_pairs
    page = get(client, "inventory", offset=10, limit=5)
    assert page["rows"] == whole["rows"][10:15]
    norms = [row["outlier_norm"] for row in whole["rows"]]
    assert norms == sorted(norms, reverse=True)
    real = get(client, "inventory", verdict="real", word="a")
    assert all(row["verdict"] == "real" and "a" in row["word"] for row in real["rows"])
    assert get(client, "inventory", offset=10**6)["rows"] == []


def test_inventory_export(client, exploration):
    response = client.get("/api/inventory.csv", params={"sort": "word", "descending": False})
    assert response.headers["content-type"].startswith("text/csv")
    table = pd.read_csv(io.StringIO(response.text), keep_default_na=False)
    assert len(table) == exploration.n_pairs
    assert list(table["word"]) == sorted(table["word"])


VERDICTS = ("real", "pseudo", "undecided")


def test_histogram(client, exploration):
    found = get(client, "inventory/histogram")
    assert sum(sum(found[verdict]) for verdict in VERDICTS) == exploration.n_pairs


def test_scores_before_and_after(client):
    scores = get(client, "scores")
    assert {score["method"] for score in scores} == {"none", "exrpca", "abtt", "collapsed"}
    assert {score["dataset"] for score in scores} == {"WS-353"}
    sweep = get(client, "scores/sweep")
    assert {point["removed"] for point in sweep} == set(range(20))


def test_every_rank_is_decomposed_once_for_all_views(senses, fits):
    exploration = Exploration(senses, "new.parquet", [wordsim353()])
    exploration.prepare()
    views = (exploration.inventory, exploration.directions, exploration.scores, exploration.sweep)
    for task in views:
        task.wait()
    while exploration.background.unfinished():
        time.sleep(0.05)
    assert sorted(fits) == [("ExRPCA", rank) for rank in range(1, 11)]


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
    assert "one sense only" in get(client, "map", 400, word="a")["detail"]
    for task, path in (
        (exploration.directions, "directions"),
        (exploration.inventory, "inventory"),
    ):
        with pytest.raises(InputError, match="one sense only"):
            task.wait()
        assert "one sense only" in get(client, path, 400)["detail"]


def test_a_word_of_a_hundred_senses():
    vectors = np.random.default_rng(0).normal(size=(150, 12))
    words = ["many", *(f"word{i}" for i in range(50))]
    exploration = Exploration(SenseVectors(words, vectors, [100] + [1] * 50), "many", [])
    exploration.inventory.wait()
    client = TestClient(create_app(exploration), base_url="http://127.0.0.1")
    assert len(get(client, "word", word="many")["senses"]) == 100
    assert len(get(client, "word/pairs", word="many")["pairs"]) == 100 * 99 // 2


def test_induced_senses_are_shown_and_chosen_by_their_encoder_only():
    """The page has no encoder: it says what is needed and shows all the rest."""
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
