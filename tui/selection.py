"""Changes to several memories at once: archive, restore, tag, move, delete; each reports its progress."""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from memctl.client import MemdClient
from memctl.client.errors import MemoryNotFound
from memctl.text import count
from memctl.wire.history import RestoreRequest
from memctl.wire.memories import ForgetRequest
from memctl.wire.updates import UpdateRequest

One = Callable[[str], Awaitable[None]]


def tags_of(text: str) -> list[str]:
    """The tags that a line names, apart by blanks or commas, with or without a number sign."""
    return [name for name in re.split(r"[\s,#]+", text.lower()) if name]


def tag_request(memory_id: str, changes: Sequence[str]) -> UpdateRequest:
    """The request that makes changes such as `ops`, `+ops` and `-draft`; of several to one tag the last counts."""
    removes = {change.lstrip("+-#").lower(): change.startswith("-") for change in changes}
    removes.pop("", None)
    return UpdateRequest(
        memory_id=memory_id,
        add_tags=[tag for tag, removed in removes.items() if not removed],
        remove_tags=[tag for tag, removed in removes.items() if removed],
    )


class Selection:
    """Selected memories, and an action on all of them, one request for each.

    A failure ends it; `progress` hears how many were done, and those stay done: they are `done`.
    """

    def __init__(self, client: MemdClient, ids: Sequence[str], progress: Callable[[int, int], None]) -> None:
        self._client = client
        self.ids = tuple(ids)
        self._progress = progress
        self.done: list[str] = []
        self._before: list[tuple[str, int]] = []

    @property
    def words(self) -> str:
        """How many they are, for people."""
        return count(len(self.ids), "memory", "memories")

    async def _each(self, one: One) -> None:
        self.done.clear()
        for memory_id in self.ids:
            await one(memory_id)
            self.done.append(memory_id)
            self._progress(len(self.done), len(self.ids))

    async def archive(self) -> None:
        """Archive them."""
        await self._each(self._archive)

    async def restore(self) -> None:
        """Take them out of the archive."""
        await self._each(self._restore)

    async def delete(self) -> None:
        """Delete them permanently."""
        await self._each(partial(self._forget, permanent=True))

    async def tag(self, changes: Sequence[str]) -> None:
        """Add and remove tags."""
        await self._each(partial(self._tag, changes))

    async def move(self, channel: str) -> None:
        """Give them another channel."""
        await self._each(partial(self._move, channel))

    async def put_back(self) -> int:
        """Give those that were tagged or moved the version of before; how many somebody changed since, which stay as they are."""
        left = 0
        while self._before:
            memory_id, version = self._before[-1]
            try:
                is_changed = (await self._client.memories.show(memory_id)).versions != version + 1
                if not is_changed:
                    await self._client.history.restore(memory_id, RestoreRequest(version=version))
            except MemoryNotFound:
                is_changed = True
            left += is_changed
            self._before.pop()
        return left

    async def _archive(self, memory_id: str) -> None:
        await self._forget(memory_id, permanent=False)

    async def _forget(self, memory_id: str, *, permanent: bool) -> None:
        await self._client.memories.forget(ForgetRequest(memory_id=memory_id, permanent=permanent))

    async def _restore(self, memory_id: str) -> None:
        await self._client.history.restore(memory_id, RestoreRequest())

    async def _tag(self, changes: Sequence[str], memory_id: str) -> None:
        memory = await self._client.memories.show(memory_id)
        request = tag_request(memory_id, changes)
        if request.tags_after(memory.tags) != memory.tags:
            await self._client.memories.update(request)
            self._before.append((memory_id, memory.versions))

    async def _move(self, channel: str, memory_id: str) -> None:
        memory = await self._client.memories.show(memory_id)
        if memory.channel != channel:
            await self._client.memories.update(UpdateRequest(memory_id=memory_id, channel=channel))
            self._before.append((memory_id, memory.versions))
