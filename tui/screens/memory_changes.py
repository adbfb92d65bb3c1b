"""Edit, archive and supersede from wherever a memory is shown: ask, confirm, do, and offer the way back."""

from collections.abc import Callable
from functools import partial
from typing import Any

from memctl.text import one_line
from memctl.wire.memories import ForgetRequest, SupersedeRequest, UpdateRequest

from ..app import Memtui
from ..drafts import Draft, drop, keep, kept
from ..presenters.memories import Editable
from .dialogs import Confirm
from .memory_form import MemoryForm

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
        """Change fields in place; taking it back writes the old values. The text stays until memd has stored it."""
        draft = self._taken_up("edit", memory)
        while (draft := await self._form("Edit the memory", "Save", "edit", memory, draft)) is not None:
            new = draft.memory
            names = [name for name in FIELDS if getattr(new, name) != getattr(memory, name)]
            if not names:
                self._app.tell("nothing was changed")
                break
            if await self._sure(f"Save {', '.join(names)} of", memory, "Save") and await self._saved(new, names, draft):
                label = f"edited {one_line(new.title, 30)}"
                await self._app.undo.done(label, partial(self._save, memory, names))
                break
        drop("edit", memory)

    async def _saved(self, new: Editable, names: list[str], draft: Draft) -> bool:
        """Whether memd took the change; when it did not, the draft is kept and the form opens again."""
        if await self._app.attempt(partial(self._save, new, names)):
            return True
        keep("edit", draft)
        return False

    async def _save(self, values: Editable, names: list[str]) -> None:
        fields: dict[str, Any] = {name: getattr(values, name) for name in names}
        if "tags" in fields:
            fields["tags"] = list(values.tags)
        await self._app.client.memories.update(UpdateRequest(memory_id=values.id, **fields))
        self._changed()

    async def archive(self, memory: Editable) -> None:
        """Archive after a moment; memd cannot take that back, so until then it is only marked."""
        if not await self._sure("Archive", memory, "Archive"):
            return

        async def send() -> None:
            await self._app.client.memories.forget(ForgetRequest(memory_id=memory.id))

        await self._hold(f"archiving {one_line(memory.title, 30)}", memory.id, send)

    async def supersede(self, memory: Editable) -> None:
        """Replace by a new memory after a moment; a text that memd refuses then waits for the next attempt."""
        draft = self._taken_up("supersede", memory)
        question = "Supersede the memory by a new one"
        while (draft := await self._form(question, "Supersede", "supersede", memory, draft)) is not None:
            if await self._sure("Supersede", memory, "Supersede"):
                await self._hold_supersede(memory, draft)
                return
        drop("supersede", memory)

    async def _hold_supersede(self, memory: Editable, draft: Draft) -> None:
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
        keep("supersede", draft)

        async def send() -> None:
            await self._app.client.memories.supersede(request)
            drop("supersede", memory)

        lost = f"{one_line(memory.title, 30)} is not superseded; your text is kept: s on it continues"
        await self._hold(f"superseding {one_line(memory.title, 30)}", memory.id, send, lost)

    def _taken_up(self, kind: str, memory: Editable) -> Draft | None:
        """The draft of an earlier attempt, which is mentioned."""
        draft = kept(kind, memory)
        if draft is not None:
            self._app.tell("continuing with your draft; Esc discards it")
        return draft

    async def _form(self, question: str, yes: str, kind: str, memory: Editable, draft: Draft | None) -> Draft | None:
        form = MemoryForm(question, yes, memory, draft=draft, with_reason=kind == "supersede", keep=partial(keep, kind))
        return await self._app.push_screen_wait(form)

    async def _hold(self, label: str, memory_id: str, send: Callable[[], Any], lost: str = "") -> None:
        """Send after a moment, unless it is taken back before; `lost` is said when memd refuses it."""

        async def settle() -> None:
            if not await self._app.attempt(send) and lost:
                self._app.tell(lost)
            self._marked(memory_id, False)
            self._changed()

        async def revert() -> None:
            self._marked(memory_id, False)

        await self._app.undo.hold(label, settle, revert)
        self._marked(memory_id, True)

    async def _sure(self, verb: str, memory: Editable, yes: str) -> bool:
        return bool(await self._app.push_screen_wait(Confirm(f"{verb} “{one_line(memory.title, 60)}”?", yes)))
