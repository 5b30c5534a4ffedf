"""A real ONNX model, small enough to be made in a test: what fastembed loads, with nothing learnt in it.

A token's vector is random but fixed, a place's vector is small, and a text is what they pool to: texts that share words are near each
other. There are exactly as many places as tokens that may be sent; one token more and the model fails, as real ones do.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.normalizers import NFC, Lowercase, Sequence
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from tokenizers.trainers import BpeTrainer

DIMENSION = 256
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_SEED = 20261130


def make_tiny_model(
    folder: Path, corpus: Iterable[str], *, limit: int = 128, vocabulary: int = 4000, file: str = "model.onnx", ballast: int = 0
) -> Path:
    """Writes the model's files into `folder`. `vocabulary` is how many pieces are learnt from `corpus`; few make long sequences.

    `ballast` is how many vectors are added that no token has, at 1 kB each: for a file of a certain size.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _tokenizer(corpus, vocabulary)
    tokenizer.save(str(folder / "tokenizer.json"))
    _json(folder / "tokenizer_config.json", {"model_max_length": limit, "pad_token": MARKS[0]})
    _json(folder / "special_tokens_map.json", dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), MARKS, strict=True)))
    _json(folder / "config.json", {"pad_token_id": 0})
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(_network(tokenizer.get_vocab_size() + ballast, limit))
    return folder


def _tokenizer(corpus: Iterable[str], vocabulary: int) -> Tokenizer:
    tokenizer = Tokenizer(BPE(unk_token=MARKS[1]))
    tokenizer.normalizer = Sequence([NFC(), Lowercase()])
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.train_from_iterator(corpus, BpeTrainer(vocab_size=vocabulary, special_tokens=list(MARKS), show_progress=False))
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer


def _network(vocabulary: int, limit: int) -> bytes:
    """A token's state is its word's vector, its place's, and a fifth of the mean of all words: by that the first token sees the text."""
    generator = np.random.default_rng(_SEED)
    words = generator.standard_normal((vocabulary, DIMENSION)).astype(np.float32)
    words[: len(MARKS)] *= 0.05
    places = (0.05 * generator.standard_normal((limit, DIMENSION))).astype(np.float32)
    constants: dict[str, NDArray[Any]] = {
        "words": words,
        "places": places,
        "one": np.array(1, np.int64),
        "zero": np.array(0, np.int64),
        "share": np.array(0.2, np.float32),
        "middle": np.array([1], np.int64),
        "last": np.array([2], np.int64),
    }
    nodes = [
        helper.make_node("Gather", ["words", "input_ids"], ["read"]),
        helper.make_node("Shape", ["input_ids"], ["shape"]),
        helper.make_node("Gather", ["shape", "one"], ["length"]),
        helper.make_node("Range", ["zero", "length", "one"], ["numbers"]),
        helper.make_node("Gather", ["places", "numbers"], ["placed"]),
        helper.make_node("Cast", ["attention_mask"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["real", "last"], ["mask"]),
        helper.make_node("Mul", ["read", "mask"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "middle"], ["sum"], keepdims=1),
        helper.make_node("ReduceSum", ["mask", "middle"], ["count"], keepdims=1),
        helper.make_node("Div", ["sum", "count"], ["whole"]),
        helper.make_node("Mul", ["whole", "share"], ["context"]),
        helper.make_node("Add", ["read", "placed"], ["there"]),
        helper.make_node("Add", ["there", "context"], ["last_hidden_state"]),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", DIMENSION])
    graph = helper.make_graph(nodes, "tiny", inputs, [output], [numpy_helper.from_array(value, name) for name, value in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
