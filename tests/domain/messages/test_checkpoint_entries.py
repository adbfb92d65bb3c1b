from dataclasses import replace

import pytest

from memd.domain.messages.checkpoint_entries import CheckpointEntry, cut_entries
from memd.domain.types import Store

SMALL = CheckpointEntry(memory_id="mem_1", strength=0.8, title="T", content="C", store=Store.SEMANTIC, tags=("a",))


def entry(**changes):
    return replace(SMALL, **changes)


def test_a_small_entry_stays_as_it_is():
    assert cut_entries([entry()]) == [entry()]


@pytest.mark.rule("6.9 snapshot entry")
def test_title_content_and_tags_are_cut():
    tags = tuple(f"t{number}" for number in range(20))
    cut = cut_entries([entry(title="x" * 500, content="y" * 5000, tags=tags)])
    assert cut == [entry(title="x" * 160, content="y" * 1200, tags=tags[:12])]


@pytest.mark.rule("6.9 snapshot entry")
@pytest.mark.parametrize(("count", "kept"), [(500, 1200), (620, 240), (1000, 240)])
def test_contents_are_shorter_when_the_whole_is_over_750_000_bytes(count, kept):
    cut = cut_entries([entry(content="y" * 5000)] * count)
    assert {len(one.content) for one in cut} == {kept}
    assert len(cut) == count


@pytest.mark.rule("6.9 snapshot entry")
def test_the_whole_is_measured_in_bytes_and_after_the_first_cut():
    assert {len(one.content) for one in cut_entries([entry(content="語" * 50_000)] * 190)} == {1200}
    assert {len(one.content) for one in cut_entries([entry(content="語" * 50_000)] * 220)} == {240}


def test_no_entries():
    assert cut_entries([]) == []
