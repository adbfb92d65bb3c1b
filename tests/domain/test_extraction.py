from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.domain.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extracted_memory import STORE_OF
from memd.domain.extraction import extract, heading
from memd.domain.sentences import is_code, is_question, sentences
from memd.domain.types import Category, MessageRole, Store

SATURDAY = 1_741_426_200_000  # 8 March 2025, 09:30 UTC
ANN, TOM = "Ann", "Tom"


def talk(*said, start=SATURDAY, step=30_000):
    """A window of (role or speaker, text) in half-minute steps; a name speaks as a user."""
    roles = {role.value for role in MessageRole}
    messages = [
        SourceMessage(
            id=UUID(int=number),
            role=MessageRole(who) if who in roles else MessageRole.USER,
            speaker=None if who in roles else who,
            content=text,
            timestamp=start + number * step,
            created_at=start + number * step,
            channel="codex:/w/shop",
        )
        for number, (who, text) in enumerate(said)
    ]
    return ConversationWindow("codex:/w/shop", None, tuple(messages))


AGENT_TALK = talk(
    ("user", "Why is the nightly import slow? It started last week, after we upgraded the driver."),
    (
        "assistant",
        "Let me look.\n\n```sql\nSELECT 1; -- we decided nothing here.\n```\nThe root cause was a missing index.",
    ),
    ("user", "Good. We decided to keep the driver and to drop the old exporter. Never push to main without a review."),
    ("assistant", "Understood, thanks. To release, run the pipeline and wait for the tag."),
    ("user", "I prefer short commit messages. Our goal is to ship the shop by the end of May."),
)
FRIENDS = talk(
    (ANN, "Hey Tom! How have you been?"),
    (TOM, "Hi Ann! I went to a pottery workshop yesterday. My daughter made a blue bowl with a dog on it."),
    (ANN, "Wow, that's great! What else?"),
    (TOM, "We're planning to camp at Lake Bled in June."),
    (ANN, "I started learning the violin three weeks ago, it helps me to calm down after work."),
)


def test_decision_lesson_rule_workflow_and_preference_become_memories_of_their_category():
    found = {memory.category: memory.content for memory in extract(AGENT_TALK)}
    assert "We decided to keep the driver and to drop the old exporter." in found[Category.DECISION]
    assert "The root cause was a missing index." in found[Category.LESSON]
    assert "Never push to main without a review." in found[Category.RULE]
    assert "To release, run the pipeline and wait for the tag." in found[Category.WORKFLOW]


@pytest.mark.rule("11.6 method")
def test_questions_and_code_are_left_out():
    text = "\n".join(memory.content for memory in extract(AGENT_TALK))
    assert "Why is the nightly import slow" not in text
    assert "SELECT" not in text
    assert "decided nothing here" not in text


@pytest.mark.rule("11.6 output")
@pytest.mark.parametrize(
    ("category", "store"),
    [
        (Category.DECISION, Store.EPISODIC),
        (Category.EVENT, Store.EPISODIC),
        (Category.LESSON, Store.SEMANTIC),
        (Category.FACT, Store.SEMANTIC),
        (Category.RULE, Store.SEMANTIC),
        (Category.PERSON, Store.SEMANTIC),
        (Category.WORKFLOW, Store.PROCEDURAL),
        (Category.SKILL, Store.PROCEDURAL),
        (Category.GOAL, Store.PROSPECTIVE),
    ],
)
def test_the_store_follows_from_the_category(category, store):
    assert STORE_OF[category] is store


@pytest.mark.rule("11.6 output")
def test_every_memory_is_in_the_store_of_its_category_never_sensory():
    for memory in extract(AGENT_TALK) + extract(FRIENDS):
        assert memory.store is STORE_OF[memory.category]
        assert memory.store is not Store.SENSORY


def test_i_and_yesterday_are_resolved_by_speaker_and_day():
    contents = [memory.content for memory in extract(FRIENDS)]
    assert any(
        content.startswith("Tom (8 March 2025): I went to a pottery workshop yesterday.") for content in contents
    )
    (violin,) = [content for content in contents if "the violin three weeks ago" in content]
    (line,) = [line for line in violin.splitlines() if "violin" in line]
    assert line.startswith("Ann")
    assert "(8 March 2025)" in violin


def test_a_missing_name_is_the_role():
    contents = [memory.content for memory in extract(AGENT_TALK)]
    assert any(content.startswith("User (8 March 2025): We decided") for content in contents)
    assert any(content.startswith("Assistant (8 March 2025): ") for content in contents)


