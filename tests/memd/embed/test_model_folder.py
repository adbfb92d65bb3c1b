"""A model of the user's own from a folder: what is read of its files, what is refused, and how it embeds."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memd.embed.providers.choose import load_cross_encoder, load_embedder
from memd.embed.providers.model_folder import read_model_folder
from memd.embed.providers.model_options import NO_OPTIONS, ModelOptions
from memd.embed.providers.onnx_embedder import OnnxEmbedder
from memd.embed.providers.provider import EmbeddingUnavailableError, Vector
from tests.support.model_folders import DIMENSIONS, write_bi_encoder, write_cross_encoder, write_json


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_bi_encoder(tmp_path / "tiny")


def loaded(folder: Path, **options: Any) -> OnnxEmbedder:
    embedder = load_embedder(folder, data_dir=folder, options=ModelOptions(**options))
    assert isinstance(embedder, OnnxEmbedder)
    return embedder


def similarity(first: Vector, second: Vector) -> float:
    return float(first @ second)


def test_texts_become_unit_vectors_and_shared_words_bring_them_together(folder: Path) -> None:
    embedder = loaded(folder)
    assert embedder.dimensions == DIMENSIONS
    fruit, other_fruit, train = embedder.embed(["red apple", "green apple", "train station"])
    assert np.linalg.norm(fruit) == pytest.approx(1, abs=1e-6)
    assert similarity(fruit, other_fruit) > similarity(fruit, train) + 0.2


def test_a_text_has_the_same_vector_alone_and_in_a_batch(folder: Path) -> None:
    embedder = loaded(folder)
    batch = embedder.embed(["apple", "red apple green pear train station platform"])
    assert np.array_equal(batch[0], embedder.embed(["apple"])[0])


@pytest.mark.parametrize("text", ["", "   ", "🙂", "\ud800", "apple " * 5_000])
def test_any_text_has_a_finite_vector(folder: Path, text: str) -> None:
    (row,) = loaded(folder).embed([text])
    assert np.isfinite(row).all()
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("pooling", "words"), [("cls", "red"), ("last", "apple")])
def test_pooling_comes_from_the_folder_and_a_setting_overrides_it(folder: Path, pooling: str, words: str) -> None:
    flag = {"cls": "pooling_mode_cls_token", "last": "pooling_mode_lasttoken"}[pooling]
    write_json(
        folder, "1_Pooling/config.json", {"word_embedding_dimension": 16, flag: True, "pooling_mode_mean_tokens": False}
    )
    embedder = loaded(folder)
    assert np.allclose(embedder.embed(["red apple"]), embedder.embed([words]))
    assert not np.allclose(loaded(folder, pooling="mean").embed(["red apple"]), embedder.embed([words]))


def test_a_graph_that_pools_by_itself_is_taken_as_it_is(folder: Path, tmp_path: Path) -> None:
    pooled = loaded(write_bi_encoder(tmp_path / "pooled", pools=True))
    assert np.allclose(pooled.embed(["red apple"]), loaded(folder).embed(["red apple"]), atol=1e-6)


def test_prefixes_come_from_the_folder_and_settings_override_them(folder: Path) -> None:
    plain = loaded(folder)
    write_json(folder, "config_sentence_transformers.json", {"prompts": {"query": "query: ", "passage": "passage: "}})
    prefixed = loaded(folder)
    assert np.allclose(prefixed.embed(["apple"]), plain.embed(["passage: apple"]))
    assert np.allclose(prefixed.embed_queries(["apple"]), plain.embed(["query: apple"]))
    bare = loaded(folder, query_prefix="", document_prefix="")
    assert np.allclose(bare.embed_queries(["apple"]), plain.embed(["apple"]))


def test_the_shortest_token_limit_of_the_files_holds_unless_a_setting_says_more(folder: Path) -> None:
    write_json(folder, "sentence_bert_config.json", {"max_seq_length": 2})
    write_json(folder, "config.json", {"max_position_embeddings": 4096})
    assert np.allclose(loaded(folder).embed(["red apple train"]), loaded(folder).embed(["red apple"]))
    assert read_model_folder(folder, ModelOptions(max_tokens=1024)).max_tokens == 1024


@pytest.mark.parametrize(
    ("change", "same"),
    [({}, True), ({"query_prefix": "query: "}, False), ({"pooling": "cls"}, False), ({"max_tokens": 9}, False)],
)
def test_the_name_changes_with_everything_that_changes_vectors(folder: Path, change: Any, same: bool) -> None:
    assert (loaded(folder, **change).name == loaded(folder).name) is same


def test_the_graph_may_lie_in_the_onnx_folder(folder: Path) -> None:
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert loaded(folder).dimensions == DIMENSIONS


def _without(name: str) -> Any:
    return lambda folder: (folder / name).unlink()


def _garbled(name: str) -> Any:
    return lambda folder: write_text(folder / name, "{not json")


def write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (_without("tokenizer.json"), r"has no tokenizer\.json: it needs tokenizer\.json and model\.onnx"),
        (_without("model.onnx"), r"has no model\.onnx: it needs"),
        (_garbled("tokenizer.json"), "is not a tokenizer file"),
        (_garbled("model.onnx"), "could not be loaded"),
        (_garbled("config.json"), "is not valid JSON"),
        (lambda folder: write_text(folder / "config.json", "[" * 100_000), "is not valid JSON"),
        (
            lambda folder: write_json(folder, "1_Pooling/config.json", {"pooling_mode_weightedmean_tokens": True}),
            "asks for pooling_mode_weightedmean_tokens; .* Set MEMD_EMBED_POOLING",
        ),
        (
            lambda folder: write_bi_encoder(folder, inputs=("input_ids", "pixel_values")),
            "takes input_ids, pixel_values",
        ),
    ],
)
def test_what_is_missing_or_broken_is_said_in_a_sentence(folder: Path, break_it: Any, message: str) -> None:
    break_it(folder)
    with pytest.raises(EmbeddingUnavailableError, match=message):
        loaded(folder)


def split_by(folder: Path, expression: str) -> None:
    """Let the tokenizer of a folder find words by a regular expression."""
    path = folder / "tokenizer.json"
    pattern = {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"pre_tokenizer": pattern}))


def test_a_text_that_the_tokenizer_cannot_take_is_an_error_of_the_model(folder: Path) -> None:
    """The library panics on it, which is no Exception of Python."""
    split_by(folder, "(a+)+$")
    embedder = loaded(folder)
    with pytest.raises(EmbeddingUnavailableError, match=r"tokenizer\.json failed on a text"):
        embedder.embed(["a" * 2_000 + "!"])
    assert embedder.embed(["red apple"]).shape == (1, embedder.dimensions)


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailableError, match="absent does not exist or is not a folder"):
        read_model_folder(tmp_path / "absent", NO_OPTIONS)


def test_a_cross_encoder_scores_the_better_text_higher(tmp_path: Path) -> None:
    encoder = load_cross_encoder(write_cross_encoder(tmp_path / "reranker"))
    good, fair, poor = encoder.score("red apple", ["red apple", "green apple", "train station"])
    assert 1 > good > fair > poor > 0


def test_an_embedding_model_is_refused_as_a_cross_encoder(folder: Path) -> None:
    with pytest.raises(EmbeddingUnavailableError, match="a cross-encoder has 1 or 2"):
        load_cross_encoder(folder)
