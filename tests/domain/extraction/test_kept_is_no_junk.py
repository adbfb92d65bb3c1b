"""Memories that extraction keeps of a message are never judged junk when the message is read again (contract 11.6, 17.9)."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.domain.extraction.conversation_windows import SourceMessage, conversation_windows
from memd.domain.extraction.extract import extract
from memd.domain.extraction.junk import AFTER, BEFORE, SourceReading, junk_reason
from memd.domain.types import MessageRole
from tests.domain.extraction.test_statements_of_a_named_user import CHANGES, NO_CHANGES, STATED, WEDNESDAY
from tests.domain.extraction.test_user_statements import KEPT, LEFT

EVAL = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[3] / ".." / "shared" / "eval")) / "locomo-dev"
FOUND_JUNK = ("Lena's birthday is on 3 April", "The deadline is 10 December", "The budget for 2026 is 340,000 euros")
SENTENCES = (*FOUND_JUNK, *(said for said, _ in STATED), *CHANGES, *NO_CHANGES, *KEPT, *LEFT)
ANSWERS = ("Noted.", "Thanks! When does it start?", "")
PAIRS = ((None, None), ("Lena", None), ("Marc", "Priya"))
"""The names of a user and of who answers."""
Part = tuple[list[str], str]
TALK = st.lists(
    st.tuples(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3), st.sampled_from(ANSWERS)),
    min_size=1,
    max_size=16,
)


def spoken(parts: Iterable[Part], user: str | None, other: str | None) -> list[SourceMessage]:
    """A session; where there is no answer, the user continues."""
    messages = [
        (role, text, name)
        for sentences, answer in parts
        for role, text, name in (
            (MessageRole.USER, " ".join(one if one[-1] in ".?!" else f"{one}." for one in sentences), user),
            (MessageRole.ASSISTANT, answer, other),
        )
        if text
    ]
    return [
        SourceMessage(uuid4(), role, text, WEDNESDAY + at * 10_000, WEDNESDAY, name, session_key="s")
        for at, (role, text, name) in enumerate(messages)
    ]


def junk(messages: Sequence[SourceMessage]) -> Iterator[str]:
    """The memories of a session that the test of junk refuses; the windows are cut as usual."""
    places = {one.id: index for index, one in enumerate(messages)}
    readings = {
        one.id: SourceReading(one, messages[max(0, index - BEFORE) : index + AFTER + 1])
        for index, one in enumerate(messages)
    }
    assert len(places) == len(messages)
    for window in conversation_windows(messages):
        for found in extract(window):
            if junk_reason(found.content, [readings[window.messages[at].id] for at in found.source_indexes]):
                yield found.content


@pytest.mark.rule("17.9 test")
@pytest.mark.parametrize(("user", "other"), PAIRS)
@given(parts=TALK)
@settings(max_examples=12)
def test_what_users_and_pairs_say_is_kept_for_good(user: str | None, other: str | None, parts: list[Part]) -> None:
    assert list(junk(spoken(parts, user, other))) == []


@pytest.mark.parametrize("user", [None, "Lena"])
@pytest.mark.parametrize("sentence", FOUND_JUNK)
def test_times_and_names_alone_make_no_other_statement(sentence: str, user: str | None) -> None:
    (window,) = conversation_windows(messages := spoken([([sentence], "Noted.")], user, None))
    assert len(extract(window)) == 1
    assert list(junk(messages)) == []


def sessions() -> Iterator[list[SourceMessage]]:
    """The sessions of the development texts."""
    for path in sorted(EVAL.glob("*.messages.jsonl")):
        found: dict[str, list[SourceMessage]] = {}
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            one = SourceMessage(
                uuid4(), MessageRole(row["role"]), row["content"], row["timestamp"], row["timestamp"], row["speaker"]
            )
            found.setdefault(row["sessionKey"], []).append(replace(one, session_key=row["sessionKey"]))
        yield from found.values()


def nameless(messages: Sequence[SourceMessage], user: str | None) -> list[SourceMessage]:
    """The talk as if it were one of a user with a program."""
    return [replace(one, speaker=user if one.role is MessageRole.USER else None) for one in messages]


@pytest.mark.eval
@pytest.mark.long_form
@pytest.mark.skipif(not EVAL.is_dir(), reason="the evaluation data is not beside the checkout; set MEMD_EVAL_DIR")
def test_what_is_kept_of_real_talk_is_kept_for_good(of_size: Callable[[int, int], int]) -> None:
    """The suite reads a fourth of the talks with their own names, another without any, a third with one for the user."""
    talks, share = list(sessions()), of_size(4, 1)
    assert [one for talk in talks[::share] for one in junk(talk)] == []
    for index, user in enumerate((None, "Lena"), 1):
        assert [one for talk in talks[index % share :: share] for one in junk(nameless(talk, user))] == []
