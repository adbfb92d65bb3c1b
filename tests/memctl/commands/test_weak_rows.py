"""Weak rows are marked below better ones; an answer of weak rows alone is one line that says so (contract 6.2, 11.2)."""

import asyncio
import json
import re
import shutil
from asyncio.subprocess import PIPE
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memctl import output
from memd.context import Services
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser
from tests.support.talk import embed, talk
from tests.support.wire import capture, make_base, post, send

UNRELATED = "chromodynamics of lattice gluons"


@pytest.fixture
async def lunch(user: TestUser) -> str:
    return await capture(user, title="Lunch", content="Lunch is served at noon.")


async def test_an_answer_of_weak_rows_alone_is_one_line(terminal: Terminal, user: TestUser, lunch: str) -> None:
    done = await terminal(user, "recall", UNRELATED)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "nothing relevant (1 weak row left out; --weak shows it); try other words\n"


async def test_ids_alone_are_those_of_relevant_rows(terminal: Terminal, user: TestUser, lunch: str) -> None:
    dog = await capture(user, title="Dog", content="The dog's name is Pixel and she hates thunderstorms.")
    assert (await terminal(user, "recall", "when is lunch served?", "-q")).stdout == f"{lunch}\n"
    assert (await terminal(user, "recall", UNRELATED, "-q")).stdout == ""
    assert {*(await terminal(user, "recall", UNRELATED, "-q", "--weak")).stdout.split()} == {lunch, dog}


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
async def test_the_documented_recipe_prints_no_weak_row(terminal: Terminal, user: TestUser, lunch: str) -> None:
    page = (Path(__file__).parents[3] / "docs" / "memctl.md").read_text("utf-8")
    recipes = re.findall(r'memctl recall .*--json \| jq -r "(.*)"', page)
    assert len(recipes) == 2
    for query, titles in ((UNRELATED, ""), ("when is lunch served?", "Lunch\n")):
        answer = (await terminal(user, "recall", query, "--json")).stdout
        assert len(json.loads(answer)["memories"]) == 1
        for recipe in recipes:
            done = await asyncio.create_subprocess_exec("jq", "-r", recipe, stdin=PIPE, stdout=PIPE)
            assert (await done.communicate(answer.encode()))[0].decode() == titles


