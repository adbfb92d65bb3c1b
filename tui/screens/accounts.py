"""Keys and devices: the keys of the user, new ones, rotate, revoke, and letting a waiting device in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Checkbox, Input, Static

from memctl.client.errors import NotFound
from memctl.text import one_line
from memctl.wire.accounts import CreateKeyRequest, KeyRow
from memctl.wire.devices import DeviceApproveRequest
from memctl.wire.enums import KeyScope

from ..presenters import accounts as rows
from ..presenters.cells import TableRow
from ..widgets.row_table import Column, RowTable
from .dialogs import Ask, Confirm, Dialog
from .framed import COPY_ID, TableScreen

COLUMNS = (
    Column("label"),
    Column("scopes"),
    Column("state", 8),
    Column("last used", 12),
    Column("created", 16, from_width=90),
    Column("expires", 16, from_width=110),
)


@dataclass(frozen=True, slots=True)
class NewKey:
    """The fields of the form for a new key."""

    label: str
    scopes: list[KeyScope]


class NewKeyForm(Dialog[NewKey]):
    """Label and scopes."""

    def __init__(self) -> None:
        super().__init__("A new key. It cannot have more rights than the key in use.", "Create")

    def fields(self) -> ComposeResult:
        """A line and three boxes."""
        yield Input(placeholder="label", id="label", max_length=100)
        with Horizontal(classes="boxes"):
            for scope in KeyScope:
                yield Checkbox(scope.value, value=scope is KeyScope.READ, id=scope.value, compact=True)

    def answer(self) -> NewKey | None:
        """Not without a scope."""
        scopes = [scope for scope in KeyScope if self.query_one(f"#{scope.value}", Checkbox).value]
        return NewKey(self.query_one("#label", Input).value.strip(), scopes) if scopes else None

    def on_input_submitted(self) -> None:
        """Enter accepts."""
        self.action_accept()


class Secret(Dialog[bool]):
    """A key that is shown only once."""

    NO = ""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "copy", "Copy")]

    def __init__(self, secret: str) -> None:
        super().__init__("The key is shown only once. y copies it.", "Done")
        self._secret = secret

    def fields(self) -> ComposeResult:
        """The key, on one line to copy."""
        yield Static(self._secret, id="secret", markup=False)

    def answer(self) -> bool:
        """True: the key was shown."""
        return True

    def action_copy(self) -> None:
        """Put the key on the clipboard."""
        self.app.copy_to_clipboard(self._secret)
        self.app.toast("key copied")


class AccountsScreen(TableScreen):
    """The keys of the user, and devices that wait for approval."""

    TAB = "accounts"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "device", "Approve a device"),
        Binding("n", "new", "New key"),
        Binding("o", "rotate", "Rotate", tooltip="replace the secret of a key by a new one"),
        Binding("x", "revoke", "Revoke", tooltip="end a key for good, and those that it made"),
        COPY_ID,
    ]

    def __init__(self) -> None:
        super().__init__()
        self._keys: dict[str, KeyRow] = {}

    def body(self) -> ComposeResult:
        """Who one is, the keys, how devices get in."""
        yield Static(id="who", classes="heading", markup=False)
        yield RowTable(COLUMNS, id="table", title="Keys")
        hint = "A device without a key shows a code such as ABCD-EFGH: press d and enter the code to give it a key."
        yield Static(hint, classes="text", markup=False)

    def _rows(self) -> list[TableRow]:
        return [rows.key_row(key, self.now) for key in self._keys.values()]

    def redraw(self) -> None:
        """The keys with the ages of now."""
        self.table.redraw(self._rows())

    def load(self) -> None:
        """Read the keys, and whose they are."""

        async def read() -> None:
            keys = (await self.client.accounts.list_keys()).keys
            self._keys = {key.id: key for key in keys}
            self.table.show(self._rows(), self.table.current_key or 0)
            self.notice("")
            self.query_one("#who", Static).update(rows.who_line(await self.client.accounts.whoami()))

        self.ask(read)

    def action_device(self) -> None:
        """Approve or deny the device that shows a code."""

        async def decide() -> None:
            code = await self.app.push_screen_wait(Ask("Code shown on the device", "Next", placeholder="ABCD-EFGH"))
            if code is None:
                return
            approve = await self.app.push_screen_wait(
                Confirm(f"Approve the device with code {one_line(code, 20)}?", "Approve")
            )
            if not approve:
                self.app.toast("not approved; the code expires")
                return
            try:
                await self.client.devices.decide(DeviceApproveRequest(user_code=code.upper()))
            except NotFound:
                self.app.toast(f"no device waits with the code {one_line(code, 20)}; it may be mistyped or expired")
            else:
                self.app.toast("device approved")
                self.load()

        self.change(decide)

    def action_new(self) -> None:
        """Make a key."""

        async def make() -> None:
            new = await self.app.push_screen_wait(NewKeyForm())
            if new is not None:
                request = CreateKeyRequest(label=new.label or None, scopes=new.scopes)
                await self.app.push_screen_wait(Secret((await self.client.accounts.create_key(request)).api_key))
                self.load()

        self.change(make)

    def action_rotate(self) -> None:
        """Give a key a new secret."""

        async def rotate(key: KeyRow) -> None:
            question = f"Rotate “{one_line(key.label or key.id, 60)}”? Its old secret stops working at once."
            if await self.app.push_screen_wait(Confirm(question, "Rotate")):
                await self.app.push_screen_wait(Secret((await self.client.accounts.rotate_key(key.id)).api_key))
                self.load()

        self._with_current(rotate)

    def action_revoke(self) -> None:
        """End a key."""

        async def revoke(key: KeyRow) -> None:
            mine = " It is the key in use." if key.current else ""
            question = f"Revoke “{one_line(key.label or key.id, 60)}”? This cannot be undone.{mine}"
            if await self.app.push_screen_wait(Confirm(question, "Revoke")):
                await self.client.accounts.revoke_key(key.id)
                self.load()

        self._with_current(revoke)

    def _with_current(self, change: Callable[[KeyRow], Awaitable[None]]) -> None:
        key = self._keys.get(self.table.current_key or "")
        if key is not None:
            self.change(lambda: change(key))
