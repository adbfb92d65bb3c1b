from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.domain.distilling.features import content_words
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.extraction.extracted_memory import STORE_OF
from memd.domain.text.sentences import is_code, is_question, sentences
from memd.domain.text.spoken import heading
from memd.domain.types import Category, MessageRole, Store

SATURDAY = 1_741_426_200_000  # 8 March 2025, 09:30 UTC
ANN, TOM = "Ann", "Tom"


def talk(*rows, start=SATURDAY, step=30_000):
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
        for number, (who, text) in enumerate(rows)
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
    assert found == {
        Category.DECISION: "The user decided to keep the driver and to drop the old exporter (8 March 2025).",
        Category.LESSON: "The root cause was a missing index (8 March 2025).",
        Category.RULE: "Never push to main without a review.",
        Category.WORKFLOW: "To release, run the pipeline and wait for the tag (8 March 2025).",
        Category.FACT: "The user prefers short commit messages (8 March 2025).",
        Category.GOAL: "The user's goal is to ship the shop by the end of May (8 March 2025).",
    }


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


@pytest.mark.rule("11.6 method")
def test_i_and_yesterday_are_resolved_by_speaker_and_day():
    contents = [memory.content for memory in extract(FRIENDS)]
    assert "Tom went to a pottery workshop on 7 March 2025." in contents
    assert "Tom's daughter made a blue bowl with a dog on it (8 March 2025)." in contents
    assert any(one.startswith("Ann started learning the violin around 15 February 2025") for one in contents)


def test_a_missing_name_is_the_role():
    assert [memory.content for memory in extract(talk(("assistant", "I decided to keep the old index.")))] == [
        "The assistant decided to keep the old index (8 March 2025)."
    ]


def test_the_day_is_the_day_in_utc():
    assert heading("Ann", SATURDAY - 9 * 3_600_000 - 31 * 60_000) == "Ann (7 March 2025): "


def test_a_statement_carries_the_day_on_which_it_was_said():
    window = talk((ANN, "I moved to Graz."), (ANN, "I live in the old town of Graz."), step=86_400_000)
    assert [memory.content for memory in extract(window)] == [
        "Ann moved to Graz (8 March 2025).",
        "Ann lives in the old town of Graz (9 March 2025).",
    ]


def test_memories_name_the_messages_they_were_made_from():
    for window in (AGENT_TALK, FRIENDS):
        for memory in extract(window):
            assert len(set(memory.source_indexes)) == len(memory.source_indexes)
            for position in memory.source_indexes:
                said = content_words(window.messages[position].content)
                assert len(said & content_words(f"{memory.title} {memory.content}")) >= 3


def test_the_question_in_a_title_is_one_of_the_sources():
    window = talk((TOM, "Which instrument did you learn as a child?"), (ANN, "I learned to play the cello in Graz."))
    (memory,) = extract(window)
    assert memory.title == "Ann, asked: Which instrument did you learn as a child?"
    assert memory.content == "Ann learned to play the cello in Graz (8 March 2025)."
    assert memory.source_indexes == (1, 0)


def test_titles_name_the_speaker_when_there_is_one():
    assert all(memory.title.startswith(("Ann", "Tom")) for memory in extract(FRIENDS))
    assert all(len(memory.title) <= 80 for memory in extract(FRIENDS))


def test_tags_hold_the_mark_the_speaker_and_names():
    tags = {tag for memory in extract(FRIENDS) for tag in memory.tags}
    assert {"auto-extracted", "tom", "ann", "lake bled"} <= tags


@pytest.mark.parametrize(
    "sentence",
    [
        [("user", "hi"), ("assistant", "Hello! How can I help you today?")],
        [("user", "Thanks, looks good!"), ("assistant", "You're welcome. Let me know if you need anything else.")],
        [("user", "Can you fix the typo?"), ("assistant", "Done. I fixed the typo and all 231 tests pass.")],
        [("user", "```\nWe decided to use tabs.\n```")],
        [("system", "You must always answer in German. We decided to be polite.")],
        [("user", "")],
    ],
)
def test_a_window_without_durable_words_gives_nothing(sentence):
    assert extract(talk(*sentence)) == []


