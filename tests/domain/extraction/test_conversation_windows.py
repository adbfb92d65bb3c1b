from itertools import chain
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.extraction.conversation_windows import SourceMessage, conversation_windows
from memd.domain.types import MessageRole

MINUTE = 60_000
START = 1_760_000_000_000


def message(number, *, at=0, content="We talked.", **fields):
    said = START + at * MINUTE
    values: dict[str, Any] = {
        "timestamp": said,
        "created_at": said,
        "channel": "slack:ann",
        "session_key": "s1",
        **fields,
    }
    return SourceMessage(UUID(int=number), MessageRole.USER, content, **values)


def numbers(found):
    return [[one.id.int for one in window.messages] for window in found]


@pytest.mark.rule("11.6 groups")
@pytest.mark.parametrize("field", ["channel", "project_id"])
def test_no_window_mixes_two_groups(field):
    groups: list[dict[str, Any]] = [{field: "a"}, {field: "b"}, {field: "a"}]
    found = conversation_windows([message(number, **group) for number, group in enumerate(groups, 1)])
    assert sorted(numbers(found)) == [[1, 3], [2]]


@pytest.mark.rule("11.6 groups")
def test_absent_channel_is_a_group_of_its_own():
    found = conversation_windows([message(1, channel=None), message(2)])
    assert [window.channel for window in found] == [None, "slack:ann"]


@pytest.mark.rule("11.6 input")
def test_one_turn_is_one_window_whatever_the_gap():
    turn = [message(1, turn_id="t", at=0), message(2, turn_id="t", at=90, turn_message_index=1)]
    other = message(3, turn_id="u", at=1)
    assert sorted(numbers(conversation_windows([other, *turn]))) == [[1, 2], [3]]


@pytest.mark.rule("11.6 input")
@pytest.mark.parametrize(("gap", "expected"), [(15, [[1, 2]]), (16, [[1], [2]])])
def test_a_session_is_cut_at_gaps_over_fifteen_minutes(gap, expected):
    assert numbers(conversation_windows([message(1), message(2, at=gap)])) == expected


@pytest.mark.rule("11.6 input")
def test_sessions_are_apart_and_messages_without_one_share_the_channel():
    talk = [message(1), message(2, session_key="s2"), message(3, session_key=None), message(4, session_key=None, at=1)]
    assert sorted(numbers(conversation_windows(talk))) == [[1], [2], [3, 4]]


@pytest.mark.rule("11.6 input")
def test_a_window_holds_twelve_messages():
    found = conversation_windows([message(number, at=number) for number in range(30)])
    assert [len(window.messages) for window in found] == [12, 12, 6]


@pytest.mark.rule("11.6 input")
def test_a_window_holds_eight_thousand_characters():
    talk = [message(number, at=number, content="x" * 3_000) for number in range(5)]
    assert [len(window.messages) for window in conversation_windows(talk)] == [2, 2, 1]


def test_a_longer_message_is_cut_and_stands_alone():
    talk = [message(1), message(2, at=1, content="y" * 9_000), message(3, at=2)]
    found = conversation_windows(talk)
    assert numbers(found) == [[1], [2], [3]]
    assert len(found[1].messages[0].content) == 8_000


def test_messages_stand_in_the_order_in_which_they_were_said():
    talk = [message(1, at=3), message(2, at=1), message(3, at=1, turn_message_index=1)]
    assert numbers(conversation_windows(talk)) == [[2, 3, 1]]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 300), st.integers(0, 4_000), st.sampled_from([None, "s1", "s2"]), st.sampled_from("ab")
        ),
        max_size=40,
    )
)
def test_every_settled_message_is_in_exactly_one_window_within_the_bounds(rows):
    talk = [
        message(number, at=at, content="z" * size, session_key=session, channel=channel)
        for number, (at, size, session, channel) in enumerate(rows)
    ]
    found = conversation_windows(talk)
    assert sorted(chain(*numbers(found))) == list(range(len(rows)))
    for window in found:
        assert len(window.messages) <= 12
        assert sum(len(one.content) for one in window.messages) <= 8_000
        assert {one.channel for one in window.messages} == {window.channel}
