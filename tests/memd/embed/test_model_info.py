"""`memd model info`: the models in use, and a sentence instead of a traceback when one cannot be loaded."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from memd.main import main
from tests.support.model_folders import write_bi_encoder, write_cross_encoder, write_json


def info(*arguments: str, **settings: str) -> Result:
    variables = {f"MEMD_{name.upper()}": value for name, value in settings.items()}
    return CliRunner().invoke(main, ["model", "info", *arguments], env=variables)


def test_a_built_in_model_is_named_with_its_dimensions(tmp_path: Path) -> None:
    result = info("--json", embed_model="wordllama", data_dir=str(tmp_path))
    (model,) = json.loads(result.output)["models"]
    assert (model["name"], model["dimensions"]) == ("wordllama-l2-supercat-256", 256)


def test_a_folder_shows_what_was_read_of_it(tmp_path: Path) -> None:
    folder = write_bi_encoder(tmp_path / "tiny")
    write_json(folder, "config_sentence_transformers.json", {"prompts": {"query": "query: "}})
    reranker = write_cross_encoder(tmp_path / "judge")
    result = info("--json", embed_model=str(folder), rerank_model=str(reranker), data_dir=str(tmp_path))
    embedding, reranking = json.loads(result.output)["models"]
    assert embedding["name"].startswith("tiny-")
    assert (embedding["pooling"], embedding["query_prefix"], embedding["document_prefix"]) == ("mean", "query: ", "")
    assert (embedding["folder"], embedding["graph"], embedding["max_tokens"]) == (str(folder), "model.onnx", 512)
    assert (reranking["purpose"], reranking["setting"]) == ("reranking", "MEMD_RERANK_MODEL")


def test_a_missing_folder_ends_with_a_sentence(tmp_path: Path) -> None:
    result = info(embed_model=str(tmp_path / "absent"), data_dir=str(tmp_path))
    assert result.exit_code == 1
    assert "absent does not exist or is not a folder" in result.output
