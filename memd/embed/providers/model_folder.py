"""A model folder of the user's own: `tokenizer.json`, `model.onnx` and, if present, the configuration files next to them.

The layout is that of sentence-transformers and its ONNX exports, so a folder exported with optimum or downloaded from a
model hub works unchanged. The graph may also be at `onnx/model.onnx`. Settings override what the files say.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast, get_args

from memd.embed.providers.model_options import ModelOptions, Pooling
from memd.embed.providers.provider import EmbeddingUnavailableError

TOKENIZER: Final = "tokenizer.json"
GRAPHS: Final = ("model.onnx", "onnx/model.onnx")
MAX_TOKENS_DEFAULT: Final = 512
"""Upper bound when no setting asks for more: on a CPU the cost of a text grows faster than its length."""

_POOLING_FLAGS: Final[Mapping[str, Pooling]] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}
_QUERY_PROMPTS: Final = ("query", "search_query")
_DOCUMENT_PROMPTS: Final = ("document", "passage", "search_document")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A checked model folder. `max_tokens` counts special tokens; prefixes go before each query and each document."""

    path: Path
    graph: Path
    tokenizer: Path
    pooling: Pooling
    query_prefix: str
    document_prefix: str
    max_tokens: int

    @property
    def fingerprint(self) -> str:
        """Eight hex digits of a SHA-256 over the files and options that affect vectors."""
        digest = hashlib.sha256()
        for file in sorted({self.tokenizer, *self.graph.parent.glob("*.onnx*")}):
            with file.open("rb") as content:
                digest.update(hashlib.file_digest(content, "sha256").digest())
        options = [self.pooling, self.query_prefix, self.document_prefix, self.max_tokens]
        digest.update(json.dumps(options).encode())
        return digest.hexdigest()[:8]


def read_model_folder(path: Path, options: ModelOptions) -> ModelFolder:
    """The folder with its options worked out; EmbeddingUnavailableError says what is missing or malformed."""
    if not path.is_dir():
        raise EmbeddingUnavailableError(f"The model folder {path} does not exist or is not a folder")
    graph = next((path / name for name in GRAPHS if (path / name).is_file()), None)
    missing = [TOKENIZER] if not (path / TOKENIZER).is_file() else []
    missing += ["model.onnx"] if graph is None else []
    if graph is None or missing:
        raise EmbeddingUnavailableError(
            f"The model folder {path} has no {' and no '.join(missing)}: it needs tokenizer.json and model.onnx, "
            "for instance from `optimum-cli export onnx --model <name> <folder>`"
        )
    prompts = _object(_json(path / "config_sentence_transformers.json").get("prompts"))
    return ModelFolder(
        path=path,
        graph=graph,
        tokenizer=path / TOKENIZER,
        pooling=options.pooling or _pooling(path),
        query_prefix=_prefix(options.query_prefix, prompts, _QUERY_PROMPTS),
        document_prefix=_prefix(options.document_prefix, prompts, _DOCUMENT_PROMPTS),
        max_tokens=options.max_tokens or min(MAX_TOKENS_DEFAULT, *_lengths(path)),
    )


def _pooling(path: Path) -> Pooling:
    """The pooling of `1_Pooling/config.json`; mean when the file is absent, as sentence-transformers has it."""
    config = _json(path / "1_Pooling" / "config.json")
    chosen = [flag for flag, on in config.items() if flag.startswith("pooling_mode_") and on is True]
    if not chosen:
        return "mean"
    pooling = _POOLING_FLAGS.get(chosen[0])
    if pooling is None or len(chosen) > 1:
        raise EmbeddingUnavailableError(
            f"{path / '1_Pooling' / 'config.json'} asks for {', '.join(chosen)}; memd knows {', '.join(_POOLING_FLAGS)}. "
            f"Set MEMD_EMBED_POOLING to {', '.join(get_args(Pooling))} to override it"
        )
    return pooling


def _prefix(chosen: str | None, prompts: Mapping[str, Any], names: tuple[str, ...]) -> str:
    if chosen is not None:
        return chosen
    return next((prompts[name] for name in names if isinstance(prompts.get(name), str)), "")


def _lengths(path: Path) -> Iterator[int]:
    """The token limits that the files of the folder name."""
    yield MAX_TOKENS_DEFAULT
    for name, key in (("sentence_bert_config.json", "max_seq_length"), ("config.json", "max_position_embeddings")):
        value = _json(path / name).get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            yield value


def _json(file: Path) -> Mapping[str, Any]:
    """The JSON object in a file, empty when the file is absent."""
    if not file.is_file():
        return {}
    try:
        return _object(json.loads(file.read_text("utf-8")))
    except (ValueError, RecursionError) as error:
        raise EmbeddingUnavailableError(f"{file} is not valid JSON: {error}") from None


def _object(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}
