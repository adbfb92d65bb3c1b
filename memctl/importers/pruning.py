"""Removes the chunks of files that are gone, or of parts of files that are gone."""

from collections.abc import Collection, Sequence

from memctl.client import MemdClient
from memctl.client.errors import NotFound
from memctl.importers.download import is_url
from memctl.importers.retries import with_retries
from memctl.wire.memories import ForgetRequest


def is_below(key: str, roots: Sequence[str]) -> bool:
    """Whether a dedupe key is that of a file among, or below, the imported paths; `.` stands for every file.

    A web page is below nothing: it is one of the roots or none of them.
    """
    name, mark, _ = key.partition("#")
    if is_url(name):
        return bool(mark) and name in roots
    return bool(mark) and any(root in {".", name} or name.startswith(f"{root}/") for root in roots)


async def find_gone(
    client: MemdClient, knowledge_base_id: str, roots: Sequence[str], keep: Collection[str], unread: Sequence[str]
) -> dict[str, str]:
    """Chunks below `roots` whose key is not among `keep`, id by key; files in `unread` lose nothing."""
    return {
        chunk.dedupe_key: chunk.id
        async for chunk in client.knowledge_bases.chunks(knowledge_base_id)
        if chunk.dedupe_key
        and chunk.dedupe_key not in keep
        and is_below(chunk.dedupe_key, roots)
        and not is_below(chunk.dedupe_key, unread)
    }


async def archive(client: MemdClient, memory_id: str) -> None:
    """Archive a chunk; one that is gone already is fine."""
    request = ForgetRequest(memory_id=memory_id, reason="pruned by memctl kb import")
    try:
        await with_retries(lambda: client.memories.forget(request))
    except NotFound:
        return
