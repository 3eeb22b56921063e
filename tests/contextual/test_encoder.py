"""The vector of an occurrence is what its definition says, and a bad encoder is one clear line."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from exrpca import InputError
from exrpca.contextual import Encoder
from exrpca.contextual.encoder import load_encoder
from exrpca.contextual.pieces import _kept
from tests.contextual.conftest import DIM, embeddings, save_model, save_tokenizer, vocabulary

SENTENCE = ("The river ", "Unbankable", ", the money")
PIECES = ["[CLS]", "the", "river", "un", "##bank", "##able", "[UNK]", "the", "money", "[SEP]"]


def unit(vector):
    return vector / np.linalg.norm(vector)


def output_of(pieces):
    rows = embeddings()[[vocabulary()[piece] for piece in pieces]]
    return rows, rows + rows.mean(axis=0) / 2


def test_target_and_context_are_means_of_their_pieces_without_special_ones(tiny):
    _, output = output_of(PIECES)
    target, context = output[3:6].mean(axis=0), output[[1, 2, 6, 7, 8]].mean(axis=0)
    expected = {
        "target": target,
        "context": context,
        "target+context": unit(target) + unit(context),
    }
    for vector, value in expected.items():
        found = Encoder(tiny, vector=vector).encode([SENTENCE])[0]
        np.testing.assert_allclose(found, value, atol=2e-3)
    np.testing.assert_allclose(Encoder(tiny).encode([SENTENCE])[0], target, atol=2e-3)


def test_a_target_alone_is_its_own_context(tiny):
    _, output = output_of(["[CLS]", "bank", "[SEP]"])
    found = Encoder(tiny, vector="target+context").encode([("", "bank", "")])[0]
    np.testing.assert_allclose(found, 2 * unit(output[1]), atol=2e-3)


def test_a_marked_target_is_the_mean_of_the_whole_sentence(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "encoder")
    with pytest.raises(InputError, match="needs an encoder that knows <t> and </t>"):
        Encoder(folder, vector="marked")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    # two numbers that the model has: those of the last pieces
    marks = {"<t>": "##س", "</t>": "##ل"}
    saved = json.loads(tokenizer.to_str())
    for mark, piece in marks.items():
        saved["model"]["vocab"][mark] = saved["model"]["vocab"].pop(piece)
    again = Tokenizer.from_str(json.dumps(saved))
    again.add_special_tokens(list(marks))
    again.save(str(folder / "tokenizer.json"))
    _, output = output_of(["[CLS]", "the", "##س", "bank", "##ل", "money", "[SEP]"])
    found = Encoder(folder, vector="marked").encode([("the ", "bank", " money")])
    np.testing.assert_allclose(found[0], output.mean(axis=0), atol=2e-3)


def test_another_layer_is_another_output(tiny):
    rows, _ = output_of(PIECES)
    found = Encoder(tiny, vector="target", layer="hidden_0").encode([SENTENCE])
    np.testing.assert_allclose(found[0], rows[3:6].mean(axis=0), atol=2e-3)


@given(
    st.lists(
        st.tuples(*[st.sampled_from(["", "the ", "river money ", "the bank " * 5])] * 2),
        min_size=1,
        max_size=80,
    )
)
def test_batches_and_their_padding_change_nothing(tiny, sides):
    encoder = load_encoder(str(tiny), "target+context", "last_hidden_state", 1)
    sentences = [(left, "bank", f" {right}") for left, right in sides]
    alone = np.concatenate([encoder.encode([sentence]) for sentence in sentences])
    np.testing.assert_allclose(encoder.encode(sentences), alone, atol=2e-3)


def test_a_long_sentence_is_cut_around_the_target(tiny):
    encoder = Encoder(tiny)
    assert encoder.max_length == 16
    long = ("the " * 10_000, "bank", " river" * 10_000)
    [(_, [pieces])] = encoder.batches([long])
    expected = ["[CLS]", *["the"] * 7, "bank", *["river"] * 6, "[SEP]"]
    assert pieces.ids.tolist() == [vocabulary()[piece] for piece in expected]
    assert np.flatnonzero(pieces.target).tolist() == [8]
    np.testing.assert_allclose(
        encoder.encode([long]), encoder.encode([("the " * 7, "bank", " river" * 6)]), atol=1e-3
    )
    # a target that is too long itself keeps its beginning
    [(_, [pieces])] = encoder.batches([("the ", "a" * 50, " bank")])
    assert (len(pieces.ids), pieces.target.sum()) == (16, 14)


@given(st.integers(0, 30), st.integers(1, 30), st.integers(0, 30), st.integers(3, 40))
def test_what_is_kept_fits_and_has_the_target(left, target, right, longest):
    special = np.array([1, *[0] * (left + target + right), 1], dtype=bool)
    inside = np.array([0] * (1 + left) + [1] * target + [0] * (right + 1), dtype=bool)
    kept = np.arange(len(special))[_kept(special, inside, longest)]
    assert len(kept) == min(longest, len(special))
    assert special[kept].sum() == 2
    assert inside[kept].sum() == min(target, longest - 2)
    assert (np.diff(kept[1:-1]) == 1).all()


@pytest.mark.parametrize("target", ["詞", "سلام", "İstanbul", "ISPARTA", "ﬁ", "é" * 3])
def test_words_of_all_scripts_have_pieces(tiny, target):
    vectors = Encoder(tiny).encode([(f"{target} ", target, f" {target}")])
    assert np.isfinite(vectors).all()
    assert vectors.any()


def test_a_word_that_the_tokenizer_drops_says_so(tiny):
    encoder = Encoder(tiny)
    assert encoder.has_pieces("bank")
    assert not encoder.has_pieces("\ufffd")
    with pytest.raises(InputError, match="leaves nothing of"):
        encoder.encode([("the ", "\ufffd", " bank")])


def test_an_encoder_without_token_types_at_the_top_of_its_folder(tiny, tmp_path):
    save_model(tmp_path / "model.onnx", inputs=("input_ids", "attention_mask"))
    save_tokenizer(tmp_path / "tokenizer.json")
    encoder = Encoder(tmp_path)
    assert (encoder.dim, encoder.max_length) == (DIM, 512)
    np.testing.assert_array_equal(encoder.encode([SENTENCE]), Encoder(tiny).encode([SENTENCE]))


@pytest.mark.parametrize(
    ("config", "limit", "longest"),
    [
        ({"max_position_embeddings": 16}, 12, 12),
        ({"max_position_embeddings": 16}, 10**30, 16),
        ({"max_position_embeddings": 14, "model_type": "roberta", "pad_token_id": 1}, 512, 12),
        ({}, None, 512),
    ],
)
def test_the_smallest_limit_counts(tiny, tmp_path, config, limit, longest):
    folder = shutil.copytree(tiny, tmp_path / "encoder")
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": limit}))
    assert Encoder(folder).max_length == longest


def broken(folder, how):
    match how:
        case "no folder":
            shutil.rmtree(folder)
        case "no model":
            (folder / "onnx" / "model.onnx").unlink()
        case "no tokenizer":
            (folder / "tokenizer.json").unlink()
        case "bad model":
            (folder / "onnx" / "model.onnx").write_bytes(b"not a model")
        case "bad tokenizer":
            (folder / "tokenizer.json").write_text("{}")
        case "bad config":
            (folder / "config.json").write_text("{")
        case "other inputs":
            inputs = ("input_ids", "attention_mask", "pixel_values")
            save_model(folder / "onnx" / "model.onnx", inputs=inputs)
    return folder


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("no folder", "no such folder, and no encoder has this name"),
        ("no model", r"has no onnx/model\.onnx or model\.onnx"),
        ("no tokenizer", r"has no tokenizer\.json"),
        ("bad model", "is not a model that ONNX Runtime can load"),
        ("bad tokenizer", "is not a tokenizer"),
        ("bad config", "is not JSON"),
        ("other inputs", "has the input pixel_values"),
    ],
)
def test_a_bad_folder_is_one_clear_line(tiny, tmp_path, how, message):
    folder = broken(shutil.copytree(tiny, tmp_path / "encoder"), how)
    with pytest.raises(InputError, match=message) as raised:
        Encoder(folder)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vector": "sentence"}, "vector='sentence' must be one of target"),
        ({"threads": 0}, "threads=0 must be at least 1"),
        (
            {"layer": "layer_3"},
            "no output 'layer_3': the layer is a number, or one of last_hidden_state, hidden_0",
        ),
        ({"layer": "pooled"}, "expected one vector per piece"),
        ({"layer": 1}, "the layers of this model are not recognized"),
    ],
)
def test_bad_options_are_one_clear_line(tiny, options, message):
    with pytest.raises(InputError, match=message):
        Encoder(tiny, **options)


def test_without_the_extra_one_line_says_what_to_install(tiny):
    program = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from exrpca.contextual import Encoder\n"
        f"Encoder({str(tiny)!r})"
    )
    failed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "InputError: encoders need onnxruntime and tokenizers: pip install" in failed.stderr


def test_the_default_encoder_tells_banks_apart():
    sentences = [
        ("I put my money into the ", "bank", " and got a loan."),
        ("The ", "bank", " raised its interest rates on loans."),
        ("We sat on the ", "bank", " of the river and fished."),
        ("The river flooded its left ", "bank", " near the bridge."),
    ]
    encoder = Encoder()
    assert (encoder.dim, encoder.max_length) == (384, 512)
    vectors = encoder.encode(sentences).astype(np.float32)
    cosine = (vectors @ vectors.T) / np.outer(*[np.linalg.norm(vectors, axis=1)] * 2)
    assert min(cosine[0, 1], cosine[2, 3]) > cosine[:2, 2:].max()
