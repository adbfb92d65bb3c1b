"""The output of `memd model info`: the models that the settings name, loaded, so that the answer is what serving would use."""

from dataclasses import asdict, dataclass

from memd.embed.providers.model_folder import ModelFolder
from memd.embed.providers.onnx_embedder import OnnxEmbedder
from memd.resources import make_cross_encoder, make_embedder
from memd.settings import Settings


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model in use. `setting` is the variable that chose it; values that do not apply to it are None."""

    purpose: str
    setting: str
    name: str
    dimensions: int | None = None
    folder: str | None = None
    graph: str | None = None
    pooling: str | None = None
    max_tokens: int | None = None
    query_prefix: str | None = None
    document_prefix: str | None = None

    def lines(self) -> list[tuple[str, str]]:
        """Label and value of everything that applies."""
        return [(label.replace("_", " "), str(value)) for label, value in asdict(self).items() if value is not None]


def model_infos(settings: Settings) -> list[ModelInfo]:
    """The embedder and, when one is set, the reranker; blocks for up to some seconds. Raises EmbedError."""
    embedder = make_embedder(settings)
    try:
        folder = embedder.folder if isinstance(embedder, OnnxEmbedder) else None
        infos = [_info("embedding", "MEMD_EMBED_MODEL", embedder.name, embedder.dimensions, folder)]
    finally:
        embedder.close()
    reranker = make_cross_encoder(settings)
    if reranker is not None:
        infos.append(_info("reranking", "MEMD_RERANK_MODEL", reranker.name, None, reranker.folder))
    return infos


def _info(purpose: str, setting: str, name: str, dimensions: int | None, folder: ModelFolder | None) -> ModelInfo:
    if folder is None:
        return ModelInfo(purpose, setting, name, dimensions)
    embeds = dimensions is not None
    return ModelInfo(
        purpose,
        setting,
        name,
        dimensions,
        folder=str(folder.path),
        graph=str(folder.graph.relative_to(folder.path)),
        pooling=folder.pooling if embeds else None,
        max_tokens=folder.max_tokens,
        query_prefix=folder.query_prefix if embeds else None,
        document_prefix=folder.document_prefix if embeds else None,
    )
