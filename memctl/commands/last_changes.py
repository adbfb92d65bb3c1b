"""When memories with keys were last changed, which the export of memd does not say: read by namespace, not one by one."""

from functools import partial

from memctl.client import MemdClient
from memctl.client.errors import NotFound
from memctl.importers.retries import with_retries
from memctl.wire.export import ExportedMemory
from memctl.wire.keyed_memories import MemorySearchRequest
from memctl.wire.limits import KEYED_SEARCH_MAX


class LastChanges:
    """The times of one memd; a namespace is read when the first of its memories is asked for."""

    def __init__(self, client: MemdClient) -> None:
        self._client = client
        self._times: dict[str, int] = {}
        self._read: set[str] = set()

    async def of(self, memory: ExportedMemory) -> int | None:
        """When the memory was last changed (epoch ms); None where it has been deleted meanwhile."""
        if memory.namespace is not None and memory.namespace not in self._read:
            self._read.add(memory.namespace)
            await self._read_namespace(memory.namespace)
        if memory.id in self._times:
            return self._times[memory.id]
        try:
            return (await with_retries(partial(self._client.memories.show, memory.id))).updated_at
        except NotFound:
            return None

    async def _read_namespace(self, namespace: str) -> None:
        """Remember the memories of a namespace."""
        request = MemorySearchRequest(namespace=namespace, limit=KEYED_SEARCH_MAX)
        while True:
            page = await with_retries(partial(self._client.memories.search, request))
            self._times.update({row.id: row.updated_at for row in page.memories})
            if not page.continue_cursor:
                return
            request = request.model_copy(update={"cursor": page.continue_cursor})
