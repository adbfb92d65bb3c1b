"""Changing, archiving, restoring and removing knowledge bases over HTTP (contract 8.3)."""

from memctl.wire.knowledge_bases import (
    DeleteKnowledgeBaseReply,
    DeleteKnowledgeBaseRequest,
    KnowledgeBaseArchived,
    KnowledgeBaseDeleted,
    KnowledgeBasePatched,
    KnowledgeBaseRestored,
    PatchKnowledgeBaseRequest,
)
from memd.access.endpoint import Call, NoBody, Room
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.knowledge_bases.archiving import service as archiving
from memd.knowledge_bases.routes import base_id, row_fields

room = Room("knowledge_bases")


@room.endpoint(
    "PATCH",
    "/api/knowledge-bases/{id}",
    credits=1,
    scope=KeyScope.WRITE,
    body=PatchKnowledgeBaseRequest,
    reply=KnowledgeBasePatched,
    errors=(404,),
)
async def patch(call: Call[PatchKnowledgeBaseRequest]) -> KnowledgeBasePatched:
    """Change a knowledge base; null clears."""
    row = await archiving.patch(call.context, base_id(call.path["id"]), call.body)
    return KnowledgeBasePatched(**row_fields(row))


@room.endpoint(
    "DELETE",
    "/api/knowledge-bases/{id}",
    credits=1,
    scope=KeyScope.WRITE,
    query=DeleteKnowledgeBaseRequest,
    reply=DeleteKnowledgeBaseReply,
    errors=(404, 409),
)
async def delete(call: Call[NoBody]) -> KnowledgeBaseArchived | KnowledgeBaseDeleted:
    """Archive a knowledge base; with `permanent`, remove an archived one permanently, a page at a time."""
    requested_id = base_id(call.path["id"])
    wire_id = encode("kb", requested_id)
    if DeleteKnowledgeBaseRequest.from_query(call.query).permanent:
        removed, done = await archiving.remove(call.context, requested_id)
        return KnowledgeBaseDeleted(knowledge_base_id=wire_id, deleted_memories=removed, is_done=done)
    progress = await archiving.archive(call.context, requested_id)
    return KnowledgeBaseArchived(
        knowledge_base_id=wire_id, archived_memory_count=progress.chunks, is_done=progress.done
    )


@room.endpoint(
    "POST",
    "/api/knowledge-bases/{id}/unarchive",
    credits=1,
    scope=KeyScope.WRITE,
    reply=KnowledgeBaseRestored,
    errors=(404, 409),
)
async def unarchive(call: Call[NoBody]) -> KnowledgeBaseRestored:
    """Take a knowledge base out of the archive with the chunks that went there with it."""
    progress = await archiving.unarchive(call.context, base_id(call.path["id"]))
    return KnowledgeBaseRestored(
        **row_fields(progress.base), restored_memory_count=progress.chunks, is_done=progress.done
    )
