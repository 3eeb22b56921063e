"""Hidden layers of published models: where each ends in the ONNX graph, and the graph up to there.

A layer of BERT and its relatives (RoBERTa, XLM-R, MPNet, DistilBERT, …) has two normalizations, and
its output is that of the second; one more comes after the embeddings. Exporters name nodes
differently, but all of them keep this order. They write a normalization either as one node or as
(x − mean) / √(variance + ε) · weight + bias.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from exrpca.errors import InputError

# A normalization as one node; the last two are of ONNX Runtime's optimizer.
_ONE_NODE = ("LayerNormalization", "SkipLayerNormalization", "EmbedLayerNormalization")
_COPIES = ("Cast", "Identity")


def load_model(path: Path) -> Any:
    """Return a model as its file states it, without weights that lie in other files."""
    try:
        import onnx
    except ImportError:
        raise InputError("a hidden layer needs onnx: pip install 'exrpca[contextual]'") from None
    return onnx.load(str(path), load_external_data=False)


def layer_outputs(model: Any) -> list[str]:
    """Return the name of the output of each layer, or nothing if the layers are not recognized."""
    graph = _Graph(model.graph)
    ends = [end for node in model.graph.node if (end := _end_of_normalization(node, graph))]
    layers = ends[2::2]
    outputs = {graph.before_casts(output.name) for output in model.graph.output}
    return layers if len(ends) % 2 and layers and layers[-1] in outputs else []


def layer_number(
    layer: float, outputs: Sequence[str], stated_layers: int | None, path: Path
) -> int:
    """Return the number of a layer, from 1, that is given as that or as a share of the depth.

    Examples
    --------
    >>> layer_number(0.8, [f"layer {i}" for i in range(12)], 12, Path("model.onnx"))
    10
    """
    if not outputs or stated_layers not in (None, len(outputs)):
        raise InputError(
            "the layers of this model are not recognized: leave the layer out for the last one, or "
            "name an output",
            path=path,
        )
    if isinstance(layer, float) and 0 < layer <= 1:
        return max(1, round(layer * len(outputs)))
    if layer not in range(1, len(outputs) + 1):
        raise InputError(
            f"layer={layer} must be from 1 to {len(outputs)}, or a share of the depth such as 0.8",
            path=path,
        )
    return int(layer)


def cut_after(model: Any, tensors: Sequence[str]) -> bytes:
    """Return the part of a model that leads to some tensors, which become its outputs."""
    import onnx

    graph = model.graph
    del graph.output[:]
    graph.output.extend(onnx.ValueInfoProto(name=tensor) for tensor in tensors)
    needed = set(tensors)
    for i in reversed(range(len(graph.node))):
        if needed.isdisjoint(graph.node[i].output):
            del graph.node[i]
        else:
            needed.update(_inputs(graph.node[i]))
    for i in reversed(range(len(graph.initializer))):
        if graph.initializer[i].name not in needed:
            del graph.initializer[i]
    return bytes(model.SerializeToString())


class _Graph:
    """Who makes and who reads each tensor of a graph; copies as another type do not count."""

    def __init__(self, graph: Any) -> None:
        self._maker = {output: node for node in graph.node for output in node.output}
        self._readers = defaultdict(list)
        for node in graph.node:
            if node.op_type not in _COPIES:
                for name in node.input:
                    self._readers[self.before_casts(name)].append(node)

    def before_casts(self, name: str) -> str:
        """Return the tensor that another one is a copy of."""
        while (node := self._maker.get(name)) is not None and node.op_type in _COPIES:
            name = node.input[0]
        return name

    def makes(self, kind: str, name: str) -> bool:
        """Whether a tensor is made by a node of a kind."""
        node = self._maker.get(self.before_casts(name))
        return node is not None and node.op_type == kind

    def reader(self, kind: str, name: str) -> Any:
        """Return the output of the first node of a kind that reads a tensor, if there is one."""
        readers = self._readers[name]
        return next((node.output[0] for node in readers if node.op_type == kind), None)


def _end_of_normalization(node: Any, graph: _Graph) -> str | None:
    """Return the output of the normalization that a node is, or divides in."""
    if node.op_type in _ONE_NODE:
        return str(node.output[0])
    divides = node.op_type == "Div"
    if not (divides and graph.makes("Sub", node.input[0]) and graph.makes("Sqrt", node.input[1])):
        return None
    scaled = graph.reader("Mul", node.output[0])
    return None if scaled is None else graph.reader("Add", scaled)


def _inputs(node: Any) -> Iterator[str]:
    """Yield what a node reads, also within its branches."""
    yield from node.input
    for attribute in node.attribute:
        for inner in attribute.g.node:
            yield from _inputs(inner)
