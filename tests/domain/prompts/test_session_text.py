import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.prompts.session_text import (
    LastSession,
    SpokenMessage,
    abridge_snapshot,
    excerpt,
    last_session,
    summarize,
)
from memd.domain.types import MessageRole

USER, ASSISTANT, SYSTEM = MessageRole.USER, MessageRole.ASSISTANT, MessageRole.SYSTEM
MESSAGES = st.lists(
    st.builds(SpokenMessage, st.integers(0, 9), st.sampled_from(MessageRole), st.text(max_size=400)), max_size=6
)


def talk(*messages):
    return [SpokenMessage(number, role, text) for number, (role, text) in enumerate(messages)]


def test_an_excerpt_is_one_line():
    assert excerpt(" a\n\n b\tc ") == "a b c"


def test_an_excerpt_is_cut_at_a_word_end():
    assert excerpt("word " * 100) == f"{'word ' * 30}word…"


@pytest.mark.rule("7.4 reply")
@given(st.text(max_size=400))
def test_an_excerpt_has_at_most_160_characters(text):
    assert len(excerpt(text)) <= 160


@pytest.mark.rule("7.4 reply")
@pytest.mark.parametrize(("length", "expected"), [(160, "x" * 160), (161, "x" * 159 + "…")])
def test_a_text_of_160_characters_is_its_own_excerpt(length, expected):
    assert excerpt("x" * length) == expected


@pytest.mark.rule("7.1 reply: lastSessionSummary")
@pytest.mark.parametrize(("length", "expected"), [(300, "x" * 300), (301, "x" * 299 + "…")])
def test_a_summary_has_up_to_300_characters(length, expected):
    assert summarize(talk((USER, "x" * length))) == expected


@pytest.mark.parametrize("count", [0, 1, 20])
def test_a_snapshot_of_up_to_twenty_messages_is_whole(count):
    snapshot = abridge_snapshot(range(count))
    assert (snapshot.messages, snapshot.message_count, snapshot.omitted_count) == (tuple(range(count)), count, 0)


@pytest.mark.parametrize("count", [21, 500])
def test_a_longer_snapshot_shows_the_first_ten_and_the_last_ten(count):
    snapshot = abridge_snapshot(range(count))
    assert snapshot.messages == (*range(10), *range(count - 10, count))
    assert (snapshot.message_count, snapshot.omitted_count) == (count, count - 20)


OPENING = "The checkout page returns a 500 since this morning."
DECISION = "We decided to raise the pool to twenty connections."
CLOSING = "Next I want to clean up the feature flags by Friday."


def test_the_summary_tells_the_opening_the_decision_and_the_close_in_their_order():
    messages = talk(
        (USER, f"{OPENING} Can you look?"),
        (ASSISTANT, "Let me see. " + "The log goes on about nothing much at all here. " * 3),
        (USER, f"OK. {DECISION}"),
        (ASSISTANT, "Sure thing!"),
        (USER, CLOSING),
    )
    summary = summarize(messages)
    places = [summary.find(sentence) for sentence in (OPENING, DECISION, CLOSING)]
    assert -1 not in places
    assert places == sorted(places)


def test_the_summary_has_words_of_the_talk_only():
    messages = talk((USER, f"{OPENING} {DECISION}"), (ASSISTANT, "I have raised the pool and added an alert for you."))
    assert set(summarize(messages).split()) <= {word for message in messages for word in message.text.split()}


def test_the_summary_leaves_secrets_out():
    assert summarize(talk((USER, f"{OPENING} My password is hunter2."), (USER, "The PIN is 4711."))) == OPENING
    assert summarize(talk((USER, "My password is hunter2."))) == ""


def test_the_summary_leaves_system_messages_out():
    assert summarize(talk((SYSTEM, "You decided to be a helpful assistant always."), (USER, OPENING))) == OPENING


def test_a_sentence_that_is_said_twice_is_shown_once():
    assert summarize(talk((USER, OPENING), (ASSISTANT, OPENING), (USER, OPENING))) == OPENING


def test_one_endless_sentence_is_cut():
    summary = summarize(talk((USER, "we decided to " + "go on " * 200)))
    assert summary.startswith("we decided to go on")
    assert summary.endswith("…")
    assert 290 < len(summary) <= 300


def test_a_talk_without_sentences_shows_its_last_message():
    assert summarize(talk((USER, "fix it"), (ASSISTANT, "OK."))) == "OK."


@pytest.mark.parametrize("sentence", [[], talk((USER, " \n")), talk((SYSTEM, OPENING))])
def test_without_words_there_is_no_summary(sentence):
    assert not summarize(sentence)


@pytest.mark.rule("7.1 reply: lastSessionSummary")
@given(MESSAGES)
def test_the_summary_has_at_most_300_characters(messages):
    assert len(summarize(messages)) <= 300


@given(MESSAGES)
def test_the_same_messages_give_the_same_summary(messages):
    assert summarize(messages) == summarize(list(messages))


def test_a_session_is_computed_from_the_recent_messages():
    messages = [SpokenMessage(20, USER, OPENING), SpokenMessage(10, ASSISTANT, "OK.")]
    assert last_session(None, messages, 15) == LastSession(20, 15, OPENING)


def test_the_stored_session_wins_when_it_is_as_new_as_the_messages():
    stored = LastSession(20, 9, "Stored.")
    assert last_session(stored, [SpokenMessage(20, USER, OPENING)], 1) == stored


@pytest.mark.rule("7.1 last session")
def test_an_older_stored_session_gives_way():
    assert last_session(LastSession(19, 9, "Stored."), [SpokenMessage(20, USER, OPENING)], 1) == LastSession(
        20, 1, OPENING
    )


@pytest.mark.rule("7.1 last session")
def test_a_stored_session_without_summary_gives_way():
    assert last_session(LastSession(30, 9, " "), [SpokenMessage(20, USER, OPENING)], 1) == LastSession(20, 1, OPENING)


def test_a_stored_session_does_not_give_way_to_nothing():
    stored = LastSession(1, 9, "Stored.")
    assert last_session(stored, [], 0) == stored
    assert last_session(stored, [SpokenMessage(20, SYSTEM, "x")], 1) == stored


def test_without_anything_there_is_no_session():
    assert last_session(None, [], 0) is None
