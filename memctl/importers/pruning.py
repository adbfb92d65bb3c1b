"""Removes the chunks of files that are gone, or of parts of files that are gone."""

from collections.abc import Collection, Sequence

from memctl.client import MemdClient
from memctl.client.errors import NotFound
from memctl.wire.memories import ForgetRequest


def is_below(key: str, roots: Sequence[str]) -> bool:
    """Whether a dedupe key is that of a file among, or below, the imported paths; `.` stands for every file."""
    name, mark, _ = key.partition("#")
    return bool(mark) and any(root in {".", name} or name.startswith(f"{root}/") for root in roots)


async def prune(
    client: MemdClient, knowledge_base_id: str, roots: Sequence[str], keep: Collection[str], unread: Sequence[str]
) -> list[str]:
    """Archive chunks below `roots` whose key is not among `keep`; the keys that went. Files in `unread` lose nothing."""
    gone = [
        (chunk.id, chunk.dedupe_key)
        async for chunk in client.knowledge_bases.chunks(knowledge_base_id)
        if chunk.dedupe_key and chunk.dedupe_key not in keep and is_below(chunk.dedupe_key, roots)
    ]
    gone = [(memory_id, key) for memory_id, key in gone if not is_below(key, unread)]
    for memory_id, _ in gone:
        try:
            await client.memories.forget(ForgetRequest(memory_id=memory_id, reason="pruned by memctl kb import"))
        except NotFound:
            continue
    return [key for _, key in gone]