def test_an_unnamed_programs_talk_about_itself_is_not_remembered():
    text = "I went through the files of Tom yesterday. My first idea was a new table."
    assert extract(talk(("assistant", text))) == []
    assert extract(talk((ANN, text))) != []


@pytest.mark.rule("11.6 output")
def test_a_busy_window_gives_its_six_best_statements():
    points = [
        (
            ANN,
            f"We decided to give room {n} to team {n}. I learned that wall {n} is thin. My goal is to paint it {n} times.",
        )
        for n in range(1, 13)
    ]
    found = extract(talk(*points))
    assert len(found) == 6
    assert len({memory.content for memory in found}) == 6


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
@settings(max_examples=60)
def test_memories_stay_within_the_limits(sentence):
    window = talk(*sentence)
    found = extract(window)
    assert len(found) <= 6
    for memory in found:
        assert 0 < len(memory.title) <= 200
        assert 0 < len(memory.content) <= 240
        assert 1 <= len(memory.tags) <= 12
        assert 0.5 <= memory.importance <= 0.9
        assert memory.source_indexes
        assert set(memory.source_indexes) <= set(range(len(window.messages)))
        assert not any(is_question(text) or is_code(text) for text in sentences(memory.content))


@pytest.mark.parametrize(
    "sentence",
    [
        "Wow, that is so great, Ann!",
        "Thanks a lot for all your support!",
        "I hope you have a wonderful trip to Oslo.",
        "Good luck with the race on Sunday!",
        "If I had a million dollars, I would buy a house in Graz.",
        "Congratulations on your new job in Vienna, I am so proud of you!",
        "You have been to Oslo twice this year.",
        "What did you do in Oslo last week?",
        "See you tomorrow in Vienna!",
    ],
)
def test_small_talk_praise_wishes_and_hypotheses_are_left_out(sentence):
    assert extract(talk((ANN, "I went to Oslo."), (TOM, sentence)))[1:] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Ich bin gestern mit Tom nach Graz gefahren und habe dort einen blauen Teller gekauft.",
        "Вчера я ездил в Москву с Анной и купил новый велосипед.",
        "我昨天和汤姆一起去了上海。",
        "J'ai décidé de partir à Lyon avec ma sœur en 2023.",
    ],
)
def test_other_languages_are_not_rewritten_as_if_they_were_english(sentence):
    assert extract(talk((ANN, sentence))) == []


def test_a_sentence_in_another_language_that_a_cue_finds_keeps_its_words():
    (memory,) = extract(talk((ANN, "Meine Schwester Eva Kern leads das Team in Graz und mag keine Katzen.")))
    assert memory.content == "Ann (8 March 2025): Meine Schwester Eva Kern leads das Team in Graz und mag keine Katzen."


def test_what_points_back_is_added_to_what_it_points_to():
    window = talk(
        (ANN, "I baked a walnut cake for my sister yesterday."),
        (TOM, "Which recipe did you use?"),
        (ANN, "It was the old recipe of our grandmother from Graz."),
    )
    (memory,) = extract(window)
    assert memory.content == (
        "Ann baked a walnut cake for their sister on 7 March 2025. It was the old recipe of Ann's grandmother from Graz."
    )
    assert memory.source_indexes == (0, 2)


def test_what_is_better_worth_keeping_is_stronger():
    (plain,) = extract(talk((ANN, "I moved to Graz.")))
    (rich,) = extract(
        talk((ANN, "Last week I moved to Graz with my two daughters and started painting in Kern's studio."))
    )
    assert 0.5 <= plain.importance < rich.importance <= 0.9
