"""Background work and junk from the terminal, against the real service."""

import json
import re
from collections.abc import Callable

import pytest

from memctl.client.errors import RateLimited
from memctl.client.junk import Junk
from memctl.wire.errors import ErrorBody
from memctl.wire.junk import JunkReply, JunkRequest
from memd.context import Services
from memd.domain.types import KeyScope
from tests.memctl.conftest import Terminal
from tests.memd.lifecycle.rows import kept
from tests.support.jobs import done
from tests.support.service import MakeUser, TestUser
from tests.support.wire import capture, post, send

LONG = (
    "The deploy of the payments service is done by the release team on Thursday morning after the smoke tests are "
    "green, and the on-call engineer watches the dashboards for one hour before anybody goes to lunch."
)


async def administrator(make_user: MakeUser) -> TestUser:
    return await make_user(admin=True, scopes=(KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN))


async def put_job(services: Services, user: TestUser, status: str, age: str) -> None:
    async with services.database.system() as session:
        await session.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, scheduled_at, lock, args) "
            "VALUES ('elsewhere', 'embed', %(status)s, now() - %(age)s::interval, 'held by nobody', "
            "        jsonb_build_object('user_id', %(user)s::text))",
            {"status": status, "age": age, "user": str(user.id)},
        )
        if status == "todo":
            await session.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, status, lock) "
                "VALUES ('elsewhere', 'embed', 'doing', 'held by nobody')"
            )


async def clear_jobs(services: Services) -> None:
    async with services.database.system() as session:
        await session.execute("DELETE FROM procrastinate_jobs WHERE lock = 'held by nobody'")


async def test_the_list_shows_queue_and_schedule(terminal: Terminal, user: TestUser) -> None:
    done = await terminal(user, "jobs", "list")
    assert done.exit_code == 0
    assert "the queue is empty" in done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {len(row) for row in rows} == {5}
    assert "extraction" in {row[0] for row in rows}
    assert "job" not in {row[0] for row in rows}
    result = json.loads((await terminal(user, "jobs", "list", "--json")).stdout)
    assert result["queue"]["depth"] == 0
    assert "cleanup" in {job["name"] for job in result["scheduled"]}


async def test_a_stuck_queue_is_no_green_light(terminal: Terminal, user: TestUser, services: Services) -> None:
    await put_job(services, user, "todo", "10 minutes")
    text, document = await terminal(user, "jobs", "list"), await terminal(user, "jobs", "list", "--json")
    await clear_jobs(services)
    assert "1 job waits, the oldest is overdue for 10 min" in text.stderr
    assert "the queue is stuck" in text.stderr
    assert (text.exit_code, document.exit_code) == (7, 7)


async def put_behind(services: Services, user: TestUser, *, pending: bool, ms: int = 0) -> None:
    """Make the user's memories wait for their vectors for so long, or no longer."""
    async with services.database.write(user.id) as session:
        await session.execute(
            "UPDATE memory SET embedding_pending = %(pending)s, updated_at = %(since)s WHERE user_id = %(user)s",
            {"user": user.id, "pending": pending, "since": services.clock() - ms},
        )


async def test_wait_ends_when_nothing_waits(terminal: Terminal, user: TestUser, services: Services) -> None:
    await capture(user, content=LONG)
    await done(services, user)
    ended = await terminal(user, "wait", "--json")
    assert (ended.exit_code, json.loads(ended.stdout)) == (0, json.loads(ended.stdout) | {"done": True, "lagMs": {}})


async def test_wait_gives_up_with_an_exit_code_of_its_own(
    terminal: Terminal, user: TestUser, services: Services
) -> None:
    await capture(user, content=LONG)
    await done(services, user)
    await put_behind(services, user, pending=True, ms=90_000)
    text = await terminal(user, "wait", "--kind", "embed", "--timeout", "0")
    document = await terminal(user, "wait", "--kind", "embed", "--timeout", "0", "--json")
    other = await terminal(user, "wait", "--kind", "graph", "--kind", "deletion", "--timeout", "0")
    behind, warned = await terminal(user, "jobs", "list"), await terminal(user, "doctor")
    await put_behind(services, user, pending=False)
    assert (text.exit_code, document.exit_code, other.exit_code) == (7, 7, 0)
    assert "still waiting after 0 s: embed_memory 9" in text.stderr
    assert json.loads(document.stdout)["lagMs"]["embed_memory"] >= 90_000
    assert "oldest waiting rows: embed_memory 9" in behind.stderr
    assert "behind: embed_memory 9" in warned.stdout
    assert "`memctl wait --kind embed`" in warned.stdout


async def test_a_failed_job_is_no_green_light(terminal: Terminal, user: TestUser, services: Services) -> None:
    await put_job(services, user, "failed", "1 minute")
    done = await terminal(user, "jobs", "list")
    await clear_jobs(services)
    assert "1 job of embed failed permanently" in done.stderr
    assert done.exit_code == 7


async def test_a_job_is_started_and_waited_for(terminal: Terminal, make_user: MakeUser) -> None:
    admin = await administrator(make_user)
    done = await terminal(admin, "jobs", "run", "recall_text_backfill", "--wait")
    assert done.exit_code == 0
    assert done.stdout.startswith("job_")
    assert re.search(r"recall_text_backfill: ok, \d+ memor(y|ies) shortened", done.stderr)  # those of other tests, too
    document = json.loads((await terminal(admin, "jobs", "run", "recall_text_backfill", "--wait", "--json")).stdout)
    assert document["jobId"].startswith("job_")
    assert (document["name"], document["lastOk"], document["lastRows"]) == ("recall_text_backfill", True, 0)


