"""Finding knowledge bases by name, and creating one so that concurrent programs share it."""

from memctl.client import MemdClient
from memctl.diagnostics import note
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest, KnowledgeBaseRow, ListKnowledgeBasesRequest


async def with_name(client: MemdClient, name: str) -> list[KnowledgeBaseRow]:
    """The knowledge bases of a name, archived ones among them; names are compared trimmed and without case."""
    listing = await client.knowledge_bases.list(ListKnowledgeBasesRequest(include_inactive=True))
    folded_name = name.strip().casefold()
    return [row for row in listing.knowledge_bases if row.name.strip().casefold() == folded_name]


async def make_base(client: MemdClient, request: CreateKnowledgeBaseRequest) -> KnowledgeBaseRow:
    """Create a knowledge base whose name is not in use.

    If another program creates one at the same moment, both use the first one, and the other one is archived.
    """
    row = await client.knowledge_bases.create(request)
    earlier = [each for each in await with_name(client, row.name) if not each.archived and each.id < row.id]
    if not earlier:
        note(f"created the knowledge base {row.name} ({row.id})")
        return row
    async for _ in client.knowledge_bases.archive(row.id):
        pass
    first = min(earlier, key=lambda each: each.id)
    note(f"another program has just created the knowledge base {first.name} ({first.id})")
    return first
