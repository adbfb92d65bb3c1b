"""Write, edit, archive, restore and supersede from wherever a memory is shown: ask, confirm, do, offer the way back."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from memctl.text import one_line
from memctl.wire.history import RestoreRequest
from memctl.wire.memories import CaptureRequest, ForgetRequest, SupersedeRequest
from memctl.wire.updates import UpdateReply, UpdateRequest

from ..app import Memtui
from ..drafts import Draft, drop, keep, kept
from ..periods import period_notice, read_end, read_start
from ..presenters.memories import NEW, Editable
from .dialogs import Confirm
from .memory_form import MemoryForm

FIELDS = ("title", "content", "store", "category", "tags", "begin", "end")
_WORDS = {"begin": "beginning"}
Marked = Callable[[str, bool], None]


class MemoryChanges:
    """The changes to one memory; `marked` hears its id and whether it is about to go, `changed` when all has happened."""

    def __init__(self, app: Memtui, marked: Marked, changed: Callable[[], None]) -> None:
        self._app = app
        self._marked = marked
        self._changed = changed

    async def carry_out(self, what: str, memory_id: str) -> None:
        """`edit`, `archive`, `restore` or `supersede`, of the whole text that memd has; nothing if the user leaves before it comes."""
        found: list[Editable] = []
        screen = self._app.screen

        async def read() -> None:
            found.append(Editable.of(await self._app.client.memories.show(memory_id)))

        if await self._app.attempt(read) and self._app.screen is screen:
            steps = {"edit": self.edit, "archive": self.archive, "restore": self.restore, "supersede": self.supersede}
            await steps[what](found[0])

    async def write(self) -> None:
        """Store a new memory; the text stays until memd has stored it."""
        draft = self._stored_draft("new", NEW)
        while (draft := await self._form("New memory", "Store", "new", NEW, draft)) is not None:
            if await self._app.attempt(partial(self._capture, draft.memory)):
                break
            keep("new", draft)
        drop("new", NEW)

    async def _capture(self, new: Editable) -> None:
        request = CaptureRequest(
            title=new.title,
            content=new.content,
            store=new.store,
            category=new.category,
            tags=list(new.tags),
            channel=new.channel,
            valid_from=read_start(new.begin),
            valid_until=read_end(new.end),
        )
        stored = await self._app.client.memories.capture(request)
        self._changed()
        revert = partial(self._forget, stored.id)
        await self._app.undo.done(f"stored {one_line(new.title, 30)}", revert)
        self._announce(new, stored.valid_from, stored.valid_until)

    def _announce(self, memory: Editable, start: int | None, end: int | None) -> None:
        """Say when a memory is true, as it was typed or as memd read it from the text."""
        if when := period_notice(start, end, self._app.clock()):
            self._app.toast(f"{one_line(memory.title, 30)}: {when}")

    async def _forget(self, memory_id: str) -> None:
        await self._app.client.memories.forget(ForgetRequest(memory_id=memory_id))

    async def restore(self, memory: Editable) -> None:
        """Take a memory out of the archive."""
        await self._unarchive(memory.id)
        self._changed()
        await self._app.undo.done(f"restored {one_line(memory.title, 30)}", partial(self._forget, memory.id))

    async def _unarchive(self, memory_id: str) -> None:
        await self._app.client.history.restore(memory_id, RestoreRequest())

    async def edit(self, memory: Editable) -> None:
        """Change fields in place; taking it back writes the old values. The text stays until memd has stored it."""
        draft = self._stored_draft("edit", memory)
        while (draft := await self._form("Edit the memory", "Save", "edit", memory, draft)) is not None:
            new = draft.memory
            names = [name for name in FIELDS if getattr(new, name) != getattr(memory, name)]
            if not names:
                self._app.toast("no changes")
                break
            shown = ", ".join(_WORDS.get(name, name) for name in names)
            if await self._confirmed(f"Save {shown} of", memory, "Save") and await self._saved(memory, new, names):
                break
            keep("edit", draft)
        drop("edit", memory)

    async def _saved(self, old: Editable, new: Editable, names: list[str]) -> bool:
        """Whether memd took the change; taking it back also restores the period, which memd reads from a new text."""
        found: list[UpdateReply] = []

        async def save() -> None:
            found.append(await self._save(new, names))

        if not await self._app.attempt(save):
            return False
        (reply,) = found
        is_dated = not {"content", "begin", "end"}.isdisjoint(names)
        back = [*dict.fromkeys((*names, "begin", "end"))] if is_dated else names
        await self._app.undo.done(f"edited {one_line(new.title, 30)}", partial(self._restore, old, back))
        if is_dated:
            self._announce(new, reply.valid_from, reply.valid_until)
        return True

    async def _restore(self, values: Editable, names: list[str]) -> None:
        await self._save(values, names)

    async def _save(self, values: Editable, names: list[str]) -> UpdateReply:
        fields: dict[str, Any] = {name: getattr(values, name) for name in names}
        for name, attribute, read in (("begin", "valid_from", read_start), ("end", "valid_until", read_end)):
            if name in fields:
                fields[attribute] = read(fields.pop(name))
        if "tags" in fields:
            fields["tags"] = list(values.tags)
        reply = await self._app.client.memories.update(UpdateRequest(memory_id=values.id, **fields))
        self._changed()
        return reply

    async def archive(self, memory: Editable) -> None:
        """Move a memory to the archive; undo takes it out again."""
        archive, name = partial(self._forget, memory.id), one_line(memory.title, 30)
        if await self._confirmed("Archive", memory, "Archive"):
            if await self._app.attempt(archive):
                await self._app.undo.done(f"archived {name}", partial(self._unarchive, memory.id))
            else:
                self._app.toast(f"not archived: {name}")
            self._changed()

    async def supersede(self, memory: Editable) -> None:
        """Replace by a new memory after a delay; a text that memd refuses then waits for the next attempt."""
        memory = replace(memory, begin="", end="")  # the period of the new memory is its own
        draft = self._stored_draft("supersede", memory)
        question = "Supersede the memory by a new one"
        while (draft := await self._form(question, "Supersede", "supersede", memory, draft)) is not None:
            if await self._confirmed("Supersede", memory, "Supersede"):
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
            valid_from=read_start(new.begin),
            valid_until=read_end(new.end),
            reason=draft.reason.strip() or None,
        )
        keep("supersede", draft)

        async def send() -> None:
            reply = await self._app.client.memories.supersede(request)
            drop("supersede", memory)
            self._announce(new, reply.named_start(), reply.valid_until)

        lost = f"{one_line(memory.title, 30)} is not superseded; your text is kept: s on it continues"
        await self._hold(f"superseding {one_line(memory.title, 30)}", memory.id, send, lost)

    def _stored_draft(self, kind: str, memory: Editable) -> Draft | None:
        """The draft of an earlier attempt, which is mentioned."""
        draft = kept(kind, memory)
        if draft is not None:
            self._app.toast("continuing with your draft; Esc discards it")
        return draft

    async def _form(self, question: str, yes: str, kind: str, memory: Editable, draft: Draft | None) -> Draft | None:
        form = MemoryForm(
            question,
            yes,
            memory,
            draft=draft,
            with_reason=kind == "supersede",
            with_channel=kind == "new",
            keep=partial(keep, kind),
        )
        return await self._app.push_screen_wait(form)

    async def _hold(self, label: str, memory_id: str, send: Callable[[], Any], lost: str) -> None:
        """Send after a delay, unless it is undone first; `lost` is shown when memd refuses it, or does not answer."""

        async def settle() -> str:
            is_sent = await self._app.attempt(send)
            if not is_sent:
                self._app.toast(lost)
            self._marked(memory_id, False)
            self._changed()
            return "" if is_sent else lost

        async def revert() -> None:
            self._marked(memory_id, False)

        await self._app.undo.hold(label, settle, revert)
        self._marked(memory_id, True)

    async def _confirmed(self, verb: str, memory: Editable, yes: str) -> bool:
        return bool(await self._app.push_screen_wait(Confirm(f"{verb} “{one_line(memory.title, 60)}”?", yes)))
