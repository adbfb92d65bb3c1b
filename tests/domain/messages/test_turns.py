from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.messages.turns import group_turns


@dataclass(frozen=True)
class Said:
    id: str
    timestamp: int
    turn_id: str | None = None
    turn_message_index: int | None = None
    channel: str | None = None
    session_key: str | None = None


def ids(turn):
    return [message.id for message in turn.messages]


def test_messages_of_one_turn_stand_together():
    turns = group_turns([Said("a", 10, "t1", 0), Said("b", 20, "t2", 0), Said("c", 30, "t1", 1)])
    assert [(turn.turn_id, ids(turn)) for turn in turns] == [("t1", ["a", "c"]), ("t2", ["b"])]


@pytest.mark.rule("7.3 turn group")
def test_a_message_without_a_turn_stands_alone_under_its_id():
    turns = group_turns([Said("msg_1", 10), Said("msg_2", 20)])
    assert [(turn.turn_id, ids(turn)) for turn in turns] == [("message:msg_1", ["msg_1"]), ("message:msg_2", ["msg_2"])]


@pytest.mark.rule("7.3 turn group")
def test_turns_are_in_the_order_of_their_beginning():
    turns = group_turns([Said("late", 30, "t2", 0), Said("end", 40, "t1", 1), Said("start", 20, "t1", 0)])
    assert [turn.turn_id for turn in turns] == ["t1", "t2"]


@pytest.mark.rule("7.3 turn group")
def test_messages_are_in_the_order_of_their_place_then_of_time():
    group = [Said("d", 5, "t"), Said("c", 4, "t", 1), Said("b", 3, "t", 1), Said("a", 9, "t", 0)]
    assert ids(group_turns(group)[0]) == ["a", "b", "c", "d"]


def test_a_turn_tells_when_it_began_and_ended():
    turn = group_turns([Said("a", 90, "t", 0), Said("b", 10, "t", 1)])[0]
    assert (turn.started_at, turn.ended_at) == (10, 90)


def test_a_turn_has_the_channel_and_session_of_its_messages():
    turn = group_turns([Said("a", 1, "t", 0), Said("b", 2, "t", 1, "slack", "s1")])[0]
    assert (turn.channel, turn.session_key) == ("slack", "s1")


@pytest.mark.rule("7.3 turn group")
def test_messages_keep_their_own_channel():
    turn = group_turns([Said("a", 1, "t", 0, "slack"), Said("b", 2, "t", 1, "slack")])[0]
    assert [message.channel for message in turn.messages] == ["slack", "slack"]


def test_no_messages_no_turns():
    assert group_turns([]) == []


MESSAGES = st.lists(
    st.builds(
        Said,
        st.uuids().map(str),
        st.integers(0, 50),
        st.sampled_from([None, "t1", "t2", "t3"]),
        st.none() | st.integers(0, 3),
    ),
    max_size=12,
    unique_by=lambda message: message.id,
)


@given(MESSAGES, st.randoms())
def test_the_order_of_delivery_does_not_matter(messages, random):
    shuffled = random.sample(messages, len(messages))
    assert group_turns(shuffled) == group_turns(messages)


@given(MESSAGES)
def test_every_message_is_in_one_turn(messages):
    grouped = [message.id for turn in group_turns(messages) for message in turn.messages]
    assert sorted(grouped) == sorted(message.id for message in messages)