def test_the_day_is_the_day_in_utc():
    assert heading(talk((ANN, "x"), start=SATURDAY - 9 * 3_600_000 - 31 * 60_000).messages[0]) == "Ann (7 March 2025)"


def test_a_new_day_is_written_again():
    window = talk((ANN, "I moved to Graz."), (ANN, "I like it there."), step=86_400_000)
    days = "".join(memory.content for memory in extract(window))
    assert "(8 March 2025)" in days
    assert "(9 March 2025)" in days or len(extract(window)) == 1


def test_memories_name_the_messages_they_were_made_from():
    for window in (AGENT_TALK, FRIENDS):
        for memory in extract(window):
            assert list(memory.source_indexes) == sorted(set(memory.source_indexes))
            for position in memory.source_indexes:
                kept = [text for text in sentences(window.messages[position].content) if text in memory.content]
                assert kept


def test_titles_name_the_speaker_when_there_is_one():
    assert all(memory.title.startswith(("Ann: ", "Tom: ")) for memory in extract(FRIENDS))
    assert "We decided to keep the driver and to drop the old exporter." in {
        memory.title for memory in extract(AGENT_TALK)
    }


def test_tags_hold_the_mark_the_speaker_and_names():
    tags = {tag for memory in extract(FRIENDS) for tag in memory.tags}
    assert {"auto-extracted", "tom", "ann", "lake bled"} <= tags


@pytest.mark.parametrize(
    "said",
    [
        [("user", "hi"), ("assistant", "Hello! How can I help you today?")],
        [("user", "Thanks, looks good!"), ("assistant", "You're welcome. Let me know if you need anything else.")],
        [("user", "Can you fix the typo?"), ("assistant", "Done. I fixed the typo and all 231 tests pass.")],
        [("user", "```\nWe decided to use tabs.\n```")],
        [("system", "You must always answer in German. We decided to be polite.")],
        [("user", "")],
    ],
)
def test_a_window_without_durable_words_gives_nothing(said):
    assert extract(talk(*said)) == []


def test_an_unnamed_programs_talk_about_itself_is_not_remembered():
    said = "I went through the files yesterday. My first idea was a new table."
    assert extract(talk(("assistant", said))) == []
    assert extract(talk((ANN, said))) != []


@pytest.mark.rule("11.6 output")
def test_a_busy_window_gives_six_memories_that_still_hold_every_point():
    points = [
        (
            ANN,
            f"We decided to give room {n} to team {n}. I learned that wall {n} is thin. My goal is to paint it {n} times.",
        )
        for n in range(1, 13)
    ]
    found = extract(talk(*points))
    assert len(found) == 6
    assert {position for memory in found for position in memory.source_indexes} == set(range(12))


def test_extraction_is_a_function_of_the_window():
    assert extract(FRIENDS) == extract(FRIENDS)


SENTENCES = st.sampled_from(
    [
        "We decided to keep it.",
        "Never do that again in production.",
        "I went to Oslo with Kim Lee last week.",
        "What do you think?",
        "Thanks!",
        "My goal is to run 10 kilometres.",
        "x = f(a) => {b;}",
        "word " * 900,
        "I like " + "very " * 1_200 + "long walks.",
        "我决定了。",
    ]
)
MESSAGES = st.lists(
    st.tuples(
        st.sampled_from(["user", "assistant", "system", ANN, TOM]), st.lists(SENTENCES, max_size=4).map(" ".join)
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.rule("11.6 output")
@given(MESSAGES)
@settings(max_examples=60, deadline=None)
def test_memories_stay_within_the_limits(said):
    window = talk(*said)
    found = extract(window)
    assert len(found) <= 6
    for memory in found:
        assert 0 < len(memory.title) <= 200
        assert 0 < len(memory.content) <= 4_000
        assert 1 <= len(memory.tags) <= 12
        assert 0.5 <= memory.importance <= 0.9
        assert memory.source_indexes
        assert set(memory.source_indexes) <= set(range(len(window.messages)))
        assert not any(is_question(text) or is_code(text) for text in sentences(memory.content))


def test_a_memory_that_says_more_is_worth_more():
    (short,) = extract(talk((ANN, "I went to Oslo last week.")))
    (long,) = extract(talk((ANN, "I went to Oslo last week. My sister lives there. We saw the old harbour.")))
    assert 0.5 <= short.importance < long.importance <= 0.9
