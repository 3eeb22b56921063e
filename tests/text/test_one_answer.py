"""A sentence calls for one sense, however it is asked for."""

import json
import random
import re

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import exrpca
from exrpca.cli.main import app
from exrpca.evaluation import PairSimilarity, read_scws
from exrpca.explorer.app import create_app
from exrpca.explorer.exploration import Exploration

PLANT = ("plant", "The ", "Plant", ", a Factory near Detroit, makes Engines.")
N_RANDOM = 60
# Each command reads the vectors again.
N_COMMANDS = 4


@pytest.fixture(scope="module")
def senses():
    return exrpca.bundled()


def random_case(rng, word):
    return rng.choice([word, word, word.capitalize(), word.upper()])


def random_text(rng, words):
    """Words in random capitals, with punctuation around them and unknown words among them."""
    signs = ["", "", "", ",", ".", ";", "!", ")", "”", "...", ":"]
    tokens = [
        random_case(rng, rng.choice([*words, "xyzzy", "Qwxz’s"])) for _ in range(rng.randrange(12))
    ]
    return "".join(
        rng.choice(["", "", "(", "“"])
        + token
        + rng.choice(signs)
        + rng.choice([" ", " ", "  ", " — ", "-"])
        for token in tokens
    )


def random_sentence(rng, senses):
    """Return a word, and a sentence in three parts, of which the second is that word."""
    word, *others = rng.sample(senses.words, 10)
    left, right = random_text(rng, others), random_text(rng, [word, *others])
    return word, left, random_case(rng, word), rng.choice([" ", ", ", ".", "! ", ") ", "-"]) + right


@pytest.fixture(scope="module")
def sentences(senses):
    rng = random.Random(0)
    return [PLANT, *(random_sentence(rng, senses) for _ in range(N_RANDOM - 1))]


@pytest.fixture(scope="module")
def expected(senses, sentences):
    """The probabilities by `exrpca.disambiguate`."""
    return [
        exrpca.disambiguate(senses, word, "".join(parts))["probability"].tolist()
        for word, *parts in sentences
    ]


@pytest.fixture(scope="module")
def vectors_file(senses, tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "bundled.parquet"
    exrpca.save(senses, path)
    return str(path)


def best(probabilities):
    return max(range(len(probabilities)), key=probabilities.__getitem__)


def run(command, *arguments):
    result = CliRunner().invoke(app, [command, "--quiet", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_the_plant_in_detroit_is_a_factory(senses):
    text = "".join(PLANT[1:])
    assert exrpca.disambiguate(senses, "plant", text)["probability"].idxmax() == 1
    factory = exrpca.disambiguate(senses, "plant", "the plant of the car company")
    assert factory["probability"].idxmax() == 1
    garden = exrpca.disambiguate(senses, "plant", "the leaves and roots of this plant")
    assert garden["probability"].idxmax() != 1


def test_the_sentences_call_for_different_senses(expected):
    assert len({best(probabilities) for probabilities in expected}) == 3


def test_the_command_disambiguate(vectors_file, sentences, expected):
    asked = zip(sentences[:N_COMMANDS], expected[:N_COMMANDS], strict=True)
    for (word, *parts), probabilities in asked:
        # -- : a sentence may begin with a dash
        output = run("disambiguate", vectors_file, "--format", "json", "--", word, "".join(parts))
        rows = json.loads(output)
        assert rows[0]["sense"] == best(probabilities)
        found = {row["sense"]: row["probability"] for row in rows}
        assert [found[i] for i in range(len(rows))] == pytest.approx(probabilities, abs=1e-6)


def test_tag(senses, vectors_file, sentences, expected, tmp_path):
    texts = ["".join(parts) for _, *parts in sentences]
    tagged = list(exrpca.tag(senses, texts))
    for (word, *_), line, probabilities in zip(sentences, tagged, expected, strict=True):
        first = re.search(rf"(?<![\w’']){re.escape(word)}#([0-9]+)", line)
        assert int(first[1]) == best(probabilities)
    (tmp_path / "text.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    out = tmp_path / "tagged.txt"
    run("tag", vectors_file, str(tmp_path / "text.txt"), "-o", str(out))
    assert out.read_text(encoding="utf-8").splitlines() == tagged


def test_evaluate(senses, sentences, expected, tmp_path):
    def line(i, a, b):
        words, contexts = (
            (a[0], b[0]),
            [f"{left}<b>{word}</b>{right}" for _, left, word, right in (a, b)],
        )
        return "\t".join([str(i), words[0], "n", words[1], "n", *contexts, "5.0", *["5.0"] * 10])

    pairs = list(zip(sentences[::2], sentences[1::2], strict=True))
    path = tmp_path / "ratings.txt"
    path.write_text("\n".join(line(i, *pair) for i, pair in enumerate(pairs)), encoding="utf-8")
    similarity = PairSimilarity(senses, read_scws(path, tokenizer="words"))
    for side, probabilities in enumerate(similarity.probabilities):
        for row, want in zip(probabilities, expected[side::2], strict=True):
            assert best(row[: len(want)].tolist()) == best(want)
            assert row[: len(want)].tolist() == pytest.approx(want)


def test_the_explorer(senses, sentences, expected):
    client = TestClient(create_app(Exploration(senses, "bundled", [])), base_url="http://127.0.0.1")
    for (word, *parts), probabilities in zip(sentences, expected, strict=True):
        answer = client.get("/api/word/sense", params={"word": word, "text": "".join(parts)}).json()
        found = [row["probability"] for row in answer["senses"]]
        assert best(found) == best(probabilities)
        assert found == pytest.approx(probabilities)
