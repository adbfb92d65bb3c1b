"""The vectors that an import need not compute: those of chunks whose title and content are stored under their key already."""

from collections.abc import Iterator, Sequence

import numpy as np

from memd.context import Context
from memd.domain.chunks.imports import ChunkInput
from memd.embed.service import Vector
from memd.knowledge_bases import store
from memd.knowledge_bases.store import StoredBase

PAGE = 200


async def stored_vectors(context: Context, base: StoredBase, chunks: Sequence[ChunkInput]) -> dict[int, Vector]:
    """The vectors [dimensions] of the chunks that keep their text, by the index of the chunk."""
    if not base.memory_count:
        return {}
    found = dict[int, Vector]()
    async with context.database.owner(context.user_id) as session:
        for page in _keyed_pages(chunks):
            rows = await store.keyed_vectors(session, base.id, [*page], context.services.model)
            for row in rows:
                chunk = page[row.dedupe_key]
                if (row.title, row.content) == (chunk.title, chunk.content):
                    found[chunk.index] = row.embedding.to_numpy().astype(np.float32)
    return found


def _keyed_pages(chunks: Sequence[ChunkInput]) -> Iterator[dict[str, ChunkInput]]:
    """The chunks with a key, by their keys, in pages."""
    keyed = [(chunk.dedupe_key, chunk) for chunk in chunks if chunk.dedupe_key is not None]
    for start in range(0, len(keyed), PAGE):
        yield dict(keyed[start : start + PAGE])
