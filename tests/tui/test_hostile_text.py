"""No screen of memtui passes on what commands a terminal, or takes stored text for markup."""

from memd.context import Services
from memd.domain.types import KeyScope
from tests.support.hostile_rows import COMMANDS_A_TERMINAL, hostile_rows
from tests.support.service import MakeUser
from tests.support.terminal import OpenTerminal, Terminal
from tui.tabs import TABS


def harmless(tui: Terminal, where: str) -> str:
    shown = tui.text
    found = COMMANDS_A_TERMINAL.search(shown.replace("\n", ""))
    assert found is None, (where, found, shown)
    return shown


async def test_every_tab_and_its_first_row(services: Services, make_user: MakeUser, terminal: OpenTerminal) -> None:
    user = await make_user(admin=True, scopes=tuple(KeyScope))
    await hostile_rows(services, user)
    seen = ""
    for tab in TABS:
        async with terminal(tab.name, size=(160, 50), client=user.client) as tui:
            seen += harmless(tui, tab.name)
            if tab.name == "recall":
                await tui.type("harbour")
            await tui.press("enter")
            seen += harmless(tui, f"{tab.name}, enter")
            await tui.press("enter")
            seen += harmless(tui, f"{tab.name}, enter twice")
    assert seen.count("[/nope]") >= len(TABS)