async def test_a_terminal_shows_the_closest_weak_row(
    terminal: Terminal, user: TestUser, lunch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dog = await capture(user, title="Dog", content="The dog's name is Pixel and she hates thunderstorms.")
    query = "what frightens the puppy?"
    assert (await terminal(user, "recall", query)).stdout == ""
    monkeypatch.setattr("memctl.output.is_terminal", lambda: True)
    done = await terminal(user, "recall", query)
    assert dog in done.stdout
    assert lunch not in done.stdout
    assert done.stderr == (
        "nothing relevant; the closest row is shown (1 weak row left out; --weak shows it); try other words\n"
    )
    assert (await terminal(user, "recall", UNRELATED)).stdout == ""


@pytest.mark.parametrize("option", ["--weak", "--explain"])
async def test_weak_rows_are_shown_on_request_and_marked(
    terminal: Terminal, user: TestUser, lunch: str, option: str
) -> None:
    done = await terminal(user, "recall", UNRELATED, option)
    (row,) = (line for line in done.stdout.splitlines() if lunch in line)
    assert "weak" in row
    assert "nothing relevant; try other words" in done.stderr


async def test_below_relevant_rows_weak_ones_stay(terminal: Terminal, user: TestUser, lunch: str) -> None:
    await capture(user, title="Parking", content="The garage closes early.")
    done = await terminal(user, "recall", "when is lunch served?")
    first, second = (line for line in done.stdout.splitlines() if "episodic" in line)
    assert lunch in first
    assert "weak" not in first
    assert "\tweak\t" in second
    assert done.stderr == ""


async def test_two_weak_rows_are_shown_below_relevant_ones(terminal: Terminal, user: TestUser, lunch: str) -> None:
    for content in ("The garage closes early.", "A lamp is broken.", "The lift was painted.", "Two keys are missing."):
        await capture(user, title=content.split()[1], content=content)
    done = await terminal(user, "recall", "when is lunch served?")
    assert done.stdout.count("\tweak\t") == 2
    assert done.stderr == "2 weak rows left out; --weak shows them\n"
    assert (await terminal(user, "recall", "when is lunch served?", "--weak")).stdout.count("\tweak\t") == 4


async def test_beside_messages_that_fit_no_weak_memory_is_shown(
    terminal: Terminal, user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await capture(user, title="Dog", content="The dog's name is Pixel and she hates thunderstorms.")
    await post(user, "log", {"role": "user", "content": "The puppy is frightened by the vacuum cleaner."})
    monkeypatch.setattr("memctl.output.is_terminal", lambda: True)
    done = await terminal(user, "recall", "what frightens the puppy?")
    assert done.stdout.startswith("Messages")
    assert "Pixel" not in done.stdout
    assert "no memory is relevant, only the messages above (1 weak row left out" in done.stderr


async def test_messages_that_do_not_fit_are_left_out(terminal: Terminal, user: TestUser, lunch: str) -> None:
    await post(user, "log", {"role": "user", "content": "The boiler in the cellar was serviced on Monday."})
    done = await terminal(user, "recall", "service of the boiler in the cellar")
    assert "The boiler in the cellar" in done.stdout
    assert "no memory is relevant, only the messages above (1 weak row left out" in done.stderr
    done = await terminal(user, "recall", UNRELATED)
    assert (done.stdout, done.stderr) == (
        "",
        "nothing relevant (1 weak row left out; --weak shows it); try other words\n",
    )


@pytest.fixture
async def messages(user: TestUser, services: Services) -> list[str]:
    ids = await talk(
        user, "The crane lifts forty tonnes.", "Fine.", "See you.", "My sister plays the cello.", "Coffee?"
    )
    await embed(services, user)
    return ids


async def test_ids_of_weak_messages_do_not_reach_a_pipe(
    terminal: Terminal, user: TestUser, messages: list[str]
) -> None:
    done = await terminal(user, "search", "how much does the crane lift?", "-q")
    assert done.stdout.splitlines()[0] == messages[0]
    assert not set(done.stdout.split()) & set(messages[3:])
    assert "--weak shows" in done.stderr
    assert set((await terminal(user, "search", "how much does the crane lift?", "-q", "--weak")).stdout.split()) == set(
        messages
    )
    done = await terminal(user, "search", UNRELATED, "-q")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "nothing relevant (5 weak rows left out; --weak shows them); try other words\n"
    assert (await terminal(user, "search", UNRELATED, "-q", "--all")).stdout == ""


async def test_a_terminal_shows_the_closest_two_messages(
    terminal: Terminal, user: TestUser, messages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await terminal(user, "search", UNRELATED)).stdout == ""
    monkeypatch.setattr("memctl.output.is_terminal", lambda: True)
    done = await terminal(user, "search", UNRELATED)
    assert [each in done.stdout for each in messages].count(True) == 2
    assert "the closest rows are shown (3 weak rows left out; --weak shows them)" in done.stderr
    assert (await terminal(user, "search", UNRELATED, "-q")).stdout == ""


async def test_a_recall_leaves_weak_messages_out(terminal: Terminal, user: TestUser, messages: list[str]) -> None:
    assert "cello" not in (await terminal(user, "recall", "how much does the crane lift?")).stdout
    assert "forty tonnes" in (await terminal(user, "recall", "how much does the crane lift?")).stdout
    assert "cello" in (await terminal(user, "recall", "how much does the crane lift?", "--weak")).stdout


async def test_min_evidence_says_how_many_rows_it_left_out(terminal: Terminal, user: TestUser, lunch: str) -> None:
    done = await terminal(user, "recall", UNRELATED, "--min-evidence", "0.35")
    assert done.stdout == ""
    assert done.stderr == (
        "1 candidate left out by --min-evidence\nnothing relevant; try a lower --min-evidence or other words\n"
    )
    assert (await terminal(user, "recall", UNRELATED, "--min-evidence", "2")).exit_code == 2


async def test_json_is_the_reply_as_it_came(terminal: Terminal, user: TestUser, lunch: str) -> None:
    done = await terminal(user, "recall", UNRELATED, "--json")
    reply = json.loads(done.stdout)
    assert (reply["memories"][0]["weak"], reply["retrieval"]["nothingRelevant"], done.stderr) == (True, True, "")
    lines = (await terminal(user, "recall", UNRELATED, "--jsonl")).stdout
    assert json.loads(lines)["id"] == lunch


async def test_a_query_of_a_knowledge_base_does_the_same(terminal: Terminal, user: TestUser) -> None:
    base = await make_base(user, name="Handbook")
    chunks = [{"content": "Everyone has 30 days of vacation.", "metadata": {"title": "Vacation"}}]
    await send(user, "POST", f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=201)
    done = await terminal(user, "kb", "query", "Handbook", UNRELATED)
    assert (done.stdout, done.exit_code) == ("", 0)
    assert done.stderr == "nothing relevant (1 weak row left out; --weak shows it); try other words\n"
    assert "\tweak\t" in (await terminal(user, "kb", "query", "Handbook", UNRELATED, "--weak")).stdout
    found = await terminal(user, "kb", "query", "Handbook", "days of vacation")
    assert "weak" not in found.stdout
    assert found.stderr == ""


async def test_two_weak_chunks_are_shown_below_relevant_ones(terminal: Terminal, user: TestUser) -> None:
    base = await make_base(user, name="Handbook")
    contents = ["Lunch is served at noon.", "The garage closes early.", "A lamp is broken.", "Two keys are missing."]
    chunks = [{"content": content, "metadata": {"title": content.split()[1]}} for content in contents]
    await send(user, "POST", f"/api/knowledge-bases/{base}/import", {"chunks": chunks}, status=201)
    query = ("kb", "query", "Handbook", "when is lunch served?")
    done = await terminal(user, *query)
    assert contents[0] in done.stdout.splitlines()[0]
    assert (done.stdout.count("\tweak\t"), done.stderr) == (2, "1 weak row left out; --weak shows it\n")
    assert (await terminal(user, *query, "--weak")).stdout.count("\tweak\t") == 3
    assert len((await terminal(user, *query, "--jsonl")).stdout.splitlines()) == 4


def test_dimmed_text_is_dimmed_on_a_terminal_alone() -> None:
    @click.command()
    def command() -> None:
        output.say("weak", dim=True)

    assert CliRunner().invoke(command, color=True).stdout == "\x1b[2mweak\x1b[0m\n"
    assert CliRunner().invoke(command).stdout == "weak\n"


async def test_eval_counts_what_recall_abstains_from(
    terminal: Terminal, user: TestUser, lunch: str, home: Path
) -> None:
    questions = [
        {"question": "when is lunch served?", "evidence": [lunch]},
        {"question": UNRELATED, "evidence": []},
        {"question": "is lunch served on Mars?", "evidence": []},
    ]
    (home / "work" / "q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    done = await terminal(user, "eval", "q.jsonl", "--recall", "--k", "1", "--json")
    total = json.loads(done.stdout)["total"]
    assert (total["questions"], total["recall"]["1"]) == (1, 1.0)
    assert total["abstention"] == {"unanswerable": 2, "abstained": 1, "precision": 1.0, "recall": 0.5}
    table = (await terminal(user, "eval", "q.jsonl", "--recall")).stdout
    assert "unanswerable" in table
    assert "1.000" in table