async def test_an_unknown_job_and_a_user_without_the_right_are_refused(
    terminal: Terminal, make_user: MakeUser, user: TestUser
) -> None:
    unknown = await terminal(await administrator(make_user), "jobs", "run", "frobnicate")
    assert unknown.exit_code == 5
    assert "extraction" in unknown.stderr
    assert (await terminal(user, "jobs", "run", "cleanup")).exit_code == 4


async def fill(user: TestUser) -> dict[str, str]:
    """Memories of every kind; name → id."""
    old = {"createdAt": 1_700_000_000_000, "lastAccessedAt": 1_700_000_000_000}
    return {
        "kept": await capture(user, title="Deploy", content=LONG, strength=0.9),
        "near": await capture(user, title="Deploy", content=LONG.replace("goes to lunch", "goes to dinner")),
        "copy": await capture(user, title="Deploys", content=LONG, store="semantic", category="rule"),
        "elsewhere": await capture(user, title="Deploy", content=LONG, channel="slack"),
        "never": await capture(user, title="An old note", content="Nobody ever asked for this.", **old),
    }


async def kinds(terminal: Terminal, user: TestUser, *options: str) -> dict[str, tuple[str, bool]]:
    done = await terminal(user, "audit", "--json", *options)
    assert done.exit_code == 0
    return {row["id"]: (row["kind"], row["archived"]) for row in json.loads(done.stdout)["findings"]}


async def active(user: TestUser) -> set[str]:
    return {row["id"] for row in (await send(user, "GET", "/api/memories"))["memories"]}


async def test_the_audit_lists_junk_and_changes_nothing(terminal: Terminal, user: TestUser) -> None:
    ids = await fill(user)
    found = await kinds(terminal, user)
    assert found == {
        ids["near"]: ("near-duplicate", False),
        ids["copy"]: ("duplicate", False),
    }
    text = await terminal(user, "audit")
    assert text.stdout.startswith("5 memories: 1 duplicate, 1 near-duplicate\n")
    assert await active(user) == set(ids.values())


@pytest.mark.usefixtures("typing")
async def test_apply_archives_copies_and_nothing_else(terminal: Terminal, user: TestUser) -> None:
    ids = await fill(user)
    refused = await terminal(user, "audit", "--apply", stdin="n\n")
    assert refused.exit_code != 0
    assert await active(user) == set(ids.values())
    done = await terminal(user, "audit", "--apply", stdin="y\n")
    assert done.exit_code == 0
    assert await active(user) == {ids["kept"], ids["elsewhere"], ids["never"]}


async def test_unused_memories_are_archived_when_they_are_named(
    terminal: Terminal, user: TestUser, days_pass: Callable[[int], None]
) -> None:
    ids = await fill(user)
    assert await kinds(terminal, user, "--kind", "never-recalled") == {}  # the old note was stored a moment ago
    days_pass(91)
    found = await kinds(terminal, user, "--kind", "never-recalled", "--apply", "--yes")
    unused = {ids["never"], ids["kept"], ids["elsewhere"]}
    assert found == dict.fromkeys(unused, ("never-recalled", True))
    assert await active(user) == set(ids.values()) - unused


async def test_what_reflection_wrote_is_archived_rather_than_the_copy_of_a_person(
    terminal: Terminal, user: TestUser
) -> None:
    own = await capture(user, title="Deploys", content=LONG, strength=0.8)
    derived = await capture(user, title="Deploys", content=LONG, store="semantic", source="inference", strength=0.85)
    assert await kinds(terminal, user, "--apply", "--yes") == {derived: ("duplicate", True)}
    assert await active(user) == {own}


async def test_what_extraction_would_not_make_is_archived_when_it_is_named(
    terminal: Terminal, user: TestUser, services: Services
) -> None:
    logged = await post(user, "log", {"role": "user", "content": "Wow, that sounds amazing!", "speaker": "Ann"})
    praise = await kept(services, user, "Ann: that sounds amazing.", [logged["id"]])
    assert await kinds(terminal, user, "--apply", "--yes") == {praise: ("not-worth-keeping", False)}
    assert await kinds(terminal, user, "--kind", "stale") == {}
    text = await terminal(user, "audit")
    assert "extraction keeps nothing of its messages" in text.stdout
    named = ["--kind", "not-worth-keeping", "--apply", "--yes"]
    assert await kinds(terminal, user, *named) == {praise: ("not-worth-keeping", True)}
    history = await terminal(user, "history", praise)
    assert "memctl audit: not-worth-keeping: extraction keeps nothing of its messages" in history.stdout
    assert (await terminal(user, "restore", praise)).exit_code == 0
    assert await kinds(terminal, user) == {}
    assert await active(user) == {praise}


async def test_a_rate_limit_is_waited_out(
    terminal: Terminal, user: TestUser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged = await post(user, "log", {"role": "user", "content": "Wow, that sounds amazing!", "speaker": "Ann"})
    praise = await kept(services, user, "Ann: that sounds amazing.", [logged["id"]])
    refusals = iter([RateLimited(429, ErrorBody(error="Rate limit exceeded", retry_after_ms=1))])
    answered = Junk.list

    async def refused_at_first(self: Junk, request: JunkRequest) -> JunkReply:
        for refusal in refusals:
            raise refusal
        return await answered(self, request)

    monkeypatch.setattr(Junk, "list", refused_at_first)
    assert await kinds(terminal, user) == {praise: ("not-worth-keeping", False)}


async def test_nothing_to_do_asks_nothing(terminal: Terminal, user: TestUser) -> None:
    await post(user, "capture", {"title": "One", "content": "Only this."})
    done = await terminal(user, "audit", "--apply")
    assert (done.exit_code, done.stdout.strip()) == (0, "1 memory: no junk")
