"""Make the encoder that comes with the package.

Usage: python scripts/make_default_encoder.py FOLDER

FOLDER is all-MiniLM-L6-v2 as the Hugging Face Hub has it. Writes its weights in 8 bits, and what is
needed beside them, into src/exrpca/data/minilm.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

import exrpca
from exrpca.files import atomic_path

TARGET = Path(exrpca.__file__).parent / "data" / "minilm"
MODEL = "onnx/model.onnx"
TOKENIZER = ("tokenizer.json", "config.json", "tokenizer_config.json")
LEVELS = 127


def compute_in_single_precision(graph: Any) -> None:
    """Replace weights that are stored in half precision and cast."""
    half = {each.name: each for each in graph.initializer if each.data_type == TensorProto.FLOAT16}
    for cast in [node for node in graph.node if node.op_type == "Cast" and node.input[0] in half]:
        weights = numpy_helper.to_array(half[cast.input[0]]).astype(np.float32)
        graph.initializer.append(numpy_helper.from_array(weights, cast.output[0]))
        graph.node.remove(cast)
    for each in half.values():
        graph.initializer.remove(each)


def shorten_embeddings(graph: Any) -> None:
    """Store the embeddings of the pieces in 8 bits with a scale per piece, half of all weights.

    ONNX Runtime knows one scale for all of them, which would be coarser.
    """
    initializers = {each.name: each for each in graph.initializer}
    place, gather = next(
        (place, node)
        for place, node in enumerate(graph.node)
        if node.op_type == "Gather" and node.input[1] == "input_ids"
    )
    stored = initializers[gather.input[0]]
    weights = numpy_helper.to_array(stored)
    scales = np.abs(weights).max(axis=1, keepdims=True) / np.float32(LEVELS)
    graph.initializer.remove(stored)
    graph.initializer.append(
        numpy_helper.from_array(np.round(weights / scales).astype(np.int8), "embeddings")
    )
    graph.initializer.append(numpy_helper.from_array(scales, "embeddings.scales"))
    graph.node.remove(gather)
    nodes = [
        helper.make_node("Gather", ["embeddings", "input_ids"], ["rounded"]),
        helper.make_node("Cast", ["rounded"], ["steps"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["embeddings.scales", "input_ids"], ["scales"]),
        helper.make_node("Mul", ["steps", "scales"], list(gather.output)),
    ]
    for node in reversed(nodes):
        graph.node.insert(place, node)


def main() -> None:
    """Read, round and write."""
    source = Path(sys.argv[1])
    model = onnx.load(source / MODEL)
    compute_in_single_precision(model.graph)
    shorten_embeddings(model.graph)
    target = TARGET / MODEL
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, atomic_path(target) as temporary:
        whole = Path(folder) / "model.onnx"
        onnx.save(model, whole)
        quantize_dynamic(
            whole,
            temporary,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            # sums of products must fit 16 bits on processors without instructions for 8 bits
            reduce_range=True,
            weight_type=QuantType.QInt8,
        )
    for name in TOKENIZER:
        shutil.copyfile(source / name, TARGET / name)
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
