"""An import of an export into a memd that has gone on since: what is newer there stays, and the import says so."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser, TestUser

FORMS = pytest.mark.parametrize("form", ["jsonl", "markdown"])


async def colour(terminal: Terminal, user: TestUser, value: str) -> str:
    done = await terminal(user, "capture", "Colour", value, "--namespace", "likes", "--key", "colour")
    return done.stdout.strip()


async def texts(user: TestUser) -> list[str]:
    """What is active, whenever it is true, newest first."""
    reply = await user.http.get("/api/memories?pageSize=200&includeEnded=true")
    return [row["content"] for row in reply.json()["memories"]]


async def bring_in(terminal: Terminal, user: TestUser, form: str, name: str, *options: str) -> dict[str, Any]:
    done = await terminal(user, "import", form, name, "--json", *options)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@FORMS
async def test_a_memory_that_was_changed_under_its_key_after_the_export_stays(
    terminal: Terminal, user: TestUser, form: str
) -> None:
    await colour(terminal, user, "Green")
    await terminal(user, "export", "--format", form, "--to", "monday")
    stored = await colour(terminal, user, "Blue")
    report = await bring_in(terminal, user, form, "monday")
    assert (report["memories"], report["replaced"]) == ({"new": 0, "known": 1}, [])
    assert [(each["title"], each["newerId"]) for each in report["kept"]] == [("Colour", stored)]
    assert await texts(user) == ["Blue"]
    said = await terminal(user, "import", form, "monday")
    assert "kept the newer 'Colour' of memd" in said.stdout
    assert "--overwrite" in said.stderr
    report = await bring_in(terminal, user, form, "monday", "--overwrite")
    assert (report["memories"], report["kept"]) == ({"new": 0, "known": 0}, [])
    assert [each["title"] for each in report["replaced"]] == ["Colour"]
    assert await texts(user) == ["Green"]


@FORMS
async def test_the_newer_memory_of_an_export_replaces_that_of_another_memd(
    terminal: Terminal, make_user: MakeUser, form: str
) -> None:
    here, there = await make_user(), await make_user()
    await colour(terminal, here, "Green")
    await colour(terminal, there, "Red")
    await colour(terminal, here, "Blue")
    await terminal(here, "export", "--format", form, "--to", "export")
    report = await bring_in(terminal, there, form, "export")
    assert (len(report["replaced"]), report["kept"]) == (1, [])
    assert await texts(there) == ["Blue"]
    report = await bring_in(terminal, there, form, "export")
    assert (report["memories"], report["replaced"], report["kept"]) == ({"new": 0, "known": 1}, [], [])


async def test_an_import_that_changes_nothing_leaves_no_version(terminal: Terminal, user: TestUser) -> None:
    memory = await colour(terminal, user, "Green")
    exported = (await terminal(user, "export")).stdout
    await terminal(user, "import", "jsonl", "-", stdin=exported)
    assert (await terminal(user, "export")).stdout == exported
    assert len((await user.http.get(f"/api/memories/{memory}/history")).json()["versions"]) == 1


async def test_an_export_as_of_a_past_moment_does_not_pass_for_a_newer_one(terminal: Terminal, user: TestUser) -> None:
    memory = await colour(terminal, user, "Green")
    changed_at = (await user.http.get(f"/api/memories/{memory}/history")).json()["versions"][0]["changedAt"]
    await colour(terminal, user, "Blue")
    past = (await terminal(user, "export", "--as-of", str(changed_at))).stdout
    assert json.loads(past)["content"] == "Green"
    await terminal(user, "import", "jsonl", "-", stdin=past)
    assert await texts(user) == ["Blue"]


async def test_rows_of_no_export_replace_the_memories_with_their_keys(terminal: Terminal, user: TestUser) -> None:
    await colour(terminal, user, "Green")
    row = json.dumps({"title": "Colour", "content": "Red", "namespace": "likes", "key": "colour"})
    done = await terminal(user, "import", "jsonl", "-", stdin=row)
    assert done.stdout.startswith("1 replaced; 0 rejected")
    assert await texts(user) == ["Red"]
    done = await terminal(user, "import", "jsonl", "-", stdin=row)
    assert done.stdout.startswith("memories: 0 new, 1 already there; 0 rejected")


@FORMS
async def test_superseded_memories_do_not_come_back_a_second_time(
    terminal: Terminal, make_user: MakeUser, form: str
) -> None:
    here, there = await make_user(), await make_user()
    old = (await terminal(here, "capture", "Launch", "The launch is in May.")).stdout.strip()
    for month in ("June", "July"):
        done = await terminal(here, "supersede", old, "Launch", f"The launch is in {month}.")
        old = done.stdout.strip()
    await terminal(here, "export", "--format", form, "--to", "export")
    for user, new in ((here, 0), (there, 3), (there, 0)):
        report = await bring_in(terminal, user, form, "export")
        assert (report["memories"], report["kept"]) == ({"new": new, "known": 3 - new}, [])
    assert len(await texts(there)) == len((await terminal(there, "export")).stdout.splitlines()) == 3
    assert len((await terminal(here, "export")).stdout.splitlines()) == 3


async def test_what_was_superseded_after_the_export_is_not_current_again(
    terminal: Terminal, make_user: MakeUser
) -> None:
    here, there = await make_user(), await make_user()
    first = (await terminal(here, "capture", "Launch", "The launch is in May.")).stdout.strip()
    exported = (await terminal(here, "export")).stdout
    await terminal(there, "import", "jsonl", "-", stdin=exported)
    copy = json.loads((await terminal(there, "export")).stdout)["id"]
    for user, old in ((here, first), (there, copy)):
        new = (await terminal(user, "supersede", old, "Launch", "The launch is in June.")).stdout.strip()
        done = await terminal(user, "import", "jsonl", "-", "--json", stdin=exported)
        report = json.loads(done.stdout)
        assert (report["memories"], [each["newerId"] for each in report["kept"]]) == ({"new": 0, "known": 1}, [new])
        done = await terminal(user, "import", "jsonl", "-", "--json", "--overwrite", stdin=exported)
        assert json.loads(done.stdout)["memories"] == {"new": 1, "known": 0}


@FORMS
async def test_a_memory_without_a_key_that_was_edited_after_the_export_stays_alone(
    terminal: Terminal, user: TestUser, form: str
) -> None:
    memory = (await terminal(user, "capture", "Launch", "The launch is in May.")).stdout.strip()
    await terminal(user, "capture", "Pump", "The pump is red.")
    await terminal(user, "export", "--format", form, "--to", "monday")
    await terminal(user, "edit", memory, "--content", "The launch is in June.")
    report = await bring_in(terminal, user, form, "monday")
    assert (report["memories"], [each["newerId"] for each in report["kept"]]) == ({"new": 0, "known": 2}, [memory])
    assert await texts(user) == ["The pump is red.", "The launch is in June."]
    report = await bring_in(terminal, user, form, "monday", "--overwrite")
    assert report["memories"] == {"new": 1, "known": 1}


async def test_a_memory_that_was_never_edited_here_is_older_than_that_of_the_export(
    terminal: Terminal, user: TestUser
) -> None:
    """As after the restore of a backup from before the edit."""
    await terminal(user, "capture", "Launch", "The launch is in May.")
    exported = (await terminal(user, "export")).stdout.replace("May", "June")
    done = await terminal(user, "import", "jsonl", "-", "--json", stdin=exported)
    assert json.loads(done.stdout)["memories"] == {"new": 1, "known": 0}


@FORMS
async def test_a_chunk_that_was_changed_after_the_export_stays(
    terminal: Terminal, user: TestUser, home: Path, form: str
) -> None:
    async def chunk() -> str:
        return json.loads((await terminal(user, "kb", "export", "pumps")).stdout)["content"]

    notes = home / "work" / "pumps.md"
    notes.write_text("# Pump\n\nIt is red.\n")
    await terminal(user, "kb", "import", "pumps", "pumps.md", "--create")
    await terminal(user, "export", "--format", form, "--to", "monday")
    notes.write_text("# Pump\n\nIt is blue.\n")
    await terminal(user, "kb", "import", "pumps", "pumps.md")
    report = await bring_in(terminal, user, form, "monday")
    assert (report["chunks"], report["replaced"]) == ({"new": 0, "known": 1}, [])
    assert [each["title"] for each in report["kept"]] == ["Pump"]
    assert await chunk() == "It is blue."
    report = await bring_in(terminal, user, form, "monday", "--overwrite")
    assert ([each["title"] for each in report["replaced"]], report["kept"]) == (["Pump"], [])
    assert await chunk() == "It is red."


@FORMS
async def test_the_newer_chunks_of_an_export_replace_those_of_another_memd(
    terminal: Terminal, make_user: MakeUser, home: Path, form: str
) -> None:
    here, there = await make_user(), await make_user()
    notes = home / "work" / "pumps.md"
    for user, text in ((there, "It is red."), (here, "It is blue.")):
        notes.write_text(f"# Pump\n\n{text}\n")
        await terminal(user, "kb", "import", "pumps", "pumps.md", "--create")
    await terminal(here, "export", "--format", form, "--to", "export")
    for replaced in (1, 0):
        report = await bring_in(terminal, there, form, "export")
        assert (report["chunks"], len(report["replaced"])) == ({"new": 0, "known": 1 - replaced}, replaced)
    assert "It is blue." in (await terminal(there, "kb", "export", "pumps")).stdout
