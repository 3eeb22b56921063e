"""Senses from `induce`, chosen in new text by the encoder that they were made with."""

import itertools
import os
import shutil
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import exrpca
from exrpca import InputError, disambiguate, load, save, tag
from exrpca.contextual import Encoder
from exrpca.evaluation import WsiData, evaluate_wsi, read_wsi, sense_clusters

FILLERS = ["a", "b", "c", "d", "e", "f"]
MONEY, RIVER = 0, 1  # the first of two senses of equal counts is that of the first occurrence


def lines():
    """Sentences in which a bank is one of money or of a river; cells are all alike."""
    pairs = itertools.product(FILLERS, FILLERS)
    of_pair = (
        (f"{a} the Money bank, {b} money", f"{a} river BANK {b} river!", "a cell", f"the {a}")
        for a, b in pairs
    )
    return [line for lines in of_pair for line in lines]


def induce(occurrences):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # these words are few
        return exrpca.induce(occurrences)


def encoded(text, encoder, **options):
    """Occurrences of banks and cells; the clusters of banks are right, whatever `induce` finds."""
    found = exrpca.encode(text, words=["bank", "cell"], encoder=encoder, **options)
    line = [int(source.partition(":")[2]) for source in found.texts["source"].to_pylist()]
    river = [
        lines()[number - 1].startswith(tuple(f"{a} river" for a in FILLERS)) for number in line
    ]
    return replace(found, labels=np.array(river, dtype=int))


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(lines()) + "\n")
    return path


@pytest.fixture(scope="module")
def induced(text, tiny):
    return induce(encoded(text, tiny))


@pytest.fixture(scope="module")
def senses(induced):
    assert dict(zip(induced[0].words, induced[0].n_senses, strict=True)) == {"bank": 2, "cell": 1}
    return induced[0]


@pytest.fixture(scope="module")
def encoder(tiny):
    return Encoder(tiny)


def test_text_is_tagged_as_its_occurrences_were_assigned(senses, induced, encoder):
    tagged = list(tag(senses, lines(), encoder=encoder))
    first = [f"a the Money bank#{MONEY}, a money", f"a river bank#{RIVER} a river!", "a cell#0"]
    assert tagged[:4] == [*first, "the a"]
    # the rows are in the order of words, then of the text
    found = [int(line.partition("bank#")[2][0]) for line in tagged if "bank#" in line]
    table = induced[1]
    assert found == table.loc[table["word"] == "bank", "sense"].tolist()


def test_tokens_are_tagged_as_text(senses, encoder):
    tokens = [["a", "river", "bank"], [], ["the", "money", "bank", "b", "money"]]
    assert list(tag(senses, tokens, encoder=encoder)) == [
        ["a", "river", "bank#1"],
        [],
        ["the", "money", "bank#0", "b", "money"],
    ]


def test_forms_are_tagged_as_their_word(senses, encoder, tmp_path):
    table = tmp_path / "forms.csv"
    table.write_text("form,word\nbanks,bank\nrivers,river\n")
    for forms in ({"banks": "bank", "rivers": "river"}, table):
        tagged = list(tag(senses, ["0 money Banks, rivers"], forms=forms, encoder=encoder))
        assert tagged == ["0 money bank#0, rivers"]  # "river" has no senses


def test_words_are_looked_up_as_their_occurrences_were(senses, text, encoder):
    assert list(tag(senses, ["0 money Banks"], encoder=encoder)) == ["0 money bank#0"]
    alone, _ = induce(encoded(text, encoder, language="none"))
    assert list(tag(alone, ["0 money Banks"], encoder=encoder)) == ["0 money Banks"]


def test_many_occurrences_come_in_blocks(senses, encoder, monkeypatch):
    """Output begins before the last line is read: encoding takes its time."""
    read = itertools.count()
    endless = (f"{next(read)} money bank" for _ in itertools.count())
    assert next(iter(tag(senses, endless, encoder=encoder))) == "0 money bank#0"
    assert next(read) < 3000


def test_a_line_of_ten_thousand_tokens(senses, encoder):
    line = f"{'a ' * 5000}river bank {'river ' * 5000}"
    tagged = next(tag(senses, [line], encoder=encoder))
    assert tagged == line.replace("bank", "bank#1")


