"""Knowledge bases: make, change, fill, enumerate, query, empty and remove them."""

from collections.abc import AsyncIterator
from functools import partial

from memctl.client.paging import pages_from, until_done
from memctl.client.paths import segment
from memctl.client.transport import IMPORT_SECONDS, Transport
from memctl.wire.imports import BulkInsertRequest, ImportReply, ImportRequest
from memctl.wire.kb_query import QueryKnowledgeBaseRequest, QueryReply
from memctl.wire.knowledge_bases import (
    ChunkPage,
    ChunkRow,
    CreateKnowledgeBaseRequest,
    GetKnowledgeBaseRequest,
    KnowledgeBaseArchived,
    KnowledgeBaseDeleted,
    KnowledgeBaseDetail,
    KnowledgeBaseEmptied,
    KnowledgeBaseList,
    KnowledgeBasePatched,
    KnowledgeBaseRestored,
    KnowledgeBaseRow,
    ListChunksRequest,
    ListKnowledgeBasesRequest,
    PatchKnowledgeBaseRequest,
)

ROOT = "/api/knowledge-bases"


def _path(knowledge_base_id: str, action: str = "") -> str:
    path = f"{ROOT}/{segment(knowledge_base_id)}"
    return f"{path}/{action}" if action else path


class KnowledgeBases:
    """The room of contract 8."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, request: ListKnowledgeBasesRequest | None = None) -> KnowledgeBaseList:
        """The knowledge bases, the last changed first."""
        return await self._transport.get(ROOT, KnowledgeBaseList, request)

    async def create(self, request: CreateKnowledgeBaseRequest) -> KnowledgeBaseRow:
        """A new, empty knowledge base."""
        return await self._transport.post(ROOT, KnowledgeBaseRow, request)

    async def show(self, knowledge_base_id: str, chunks: int = 50) -> KnowledgeBaseDetail:
        """A knowledge base and its first chunks."""
        request = GetKnowledgeBaseRequest(limit=chunks)
        return await self._transport.get(_path(knowledge_base_id), KnowledgeBaseDetail, request)

    async def change(self, knowledge_base_id: str, request: PatchKnowledgeBaseRequest) -> KnowledgeBasePatched:
        """Change what the request sets; None clears."""
        return await self._transport.call(
            "PATCH", _path(knowledge_base_id), KnowledgeBasePatched, json=request.to_request()
        )

    async def import_chunks(self, knowledge_base_id: str, request: ImportRequest) -> ImportReply:
        """Store a batch of chunks, or split and store a raw text."""
        path = _path(knowledge_base_id, "import")
        return await self._transport.post(path, ImportReply, request, seconds=IMPORT_SECONDS)

    async def bulk_insert(self, knowledge_base_id: str, request: BulkInsertRequest) -> ImportReply:
        """Store a batch of flat chunks."""
        path = _path(knowledge_base_id, "bulk-insert")
        return await self._transport.post(path, ImportReply, request, seconds=IMPORT_SECONDS)

    async def chunk_page(self, knowledge_base_id: str, request: ListChunksRequest) -> ChunkPage:
        """One page of chunks, oldest first."""
        return await self._transport.get(_path(knowledge_base_id, "memories"), ChunkPage, request)

    async def chunks(self, knowledge_base_id: str, page_size: int = 200) -> AsyncIterator[ChunkRow]:
        """Every active chunk, oldest first."""
        read = partial(self.chunk_page, knowledge_base_id)
        async for page in pages_from(read, ListChunksRequest(limit=page_size)):
            for chunk in page.memories:
                yield chunk

    async def query(self, knowledge_base_id: str, request: QueryKnowledgeBaseRequest) -> QueryReply:
        """The chunks of one knowledge base for a query, best first."""
        return await self._transport.post(_path(knowledge_base_id, "query"), QueryReply, request)

    async def empty(self, knowledge_base_id: str) -> AsyncIterator[KnowledgeBaseEmptied]:
        """Delete all chunks permanently, page by page; the knowledge base stays."""
        path = _path(knowledge_base_id, "empty")
        async for page in until_done(lambda: self._transport.post(path, KnowledgeBaseEmptied)):
            yield page

    async def archive(self, knowledge_base_id: str) -> AsyncIterator[KnowledgeBaseArchived]:
        """Archive a knowledge base and its chunks, page by page."""
        path = _path(knowledge_base_id)
        async for page in until_done(lambda: self._transport.call("DELETE", path, KnowledgeBaseArchived)):
            yield page

    async def unarchive(self, knowledge_base_id: str) -> AsyncIterator[KnowledgeBaseRestored]:
        """Take a knowledge base out of the archive, page by page."""
        path = _path(knowledge_base_id, "unarchive")
        async for page in until_done(lambda: self._transport.post(path, KnowledgeBaseRestored)):
            yield page

    async def delete(self, knowledge_base_id: str) -> AsyncIterator[KnowledgeBaseDeleted]:
        """Remove an archived knowledge base permanently, page by page."""
        path, params = _path(knowledge_base_id), {"permanent": "true"}
        async for page in until_done(lambda: self._transport.call("DELETE", path, KnowledgeBaseDeleted, params=params)):
            yield page
