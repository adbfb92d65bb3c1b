"""The settings of a custom embedding model."""

from dataclasses import dataclass
from typing import Final, Literal

Pooling = Literal["mean", "cls", "last"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Overrides for a model folder; None leaves the choice to the files of the folder."""

    pooling: Pooling | None = None
    query_prefix: str | None = None
    document_prefix: str | None = None
    max_tokens: int | None = None


NO_OPTIONS: Final = ModelOptions()
