"""Edit, archive and supersede from wherever a memory is shown: ask, confirm, do, and offer the way back."""

from collections.abc import Callable
from typing import Any

from memctl.text import one_line
from memctl.wire.memories import ForgetRequest, SupersedeRequest, UpdateRequest
from tui.app import Memtui
from tui.presenters.memories import Editable
from tui.screens.dialogs import Confirm
from tui.screens.memory_form import MemoryForm

FIELDS = ("title", "content", "store", "category", "tags")
Marked = Callable[[str, bool], None]


class MemoryChanges:
    """The changes to one memory; `marked` hears its id and whether it is about to go, `changed` when all has happened."""

    def __init__(self, app: Memtui, marked: Marked, changed: Callable[[], None]) -> None:
        self._app = app
        self._marked = marked
        self._changed = changed

    async def carry_out(self, what: str, memory: Editable) -> None:
        """`edit`, `archive` or `supersede`."""
        await {"edit": self.edit, "archive": self.archive, "supersede": self.supersede}[what](memory)

    async def edit(self, memory: Editable) -> None:
        """Change fields in place; taking it back writes the old values."""
        draft = await self._app.push_screen_wait(MemoryForm("Edit the memory", "Save", memory))
        if draft is None:
            return
        new = draft.memory
        names = [name for name in FIELDS if getattr(new, name) != getattr(memory, name)]
        if not names:
            self._app.tell("nothing was changed")
            return
        if not await self._sure(f"Save {', '.join(names)} of", memory, "Save"):
            return

        async def save(values: Editable) -> None:
            fields: dict[str, Any] = {name: getattr(values, name) for name in names}
            if "tags" in fields:
                fields["tags"] = list(values.tags)
            await self._app.client.memories.update(UpdateRequest(memory_id=memory.id, **fields))
            self._changed()

        await save(new)
        await self._app.undo.done(f"edited {one_line(new.title, 30)}", lambda: save(memory))

    async def archive(self, memory: Editable) -> None:
        """Archive after a moment; memd cannot take that back, so until then it is only marked."""
        if not await self._sure("Archive", memory, "Archive"):
            return

        async def send() -> None:
            await self._app.client.memories.forget(ForgetRequest(memory_id=memory.id))

        await self._hold(f"archiving {one_line(memory.title, 30)}", memory.id, send)

    async def supersede(self, memory: Editable) -> None:
        """Replace by a new memory after a moment."""
        form = MemoryForm("Supersede the memory by a new one", "Supersede", memory, with_reason=True)
        draft = await self._app.push_screen_wait(form)
        if draft is None or not await self._sure("Supersede", memory, "Supersede"):
            return
        new = draft.memory
        request = SupersedeRequest(
            old_memory_id=memory.id,
            title=new.title,
            content=new.content,
            store=new.store,
            category=new.category,
            tags=list(new.tags),
            reason=draft.reason.strip() or None,
        )

        async def send() -> None:
            await self._app.client.memories.supersede(request)

        await self._hold(f"superseding {one_line(memory.title, 30)}", memory.id, send)

    async def _hold(self, label: str, memory_id: str, send: Callable[[], Any]) -> None:
        async def settle() -> None:
            await self._app.attempt(send)
            self._marked(memory_id, False)
            self._changed()

        async def revert() -> None:
            self._marked(memory_id, False)

        await self._app.undo.hold(label, settle, revert)
        self._marked(memory_id, True)

    async def _sure(self, verb: str, memory: Editable, yes: str) -> bool:
        return bool(await self._app.push_screen_wait(Confirm(f"{verb} “{one_line(memory.title, 60)}”?", yes)))
