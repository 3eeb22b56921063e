"""Hidden layers of exported models are those of the model itself, whatever the exporter."""

import json
import shutil
import tarfile
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from exrpca import InputError
from exrpca.contextual import Encoder

DATA = Path(__file__).parent / "data" / "exports.tar.xz"
N_LAYERS, VOCABULARY = 3, 40


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exports")
    with tarfile.open(DATA) as archive:
        archive.extractall(folder, filter="data")
    return folder


def encoder_folder(exports, export, folder):
    """Lay an export out as an encoder whose pieces are whole words: w4, w5, …"""
    (folder / "onnx").mkdir(parents=True)
    shutil.copy(exports / f"{export}.onnx", folder / "onnx" / "model.onnx")
    pieces = {f"w{number}": number for number in range(VOCABULARY)}
    tokenizer = Tokenizer(models.WordLevel(pieces, unk_token="w3"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))
    family = export.split("-")[0]
    padding = 0 if family == "bert" else 1
    config = {"num_hidden_layers": N_LAYERS, "pad_token_id": padding}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def sentences(truth):
    """Every word of the sentences as the target, and its place in the arrays."""
    for row, (ids, mask) in enumerate(zip(truth["ids"], truth["mask"], strict=True)):
        words = [f"w{number}" for number in ids[mask > 0]]
        for place, word in enumerate(words):
            left, right = " ".join(words[:place]), " ".join(words[place + 1 :])
            yield (row, place), (f"{left} ", word, f" {right}")


@pytest.mark.parametrize("family", ["bert", "mpnet", "xlmr"])
@pytest.mark.parametrize(
    ("kind", "tolerance"),
    [
        ("optimum", 2e-3),
        ("opset14", 2e-3),  # normalizations in nine nodes
        ("dynamo", 2e-3),  # names and order of torch.export
        ("O2", 2e-3),  # fused by ONNX Runtime
        ("O4", 2e-2),  # computes in half precision
        ("int8", 2e-1),
    ],
)
def test_each_layer_is_that_of_the_model(exports, tmp_path, family, kind, tolerance):
    folder = encoder_folder(exports, f"{family}-{kind}", tmp_path / "encoder")
    truth = np.load(exports / f"{family}.npz")
    places, texts = zip(*sentences(truth), strict=True)
    rows, columns = np.array(places).T
    for layer in range(1, N_LAYERS + 1):
        found = Encoder(folder, layer=layer, vector="target").encode(texts)
        expected = truth["layers"][layer - 1, rows, columns]
        np.testing.assert_allclose(found, expected, atol=tolerance)


def test_a_layer_is_a_number_or_a_share_of_the_depth(exports, tmp_path):
    folder = encoder_folder(exports, "bert-optimum", tmp_path / "encoder")
    assert Encoder(folder, layer=2).layer == 2
    assert Encoder(folder, layer=0.7).layer == 2
    assert Encoder(folder, layer=0.01).layer == 1
    # the last layer has one name, however it is asked for
    for layer in (3, 1.0, None, "last_hidden_state"):
        assert Encoder(folder, layer=layer).layer == "last_hidden_state"


def test_several_layers_are_joined_piece_by_piece(exports, tmp_path):
    folder = encoder_folder(exports, "mpnet-optimum", tmp_path / "encoder")
    places, texts = zip(*sentences(np.load(exports / "mpnet.npz")), strict=True)
    rows, columns = np.array(places).T
    layers = np.load(exports / "mpnet.npz")["layers"][:, rows, columns]
    unit = layers / np.linalg.norm(layers, axis=-1, keepdims=True)
    encoder = Encoder(folder, layer="1,3", vector="target")
    assert encoder.layer == "1,3"
    np.testing.assert_allclose(encoder.encode(texts), unit[0] + unit[2], atol=2e-3)
    with pytest.raises(InputError, match="layer=4 must be from 1 to 3"):
        Encoder(folder, layer="1,4")


@pytest.mark.parametrize("layer", [0, 4, -1, 1.5, 0.0])
def test_a_layer_that_does_not_exist_is_one_clear_line(exports, tmp_path, layer):
    folder = encoder_folder(exports, "mpnet-opset14", tmp_path / "encoder")
    with pytest.raises(InputError, match=f"layer={layer} must be from 1 to 3, or a share"):
        Encoder(folder, layer=layer)


def test_a_model_with_other_layers_than_it_states_is_not_recognized(exports, tmp_path):
    folder = encoder_folder(exports, "bert-optimum", tmp_path / "encoder")
    (folder / "config.json").write_text(json.dumps({"num_hidden_layers": 4}))
    with pytest.raises(InputError, match="the layers of this model are not recognized"):
        Encoder(folder, layer=2)
