"""Wire types of filling a knowledge base: import and bulk-insert (contract 8.4, 8.5)."""

from collections.abc import Mapping
from typing import Annotated, Any, Self, cast

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import ChunkKind
from memctl.wire.errors import Degradation
from memctl.wire.fields import NOT_BLANK, Integer, RequiredText, ScopeText, TagList, Text500
from memctl.wire.invisible import has_visible
from memctl.wire.limits import CHUNK_CONTENT_MAX, CHUNKS_PER_REQUEST_MAX, DEDUPE_KEY_MAX, TITLE_MAX
from memctl.wire.refusals import missing_field, out_of_range, refused

CHUNK_METADATA_FIELDS = ("title", "sourceUrl", "sourceType", "chunkIndex", "totalChunks")
"""Fields of a chunk that may be in its `metadata` or at the top level."""

ChunkContent = Annotated[str, RequiredText(CHUNK_CONTENT_MAX, visible=True)]
ChunkIndex = Annotated[int, Integer(0)]
TotalChunks = Annotated[int, Integer(1)]


def _title(value: str | None, info: ValidationInfo) -> str | None:
    title = value if value is not None and has_visible(value) else None
    context: Mapping[str, Any] = info.context or {}
    if title is None and context.get("require_chunk_title", True):
        raise missing_field()
    return title


def _key(value: str | None) -> str | None:
    return value or None


ChunkTitle = Annotated[
    Text500 | None,
    AfterValidator(_title),
    WithJsonSchema({"type": "string", "maxLength": TITLE_MAX} | NOT_BLANK, mode="validation"),
]
DedupeKey = Annotated[
    Annotated[str, StringConstraints(strict=True, strip_whitespace=True, max_length=DEDUPE_KEY_MAX)] | None,
    AfterValidator(_key),
]


class ChunkMetadata(RequestModel):
    """Where a chunk comes from; the title is required unless the context says `require_chunk_title: False`."""

    model_config = ConfigDict(json_schema_extra={"required": ["title"]})

    title: ChunkTitle = Field(default=None, validate_default=True)
    source_url: Annotated[str, StringConstraints(strict=True, max_length=2000)] | None = None
    chunk_index: ChunkIndex | None = None
    total_chunks: TotalChunks | None = None
    source_type: Text500 | None = None


def _no_metadata() -> Any:
    return dict[str, Any]()


class ImportChunk(RequestModel):
    """A chunk of POST /import."""

    model_config = ConfigDict(json_schema_extra={"required": ["content", "metadata"]})

    content: ChunkContent
    metadata: ChunkMetadata = Field(default_factory=_no_metadata, validate_default=True)
    dedupe_key: DedupeKey = None
    chunk_kind: ChunkKind | None = None
    channel: ScopeText = None
    scope: ScopeText = None
    tags: TagList | None = None


class FlatChunk(RequestModel):
    """A chunk of POST /bulk-insert; nested metadata is lifted to the flat names, which win."""

    content: ChunkContent
    title: Text500 | None = None
    source_url: Annotated[str, StringConstraints(strict=True, max_length=2000)] | None = None
    source_type: Text500 | None = None
    chunk_index: ChunkIndex | None = None
    total_chunks: TotalChunks | None = None
    channel: ScopeText = None
    scope: ScopeText = None
    dedupe_key: DedupeKey = None
    chunk_kind: ChunkKind | None = None
    tags: TagList | None = None

    @model_validator(mode="before")
    @classmethod
    def lift_metadata(cls, data: Any) -> Any:
        """Bring nested facts to the flat names."""
        if not isinstance(data, dict):
            return data
        flat = cast("dict[str, Any]", data)
        nested = flat.get("metadata")
        if not isinstance(nested, dict):
            return flat
        facts = cast("dict[str, Any]", nested)
        return {name: facts[name] for name in CHUNK_METADATA_FIELDS if name in facts} | {
            k: v for k, v in flat.items() if v is not None
        }


class RawText(RequestModel):
    """Raw text to split, instead of chunks."""

    text: Annotated[str, RequiredText()] | None = None
    title: Annotated[str, RequiredText(TITLE_MAX, visible=True)] | None = None
    source_url: Annotated[str, StringConstraints(strict=True, max_length=2000)] | None = None
    source_type: Text500 | None = None
    dedupe_key_prefix: Annotated[str, StringConstraints(strict=True, strip_whitespace=True, max_length=480)] | None = (
        None
    )
    delimiter: Annotated[str, StringConstraints(strict=True, min_length=1, max_length=200)] | None = None
    chunk_size: Annotated[int, Integer(200, 100_000)] = 1200
    chunk_overlap: Annotated[int, Integer(0, 50_000)] = 0

    @model_validator(mode="after")
    def overlap_within_half(self) -> Self:
        """Refuse an overlap of more than half a chunk."""
        if self.chunk_overlap > self.chunk_size // 2:
            raise out_of_range(0, self.chunk_size // 2, "chunkOverlap")
        return self


def _either_chunks_or_text(chunks: int, text: str | None, title: str | None) -> None:
    if chunks and text is not None:
        raise refused("Send either chunks or text, not both")
    if not chunks and text is None:
        raise missing_field("chunks")
    if text is not None and title is None:
        raise missing_field("title")


class ImportRequest(RawText):
    """POST /api/knowledge-bases/:id/import."""

    chunks: list[ImportChunk] = []

    @model_validator(mode="after")
    def one_kind_of_input(self) -> Self:
        """Refuse chunks together with text, and neither of them."""
        _either_chunks_or_text(len(self.chunks), self.text, self.title)
        return self


class BulkInsertRequest(RequestModel):
    """POST /api/knowledge-bases/:id/bulk-insert."""

    chunks: Annotated[list[FlatChunk], Field(json_schema_extra={"minItems": 1, "maxItems": CHUNKS_PER_REQUEST_MAX})]

    @model_validator(mode="after")
    def some_chunks(self) -> Self:
        """Refuse an empty batch."""
        if not self.chunks:
            raise missing_field("chunks")
        return self


class RejectedChunk(WireModel):
    """A chunk that was not stored, counted from 0, and why."""

    index: int
    reason: str
    threat_id: str | None = absent()


class ImportReply(WireModel):
    """The result of an import batch; `memory_ids` are in input order, without the rejected rows."""

    ok: bool = True
    knowledge_base_id: str
    import_id: str
    chunks_processed: int
    embeddings_created: int
    timestamp: int
    imported_count: int
    updated_count: int
    memory_ids: list[str]
    memory_count: int
    total_chars: int
    duplicates_removed: int = 0
    pending_embeddings: int = 0
    rejected: list[RejectedChunk] = []
    rejected_count: int = 0
    warnings: list[str] = []
    embedding_cap: Degradation | None = absent()
    archived_duplicate_count: int | None = absent()
