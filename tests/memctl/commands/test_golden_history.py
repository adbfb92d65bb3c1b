"""The output of the commands of history, conversations and upkeep, pinned like that of `test_golden`."""

import json
import re
from pathlib import Path

import pytest

from memd.context import Services
from memd.domain.types import KeyScope
from tests.memctl.commands import pinned
from tests.memctl.commands.pinned import Session
from tests.memctl.commands.test_golden import TALK
from tests.memctl.conftest import Terminal
from tests.support import jobs
from tests.support.service import MakeUser, TestUser

DAYS = re.compile(r"\d{4}-\d\d-\d\d")
AGE = re.compile(r"\b(?:now|\d+ (?:s|min|h|d|mo|y))\b(?= ·|$)", re.MULTILINE)
OTHER_IDS = re.compile(r"\b(conf|era|ver|dlv|aud)_[0-7][0-9a-hjkmnp-tv-z]{25}\b")


@pytest.fixture(autouse=True)
def more_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids, days and ages that only these commands print."""
    further = ((OTHER_IDS, r"\1_…"), (DAYS, "DAY"), (AGE, "AGE"))
    monkeypatch.setattr(pinned, "CHANGING", (*pinned.CHANGING, *further))


async def test_history(terminal: Terminal, user: TestUser, services: Services) -> None:
    talk = Session(terminal, user, "history")
    old = ("capture", "Mill", "The mill is owned by Ben.", "--created-at", "2026-02-01T00:00:00Z")
    new = ("capture", "Mill", "The mill is now owned by Cleo.", "--created-at", "2026-08-01T00:00:00Z")
    await talk.run(*old, keep="old", pin=False)
    await talk.run(*new, keep="new", pin=False)
    await jobs.done(services, user)
    await talk.run("recall", "who owns the mill?", "--as-of", "2026-03-15", "-n", "1", scores=False)
    await talk.run("profile", "mill")
    await talk.run("profile", "nobody")
    await talk.run("conflicts", "list")
    found = json.loads((await terminal(user, "conflicts", "list", "--json")).stdout)["conflicts"]
    talk.keep("conflict", found[0]["id"])
    await talk.run("conflicts", "resolve", "{conflict}", "supersede")
    await talk.run("conflicts", "list")
    await talk.run("edit", "{new}", "--tag", "mill", "--reason", "so that it is found", pin=False)
    await talk.run("history", "{new}")
    await talk.run("history", "{new}", "--json")
    await talk.run("diff", "{new}")
    await talk.run("undo", "--dry-run")
    await talk.run("undo", "--yes")
    await talk.run("forget", "{new}", pin=False)
    await talk.run("restore", "{new}")
    await talk.run("restore", "{new}")
    await talk.run("context", "who owns the mill?")
    await talk.run("context", "who owns the mill?", "--json")
    await talk.run("diff", "{new}", "--json")


async def test_conversations(terminal: Terminal, user: TestUser, services: Services, home: Path) -> None:
    (home / "work" / "talk.json").write_text(json.dumps(TALK))
    talk = Session(terminal, user, "conversations")
    await talk.run("log", "user", "Where is the runbook?", "-c", "ops", "--session", "s", keep="message", pin=False)
    await talk.run("sessions", "list")
    await talk.run("sessions", "show", "other")
    await talk.run("snapshot", "save", "talk.json", "--session", "s", "--channel", "ops", keep="snapshot")
    await talk.run("snapshot", "list")
    await talk.run("snapshot", "show", "{snapshot}")
    await jobs.done(services, user)  # the vector of the message is counted below
    await talk.run("messages", "delete", "{message}", "--yes", keep="erasure")
    await jobs.done(services, user)
    await talk.run("erasure", "{erasure}")
    await talk.run("sessions", "delete", "s", "--yes")


async def test_standing_questions(terminal: Terminal, user: TestUser) -> None:
    talk = Session(terminal, user, "standing")
    await talk.run("capture", "Mill", "The mill opens at six.", pin=False)
    await talk.run("standing", "add", "mill", "when does the mill open?", "--every", "6h")
    hooked = {"name": "pond", "query": "how deep is the pond?", "webhookUrl": "https://hooks.example.com/pond"}
    assert (await user.http.post("/api/standing", json=hooked)).status_code == 201
    await talk.run("standing", "list")
    await talk.run("standing", "show", "mill")
    await talk.run("standing", "run", "mill")
    await talk.run("standing", "remove", "mill")
    await talk.run("standing", "show", "mill")


async def test_upkeep(terminal: Terminal, make_user: MakeUser) -> None:
    admin = await make_user(admin=True, scopes=tuple(KeyScope))
    talk = Session(terminal, admin, "upkeep")
    await talk.run("audit")
    await talk.run("api", "GET", "/api/profile")
    await talk.run("api", "GET", "/api/nothing")
    await talk.run("jobs", "run", "decay")
    await talk.run("completion", "bash")
    await talk.run("account", "users", "erase", "nobody", "--yes")
    await talk.run("hooks", "retry")
    await talk.run("account", "users", "list")
    await talk.run("users", "delete", "nobody of this name", "--yes")
    await talk.run("hooks", "status")
    await talk.run("mcp", "list")
    await talk.run("mcp", "uninstall", "claude-code")
