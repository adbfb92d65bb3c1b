"""The computation of all-MiniLM-L6-v2 as an ONNX graph, built from the weights of the published safetensors file.

The graph takes the token ids of one text, int64 [tokens], and gives one vector, float32 [1, 384], of length 1:
BERT with 6 layers, 12 heads of 32, then the mean over the tokens. It takes one text at a time on purpose: with one
thread per text a batch is no faster on a CPU, needs padding, and would let neighbours in the batch change the
rounding of quantised activations. So a text has the same vector whatever it is batched with.

Quantised, every matrix is kept in 8 bits with a scale per output channel, unsigned with a zero point or signed around
zero, as the processor prefers; activations are rounded to unsigned 8 bits text by text.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from safetensors import safe_open

from memd.embed.providers.provider import Vector

LAYERS, HEADS, HEAD_WIDTH, WIDTH = 6, 12, 32, 384
LAYER_NORM_EPSILON = 1e-12
OPSET, IR_VERSION = 20, 10
CONTRIB = "com.microsoft"


Quantise: TypeAlias = Callable[[Vector], tuple[NDArray[Any], Vector, NDArray[Any]]]
"""A matrix [k, n] → its bytes [k, n], and the scale and zero point of each column [n]."""


def build_graph(weights: Path, *, quantise: Quantise | None, max_tokens: int) -> bytes:
    """The serialised graph (22 MB quantised, 85 MB for None) from the safetensors file at `weights`."""
    tensors: Any  # the library is untyped
    with safe_open(str(weights), framework="np") as tensors:
        graph = _Graph(tensors, quantise)
        x = _token_vectors(graph, max_tokens)
        for layer in range(LAYERS):
            x = _encoder_layer(graph, x, f"encoder.layer.{layer}")
        mean = graph.op("ReduceMean", x, graph.constant("rows", np.array([0])), keepdims=1)
        return graph.finish(graph.op("LpNormalization", mean, axis=-1, p=2)).SerializeToString()


class _Graph:
    """Nodes and constants in the making; every method that adds a node returns the name of its output."""

    def __init__(self, tensors: Any, quantise: Quantise | None) -> None:
        self._tensors = tensors
        self._quantise = quantise
        self._nodes: list[NodeProto] = []
        self._constants: dict[str, TensorProto] = {}

    def weight(self, name: str) -> Vector:
        """One tensor of the file."""
        return self._tensors.get_tensor(name)

    def constant(self, name: str, value: NDArray[Any]) -> str:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def ops(self, kind: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any) -> list[str]:
        names = [f"{kind}_{len(self._nodes)}_{i}" for i in range(outputs)]
        self._nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.ops(kind, *inputs, outputs=1, domain=domain, **attributes)[0]

    def linear(self, x: str, *layers: str) -> str:
        """The dense layers of one input side by side: x·Wᵀ + b, columns in the order of the layers."""
        matrix = np.concatenate([self.weight(f"{layer}.weight") for layer in layers]).T
        bias = self.constant(f"{layers[0]}.b", np.concatenate([self.weight(f"{layer}.bias") for layer in layers]))
        if self._quantise is None:
            return self.op("Add", self.op("MatMul", x, self.constant(f"{layers[0]}.w", matrix)), bias)
        parts = zip(("q", "scale", "zero"), self._quantise(matrix), strict=True)
        quantised = [self.constant(f"{layers[0]}.{suffix}", part) for suffix, part in parts]
        return self.op("DynamicQuantizeMatMul", x, *quantised, bias, domain=CONTRIB)

    def norm(self, x: str, layer: str) -> str:
        gain, shift = (self.constant(f"{layer}.{part}", self.weight(f"{layer}.{part}")) for part in ("weight", "bias"))
        return self.op("LayerNormalization", x, gain, shift, axis=-1, epsilon=LAYER_NORM_EPSILON)

    def finish(self, result: str) -> ModelProto:
        self._nodes.append(helper.make_node("Identity", [result], ["vector"]))
        inputs = [helper.make_tensor_value_info("tokens", TensorProto.INT64, ["tokens"])]
        outputs = [helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, WIDTH])]
        graph = helper.make_graph(self._nodes, "minilm", inputs, outputs, list(self._constants.values()))
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def word_vectors(self, tokens: str) -> str:
        """The rows of the word table; quantised, the table is int8 with one scale per word."""
        table = self.weight("embeddings.word_embeddings.weight")
        if self._quantise is None:
            return self.op("Gather", self.constant("words", table), tokens)
        scale = np.abs(table).max(axis=1, keepdims=True) / np.float32(127)
        rows = self.op("Gather", self.constant("words", np.rint(table / scale).astype(np.int8)), tokens)
        scales = self.op("Gather", self.constant("word_scales", scale), tokens)
        return self.op("Mul", self.op("Cast", rows, to=TensorProto.FLOAT), scales)


def quantise_columns(matrix: Vector) -> tuple[NDArray[np.uint8], Vector, NDArray[np.uint8]]:
    """[k, n] → (q uint8 [k, n], scale float32 [n], zero uint8 [n]) with matrix ≈ (q − zero)·scale, column by column."""
    low: Vector = np.minimum(matrix.min(axis=0), 0)
    high: Vector = np.maximum(matrix.max(axis=0), 0)
    scale = ((high - low) / 255).astype(np.float32)
    zero = np.rint(-low / scale)
    return np.clip(np.rint(matrix / scale) + zero, 0, 255).astype(np.uint8), scale, zero.astype(np.uint8)


def quantise_columns_signed(matrix: Vector) -> tuple[NDArray[np.int8], Vector, NDArray[np.int8]]:
    """[k, n] → (q int8 [k, n], scale float32 [n], zero int8 [n], all 0) with matrix ≈ q·scale, column by column."""
    scale = (np.abs(matrix).max(axis=0) / 127).astype(np.float32)
    quantised = np.rint(matrix / scale).astype(np.int8)
    return quantised, scale, np.zeros_like(quantised[0])


def _token_vectors(graph: _Graph, max_tokens: int) -> str:
    """Word + position + segment vectors, normalised: [tokens, 384]."""
    segment = graph.weight("embeddings.token_type_embeddings.weight")[0]
    positions = graph.weight("embeddings.position_embeddings.weight")[:max_tokens] + segment
    start = graph.constant("rows", np.array([0]))
    position = graph.op("Slice", graph.constant("places", positions), start, graph.op("Shape", "tokens"), start)
    return graph.norm(graph.op("Add", graph.word_vectors("tokens"), position), "embeddings.LayerNorm")


def _encoder_layer(graph: _Graph, x: str, layer: str) -> str:
    """Attention and feed-forward of one layer, each with its residual and norm: [tokens, 384] → the same shape."""
    attended = graph.linear(_attention(graph, x, f"{layer}.attention.self"), f"{layer}.attention.output.dense")
    x = graph.norm(graph.op("Add", attended, x), f"{layer}.attention.output.LayerNorm")
    inner = graph.op("Gelu", graph.linear(x, f"{layer}.intermediate.dense"))
    return graph.norm(graph.op("Add", graph.linear(inner, f"{layer}.output.dense"), x), f"{layer}.output.LayerNorm")


def _attention(graph: _Graph, x: str, layer: str) -> str:
    """softmax(q·kᵀ/√32)·v over 12 heads: [tokens, 384] → the same shape."""
    by_head = graph.constant("by_head", np.array([0, HEADS, HEAD_WIDTH]))
    joined = graph.linear(x, f"{layer}.query", f"{layer}.key", f"{layer}.value")
    parts = graph.ops("Split", joined, outputs=3, axis=-1, num_outputs=3)
    split = [graph.op("Reshape", part, by_head) for part in parts]
    query, value = (graph.op("Transpose", part, perm=[1, 0, 2]) for part in (split[0], split[2]))
    key = graph.op("Transpose", split[1], perm=[1, 2, 0])
    scale = graph.constant("scale", np.array(HEAD_WIDTH**-0.5, dtype=np.float32))
    weights = graph.op("Softmax", graph.op("Mul", graph.op("MatMul", query, key), scale), axis=-1)
    heads = graph.op("Transpose", graph.op("MatMul", weights, value), perm=[1, 0, 2])
    return graph.op("Reshape", heads, graph.constant("by_token", np.array([0, WIDTH])))
