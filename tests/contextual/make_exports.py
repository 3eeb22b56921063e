"""Make `data/exports.tar.xz`: tiny models as published encoders are exported, with their layers.

The tests only read the file. To make it again, in an environment of its own with torch 2.13,
transformers 4.55, optimum-onnx 0.1, onnxscript and onnxruntime: python make_exports.py
"""

import io
import tarfile
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from optimum.exporters.onnx import onnx_export_from_model
from transformers import (
    BertConfig,
    BertModel,
    MPNetConfig,
    MPNetModel,
    XLMRobertaConfig,
    XLMRobertaModel,
)

TARGET = Path(__file__).parent / "data" / "exports.tar.xz"
SIZES = {
    "vocab_size": 40,
    "hidden_size": 8,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "max_position_embeddings": 20,
}
MODELS = {
    "bert": (BertModel, BertConfig),
    "mpnet": (MPNetModel, MPNetConfig),
    "xlmr": (XLMRobertaModel, XLMRobertaConfig),
}
NAMES = ["input_ids", "attention_mask"]
AXES = {0: "batch", 1: "pieces"}


class LastLayer(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids, attention_mask=attention_mask).last_hidden_state


def by_torch(model, inputs, path, **options):
    names = {"input_names": NAMES, "output_names": ["last_hidden_state"]}
    torch.onnx.export(LastLayer(model), inputs, path, **names, **options)


def exports(name, model, inputs, folder):
    """Write a model in all ways; node names and what a normalization is made of differ."""
    onnx_export_from_model(
        model,
        folder,
        task="feature-extraction",
        library_name="transformers",
        do_validation=False,
    )
    (folder / "model.onnx").rename(folder / f"{name}-optimum.onnx")
    separate = folder / f"{name}-opset14.onnx"
    axes = dict.fromkeys((*NAMES, "last_hidden_state"), AXES)
    by_torch(model, inputs, separate, dynamo=False, opset_version=14, dynamic_axes=axes)
    quantize_dynamic(
        separate, folder / f"{name}-int8.onnx", per_channel=True, weight_type=QuantType.QInt8
    )
    optimized = optimizer.optimize_model(
        str(separate), model_type="bert", num_heads=2, hidden_size=8, opt_level=2
    )
    optimized.save_model_to_file(str(folder / f"{name}-O2.onnx"))
    optimized.convert_float_to_float16()
    optimized.save_model_to_file(str(folder / f"{name}-O4.onnx"))
    shapes = {each: {0: torch.export.Dim("b"), 1: torch.export.Dim("s", max=16)} for each in NAMES}
    by_torch(
        model,
        inputs,
        folder / f"{name}-dynamo.onnx",
        dynamo=True,
        external_data=False,
        dynamic_shapes=shapes,
    )


def without_notes(path):
    """Take out where in the source each node comes from, most of the size."""
    model = onnx.load(path)
    for node in model.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    del model.graph.value_info[:]
    del model.metadata_props[:]
    return model.SerializeToString()


def main():
    torch.manual_seed(0)
    ids = torch.randint(4, 40, (2, 9))
    mask = torch.ones_like(ids)
    mask[1, 6:] = 0
    with tarfile.open(TARGET, "w:xz") as archive, tempfile.TemporaryDirectory() as temporary:

        def add(name, content):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))

        for name, (kind, config) in MODELS.items():
            model = kind(config(**SIZES, attn_implementation="eager")).eval()
            with torch.no_grad():
                for weights in model.parameters():
                    weights.add_(0.2 * torch.randn_like(weights))
                layers = model(ids, attention_mask=mask, output_hidden_states=True).hidden_states
            folder = Path(temporary) / name
            folder.mkdir()
            exports(name, model, (ids, mask), folder)
            for path in sorted(folder.glob("*.onnx")):
                add(path.name, without_notes(path))
            content = io.BytesIO()
            np.savez(content, ids=ids, mask=mask, layers=torch.stack(layers[1:]))
            add(f"{name}.npz", content.getvalue())


if __name__ == "__main__":
    main()
