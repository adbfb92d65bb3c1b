"""The shell completes commands and the names of knowledge bases; without a server it stays silent."""

import asyncio
from functools import partial

import click
import pytest
from click.shell_completion import ShellComplete
from starlette.types import ASGIApp

from memctl.commands import parameter_types
from memctl.main import cli
from memctl.wire.conflicts import ConflictsRequest
from memd.context import Services
from memd.domain.types import KeyScope
from tests.memctl.conftest import Beside
from tests.support.jobs import done
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.wire import post


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine does not decide what is offered."""
    monkeypatch.setattr(parameter_types, "COMPLETION_SECONDS", 60.0)


async def completed(app: ASGIApp, key: str, words: list[str], incomplete: str) -> list[str]:
    transport = Beside(asyncio.get_running_loop(), app)
    shell = ShellComplete(cli, {"obj": transport}, "memctl", "_MEMCTL_COMPLETE")
    arguments = ["--url", BASE, "--api-key", key, *words]
    found = await asyncio.to_thread(partial(shell.get_completions, arguments, incomplete))
    return [item.value for item in found]


@pytest.mark.parametrize("words", [["kb", "show"], ["kb", "query"], ["recall", "query", "--kb"], ["eval", "x", "--kb"]])
async def test_names_of_knowledge_bases_are_offered(app: ASGIApp, user: TestUser, words: list[str]) -> None:
    for name in ("Handbook", "hanging", "other"):
        await user.http.post("/api/knowledge-bases", json={"name": name})
    assert sorted(await completed(app, user.key, words, "han")) == ["Handbook", "hanging"]


@pytest.mark.parametrize("command", ["show", "forget", "edit", "history", "trace", "restore"])
async def test_ids_of_memories_are_offered(app: ASGIApp, user: TestUser, command: str) -> None:
    stored = (await post(user, "capture", {"title": "T", "content": "C"}))["id"]
    assert await completed(app, user.key, [command], "mem_") == [stored]
    assert await completed(app, user.key, [command], "kb_") == []


@pytest.mark.parametrize(
    "words", [["recall", "q", "--channel"], ["list", "-c"], ["search", "q", "-c"], ["snapshot", "list", "-c"]]
)
async def test_channels_are_offered_the_last_used_first(app: ASGIApp, user: TestUser, words: list[str]) -> None:
    await post(user, "log", {"content": "a", "role": "user", "channel": "slack:old", "timestamp": 1_700_000_000_000})
    await post(user, "capture", {"title": "T", "content": "C", "channel": "slack:new"})
    await post(user, "log", {"content": "b", "role": "user", "channel": "mail"})
    assert await completed(app, user.key, words, "slack") == ["slack:new", "slack:old"]


async def test_ids_of_keys_checkpoints_snapshots_and_jobs_are_offered(app: ASGIApp, make_user: MakeUser) -> None:
    admin = await make_user(admin=True, scopes=tuple(KeyScope))
    point = (await post(admin, "checkpoint", {"label": "before"}))["id"]
    body = {"sessionKey": "s", "messages": [{"role": "user", "content": "x"}]}
    snapshot = (await post(admin, "snapshot", body))["id"]
    key = (await admin.client.accounts.list_keys()).keys[0].id
    for words, offered in {
        ("keys", "revoke"): key,
        ("checkpoint", "show"): point,
        ("snapshot", "show"): snapshot,
        ("jobs", "run"): "consolidate",
    }.items():
        assert await completed(app, admin.key, [*words], offered[:4]) == [offered], words


async def test_ids_of_memories_that_have_ended_or_not_begun_are_offered(app: ASGIApp, user: TestUser) -> None:
    sent = ({"validUntil": "2021-03-01"}, {"validFrom": "2095-03-01"})
    ids = [
        (await post(user, "capture", {"title": "T", "content": str(at), **sides}))["id"]
        for at, sides in enumerate(sent)
    ]
    assert sorted(await completed(app, user.key, ["show"], "mem_")) == sorted(ids)


@pytest.mark.parametrize("words", [["recall", "q", "--tag"], ["list", "--tag"], ["capture", "T", "--tag"]])
async def test_tags_are_offered(app: ASGIApp, user: TestUser, words: list[str]) -> None:
    await post(user, "capture", {"title": "T", "content": "C", "tags": ["ops", "open", "food"]})
    assert sorted(await completed(app, user.key, words, "op")) == ["open", "ops"]


async def test_ids_of_conflicts_are_offered(app: ASGIApp, user: TestUser, services: Services) -> None:
    for place in ("Oslo", "Rome"):
        await post(user, "capture", {"title": "T", "content": f"Ana lives in {place}."})
    await done(services, user)
    (conflict,) = (await user.client.conflicts.list(ConflictsRequest())).conflicts
    assert await completed(app, user.key, ["conflicts", "resolve"], "conf_") == [conflict.id]


@pytest.mark.parametrize(
    "words",
    [["sessions", "show"], ["sessions", "delete"], ["search", "q", "--session"], ["snapshot", "list", "--session"]],
)
async def test_sessions_are_offered_each_once(app: ASGIApp, user: TestUser, words: list[str]) -> None:
    for at, (key, channel) in enumerate([("s-41", "cli"), ("s-42", "cli"), ("s-42", "slack"), ("t-1", "cli")]):
        await post(user, "log", {"content": f"line {at}", "sessionKey": key, "channel": channel, "timestamp": at + 1})
    assert await completed(app, user.key, words, "s-") == ["s-42", "s-41"]


async def test_columns_are_offered_each_once(app: ASGIApp) -> None:
    assert await completed(app, "k", ["list", "--columns"], "ti") == ["title"]
    assert await completed(app, "k", ["list", "--columns"], "title,from,t") == ["title,from,tags"]


async def test_commands_are_offered_without_a_server(app: ASGIApp) -> None:
    assert await completed(app, "k", ["kb"], "arch") == ["archive"]


def test_a_server_that_does_not_answer_gives_no_names() -> None:
    shell = ShellComplete(cli, {}, "memctl", "_MEMCTL_COMPLETE")
    assert shell.get_completions(["--url", "http://127.0.0.1:9", "kb", "show"], "") == []
    assert shell.get_completions(["--url", "http://127.0.0.1:9", "show"], "") == []
    assert isinstance(cli, click.Group)
