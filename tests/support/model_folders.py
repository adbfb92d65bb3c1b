"""Small real models for the tests: an ONNX graph and a tokenizer, laid out like a sentence-transformers export."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer, models, pre_tokenizers

WORDS = ("[UNK]", "query", "passage", ":", "red", "apple", "green", "pear", "train", "station", "platform")
DIMENSIONS = 16


def write_tokenizer(folder: Path) -> None:
    """A tokenizer of whole words over WORDS."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))


def write_bi_encoder(folder: Path, *, pools: bool = False, inputs: tuple[str, ...] = ("input_ids",)) -> Path:
    """A model that gives each word a fixed vector: per token [1, tokens, 16], or their mean [1, 16] when it `pools`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    table = np.random.default_rng(7).standard_normal((len(WORDS), DIMENSIONS)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["vectors"])]
    shape: list[Any] = [1, "tokens", DIMENSIONS]
    if pools:
        nodes.append(helper.make_node("ReduceMean", ["vectors", "axis"], ["mean"], keepdims=0))
        shape = [1, DIMENSIONS]
    constants = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1]), "axis")]
    _save(folder / "model.onnx", nodes, inputs, shape, constants)
    return folder


def write_cross_encoder(folder: Path) -> Path:
    """A model whose logit is twice the number of words that query and text share, minus three."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    nodes = [
        helper.make_node("Unsqueeze", ["input_ids", "last"], ["column"]),
        helper.make_node("Unsqueeze", ["input_ids", "middle"], ["row"]),
        helper.make_node("Equal", ["column", "row"], ["equal"]),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "types"], ["in_query"]),
        helper.make_node("Unsqueeze", ["in_query", "last"], ["query_column"]),
        helper.make_node("Unsqueeze", ["types", "middle"], ["text_row"]),
        helper.make_node("Mul", ["query_column", "text_row"], ["across"]),
        helper.make_node("Cast", ["equal"], ["same"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["same", "across"], ["shared"]),
        helper.make_node("ReduceSum", ["shared", "both"], ["count"], keepdims=0),
        helper.make_node("Mul", ["count", "two"], ["doubled"]),
        helper.make_node("Sub", ["doubled", "three"], ["scores"]),
        helper.make_node("Unsqueeze", ["scores", "last_of_one"], ["logits"]),
    ]
    values: dict[str, Any] = {
        "last": np.array([2]),
        "middle": np.array([1]),
        "both": np.array([1, 2]),
        "last_of_one": np.array([1]),
        "one": np.array(1, np.float32),
        "two": np.array(2, np.float32),
        "three": np.array(3, np.float32),
    }
    constants = [numpy_helper.from_array(value, name) for name, value in values.items()]
    _save(folder / "model.onnx", nodes, ("input_ids", "token_type_ids"), [1, 1], constants)
    return folder


def write_json(folder: Path, name: str, value: Any) -> None:
    """One configuration file of the folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def _save(path: Path, nodes: list[Any], inputs: tuple[str, ...], shape: list[Any], constants: list[Any]) -> None:
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "tokens"]) for name in inputs]
    result = helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "tiny", given, [result], constants)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), str(path))
