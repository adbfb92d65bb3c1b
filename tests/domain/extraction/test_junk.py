"""Whether extraction would make a memory again of the same messages (contract 17.9)."""

from uuid import uuid4

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage, conversation_windows
from memd.domain.extraction.extract import extract, kept_sentences
from memd.domain.extraction.junk import NOTHING_KEPT, OTHERS_KEPT, SourceReading, junk_reason
from memd.domain.types import MessageRole

START = 1_800_000_000_000
PRAISE = "Wow, that sounds amazing!"
TALK = (
    ("Ann", "Hey Bob! I moved to Graz last month, and my sister works at a bakery there."),
    ("Bob", "Wow, that sounds amazing! How do you like it?"),
    ("Ann", "I love the mountains. I joined a climbing club on Tuesday!"),
    ("Bob", "I hope you have fun there. I adopted a dog called Rex in May."),
    ("Ann", "Aww, you must be thrilled!"),
)


def talk(*messages: tuple[str, str]) -> list[SourceMessage]:
    return [
        SourceMessage(uuid4(), MessageRole.USER, text, START + at * 1_000, START + at * 1_000, speaker, session_key="s")
        for at, (speaker, text) in enumerate(messages)
    ]


MESSAGES = talk(*TALK)


def reading(position: int) -> SourceReading:
    return SourceReading(MESSAGES[position], MESSAGES)


def test_what_extraction_makes_of_a_conversation_is_no_junk() -> None:
    (window,) = conversation_windows(MESSAGES)
    made = extract(window)
    assert len(made) >= 3
    for one in made:
        assert junk_reason(one.content, [reading(at) for at in one.source_indexes]) is None


@pytest.mark.parametrize(
    ("content", "position", "reason"),
    [
        ("Bob: that sounds amazing (17 January 2027).", 1, NOTHING_KEPT),
        ("Ann: Bob must be thrilled.", 4, NOTHING_KEPT),
        ("Bob hopes Ann has fun there.", 3, OTHERS_KEPT),
        ("Bob adopted a dog called Rex in May 2026.", 3, None),
        ("Bob (17 January 2027): I hope you have fun there. I adopted a dog called Rex in May.", 3, None),
    ],
)
def test_junk_is_what_none_of_the_kept_sentences_tells(content: str, position: int, reason: str | None) -> None:
    assert junk_reason(content, [reading(position)]) == reason


def test_one_message_that_states_it_is_enough() -> None:
    assert junk_reason("Ann joined a climbing club.", [reading(1), reading(2)]) is None


@pytest.mark.parametrize("content", ["Bob shows warm enthusiasm for a friend's relocation.", "", "2027"])
def test_other_words_than_those_of_its_messages_are_not_judged(content: str) -> None:
    assert junk_reason(content, [reading(1)]) is None


def test_without_its_messages_nothing_is_judged() -> None:
    assert junk_reason("Bob: that sounds amazing.", []) is None


def test_what_any_part_of_the_talk_before_makes_worth_keeping_is_kept() -> None:
    remark = ("Ann", "It has a garden where the kids play.")
    alone, after = talk(remark), talk(("Ann", "I bought a house in Graz last week."), remark)
    assert junk_reason(remark[1], [SourceReading(alone[0], alone)]) == NOTHING_KEPT
    assert junk_reason(remark[1], [SourceReading(after[1], after)]) is None


def test_a_sentence_that_would_be_kept_alone_is_no_junk_beside_a_better_one() -> None:
    second = "I have always had a love for old pianos, and my kids play them every weekend."
    said = talk(("Ann", f"I was born in Graz and moved to Oslo in May. {second}"))
    (window,) = conversation_windows(said)
    assert all("piano" not in one.content for one in extract(window))
    assert junk_reason(second.replace("I ", "Ann "), [SourceReading(said[0], said)]) is None


@pytest.mark.parametrize(
    ("content", "reason"), [("Анна сказала: привет всем.", None), ("Анна: всем привет!", NOTHING_KEPT)]
)
def test_words_of_other_scripts_are_compared_too(content: str, reason: str | None) -> None:
    window = talk(("Анна", "Всем привет!"))
    assert junk_reason(content, [SourceReading(window[0], window)]) == reason


def test_a_long_message_is_not_read_once_for_each_of_its_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def kept(window: ConversationWindow, position: int) -> list[str]:
        read.append(window.messages[position].content)
        return kept_sentences(window, position)

    monkeypatch.setattr("memd.domain.extraction.junk.kept_sentences", kept)
    said = talk(("Ann", " ".join([PRAISE, *["I hope so!"] * 10])))
    source = SourceReading(said[0], said)
    assert junk_reason(f"Ann: {PRAISE}", [source]) == NOTHING_KEPT
    assert junk_reason(f"Ann: {PRAISE}", [source]) == NOTHING_KEPT
    assert read == [said[0].content] * 3 + [PRAISE]
