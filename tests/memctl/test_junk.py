"""Which memories count as junk, which copy stays, and what the scheduled jobs do with a memory (contract 11.1, 13)."""

import itertools
from uuid import UUID

import pytest

from memctl.junk import Kind, audit, fate
from memctl.text import DAY_MS
from memctl.wire.enums import Category, ChunkKind, MemorySource, Store
from memctl.wire.export import ExportedMemory
from memd.domain.ids import encode

NOW = 1_800_000_000_000
LONG = (
    "The deploy of the payments service is done by the release team on Thursday morning after the smoke tests are "
    "green, and the on-call engineer watches the dashboards for one hour before anybody goes to lunch."
)
_numbers = itertools.count(1)


def memory(content: str = "", **fields) -> ExportedMemory:
    number = next(_numbers)
    return ExportedMemory(
        **{
            "id": f"mem_{number:026}",
            "title": f"Title {number}",
            "content": content or f"Something else entirely, number {number}",
            "chunk_kind": ChunkKind.CONTENT,
            "store": Store.SEMANTIC,
            "category": Category.FACT,
            "tags": [],
            "source": MemorySource.EXTERNAL,
            "strength": 0.8,
            "confidence": 0.9,
            "archived": False,
            "created_at": NOW - DAY_MS,
            "last_accessed_at": NOW - DAY_MS,
        }
        | fields
    )


def found(
    *memories: ExportedMemory, days: int = 90, unworthy: dict[str, str] | None = None
) -> dict[str, tuple[Kind, str | None]]:
    """Finding by id: the kind and the id of what stays."""
    findings = audit(memories, NOW, days, metered=True, unworthy=unworthy or {})
    assert len({one.memory.id for one in findings}) == len(findings)
    return {one.memory.id: (one.kind, one.stays.id if one.stays else None) for one in findings}


def test_nothing_is_junk_among_different_fresh_memories() -> None:
    assert found(memory(), memory(), memory()) == {}


def test_of_equal_memories_the_strongest_stays() -> None:
    weak, strong = memory(LONG, strength=0.5), memory(f"{LONG}\r\n", strength=0.9)
    assert found(weak, strong) == {weak.id: (Kind.DUPLICATE, strong.id)}


@pytest.mark.parametrize("source", [MemorySource.INFERENCE, MemorySource.CONVERSATION])
def test_of_equal_memories_the_one_that_memd_did_not_make_stays(source: MemorySource) -> None:
    own, derived = memory(LONG, strength=0.8), memory(LONG, strength=0.85, source=source)
    assert found(derived, own) == {derived.id: (Kind.DUPLICATE, own.id)}


@pytest.mark.parametrize("where", [{"channel": "slack"}, {"project_id": "p"}, {"knowledge_base_id": "kb_1"}])
def test_a_copy_elsewhere_is_no_junk(where: dict) -> None:
    assert found(memory(LONG), memory(LONG, **where)) == {}


def test_the_same_words_but_for_a_few_are_a_near_duplicate() -> None:
    first = memory(LONG, title="Deploy", strength=0.9)
    second = memory(LONG.replace("goes to lunch", "goes to dinner"), title="Deploy")
    assert found(second, first) == {second.id: (Kind.NEAR_DUPLICATE, first.id)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one hour", "12 hours"),
        ("is done", "is never done"),
        ("the release team on Thursday morning after", "Anna and her two friends whenever"),
    ],
)
def test_another_number_another_sense_or_many_other_words_are_no_near_duplicate(old: str, new: str) -> None:
    assert old in LONG
    assert found(memory(LONG, title="Deploy"), memory(LONG.replace(old, new), title="Deploy")) == {}


def test_a_chain_of_copies_leaves_one() -> None:
    rows = [memory(LONG, title="Deploy", strength=strength) for strength in (0.9, 0.8, 0.7)]
    assert {kind for kind, _ in found(*rows).values()} == {Kind.DUPLICATE}
    assert {stays for _, stays in found(*rows).values()} == {rows[0].id}


@pytest.mark.parametrize(
    ("created", "accessed", "kind"),
    [
        (200, 89, None),
        (200, 91, Kind.STALE),
        (91, 91, Kind.NEVER_RECALLED),
        (89, 89, None),
    ],
)
def test_what_is_not_used_for_ninety_days_is_stale_or_was_never_recalled(
    created: int, accessed: int, kind: Kind | None
) -> None:
    row = memory(created_at=NOW - created * DAY_MS, last_accessed_at=NOW - accessed * DAY_MS)
    assert found(row) == ({row.id: (kind, None)} if kind else {})
    assert found(row, days=365) == {}


@pytest.mark.parametrize(("stored", "kind"), [(0, None), (89, None), (91, Kind.NEVER_RECALLED)])
def test_what_was_imported_with_an_old_date_counts_from_its_import(stored: int, kind: Kind | None) -> None:
    wire_id = encode("mem", UUID(int=(NOW - stored * DAY_MS) << 80 | 7))
    row = memory(id=wire_id, created_at=NOW - 2000 * DAY_MS, last_accessed_at=NOW - 2000 * DAY_MS)
    assert found(row) == ({row.id: (kind, None)} if kind else {})


def test_what_extraction_would_not_make_is_not_worth_keeping_with_the_reason_of_memd() -> None:
    praise, copy, kept = memory("Glad you liked it."), memory(LONG, strength=0.1), memory(LONG)
    unworthy = {praise.id: "extraction keeps nothing of its messages", copy.id: "the same"}
    assert found(praise, copy, kept, unworthy=unworthy) == {
        praise.id: (Kind.NOT_WORTH_KEEPING, None),
        copy.id: (Kind.DUPLICATE, kept.id),
    }
    (finding,) = audit([praise], NOW, 90, metered=True, unworthy=unworthy)
    assert finding.reason == "extraction keeps nothing of its messages"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"strength": 0.09}, "cleanup archives it"),
        ({"store": Store.SENSORY}, "consolidate merges it"),
        (
            {"store": Store.PROCEDURAL, "category": Category.WORKFLOW, "metadata": {"observationCount": 2}},
            "cleanup archives it in 29 d",
        ),
        (
            {"store": Store.PROCEDURAL, "category": Category.WORKFLOW, "metadata": {"observationCount": 3}},
            "decay archives the lowest scores at 90 % of the quota: 0.89",
        ),
        ({"store": Store.PROCEDURAL, "category": Category.WORKFLOW}, "decay archives"),
        ({}, "decay archives the lowest scores at 90 % of the quota: 0.89"),
    ],
)
def test_what_the_jobs_do_is_reported(fields: dict, words: str) -> None:
    assert words in fate(memory(**fields), NOW, metered=True)


def test_without_a_quota_nothing_decays() -> None:
    assert fate(memory(), NOW, metered=False) == "none touches it"
