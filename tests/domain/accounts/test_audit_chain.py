"""The hash chain finds whatever was changed, removed, inserted or reordered (contract 17.6)."""

import json
from uuid import UUID

import pytest

from memd.domain.accounts.audit_chain import (
    EXPIRE,
    GENESIS,
    BrokenChainError,
    ChainedEntry,
    Link,
    hash_of,
    parse_link,
    verify,
)

USER = UUID(int=7)


def chained(seq: int, previous: bytes, **fields: object) -> ChainedEntry:
    entry = ChainedEntry(
        seq, 1_000 + seq, USER, None, "::1", "key.create", "key_1", "ok", None, '{"a": "ü"}', None, previous, b""
    )._replace(**fields)
    return entry._replace(hash=hash_of(entry))


def chain(length: int) -> list[ChainedEntry]:
    entries: list[ChainedEntry] = []
    previous = GENESIS
    for seq in range(1, length + 1):
        entries.append(chained(seq, previous))
        previous = entries[-1].hash
    return entries


def head_of(entries: list[ChainedEntry]) -> Link:
    return Link(entries[-1].seq, entries[-1].hash)


def shortened(removed: int) -> list[ChainedEntry]:
    """A chain of ten after retention has removed the first ones."""
    entries = chain(10)
    last = entries[removed - 1]
    after = json.dumps({"hash": last.hash.hex(), "removed": removed, "removedThrough": last.seq})
    return [*entries[removed:], chained(11, entries[-1].hash, action=EXPIRE, after=after)]


def test_an_untouched_chain_holds() -> None:
    entries = chain(5)
    found = verify(entries, head_of(entries), expected=Link(3, entries[2].hash))
    assert (found.entries, found.first, found.head, found.removed_through) == (5, 1, head_of(entries), 0)
    assert verify([], Link(0, GENESIS)).entries == 0


@pytest.mark.parametrize(
    "change",
    [
        {"at": 1},
        {"user_id": None},
        {"address": "::2"},
        {"action": "key.revoke"},
        {"after": '{"a": "o"}'},
        {"target": ""},
    ],
    ids=str,
)
def test_a_changed_field_is_found(change: dict[str, object]) -> None:
    entries = chain(5)
    entries[2] = entries[2]._replace(**change)
    with pytest.raises(BrokenChainError, match="entry 3 was changed"):
        verify(entries, head_of(entries))


def test_a_changed_entry_with_a_new_hash_is_found_by_its_successor() -> None:
    entries = chain(5)
    forged = entries[2]._replace(action="key.revoke")
    entries[2] = forged._replace(hash=hash_of(forged))
    with pytest.raises(BrokenChainError, match="entry 4 does not follow entry 3"):
        verify(entries, head_of(entries))


def test_removed_entries_are_found_in_the_middle_at_the_beginning_and_at_the_end() -> None:
    entries = chain(5)
    head = head_of(entries)
    with pytest.raises(BrokenChainError, match="entry 3 is missing"):
        verify([*entries[:2], *entries[3:]], head)
    with pytest.raises(BrokenChainError, match="up to 2 are missing"):
        verify(entries[2:], head)
    with pytest.raises(BrokenChainError, match="ends at entry 4"):
        verify(entries[:4], head)
    with pytest.raises(BrokenChainError, match="ends at entry 0"):
        verify([], head)


def test_a_chain_that_was_cut_together_with_its_head_is_found_by_a_noted_head() -> None:
    entries = chain(5)
    noted = head_of(entries)
    with pytest.raises(BrokenChainError, match="entry 5 does not match the recorded one"):
        verify(entries[:4], head_of(entries[:4]), expected=noted)


def test_a_rewritten_chain_is_found_by_a_noted_head() -> None:
    noted = Link(3, chain(5)[2].hash)
    forged = [chained(1, GENESIS, action="forged")]
    for seq in range(2, 6):
        forged.append(chained(seq, forged[-1].hash))
    assert verify(forged, head_of(forged)).entries == 5
    with pytest.raises(BrokenChainError, match="entry 3 does not match the recorded one"):
        verify(forged, head_of(forged), expected=noted)


def test_a_chain_that_retention_has_shortened_holds_by_its_anchor() -> None:
    entries = shortened(4)
    found = verify(entries, head_of(entries), expected=Link(4, chain(4)[3].hash))
    assert (found.entries, found.first, found.removed_through) == (7, 5, 4)
    assert verify(entries, head_of(entries), expected=Link(2, chain(2)[1].hash)).entries == 7


def test_more_missing_than_retention_has_removed_is_found() -> None:
    entries = shortened(4)
    with pytest.raises(BrokenChainError, match="up to 5 are missing"):
        verify(entries[1:], head_of(entries))
    with pytest.raises(BrokenChainError, match="entry 4 does not match the recorded one"):
        verify(entries, head_of(entries), expected=Link(4, bytes(32)))


def test_a_link_is_read_from_its_text() -> None:
    link = Link(12, bytes(range(32)))
    assert parse_link(str(link)) == link


@pytest.mark.parametrize("text", ["", "12", "12:zz", "12:00", f"-1:{'00' * 32}", f"x:{'00' * 32}"])
def test_anything_else_is_no_link(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever int and fromhex say
        parse_link(text)
