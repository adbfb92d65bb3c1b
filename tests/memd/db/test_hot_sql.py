"""docs/sql holds the statements of recall, message search and import as they are sent; `MEMD_PIN=1` writes it anew."""

import os
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any

import pytest

from memd.context import Services
from memd.db.session import Session
from memd.recall.memory_lanes import MIN_HITS
from tests.support.dict_rows import dict_rows
from tests.support.hot_sql import ROOT, Sent, rendered, sender
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture
from tests.walk.requests import REQUESTS

FOLDER = ROOT / "docs" / "sql"
WANTED = {
    "recall": "What one recall sends to Postgres (contract 11.1)",
    "search": "What one message search sends to Postgres (contract 7.2, 11.4)",
    "import": "What one import of chunks sends to Postgres (contract 8.4)",
}
NOT_ALWAYS = ("memd/memories/access", "memd/embed/service.py", "memd/embed/store.py", "memd/accounts/")
"""What is written after the reply, read when a cache has expired, or noted of any write."""
_ours: ContextVar[bool] = ContextVar("ours", default=False)


def is_shown(file: str, sql: str) -> bool:
    """Whether a statement belongs into the files: not the transaction around it, and not what only some requests send."""
    return (
        bool(file) and not file.startswith(NOT_ALWAYS) and not sql.startswith(("BEGIN", "COMMIT", "SELECT set_config"))
    )


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Sent]:
    """The statements that are sent on behalf of the test's request; everything is sent as ever."""
    noted: list[Sent] = []
    send_on = Session._execute

    async def execute(cursor: Any, sql: str, params: Mapping[str, Any] | None) -> None:
        file, function = sender()
        if _ours.get() and is_shown(file, sql):
            noted.append(Sent(file, function, sql, params or {}))
        await send_on(cursor, sql, params)

    monkeypatch.setattr(Session, "_execute", staticmethod(execute))
    return noted


@pytest.mark.parametrize("name", WANTED)
async def test_the_statements_are_those_on_record(
    services: Services, user: TestUser, sent: list[Sent], name: str
) -> None:
    request: Callable[[], Awaitable[Any]] = await REQUESTS[name].prepare(services, user)
    for number in range(MIN_HITS):  # enough for recall to read the neighbours of its finds
        await capture(user, title=f"Freeze {number}", content=f"The API freeze {number} blocks release {number}.")
    await done(services, user)
    token = _ours.set(True)
    await request()
    _ours.reset(token)
    async with services.database.write(user.id) as session:
        for one in sent:
            await dict_rows(session, f"EXPLAIN {one.pasted()}")
    page, text = FOLDER / f"{name}.sql", rendered(sent, WANTED[name])
    if os.environ.get("MEMD_PIN"):
        FOLDER.mkdir(exist_ok=True)
        page.write_text(text)
    assert page.read_text() == text, "run MEMD_PIN=1 pytest tests/memd/db/test_hot_sql.py after a wanted change"
