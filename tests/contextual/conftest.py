"""A tiny encoder that the tests build themselves, laid out as on the Hugging Face Hub."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

DIM = 8
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = ["the", "bank", "river", "money", "cell", "un", "##bank", "##able"]
LETTERS = "abcdefghijklmnopqrstuvwxyzı詞سلام"


def vocabulary():
    letters = [form for letter in dict.fromkeys(LETTERS) for form in (letter, f"##{letter}")]
    return {piece: number for number, piece in enumerate([*SPECIAL, *WORDS, *letters])}


def save_tokenizer(path):
    vocab = vocabulary()
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, ends)
    # as files from the Hub do, and what must be switched off
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=6)
    tokenizer.save(str(path))


def embeddings():
    return np.random.default_rng(0).standard_normal((len(vocabulary()), DIM)).astype(np.float32)


def save_model(path, *, inputs=("input_ids", "attention_mask", "token_type_ids")):
    """Save a model whose output is the embedding of a piece plus half the sentence's mean."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["embedded"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "two"], ["column"]),
        helper.make_node("Mul", ["embedded", "column"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "one"], ["sum"], keepdims=1),
        helper.make_node("ReduceSum", ["column", "one"], ["count"], keepdims=1),
        helper.make_node("Div", ["sum", "count"], ["mean"]),
        helper.make_node("Mul", ["mean", "half"], ["context"]),
        helper.make_node("Add", ["embedded", "context"], ["last_hidden_state"]),
        helper.make_node("Identity", ["embedded"], ["hidden_0"]),
        helper.make_node("Identity", ["mean"], ["pooled"]),
    ]
    constants = {
        "table": embeddings(),
        "one": np.array([1]),
        "two": np.array([2]),
        "half": np.array(0.5, dtype=np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "s"]) for name in inputs],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", length, DIM])
            for name, length in (("last_hidden_state", "s"), ("hidden_0", "s"), ("pooled", 1))
        ],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """The folder of a tiny encoder that takes 16 pieces."""
    folder = tmp_path_factory.mktemp("encoder") / "tiny"
    folder.mkdir()
    save_model(folder / "onnx" / "model.onnx")
    save_tokenizer(folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"max_position_embeddings": 16}))
    return folder


# It needs torch, which the tests do not.
collect_ignore = ["make_exports.py"]
