"""Export, wipe, import: what comes back is what was there, ids aside."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser, TestUser
from tests.support.wire import post

DAY = 86_400_000
MARCH = 1_772_323_200_123
MEMORIES: list[dict[str, Any]] = [
    {"title": "Plain", "content": "One line"},
    {"title": "Same title", "content": "first"},
    {"title": "Same title", "content": "second"},
    {"title": "- yaml: [looks", "content": "---\ntitle: not this\n---\n\nbody"},
    {"title": '"quoted" # and \\ more', "content": "  leading blanks and\r\nWindows lines\r\n\r\n"},
    {"title": "2026-01-01", "content": "\n\nblank lines around\n\n\n", "tags": ["true", "1", "null"]},
    {"title": "emoji 🦉 und Umlaute äöü", "content": "中文 العربية\u2028 \u0085 \t tab", "metadata": "only text"},
    {
        "title": "long " * 100,
        "content": "many words " * 2_000,
        "metadata": {"a": [1, 2.5, None, {"b": "c: d"}], "z": 1, "b": True},
    },
    {
        "title": "Everything",
        "content": "Set",
        "store": "procedural",
        "category": "workflow",
        "tags": ["ops", "release"],
        "channel": "slack:ops",
        "agentId": "writer",
        "projectId": "proj_x",
        "sessionKey": "s-1",
        "actionTriggers": ["deploy", "Bash"],
        "source": "cron",
        "strength": 0.123456,
        "confidence": 0.3,
        "valence": -0.7,
        "arousal": 0.9,
        "createdAt": MARCH,
        "lastAccessedAt": MARCH + DAY,
    },
]
CHUNKS: list[dict[str, Any]] = [
    {"content": "Vacation is 30 days.", "metadata": {"title": "Vacation", "sourceUrl": "h.md", "chunkIndex": 0, "totalChunks": 2}, "dedupeKey": "h.md#Vacation"},
    {"content": "Without a key", "metadata": {"title": "Keyless", "sourceType": "text"}, "tags": ["a", "b"]},
    {"content": "port: 80\nhost: a", "metadata": {"title": "app.yaml"}, "chunkKind": "config", "channel": "peer-x:1"},
]  # fmt: skip
BASE = {
    "name": "Handbook",
    "description": "What everyone\nshould know",
    "agentIds": ["writer", "editor"],
    "scope": "peer-team:main",
    "peerScopePolicy": "permissive",
    "sourceRole": "canonical_reference",
}


async def fill(user: TestUser) -> None:
    for memory in MEMORIES:
        assert (await user.http.post("/api/mcp/capture", json=memory)).status_code == 200
    base = (await user.http.post("/api/knowledge-bases", json=BASE)).json()["id"]
    await user.http.patch(f"/api/knowledge-bases/{base}", json={"metadata": {"owner": "us"}})
    assert (await user.http.post(f"/api/knowledge-bases/{base}/import", json={"chunks": CHUNKS})).status_code == 201


async def held(user: TestUser) -> list[Any]:
    """Everything of a user, without ids and without what a chunk cannot bring along: its times."""
    reply = (await user.http.get("/api/memories?pageSize=200")).json()
    rows = [{name: value for name, value in row.items() if name != "id"} for row in reply["memories"]]
    for row in rows:
        if row.pop("knowledgeBaseId", None):
            del row["createdAt"], row["lastAccessedAt"]
    bases = (await user.http.get("/api/knowledge-bases")).json()["knowledgeBases"]
    left_out = {"id", "_id", "knowledgeBaseId", "createdAt", "updatedAt"}
    rows += [{name: value for name, value in base.items() if name not in left_out} for base in bases]
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
async def test_an_export_comes_back_without_loss_and_only_once(
    terminal: Terminal, make_user: MakeUser, home: Path, form: str
) -> None:
    here, there = await make_user(), await make_user()
    await fill(here)
    target = home / "work" / ("export.jsonl" if form == "jsonl" else "export")
    done = await terminal(here, "export", "--format", form, "--to", str(target))
    assert (done.exit_code, done.stdout) == (0, "")
    first = await terminal(there, "import", form, str(target), "--json")
    assert first.exit_code == 0, first.output
    assert json.loads(first.stdout)["memories"] == {"new": len(MEMORIES), "known": 0}
    assert json.loads(first.stdout)["chunks"] == {"new": len(CHUNKS), "known": 0}
    assert await held(there) == await held(here)
    again = await terminal(there, "import", form, str(target), "--json")
    assert json.loads(again.stdout)["memories"] == {"new": 0, "known": len(MEMORIES)}
    assert json.loads(again.stdout)["chunks"] == {"new": 0, "known": len(CHUNKS)}
    assert await held(there) == await held(here)


async def test_without_a_ledger_a_second_import_adds_nothing_either(
    terminal: Terminal, make_user: MakeUser, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await make_user(), await make_user()
    await fill(here)
    await terminal(here, "export", "--to", "e.jsonl")
    await terminal(there, "import", "jsonl", "e.jsonl")
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(home / "other-state"))
    again = await terminal(there, "import", "jsonl", "e.jsonl", "--json")
    assert json.loads(again.stdout)["chunks"] == {"new": 0, "known": len(CHUNKS)}
    assert await held(there) == await held(here)


async def test_a_knowledge_base_comes_back_through_kb_export(terminal: Terminal, make_user: MakeUser) -> None:
    here, there = await make_user(), await make_user()
    await fill(here)
    lines = (await terminal(here, "kb", "export", "Handbook")).stdout
    assert [json.loads(line)["content"] for line in lines.splitlines()] == [chunk["content"] for chunk in CHUNKS]
    done = await terminal(there, "kb", "import", "Copy", "-", "--create", stdin=lines)
    assert done.exit_code == 0
    assert (await terminal(there, "kb", "export", "Copy")).stdout == lines


async def test_a_knowledge_base_comes_back_from_markdown(terminal: Terminal, make_user: MakeUser) -> None:
    here, there = await make_user(), await make_user()
    await fill(here)
    await terminal(here, "kb", "export", "Handbook", "--format", "markdown", "--to", "handbook")
    done = await terminal(there, "import", "markdown", "handbook")
    assert done.exit_code == 0
    chunks = [
        row for row in await held(here) if "title" not in row or row["title"] in {"Vacation", "Keyless", "app.yaml"}
    ]
    assert await held(there) == chunks


async def test_what_memd_made_of_conversations_comes_back_as_inferred(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    row = {"title": "T", "content": "C", "source": "conversation"}
    (home / "work" / "m.jsonl").write_text(json.dumps(row))
    assert (await terminal(user, "import", "jsonl", "m.jsonl")).exit_code == 0
    assert [each["source"] for each in await held(user)] == ["inference"]


async def fill_periods(user: TestUser) -> None:
    """A memory for each state of a period: over, superseded, of the present and of the future."""
    past, future = MARCH - 9 * DAY, 4_000_000_000_000
    over = {"title": "Over", "content": "Ana lived in Bergen.", "validFrom": past, "validUntil": past + DAY}
    upcoming = {"title": "Upcoming", "content": "Ana lives in Porto.", "validFrom": future, "validUntil": future + DAY}
    open_ended = {"title": "Lease", "content": "Ana rents a flat.", "validFrom": past, "validUntil": future}
    keyed = {"title": "City", "content": "Ana lives in Oslo.", "namespace": "facts", "key": "city", "createdAt": past}
    for row in (over, upcoming, open_ended):
        assert (await user.http.post("/api/mcp/capture", json=row)).status_code == 200
    old = (await user.http.post("/api/mcp/capture", json=keyed)).json()["id"]
    body = {"oldMemoryId": old, "title": "City", "content": "Ana lives in Rome.", "validFrom": MARCH}
    assert (await user.http.post("/api/mcp/supersede", json=body)).status_code == 200


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
async def test_what_is_true_no_more_or_not_yet_comes_back_with_its_period(
    terminal: Terminal, make_user: MakeUser, home: Path, form: str
) -> None:
    here, there = await make_user(), await make_user()
    await fill_periods(here)
    target = str(home / "work" / ("export.jsonl" if form == "jsonl" else "export"))
    assert (await terminal(here, "export", "--format", form, "--to", target)).exit_code == 0
    assert (await terminal(there, "import", form, target)).exit_code == 0
    rows = [
        [json.loads(line) for line in (await terminal(user, "export")).stdout.splitlines()] for user in (here, there)
    ]
    names = ("title", "content", "validFrom", "validUntil", "ended", "key")
    exported, imported = ({row["content"]: [row.get(name) for name in names] for row in each} for each in rows)
    assert imported == exported
    assert {content: (row[4], row[5]) for content, row in imported.items()} == {
        "Ana lived in Bergen.": (True, None),
        "Ana lives in Porto.": (None, None),
        "Ana rents a flat.": (None, None),
        "Ana lives in Oslo.": (True, None),
        "Ana lives in Rome.": (None, "city"),
    }
    assert imported["Ana lives in Oslo."][3] == imported["Ana lives in Rome."][2] == MARCH


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
async def test_a_superseded_chunk_is_exported_but_not_imported(
    terminal: Terminal, make_user: MakeUser, home: Path, form: str
) -> None:
    """An import of chunks knows no periods: the old text would replace the new one."""
    here, there = await make_user(), await make_user()
    await fill(here)
    rows = (await here.http.get("/api/memories?pageSize=200")).json()["memories"]
    old = next(row["id"] for row in rows if row["title"] == "Vacation")
    body = {"oldMemoryId": old, "title": "Vacation", "content": "Vacation is 31 days."}
    assert (await here.http.post("/api/mcp/supersede", json=body)).status_code == 200
    target = str(home / "work" / ("export.jsonl" if form == "jsonl" else "export"))
    assert (await terminal(here, "export", "--format", form, "--to", target)).exit_code == 0
    assert "Vacation is 30 days." in (await terminal(here, "export")).stdout
    done = await terminal(there, "import", form, target, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["chunks"] == {"new": len(CHUNKS), "known": 0}
    texts = (await terminal(there, "export")).stdout
    assert "Vacation is 31 days." in texts
    assert "Vacation is 30 days." not in texts


async def test_an_export_of_what_is_true_now_or_was_then(terminal: Terminal, user: TestUser) -> None:
    async def exported(*arguments: str) -> set[str]:
        lines = (await terminal(user, "export", *arguments)).stdout.splitlines()
        return {json.loads(line)["content"].split()[-1] for line in lines}

    await fill_periods(user)
    present = {"flat.", "Rome."}
    assert await exported("--valid-now") == present
    assert await exported() == await exported("--include-ended") == {*present, "Bergen.", "Porto.", "Oslo."}
    assert await exported("--valid-at", str(MARCH - 9 * DAY + 1)) == {"Bergen.", "flat.", "Oslo."}


async def test_memories_only_leaves_knowledge_bases_out(terminal: Terminal, user: TestUser) -> None:
    await fill(user)
    rows = [json.loads(line) for line in (await terminal(user, "export", "--memories-only")).stdout.splitlines()]
    assert len(rows) == len(MEMORIES)
    assert not any("knowledgeBaseId" in row or "knowledgeBase" in row for row in rows)


async def test_filters_choose_what_is_exported(terminal: Terminal, user: TestUser) -> None:
    await fill(user)
    filters = ("--store", "procedural", "--until", "2026-12-31", "--since", "2026-01-01")
    rows = [
        json.loads(line) for line in (await terminal(user, "export", "--memories-only", *filters)).stdout.splitlines()
    ]
    assert [row["title"] for row in rows] == ["Everything"]


@pytest.mark.parametrize("arguments", [("--format", "markdown"), ("--format", "markdown", "--to", ".")])
async def test_a_folder_is_asked_for_and_must_be_new(
    terminal: Terminal, user: TestUser, home: Path, arguments: tuple[str, ...]
) -> None:
    (home / "work" / "here.md").write_text("mine")
    done = await terminal(user, "export", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert [path.name for path in (home / "work").iterdir()] == ["here.md"]


async def test_messages_come_back_with_their_times_and_only_once(terminal: Terminal, make_user: MakeUser) -> None:
    here, there = await make_user(), await make_user()
    for number, channel in enumerate(("slack:ops", "peer-team:b", "")):
        message = {"content": f"note {number}", "role": "user", "timestamp": MARCH, "channel": channel}
        await post(here, "log", {**message, "sessionKey": f"s{number}", "turnId": f"t{number}", "turnMessageIndex": 0})
    exported = (await terminal(here, "export", "--messages")).stdout
    assert len(exported.splitlines()) == 3
    for new in (3, 0):
        done = await terminal(there, "import", "jsonl", "-", "--json", stdin=exported)
        assert json.loads(done.stdout)["messages"] == {"new": new, "known": 3 - new}
    again = (await terminal(there, "export", "--messages")).stdout
    ids = {"id", "_id", "messageId"}
    rows = [
        [{k: v for k, v in json.loads(line).items() if k not in ids} for line in text.splitlines()]
        for text in (exported, again)
    ]
    assert sorted(rows[0], key=str) == sorted(rows[1], key=str)
    assert (await terminal(here, "export", "--messages", "--format", "markdown", "--to", "x")).exit_code == 2


async def test_messages_without_a_place_in_a_session_come_back_each_once_here_and_elsewhere(
    terminal: Terminal, make_user: MakeUser, home: Path
) -> None:
    here, there = await make_user(), await make_user()
    for hour in (0, 1, 2):
        for place in ({"channel": "slack:ops"}, {"sessionKey": "s1"}):
            said = {"content": f"Yes, {hour}", "role": "user", "timestamp": MARCH + hour * 3_600_000}
            await post(here, "log", {**said, **place})
    await terminal(here, "export", "--messages", "--to", "monday.jsonl")
    exported = (home / "work" / "monday.jsonl").read_text()
    for name in ("equal.jsonl", "later.jsonl"):
        (home / "work" / name).write_text(re.sub("Yes, [0-9]", "Yes", exported))
    lost = json.loads(exported.splitlines()[0])["id"]
    await terminal(here, "messages", "delete", lost, "--yes", "--wait")
    for user, name, new in ((here, "monday.jsonl", 1), (there, "equal.jsonl", 6), (there, "later.jsonl", 0)):
        done = await terminal(user, "import", "jsonl", name, "--json")
        assert json.loads(done.stdout)["messages"] == {"new": new, "known": 6 - new}, name


async def test_equal_messages_of_one_instant_come_back_as_often_as_they_were_there(
    terminal: Terminal, make_user: MakeUser, home: Path
) -> None:
    """Where clients log whole days, equal answers have equal times, in one session and in several."""
    here, there = await make_user(), await make_user()
    for session in ("s1", "s2"):
        await post(here, "log", {"content": "Yes", "role": "user", "timestamp": MARCH, "sessionKey": session})
    await terminal(here, "export", "--messages", "--to", "two.jsonl")
    path = home / "work" / "two.jsonl"
    one, other = path.read_text().splitlines()
    path.write_text(f"{one}\n{other}\n{other}\n")
    for user, new in ((there, 3), (there, 0), (here, 1)):
        done = await terminal(user, "import", "jsonl", "two.jsonl", "--json")
        assert json.loads(done.stdout)["messages"] == {"new": new, "known": 3 - new}
