"""Every row of docs/how-to/my-vectors.md, with a file in the layout its project documents."""

import bz2
import gzip
import re
import shlex
import struct
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer.testing
from gensim.models import KeyedVectors
from sense2vec import Sense2Vec

import exrpca
from exrpca.cli.main import _naming_options, app

PAGE = Path(__file__).parents[3] / "docs/how-to/my-vectors.md"

VECTORS = np.array([[1, 0.25], [-0.5, 2], [3, -1]], dtype=np.float32)
KEYS = ("bank#0", "bank#1", "river#0")
SENSE_KEYS = ("bank%1:14:00::", "bank%1:17:01::", "river%1:17:00::")


def lines(keys, *, header=True):
    rows = [f"{key} {a} {b}" for key, (a, b) in zip(keys, VECTORS.tolist(), strict=True)]
    return "\n".join([*(["3 2"] if header else []), *rows]) + "\n"


def binary(keys):
    """Return word2vec's own binary layout: a key, a space, the floats, a line end."""
    rows = zip(keys, VECTORS, strict=True)
    return b"3 2\n" + b"".join(key.encode() + b" " + v.tobytes() + b"\n" for key, v in rows)


def text(name, keys, *, header=True):
    return lambda: Path(name).write_text(lines(keys, header=header))


def mssg():
    content = "2 2 3 0\nbank 2 17 4\n0.5 0.5\n1 0.25\n1 1\n-0.5 2\n0 1\n"
    content += "river 1 9\n0 1\n3 -1\n1 0\n"
    with gzip.open("vectors.MSSG.50D.6K.gz", "wt") as file:
        file.write(content)


def three_files():
    for role in ("local", "context"):
        Path(f"x_{role}.vec").write_text(lines(KEYS))
    Path("x_global.vec").write_text("2 2\nbank 1 1\nriver 0 1\n")


def lmms_npz():
    np.savez_compressed("lmms_2048.npz", labels=list(SENSE_KEYS), vectors=VECTORS)


def deconf():
    keys = ("bank-n-0", "bank-n-1", "river-n-0")
    Path("sense_vectors.txt.bz2").write_bytes(bz2.compress(lines(keys).encode()))


def sensembed():
    keys = ("bank_bn:00008363n", "bank_bn:00008364n", "river_bn:00067948n")
    Path("babelfy_vectors").write_text(lines(keys))


def adagram():
    """Write what `save_model` of AdaGram.jl writes for two words, at most three senses."""
    header = b"2 2 3\n0.1 0.0\n2\n"
    arrays = np.array([7, 3], "<i8").tobytes()  # frequencies
    arrays += np.zeros(4, "i1").tobytes() + np.zeros(4, "<i4").tobytes()  # codes, paths
    arrays += np.array([[4.6, 0, 2.4], [3, 0, 0]], "<f4").tobytes()  # counts, word after word
    arrays += np.zeros(4, "<f4").tobytes()  # output vectors
    words = b""
    for word, senses in (("bank", {1: VECTORS[0], 3: VECTORS[1]}), ("river", {1: VECTORS[2]})):
        words += f"{word}\n{len(senses)}\n".encode()
        for number, vector in senses.items():
            words += f"{number}\n".encode() + struct.pack("<2f", *vector) + b"\n"
    Path("adagram.model").write_bytes(header + arrays + words)


def sensegram(name, ending, content):
    Path(name).write_bytes(content)
    Path(name + ending).write_text("bank#0\t0.402062\nbank#1\t0.597938\nriver#0\t1.000000\n")


def huang():
    Path("vocab.txt").write_text("bank\nriver\nmoney\n")
    np.savetxt("wordVectors.txt", VECTORS)


def array_and_labels():
    np.save("senses.npy", VECTORS)
    Path("senses.labels.txt").write_text("\n".join(KEYS) + "\n")


def table(**columns):
    vectors = {f"emb_{j}": VECTORS[:, j] for j in range(2)}
    return pd.DataFrame({**columns, **vectors})


def parquet():
    frame = pd.DataFrame({"word": ["bank", "bank", "river"], "sense": [0, 1, 0]})
    frame.assign(vector=list(VECTORS)).to_parquet("table.parquet")


def gensim_file():
    vectors = KeyedVectors(2)
    vectors.add_vectors(KEYS, VECTORS)
    vectors.save("vectors.kv")


def sense2vec_folder():
    vectors = Sense2Vec(shape=VECTORS.shape)
    for key, vector in zip(("bank|NOUN", "bank|VERB", "river|NOUN"), VECTORS, strict=True):
        vectors.add(key, vector)
    vectors.to_disk("s2v")


