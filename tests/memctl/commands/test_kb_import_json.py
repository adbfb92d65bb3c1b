"""`memctl kb import` of JSON files: a list of chunks is taken apart, other JSON is text, and the user is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from memctl.importers import json_lists
from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

IMPORT = ("kb", "import", "handbook", "--create")


async def chunks(terminal: Terminal, user: TestUser) -> set[str]:
    """The lines of `kb chunks` without ids: title and key."""
    listed = await terminal(user, "kb", "chunks", "handbook", "--jsonl")
    return {json.loads(line)["content"] for line in listed.stdout.splitlines()}


def write(home: Path, content: Any) -> str:
    path = home / "work" / "faq.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path.name


async def test_each_element_of_a_list_is_a_chunk(terminal: Terminal, user: TestUser, home: Path) -> None:
    faq = write(
        home,
        [
            {"title": "Hours", "content": "The office closes at six."},
            {"title": "Parking", "text": "Parking is free.", "dedupeKey": "parking"},
            {"title": "Nested", "content": "c", "metadata": {"title": "Keys", "sourceUrl": "https://x.test"}},
        ],
    )
    done = await terminal(user, *IMPORT, faq)
    assert (done.exit_code, done.stdout.startswith("3 new,")) == (0, True), done.output
    assert "warning" not in done.stderr
    assert await chunks(terminal, user) == {"The office closes at six.", "Parking is free.", "c"}
    again = await terminal(user, *IMPORT, faq)
    assert again.stdout.startswith("0 new, 0 updated, 3 unchanged")


async def test_an_element_that_is_no_chunk_is_rejected_by_its_number(
    terminal: Terminal, user: TestUser, home: Path
) -> None:
    faq = write(home, [{"title": "Hours", "content": "We close at six."}, {"title": "Empty"}, "text", {"content": "c"}])
    done = await terminal(user, *IMPORT, faq, "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["new"]) == (7, 1)
    assert told["rejected"] == [
        {"origin": "faq.json[2]", "reason": "Missing required field: content"},
        {"origin": "faq.json[3]", "reason": "not a JSON object"},
        {"origin": "faq.json[4]", "reason": "Missing required field: metadata.title"},
    ]


@pytest.mark.parametrize(
    "content",
    [{"title": "Hours", "content": "We close at six."}, ["one", "two"], [{"q": "x"}], [], "[{", "[" * 100_000],
    ids=["object", "strings", "other names", "empty", "broken", "deep"],
)
async def test_other_json_is_text_with_a_warning(terminal: Terminal, user: TestUser, home: Path, content: Any) -> None:
    done = await terminal(user, *IMPORT, write(home, content))
    assert done.exit_code == 0, done.output
    assert f"warning: faq.json: {json_lists.NOT_A_LIST}" in done.stderr


async def test_a_list_that_is_too_large_says_how_to_import_it(
    terminal: Terminal, user: TestUser, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lists, "TEXT_MAX", 20)
    done = await terminal(user, *IMPORT, write(home, [{"title": "Hours", "content": "We close at six."}]))
    assert done.exit_code == 7
    assert "rejected faq.json: a JSON list of more than" in done.stdout
    assert "jq -c '.[]'" in done.stdout


async def test_a_line_may_call_its_content_text(terminal: Terminal, user: TestUser, home: Path) -> None:
    path = home / "work" / "faq.jsonl"
    path.write_text('{"title": "Parking", "text": "Parking is free."}\n{"title": "Hours", "text": 6}\n{oops\n')
    done = await terminal(user, *IMPORT, path.name, "--json")
    told = json.loads(done.stdout)
    assert await chunks(terminal, user) == {"Parking is free."}
    assert [each["origin"] for each in told["rejected"]] == ["faq.jsonl:2", "faq.jsonl:3"]
    assert told["rejected"][1]["reason"].endswith("in column 2")
