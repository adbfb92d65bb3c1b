"""What a knowledge base holds under the keys of an import, as far as the import has to compare it."""

from typing import Any, NamedTuple, Self

from memctl.importers.pieces import Piece, text_fingerprint
from memctl.wire.knowledge_bases import ChunkRow


class StoredChunk(NamedTuple):
    """A chunk that memd has under a key: its id, the fingerprint of its title and content, and its other fields."""

    id: str
    text: str
    fields: tuple[Any, ...]

    @classmethod
    def of(cls, row: ChunkRow) -> Self:
        """The chunk of a row of the list."""
        source = row.metadata
        aside = (row.chunk_kind, row.channel, row.tags or [])
        place = (source.source_url, source.source_type, source.chunk_index, source.total_chunks)
        return cls(row.id, text_fingerprint(row.title, row.content), aside + place)

    def has_text_of(self, piece: Piece) -> bool:
        """Whether title and content are those of a chunk to send."""
        return self.text == text_fingerprint(piece.chunk.metadata.title or "", piece.chunk.content)

    def equals(self, piece: Piece) -> bool:
        """Whether sending the chunk would change nothing: fields that are not sent keep their values (contract 8.4)."""
        chunk, source = piece.chunk, piece.chunk.metadata
        aside = (chunk.chunk_kind, chunk.channel, chunk.tags)
        place = (source.source_url, source.source_type, source.chunk_index, source.total_chunks)
        pairs = zip(aside + place, self.fields, strict=True)
        return self.has_text_of(piece) and all(sent is None or sent == stored for sent, stored in pairs)