MAKERS = {
    "MSSG, the released text": mssg,
    "three files of senses, contexts and words": three_files,
    "word2vec text with senses": text("senses.vec", KEYS),
    "word2vec binary with senses": lambda: Path("senses.bin").write_bytes(binary(KEYS)),
    "senses numbered 3, 7, 12": text("numbered.vec", ("bank_3", "bank_7", "river_12")),
    "fastText `.vec`": text("cc.en.300.vec", ("bank", "river", ",")),
    "GloVe": text("glove.6B.50d.txt", ("bank", "river", "'s"), header=False),
    "sense2vec, trained by its scripts": text(
        "vectors.txt", ("bank|NOUN", "bank|VERB", "river|NOUN")
    ),
    "sense2vec, a folder": sense2vec_folder,
    "LMMS text": text("lmms-sp-wsd.vectors.txt", SENSE_KEYS, header=False),
    "LMMS `.npz`": lmms_npz,
    "SensEmBERT": text("sensembert_EN_supervised.txt", SENSE_KEYS),
    "ARES": text("ares_bert_large.txt", SENSE_KEYS),
    "keyed by synsets of WordNet": text("synsets.txt", ("bank.n.01", "bank.n.02", "river.n.01")),
    "DeConf": deconf,
    "SensEmbed": sensembed,
    "NASARI, embedded": text(
        "NASARI_embed_english.txt",
        ("bn:00008363n__Bank", "bn:00008364n__Bank", "bn:00067948n__River"),
    ),
    "AdaGram": adagram,
    "SenseGram": lambda: sensegram("wiki.senses.w2v", ".probs", binary(KEYS)),
    "SenseGram, with an inventory": lambda: sensegram(
        "wiki.senses", ".inventory.csv", lines(KEYS).encode()
    ),
    "Huang et al. 2012, text": huang,
    "an array and its labels": array_and_labels,
    "a table with other names": lambda: table(
        lemma=["bank", "bank", "river"], synset=["money", "water", "water"]
    ).to_csv("table.csv", index=False),
    "a Parquet table": parquet,
    "gensim's own file": gensim_file,
    "arrays in Python": lambda: None,
    "keys of another pattern": text(
        "other.txt", ("bank/money", "bank/water", "river/water"), header=False
    ),
}


def rows():
    """Return what the page says: kind, command, what comes out."""
    cells = re.findall(r"^\| (?!my vectors|---)(.+) \|$", PAGE.read_text(), re.MULTILINE)
    split = [re.split(r"(?<!\\) \| ?", row) for row in cells]
    return {kind: (command.strip("`"), outcome) for kind, _, command, outcome in split}


def test_the_page_has_a_row_for_each_kind():
    assert rows().keys() == MAKERS.keys()
    assert len(MAKERS) >= 20


def loaded(command):
    """Do what the page says, and return the vectors that come out."""
    if not command.startswith("exrpca convert"):
        names = {"exrpca": exrpca, "np": np, "KeyedVectors": KeyedVectors, "Sense2Vec": Sense2Vec}
        exec(command, names)
        return names["senses"]
    result = typer.testing.CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
    return exrpca.load("out.parquet")


@pytest.mark.parametrize("kind", MAKERS)
def test_it_comes_out_as_the_page_says(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    MAKERS[kind]()
    command, outcome = rows()[kind]
    senses = loaded(command)
    sizes, _, parts = repr(senses).strip("<>").removeprefix("SenseVectors: ").partition(" dimen")
    found = [*sizes.split(", ")[:2], *parts.split(", ")[1:]]
    said, *labels = outcome.split("`")
    assert found == said.rstrip().split(", ")
    if labels:
        assert list(senses.labels) == labels[::2]
    if kind != "arrays in Python":
        assert senses.vectors.tolist() == VECTORS.tolist()
    if kind == "AdaGram":
        assert senses.counts.tolist() == [5, 2, 3]
    if kind.startswith("SenseGram"):
        assert senses.counts.tolist() == [402062, 597938, 1000000]


def test_keys_beside_an_array_are_asked_for(tmp_path):
    np.save(tmp_path / "senses.npy", VECTORS)
    with pytest.raises(exrpca.InputError, match=r"put their keys, .* into senses\.labels\.txt"):
        exrpca.load(tmp_path / "senses.npy")


REFUSED = {
    b"the quick brown\nbank 0.1 0.2 0.3\n": "word2vec text, but line 1 is 'the quick brown'",
    b"bank 0.1 0.2\nriver 0.1 0.2 0.3\n": "resembles word2vec text, but line 1 has 2 values",
    b"lemma,emb_0,emb_1\nbank,1,2\n": r"a table, .* lemma, emb_0, emb_1: pass columns=",
    b'{"bank": [1, 2]}': r"looks like JSON: .* exrpca\.load\(words=",
    b"\xba\x16\x4f\x2f\x0c\0\0\0": "is a fastText model: use the .vec file",
    b"\x89HDF\r\n\x1a\n": "is an HDF5 file",
    b"PK\x03\x04\x14\0\0\0\0\0hello.txt": "is a zip archive: unpack it",
    b"<!doctype html><html>": "looks like a web page",
}


@pytest.mark.parametrize("content", REFUSED, ids=REFUSED.values())
def test_a_refused_file_says_what_came_near_and_what_to_try(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(exrpca.InputError, match=REFUSED[content]):
        exrpca.load(tmp_path / "file")


def test_keys_of_no_known_pattern_give_a_warning(tmp_path):
    path = tmp_path / "other.txt"
    path.write_text(lines(("bank/money", "bank/water", "river/water")))
    with pytest.warns(exrpca.errors.InputWarning, match="'bank/money' look like senses") as found:
        exrpca.load(path)
    regex = re.search(r"key_regex='(.*?)';", str(found[0].message))[1]
    assert exrpca.load(path, key_regex=regex).labels == ("money", "water", "water")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "pass a source, or words and vectors"),
        ({"words": ["a"], "vectors": [[1], [2]]}, "1 words for 2 vectors"),
        ({"words": ["a", "b"], "senses": [1], "vectors": [[1], [2]]}, "1 senses for 2 vectors"),
        ({"words": ["a"], "vectors": [1, 2]}, r"vectors has shape \(2,\)"),
        ({"words": ["a", "a"], "senses": ["x", "x"], "vectors": [[1], [2]]}, "appears twice"),
        ({"words": ["a", None], "vectors": [[1], [2]]}, "row 2: the word is of the type NoneType"),
        ({"words": [b"a", b"b"], "vectors": [[1], [2]]}, "row 1: the word is of the type bytes"),
        (
            {"words": ["a", "a"], "senses": [0.5, 1], "vectors": [[1], [2]]},
            "the sense is of the type float",
        ),
        ({"words": ["a", "b"], "vectors": [[1j], [2]]}, "expected one row of real numbers"),
        ({"words": ["a", "b"], "vectors": [[1], [2, 3]]}, "expected one row of real numbers"),
    ],
)
def test_arrays_that_do_not_fit(arguments, message):
    with pytest.raises(exrpca.InputError, match=message):
        exrpca.load(**arguments)


