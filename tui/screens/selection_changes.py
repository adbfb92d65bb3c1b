"""Changes to several memories at once: ask, confirm, carry out, and offer undo."""

from collections.abc import Awaitable, Callable
from functools import partial

from memctl.text import count

from ..app import Memtui
from ..selection import Selection
from .dialogs import Ask, Confirm

Change = Callable[[], Awaitable[None]]


class SelectionChanges:
    """`changed` is called when rows have changed, `progress` while they do."""

    def __init__(self, app: Memtui, changed: Callable[[], None], progress: Callable[[int, int], None]) -> None:
        self._app = app
        self._changed = changed
        self._progress = progress

    def selection(self, ids: list[str]) -> Selection:
        """The memories with these ids."""
        return Selection(self._app.client, ids, self._progress)

    async def carry_out(self, what: str, ids: list[str]) -> None:
        """`archive`, `restore`, `tag`, `move` or `delete`."""
        steps = {
            "archive": self._archive,
            "restore": self._restore,
            "tag": self._tag,
            "move": self._move,
            "delete": self._delete,
        }
        await steps[what](self.selection(ids))

    async def _archive(self, chosen: Selection) -> None:
        if await self._confirmed(f"Archive {chosen.words}?", "Archive"):
            await self._do("archived {}", chosen, chosen.archive, lambda: self.selection(chosen.done).restore())

    async def _restore(self, chosen: Selection) -> None:
        if await self._confirmed(f"Restore {chosen.words} from the archive?", "Restore", harmless=True):
            await self._do("restored {}", chosen, chosen.restore, lambda: self.selection(chosen.done).archive())

    async def _delete(self, chosen: Selection) -> None:
        question = f"Delete {chosen.words} permanently, with all versions? This cannot be undone."
        if await self._confirmed(question, "Delete"):
            await self._do("deleted {}", chosen, chosen.delete, None)

    async def _tag(self, chosen: Selection) -> None:
        question = f"Tags of {chosen.words}: a word adds a tag, -word removes it"
        given = await self._app.push_screen_wait(Ask(question, "Change tags", placeholder="ops -draft"))
        if given:
            change = partial(chosen.tag, given.replace(",", " ").split())
            await self._do("tagged {}", chosen, change, partial(self._put_back, chosen))

    async def _move(self, chosen: Selection) -> None:
        question = f"Move {chosen.words} to which channel?"
        given = await self._app.push_screen_wait(Ask(question, "Move", placeholder="slack:eng"))
        if given:
            back = partial(self._put_back, chosen)
            await self._do("moved {}", chosen, partial(chosen.move, given), back, f" to {given}")

    async def _put_back(self, chosen: Selection) -> None:
        if left := await chosen.put_back():
            self._app.toast(f"{count(left, 'memory', 'memories')} changed since, not undone")

    async def _do(self, label: str, chosen: Selection, change: Change, revert: Change | None, end: str = "") -> None:
        """Make a change; of one that fails in the middle, what was done is said and can be undone, if `revert` can."""
        is_whole = await self._app.attempt(change)
        if chosen.done:
            done = self.selection(chosen.done).words
            label = label.format(done) + end
            self._app.toast(label if is_whole else f"{label}, not all {len(chosen.ids)}")
            if revert is not None:
                await self._app.undo.done(label, revert)
        self._changed()

    async def _confirmed(self, question: str, yes: str, *, harmless: bool = False) -> bool:
        return bool(await self._app.push_screen_wait(Confirm(question, yes, harmless=harmless)))