def test_other_scripts_are_tagged(tiny, encoder):
    """Chinese, Arabic and Turkish words, each with two senses."""
    words = ["詞", "سلام", "İstanbul", "ısparta"]
    text = [[*[kind] * 3, word, *[kind] * 3] for word in words for kind in ("a", "b") * 8]
    found = exrpca.encode(text, words=words, encoder=tiny)
    labels = np.tile([0, 1], len(found) // 2)
    senses, _ = induce(replace(found, labels=labels))
    assert senses.n_senses.tolist() == [2, 2, 2, 2]
    tagged = [" ".join(line) for line in tag(senses, text, encoder=encoder)]
    assert tagged == [
        f"{kind} {kind} {kind} {word}#{sense} {kind} {kind} {kind}"
        for word in words
        for sense, kind in [(0, "a"), (1, "b")] * 8
    ]


def test_one_word_in_one_sentence(senses, encoder):
    table = disambiguate(senses, "Bank", "The money bank, a money!", encoder=encoder)
    assert table.columns.tolist() == ["sense", "probability"]
    assert table["probability"].sum() == pytest.approx(1)
    assert table["probability"].idxmax() == 0
    tokens = ["river", "bank", "river"]
    assert disambiguate(senses, "bank", tokens, encoder=encoder)["probability"].idxmax() == 1
    assert disambiguate(senses, "cell", "a cell", encoder=encoder)["probability"].tolist() == [1.0]
    with pytest.raises(InputError, match="'bank' is not in the text"):
        disambiguate(senses, "bank", "a river", encoder=encoder)


def test_the_window_is_that_of_the_occurrences(text, encoder):
    """With one token on each side the encoder cannot see which bank this is."""
    narrow, _ = induce(encoded(text, encoder, window=1))
    far = "river a a bank a a river"
    near = disambiguate(narrow, "bank", "a bank a", encoder=encoder)
    assert disambiguate(narrow, "bank", far, encoder=encoder).equals(near)
    assert not disambiguate(narrow, "bank", far, window=3, encoder=encoder).equals(near)
    with pytest.raises(InputError, match="window=0"):
        disambiguate(narrow, "bank", far, window=0, encoder=encoder)


def occurrences_of_banks():
    sides = [("a the", "money", "b money", "m"), ("a", "river", "b river", "r")] * 3
    return WsiData(
        "banks",
        pd.DataFrame(
            [
                {
                    "word": "bank.n",
                    "lemma": "bank",
                    "left": f"{left} {word}",
                    "target": "banks",
                    "right": right,
                    "gold": gold,
                }
                for left, word, right, gold in sides
            ]
            + [dict.fromkeys(("word", "lemma", "left", "target", "right", "gold"), "no")]
        ),
    )


def test_senses_are_scored_by_the_encoders_choice(senses, encoder):
    data = occurrences_of_banks()
    assert sense_clusters(senses, data, encoder=encoder).tolist() == [0, 1, 0, 1, 0, 1, -1]
    scores = evaluate_wsi(senses, data, encoder=encoder, n_resamples=10)
    own = scores[(scores["clustering"] == "senses") & (scores["measure"] == "ari")]
    assert own["value"].item() == 1


def test_a_sense_with_several_centers_has_the_probabilities_of_all(senses, encoder):
    """As after a merge: the choice is among all centers."""
    sentence = "the river bank, money"
    money, river = disambiguate(senses, "bank", sentence, encoder=encoder)["probability"]
    money, river = (money - 0.2) / 0.6, (river - 0.2) / 0.6  # 0.4 is spread evenly
    twice = senses.replace(centers=senses.centers[[0, 0, 1, 2]], n_centers=[2, 1, 1])
    found = disambiguate(twice, "bank", sentence, encoder=encoder)["probability"]
    nearest = 2 * money / (2 * money + river)
    assert found[0] == pytest.approx(0.6 * nearest + 0.4 * 2 / 3, rel=1e-5)
    one = exrpca.merge(
        senses,
        pd.DataFrame({"word": ["bank"], "sense_a": 0, "sense_b": 1, "verdict": "pseudo"}),
    )[0]
    assert list(tag(one, ["River BANK"], encoder=encoder)) == ["River bank#0"]


def test_spacy_chooses_as_tag_does(senses, encoder, tiny, tmp_path):
    spacy = pytest.importorskip("spacy")
    save(senses, tmp_path / "senses.parquet")
    config = {"vectors": str(tmp_path / "senses.parquet")}
    nlp = spacy.blank("en")
    nlp.add_pipe("exrpca_senses", config={**config, "encoder": str(tiny)})
    texts = ["the river bank", "the money bank"]
    found = [[token._.sense_key or token.text for token in doc] for doc in nlp.pipe(texts)]
    assert found == [line.split() for line in tag(senses, texts, encoder=encoder)]
    assert found[0][-1] != found[1][-1]
    with pytest.raises(InputError, match="name it, or its folder"):
        spacy.blank("en").add_pipe("exrpca_senses", config=config)


# --- what does not fit ----------------------------------------------------------------------------


def test_induced_senses_need_the_encoder(senses):
    expected = "induced from contextual vectors: choosing among them needs the encoder tiny"
    with pytest.raises(InputError, match=expected):
        tag(senses, ["a bank"])
    with pytest.raises(InputError, match=expected):
        disambiguate(senses, "bank", "a bank")
    with pytest.raises(InputError, match=expected):
        sense_clusters(senses, occurrences_of_banks())


def test_other_senses_do_not_need_it(encoder):
    with pytest.raises(InputError, match="not induced from occurrences: leave out the encoder"):
        tag(exrpca.make_senses(n_words=20, dim=8).senses, ["a bank"], encoder=encoder)


def test_a_path_is_not_an_encoder(senses, tiny):
    with pytest.raises(InputError, match=r"must be an exrpca\.contextual\.Encoder"):
        tag(senses, ["a bank"], encoder=str(tiny))


def test_another_encoder_is_refused_whatever_its_name(senses, tiny, tmp_path):
    other = tmp_path / "tiny"
    shutil.copytree(tiny, other)
    copied = Encoder(other)
    assert list(tag(senses, ["river bank river"], encoder=copied)) == ["river bank#1 river"]
    with (other / "tokenizer.json").open("a") as file:
        file.write(" ")
    with pytest.raises(InputError, match="induced with another encoder, tiny, or another version"):
        tag(senses, ["a bank"], encoder=Encoder(other))


def test_other_vectors_of_the_same_encoder_are_refused(senses, text, tiny):
    with pytest.raises(InputError, match="vector='target', this encoder has 'context'"):
        tag(senses, ["a bank"], encoder=Encoder(tiny, vector="context"))
    contexts, _ = induce(encoded(text, Encoder(tiny, vector="context", layer="hidden_0")))
    made = Encoder.for_senses(contexts, tiny)
    assert (made.vector, made.layer) == ("context", "hidden_0")


def test_of_vectors_from_elsewhere_only_the_dimensions_are_known(text, tiny, encoder):
    found = replace(encoded(text, tiny), metadata={})
    senses, _ = induce(found)
    short, _ = induce(replace(found, vectors=found.vectors[:, :5]))
    assert list(tag(senses, ["river bank river"], encoder=encoder)) == ["river bank#1 river"]
    with pytest.raises(InputError, match="8 dimensions, those of the senses 5"):
        tag(short, ["a bank"], encoder=encoder)


# --- a real encoder -------------------------------------------------------------------------------


def test_the_default_encoder_agrees_with_people(tmp_path):
    """Senses induced from one half of labeled sentences are chosen in the other half."""
    if "EXRPCA_DATA" not in os.environ:
        pytest.skip("needs the folder wsi in EXRPCA_DATA")
    data = read_wsi(Path(os.environ["EXRPCA_DATA"]) / "wsi" / "coarsewsd-20")
    words = ["crane", "seal", "java", "spring"]
    table = pd.concat([data.table[data.table["word"] == word].iloc[::8][:80] for word in words])
    half = np.arange(len(table)) % 2 == 0
    columns = table.loc[half, ["left", "target", "right"]]
    text = [f"{left} {target} {right}".split() for left, target, right in columns.to_numpy()]
    forms = {target.lower(): word for target, word in table[["target", "word"]].to_numpy()}
    senses, _ = induce(exrpca.encode(text, words=words, forms=forms))
    save(senses, tmp_path / "senses.parquet")
    senses = load(tmp_path / "senses.parquet")
    encoder = Encoder.for_senses(senses)
    scores = evaluate_wsi(senses, WsiData("new", table[~half]), encoder=encoder, n_resamples=10)
    value = scores.set_index(["clustering", "measure"])["value"]
    assert value["senses", "ari"] > 0.4
    assert value["senses", "b3"] > value["one cluster", "b3"]