def test_columns_that_are_not_there(tmp_path):
    table(lemma=["a", "b", "c"]).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(exrpca.InputError, match="no column 'word_form' among lemma, emb_0, emb_1"):
        exrpca.load(tmp_path / "t.csv", columns={"word": "word_form"})
    with pytest.raises(exrpca.InputError, match="columns: 'lemma' must be one of word, sense"):
        exrpca.load(tmp_path / "t.csv", columns={"lemma": "word"})


@pytest.mark.parametrize(
    ("regex", "message"),
    [
        ("(?P<word>.+)/(?P<sense>.+)", "key_regex matches none of the keys"),
        ("(?P<word>.)(?P<sense>.).*", "line 3: by key_regex, 'b' with sense 'a' appears twice"),
        ("(?P<word>)(?P<sense>.+)", "'' with sense 'bank#0' has no word"),
    ],
)
def test_a_key_regex_that_does_not_fit_is_refused(regex, message, tmp_path):
    path = tmp_path / "senses.vec"
    path.write_text(lines(KEYS))
    with pytest.raises(exrpca.InputError, match=message):
        exrpca.load(path, key_regex=regex)


def test_the_suggested_command_works_as_it_is(tmp_path):
    """Also for a separator that regular expressions give a meaning."""
    path = tmp_path / "other.txt"
    path.write_text(lines(("bank^money", "bank^water", "river^water")))
    with pytest.warns(exrpca.errors.InputWarning) as found:
        exrpca.load(path)
    said = _naming_options(str(found[0].message))
    [option] = re.findall(r"--key-regex '.*?'", said)
    regex = shlex.split(option)[1]
    assert exrpca.load(path, key_regex=regex).words == ("bank", "river")


def test_a_long_key_does_not_make_a_long_warning(tmp_path):
    path = tmp_path / "long.vec"
    path.write_text(lines(("bank#" + "9" * 5000, "bank#0", "bank#1x")))
    with pytest.warns(exrpca.errors.InputWarning) as found:
        exrpca.load(path)
    assert len(str(found[0].message).replace(str(tmp_path), "")) < 300


def test_a_file_of_another_kind_is_no_numpy_file(tmp_path):
    path = tmp_path / "senses.vec"
    path.write_text(lines(KEYS))
    for reader in ("npz", "npy"):
        with pytest.raises(exrpca.InputError, match="is not a NumPy file"):
            exrpca.load(path, reader=reader)


def test_words_and_senses_as_bytes_in_npz(tmp_path):
    words, senses = np.array([b"bank", b"bank"]), np.array([b"money", b"water"])
    np.savez(tmp_path / "a.npz", words=words, senses=senses, vectors=VECTORS[:2])
    assert exrpca.load(tmp_path / "a.npz").labels == ("money", "water")


def test_an_inventory_may_have_spaces_where_the_keys_have_none(tmp_path):
    """As sensegram writes expressions of several words."""
    path = tmp_path / "wiki.senses.vec"
    path.write_text(lines(("new_york#0", "new_york#1", "river#0")))
    inventory = "new york#0\t0.25\nnew york#1\t0.75\nriver#0\t1.0\n"
    Path(f"{path}.inventory.csv").write_text(inventory)
    assert exrpca.load(path).counts.tolist() == [250_000, 750_000, 1_000_000]
