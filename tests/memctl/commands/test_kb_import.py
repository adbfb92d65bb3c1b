"""`memctl kb import` against a service in trouble: what is sent, what is remembered, what the summary says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import Result
from starlette.responses import JSONResponse

from memctl.client import MemdClient
from memctl.client.errors import NotReachable, RateLimited
from memctl.importers.delivery import Delivery, batches
from memctl.importers.ledger import BaseState, Ledger
from memctl.importers.pieces import Piece, pieces_of_lines
from memctl.importers.pruning import is_below
from memctl.importers.retries import PAUSES, until_reached

Run = Callable[..., Result]
KB = "kb_0" + "1" * 25
BUSY = JSONResponse({"error": "Server busy", "retryAfterMs": 7_000}, 503)
LIMITED = JSONResponse({"error": "Rate limit exceeded", "retryAfterMs": 4_000}, 429)
CAPPED = JSONResponse({"error": "cap", "code": "embedding_cap_exceeded", "retryAfterMs": 9_000_000}, 429)


def lines(*contents: str, **extra: Any) -> list[str]:
    return [json.dumps({"content": c, "metadata": {"title": c}, "dedupeKey": f"k-{c}", **extra}) for c in contents]


def pieces(*contents: str) -> list[Piece]:
    return [piece for piece in pieces_of_lines("x.jsonl", lines(*contents)) if isinstance(piece, Piece)]


def summary(done: Result) -> dict[str, Any]:
    found = json.loads(done.stdout)
    return {name: found[name] for name in ("new", "updated", "unchanged", "removed")} | {
        "rejected": len(found["rejected"])
    }


@pytest.fixture
def chunks(home: Path) -> Path:
    path = home / "work" / "chunks.jsonl"
    path.write_text("\n".join(lines("a", "b", "c")))
    return path


def test_a_second_run_sends_changes_only(memctl: Run, service: Any, chunks: Path) -> None:
    first = memctl("kb", "import", "handbook", "chunks.jsonl", "--json", transport=service.transport)
    assert (first.exit_code, summary(first)) == (
        0,
        {"new": 3, "updated": 0, "unchanged": 0, "removed": 0, "rejected": 0},
    )
    second = memctl("kb", "import", "handbook", "chunks.jsonl", "--json", transport=service.transport)
    assert summary(second)["unchanged"] == 3
    chunks.write_text("\n".join([*lines("a", "c", "d"), *lines("b", tags=["new"])]))
    third = memctl("kb", "import", "handbook", "chunks.jsonl", "--json", transport=service.transport)
    assert summary(third) == {"new": 1, "updated": 1, "unchanged": 2, "removed": 0, "rejected": 0}
    assert [[chunk["content"] for chunk in batch] for batch in service.imports] == [["a", "b", "c"], ["d", "b"]]


def test_what_the_service_lost_is_sent_again(memctl: Run, service: Any, chunks: Path) -> None:
    memctl("kb", "import", "handbook", "chunks.jsonl", transport=service.transport)
    del service.chunks["k-b"]
    done = memctl("kb", "import", "handbook", "chunks.jsonl", "--json", transport=service.transport)
    assert summary(done) == {"new": 1, "updated": 0, "unchanged": 2, "removed": 0, "rejected": 0}


def test_after_emptying_everything_is_sent_again(memctl: Run, service: Any, chunks: Path) -> None:
    memctl("kb", "import", "handbook", "chunks.jsonl", transport=service.transport)
    emptied = memctl("kb", "empty", "handbook", "--yes", transport=service.transport)
    assert emptied.stdout == "deleted 3 chunks\n"
    done = memctl("kb", "import", "handbook", "chunks.jsonl", "--json", transport=service.transport)
    assert summary(done)["new"] == 3


def test_all_sends_unchanged_chunks_too(memctl: Run, service: Any, chunks: Path) -> None:
    memctl("kb", "import", "handbook", "chunks.jsonl", transport=service.transport)
    done = memctl("kb", "import", "handbook", "chunks.jsonl", "--all", "--json", transport=service.transport)
    assert summary(done)["updated"] == 3


def test_a_dry_run_sends_nothing(memctl: Run, service: Any, chunks: Path) -> None:
    done = memctl("kb", "import", "handbook", "chunks.jsonl", "--dry-run", "--json", transport=service.transport)
    assert (summary(done)["new"], service.imports) == (3, [])


def test_rejected_chunks_are_listed_and_the_rest_is_stored(memctl: Run, service: Any, chunks: Path) -> None:
    service.refused["b"] = "illegal_activity"
    done = memctl("kb", "import", "handbook", "chunks.jsonl", transport=service.transport)
    assert done.exit_code == 7
    assert "2 new" in done.stdout
    assert "rejected chunks.jsonl:2: illegal_activity" in done.stdout
    again = memctl("kb", "import", KB, str(chunks), "--ignore-rejected", transport=service.transport)
    assert (done.exit_code, again.exit_code) == (7, 0)


def test_an_invalid_chunk_is_taken_out_and_the_batch_sent_again(memctl: Run, service: Any, chunks: Path) -> None:
    service.troubles = [JSONResponse({"error": "Invalid chunk", "index": 1, "details": "too odd"}, 400)]
    done = memctl("kb", "import", "handbook", "chunks.jsonl", transport=service.transport)
    assert done.exit_code == 7
    assert "rejected chunks.jsonl:2: too odd" in done.stdout
    assert [[chunk["content"] for chunk in batch] for batch in service.imports] == [["a", "c"]]


def test_a_batch_that_is_too_large_is_halved(memctl: Run, service: Any, chunks: Path) -> None:
    service.troubles = [JSONResponse({"error": "Request body too large", "details": "d"}, 413)]
    done = memctl("kb", "import", "handbook", "chunks.jsonl", "--json", transport=service.transport)
    assert (done.exit_code, summary(done)["new"]) == (0, 3)
    assert [len(batch) for batch in service.imports] == [1, 2]


def test_a_run_that_breaks_off_goes_on_where_it_stopped(memctl: Run, service: Any, chunks: Path) -> None:
    arguments = ("kb", "import", "handbook", "chunks.jsonl", "--batch", "1", "--json")

    class SecondFails(httpx.AsyncBaseTransport):
        def __init__(self) -> None:
            self.imports = 0
            self.inner = service.transport

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            self.imports += request.url.path.endswith("/import")
            if self.imports == 2:
                return httpx.Response(429, json={"error": "cap", "code": "embedding_cap_exceeded", "retryAfterMs": 1})
            return await self.inner.handle_async_request(request)

    broken = memctl(*arguments, transport=SecondFails())
    assert broken.exit_code == 6
    assert (json.loads(broken.stdout)["complete"], summary(broken)["new"]) == (False, 1)
    assert "run the same command again" in broken.stderr
    done = memctl(*arguments, transport=service.transport)
    assert (done.exit_code, summary(done)["unchanged"], summary(done)["new"]) == (0, 1, 2)


def test_prune_archives_what_is_gone_and_spares_what_could_not_be_read(memctl: Run, service: Any, home: Path) -> None:
    docs = home / "work" / "docs"
    docs.mkdir()
    for name in ("a.md", "b.md", "c.txt"):
        (docs / name).write_text(f"# {name}\n\nText of {name}.")
    (home / "work" / "other.md").write_text("# Other\n\nElsewhere.")
    memctl("kb", "import", "handbook", "docs", "other.md", transport=service.transport)
    (docs / "b.md").unlink()
    (docs / "c.txt").write_bytes(b"\x00\xff\xff")
    done = memctl("kb", "import", "handbook", "docs", "--prune", "--json", transport=service.transport)
    assert summary(done)["removed"] == 1
    assert service.gone == ["docs/b.md#b.md"]


def test_standard_input_is_lines_of_chunks_or_a_titled_text(memctl: Run, service: Any) -> None:
    memctl("kb", "import", "handbook", "-", transport=service.transport, stdin="\n".join(lines("a")))
    memctl("kb", "import", "handbook", "-", "--title", "FAQ", transport=service.transport, stdin="# Q\n\nAnswer.")
    assert list(service.chunks) == ["k-a", "FAQ#Q"]


def test_create_makes_the_knowledge_base_when_none_has_the_name(memctl: Run, service: Any, chunks: Path) -> None:
    refused = memctl("kb", "import", "new", "chunks.jsonl", transport=service.transport)
    assert refused.exit_code == 5
    assert "`memctl kb import --create`" in refused.stderr
    done = memctl("kb", "import", "new", "chunks.jsonl", "--create", transport=service.transport)
    assert (done.exit_code, service.names) == (0, ["handbook", "new"])


def test_a_name_of_several_knowledge_bases_is_refused(memctl: Run, service: Any, chunks: Path) -> None:
    service.names = ["handbook", "Handbook "]
    done = memctl("kb", "import", "handbook", "chunks.jsonl", transport=service.transport)
    assert done.exit_code == 2
    assert KB in done.stderr


def test_a_second_knowledge_base_of_a_name_takes_an_option(memctl: Run, service: Any) -> None:
    refused = memctl("kb", "create", " HANDBOOK", transport=service.transport)
    assert (refused.exit_code, service.names) == (2, ["handbook"])
    assert KB in refused.stderr
    assert "--allow-duplicate" in refused.stderr
    done = memctl("kb", "create", "handbook", "--allow-duplicate", transport=service.transport)
    assert (done.exit_code, len(service.names)) == (0, 2)


def test_a_path_that_is_not_there_is_a_usage_error(memctl: Run, service: Any) -> None:
    assert memctl("kb", "import", "handbook", "nowhere", transport=service.transport).exit_code == 2


async def deliver(service: Any, home: Path, *contents: str) -> tuple[Delivery, list[float]]:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async with MemdClient("http://memd.test", "k", service.transport, retries=0) as client:
        with Ledger.of(home, client.url, KB) as ledger:
            delivery = Delivery(client, KB, ledger, sleep=sleep)
            try:
                async for _ in delivery.send(pieces(*contents), 10):
                    pass
            except (NotReachable, RateLimited) as error:
                service.failure = error
    return delivery, slept


async def test_a_memd_that_is_away_at_the_start_is_waited_for() -> None:
    slept: list[float] = []
    notes: list[str] = []
    failures = [NotReachable("http://m.test"), NotReachable("http://m.test"), None]

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def request() -> str:
        if (failure := failures.pop(0)) is not None:
            raise failure
        return "there"

    assert await until_reached(request, 30, sleep, notes.append) == "there"
    assert (slept, len(notes), "http://m.test" in notes[0]) == ([1, 2], 2, True)
    failures[:] = [NotReachable("http://m.test")] * 9
    with pytest.raises(NotReachable):
        await until_reached(request, 10, sleep, notes.append)
    assert slept == [1, 2, 1, 2, 4, 3]


async def test_limits_are_waited_for_as_long_as_they_say(service: Any, home: Path) -> None:
    service.troubles = [LIMITED] * 10
    delivery, slept = await deliver(service, home, "a")
    assert (delivery.summary.new, slept) == (1, [4.0] * 10)


async def test_the_cap_of_the_day_is_not_waited_for(service: Any, home: Path) -> None:
    service.troubles = [CAPPED]
    delivery, slept = await deliver(service, home, "a")
    assert isinstance(service.failure, RateLimited)
    assert (delivery.summary.new, slept) == (0, [])


async def test_failures_are_tried_again_with_growing_pauses(service: Any, home: Path) -> None:
    failure = JSONResponse({"error": "Internal server error", "requestId": "r"}, 500)
    service.troubles = [failure, BUSY, httpx.ConnectError("refused"), failure]
    delivery, slept = await deliver(service, home, "a")
    assert (delivery.summary.new, slept) == (1, [1, 7.0, 4, 8])


async def test_a_connection_that_stays_broken_is_given_up(service: Any, home: Path) -> None:
    service.troubles = [httpx.ConnectError("refused")] * (len(PAUSES) + 1)
    delivery, slept = await deliver(service, home, "a")
    assert isinstance(service.failure, NotReachable)
    assert (delivery.summary.new, slept) == (0, list(PAUSES))


def test_batches_are_bounded_in_number_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memctl.importers.delivery.BATCH_BYTES", 5)
    sizes = [
        [piece.chunk.content for piece in batch] for batch in batches(pieces("aa", "bb", "cc", "dddddddd", "e"), 2)
    ]
    assert sizes == [["aa", "bb"], ["cc"], ["dddddddd"], ["e"]]


def test_the_first_batches_are_small() -> None:
    sizes = [len(batch) for batch in batches(pieces(*map(str, range(700))), 200)]
    assert sizes == [20, 40, 80, 160, 200, 200]
    assert [len(batch) for batch in batches(pieces(*"abcde"), 2)] == [2, 2, 1]


def test_a_ledger_survives_a_cut_off_line_and_is_written_anew_when_stale(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    a, b = pieces("a", "b")
    with Ledger(path) as ledger:
        for _ in range(200):
            ledger.acknowledge([a], BaseState(1, 1, 1))
    assert len(path.read_text().splitlines()) == 2
    path.write_text(path.read_text() + '{"key": "k-b", "pri')
    with Ledger(path) as ledger:
        assert (ledger.holds(a), ledger.holds(b), ledger.state) == (True, False, BaseState(1, 1, 1))
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("key", "roots", "below"),
    [
        ("docs/a.md#1", ["docs"], True),
        ("docs/a.md#1", ["docs/a.md"], True),
        ("docs/a.md#1", ["."], True),
        ("docs2/a.md#1", ["docs"], False),
        ("docs/a.md#1", [], False),
        ("free-key", ["."], False),
    ],
)
def test_which_keys_belong_to_a_path(key: str, roots: list[str], below: bool) -> None:
    assert is_below(key, roots) is below
