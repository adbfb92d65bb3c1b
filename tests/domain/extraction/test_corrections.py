"""A window in which a speaker corrects what they have said: the right value is kept, and nothing unrelated is joined (contract 11.6)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract, extract_after, kept_sentences
from memd.domain.extraction.extracted_memory import MAX_MEMORIES
from memd.domain.extraction.junk import SourceReading, junk_reason
from memd.domain.types import MessageRole

WEDNESDAY = int(datetime(2026, 6, 10, 9, tzinfo=UTC).timestamp() * 1000)
DENTIST = "The dentist is on 15 July."
TODAY = " (10 June 2026)."

RIGHT = (
    ([DENTIST, "> Noted, 15 July.", "No, I meant 16 July."], "The dentist is on 16 July 2026.", (0, 2)),
    ([DENTIST, "> Noted, 15 July.", "No, 16 July."], "The dentist is on 16 July 2026.", (0, 2)),
    ([DENTIST, "> Noted.", "Thanks!", "> Sure.", "Sorry, I meant 16 July."], "The dentist is on 16 July 2026.", (0, 4)),
    ([DENTIST, "> Noted.", "Sorry, 16 July.", "> OK", "Argh, sorry, 17 July."], "The dentist is on 17 July 2026.", (0, 2, 4)),
    ([f"{DENTIST} No, I meant 16 July.", "> Noted."], "The dentist is on 16 July 2026.", (0,)),
    ([f"{DENTIST} Wait, that's wrong. It's on 16 July.", "> OK"], "The dentist is on 16 July 2026.", (0,)),
    (["The release is on 4 May.", "> OK", "Wait, that's wrong, it's on 5 May."], "The release is on 5 May 2027.", (0, 2)),
    (["The dinner is at 7 pm on Friday.", "> OK", "Actually, make that 8 pm."], "The dinner is at 8 pm on 12 June 2026.", (0, 2)),
    (["The dinner is at 7:30pm on Friday.", "> OK", "sorry it's at 8 not 7:30"], "The dinner is at 8pm on 12 June 2026.", (0, 2)),
    (["The dinner is at 7 pm on Friday.", "> OK", "Sorry, it's at 8, not 7."], "The dinner is at 8 pm on 12 June 2026.", (0, 2)),
    (["The dinner is at 7 pm on Friday.", "> OK", "sorry its on saturday"], "The dinner is at 7 pm on 13 June 2026.", (0, 2)),
    (["The dinner is at 7 pm on Friday.", "> OK", "oh they just emailed, its at 8 now"], "The dinner is at 8 pm on 12 June 2026.", (0, 2)),
    (["Remind me to call Anna at 5 pm.", "> OK", "Sorry, 6 pm."], f"Remind Lena to call Anna at 6 pm{TODAY}", (0, 2)),
    (
        ["Our budget is 4,000 euros.", "> OK", "Correction: the budget is 40,000."],
        f"Lena's budget is 40,000 euros{TODAY}",
        (0, 2),
    ),
    (
        ["My sister Anna lives in Graz.", "> OK", "Sorry, I meant Linz."],
        f"Lena's sister Anna lives in Graz. Correction: Linz{TODAY}",
        (0, 2),
    ),
    (
        ["The wedding is on 4 June and the party is on 6 June.", "> OK", "Wait, I meant 7 June."],
        "The wedding is on 4 June 2027 and the party is on 6 June 2027. Correction: it is on 7 June 2027.",
        (0, 2),
    ),
    (["The exam is on 15 July at 10.", "> OK", "Sorry, 16 July at 11."], "The exam is on 16 July 2026 at 11.", (0, 2)),
    (
        [DENTIST, "> OK", "Sorry, 16 July at 11 am."],
        "The dentist is on 15 July 2026. Correction: it is on 16 July 2026 at 11 am.",
        (0, 2),
    ),
    (["My son is 11.", "> OK", "Sorry, he's 12."], f"Lena's son is 12{TODAY}", (0, 2)),
    (["I moved to Graz in May 2014.", "> OK", "I meant 2015."], f"Lena moved to Graz in May 2015{TODAY}", (0, 2)),
    (["I'm from Bern.", "> OK", "Thank you!", "> Sure", "Sorry, from Berlin."], f"Lena is from Berlin{TODAY}", (0, 4)),
    (["My dentist is Dr. Okafor.", "> OK", "Actually it is Dr. Lindqvist."], f"Lena's dentist is Dr. Lindqvist{TODAY}", (0, 2)),
    (["My manager is Carla Diaz.", "> OK", "Actually it's Paula Roth."], f"Lena's manager is Paula Roth{TODAY}", (0, 2)),
    (
        ["Our office is in Vienna.", "> OK", "Actually it is Paula Roth."],
        f"Lena's office is in Vienna. Correction: Paula Roth{TODAY}",
        (0, 2),
    ),
    (
        ["The sync is every Wednesday at 11.", "> OK", "Wait, the sync is on Thursdays, I mixed it up."],
        f"The sync is every Thursday at 11{TODAY}",
        (0, 2),
    ),
    (
        ["Elif sits in room 4.12.", "> OK", "Sorry, I misspoke: Elif sits in room 4.21, not 4.12."],
        f"Elif sits in room 4.21{TODAY}",
        (0, 2),
    ),
    (
        ["My manager is Carla Diaz.", "> OK", "Actually, that's Python."],
        f"Lena's manager is Carla Diaz. Correction: Python{TODAY}",
        (0, 2),
    ),
    (
        ["My dentist is Dr. Okafor.", "> OK", "Actually, it's Vienna."],
        f"Lena's dentist is Dr. Okafor. Correction: Vienna{TODAY}",
        (0, 2),
    ),
    (["My son is called Runa.", "> OK", "Actually it is spelled Rúna."], f"Lena's son is called Rúna{TODAY}", (0, 2)),
    (["Our dog is Bello.", "> OK", "It's spelled Bellow, with a w."], f"Lena's dog is Bellow{TODAY}", (0, 2)),
    (
        ["My colleague Sara joined the team.", "> OK", "Sara is spelled Sarah."],
        f"Lena's colleague Sarah joined the team{TODAY}",
        (0, 2),
    ),
    (["My dentist is Dr. Klein.", "> OK", "Sorry, Dr. Kline."], f"Lena's dentist is Dr. Kline{TODAY}", (0, 2)),
    (
        ["My rent is 1,400 euros a month.", "> OK", "Actually, it's 1,450 euros, the landlord raised it."],
        f"Lena's rent is 1,450 euros a month{TODAY}",
        (0, 2),
    ),
    (["My rent is 1,400 euros.", "> OK", "Actually it is 1,450 euros now."], f"Lena's rent is 1,450 euros{TODAY}", (0, 2)),
    (
        ["The night bus leaves at 8:15.", "> OK", "Sorry, it leaves at 8:45 because of the roadworks."],
        f"The night bus leaves at 8:45{TODAY}",
        (0, 2),
    ),
    (
        ["My manager is Beatriz Lopes.", "> OK", "Actually it is Duarte Pinto since Monday."],
        f"Lena's manager is Duarte Pinto{TODAY}",
        (0, 2),
    ),
    (
        ["My landlord is Mr. Feld.", "> OK", "Actually it is Ms. Abara, Feld sold the building."],
        f"Lena's landlord is Ms. Abara{TODAY}",
        (0, 2),
    ),
    (["The gym is 30 euros a month.", "> OK", "Actually no, it is 38 euros a month."], f"The gym is 38 euros a month{TODAY}", (0, 2)),
    (["My boss is Ella.", "> OK", "No wait, her name is Stella."], f"Lena's boss is Stella{TODAY}", (0, 2)),
    ([DENTIST, "> OK", "No, 16 July."], "The dentist is on 16 July 2026.", (0, 2)),
    (["My flight is TP 451.", "> Noted.", "No, it's TP 541, not TP 451."], f"Lena's flight is TP 541{TODAY}", (0, 2)),
    (["The office closes at 6.", "> OK", "Correction, it closes at 7 now."], f"The office closes at 7{TODAY}", (0, 2)),
    (["My flight is on Monday.", "> OK", "no wait tuesday"], "Lena's flight is on 16 June 2026.", (0, 2)),
    (["My budget is 500 euros.", "> OK", "sry i meant 600"], f"Lena's budget is 600 euros{TODAY}", (0, 2)),
    (["The gym is 30 euros a month.", "> OK", "Sorry, it was 38 euros per month."], f"The gym is 38 euros a month{TODAY}", (0, 2)),
)  # fmt: skip
LEFT = (
    [DENTIST, "I pay 12 euros for Netflix.", "> And is Spotify 12 euros, too?", "No, 10 euros."],
    [DENTIST, "> Is the party on 15 July, too?", "No, it's on 13 July."],
    [DENTIST, "I take 20 mg of Lipitor.", "> Noted: 20 mg. Should I write 20 mg for Crestor, too?", "No, 40 mg."],
    [DENTIST, "I wake up at 6 am.", "> OK", "Oh wait, it's 11 pm. Good night!"],
    [DENTIST, "My trip is on Thursday.", "> OK", "Wait, it's Friday."],
    [DENTIST, "> OK", "No, I don't like it."],
    [DENTIST, "> OK", "Wait, it's 10 July, I forgot your birthday!"],
    [DENTIST, "My trip is on Thursday.", "> OK", "Actually, it's Friday, let's celebrate!"],
    [DENTIST, "My rent is 1,400 euros.", "> OK", "Sorry, it's 20 degrees here, I'm freezing."],
    [DENTIST, "The gym is 30 euros a month.", "> OK", "Sorry, it was 300 euros a year."],
    [DENTIST, "The trip costs 800 euros.", "> OK", "Actually it's 3 days, from Friday to Sunday."],
    [DENTIST, "My tool is called Quark.", "> OK", "It's written in Rust."],
    [DENTIST, "My tool is called Quark.", "> OK", "It's spelled Q-u-a-r-k."],
    [DENTIST, "I have read Emma.", "> OK", "It's written by Jane Austen."],
    [DENTIST, "> OK", "Sorry, I was away."],
    [DENTIST, "The office opens at 9.", "> So you get up at 7.", "No, 6."],
    [DENTIST, "The gym is 30 euros a month.", "> OK", "wait 5 minutes"],
    [DENTIST, "> And when is the exam?", "Actually, 16 July."],
    [DENTIST, "> Shall I remind you on 14 July?", "Make that 13 July."],
    [DENTIST, "> Noted, 16 July.", "No, I meant 15 July."],
    [DENTIST, "> OK", "Book a table for 3 July.", "> OK", "Sorry, 4 July."],
    [DENTIST, "> OK", "My mom's birthday is soon, too.", "> OK", "Actually, it's on 3 August."],
    [DENTIST, "> OK", "Thanks!", "> Sure.", "Bye!", "> Bye!", "I meant 16 July."],
    [DENTIST, "My daughter is 5.", "Write a story for her.", "> Once upon a time", "Sorry, make it 300 words."],
    [DENTIST, "My daughter is 5.", "Write a story for her.", "> Once upon a time", "Sorry, make it 6."],
    [DENTIST, "We have 1,200 customers.", "> What is your rent?", "Sorry, 1,300."],
    [DENTIST, "I was born in 1989.", "> So you are 37?", "No, 36."],
    [DENTIST, "> OK", "The PIN is 1234.", "> OK", "Sorry, I meant 1235."],
    [DENTIST, "The call is on 3 July at 9.", "> Is the party on 4 July at 8 pm?", "No, 5 July at 7 pm."],
    [DENTIST, "The call is on 3 July at 9.", "> Shall I put lunch at noon, too?", "Sorry, 3 July at 1 pm."],
    [DENTIST, "My son is 11.", "> How old is your brother?", "Actually he is 40."],
    [DENTIST, "My daughter is 9.", "My son is 11.", "> OK", "Actually, she is 10."],
    [DENTIST, "My son is 11.", "Write a story for him.", "> Once upon a time", "Sorry, he's 12."],
    [DENTIST, "My mother is 70. Her sister came.", "> OK", "Actually she is 74."],
    [DENTIST, "My mother is 70.", "> Tell me about your sister.", "Oh, actually she is 74."],
    [DENTIST, "I live in Graz.", "> Tell me where you work.", "Actually, in Linz."],
    [DENTIST, "I graduated in 2014.", "> When did you move?", "Sorry, 2015."],
    [DENTIST, "I live in Graz.", "> Where do you work?", "Actually, in Linz."],
    [DENTIST, "I live in Graz.", "> Do you work in Graz, too?", "No, in Linz."],
    [DENTIST, "Write a sort function. I live in Graz.", "> Here it is", "Sorry, in Python."],
    [DENTIST, "I grew up in Graz.", "She studied hard.", "> OK", "Actually, in Linz."],
    [DENTIST, "My dentist is Dr. Klein.", "> Who is your vet?", "Sorry, Dr. Kline."],
)


def window(rows: Sequence[str], name: str | None = "Lena") -> ConversationWindow:
    """The messages of a user and a program in turn; those of the program begin with `> `."""
    messages = (
        SourceMessage(
            UUID(int=at),
            MessageRole.ASSISTANT if text.startswith("> ") else MessageRole.USER,
            text.removeprefix("> "),
            WEDNESDAY + at * 10_000,
            WEDNESDAY,
            None if text.startswith("> ") else name,
            session_key="s",
        )
        for at, text in enumerate(rows)
    )
    return ConversationWindow(None, None, tuple(messages))


@pytest.mark.rule("11.6 method", "11.6 row")
@pytest.mark.parametrize(("messages", "content", "sources"), RIGHT)
def test_a_correction_is_kept_with_what_it_corrects(
    messages: list[str], content: str, sources: tuple[int, ...]
) -> None:
    (found,) = extract(window(messages))
    assert (found.content, found.source_indexes) == (content, sources)
    (found,) = extract(window(messages, None))
    assert (found.content.replace("the user", "Lena").replace("The user", "Lena"), found.source_indexes) == (
        content,
        sources,
    )


@pytest.mark.parametrize("messages", LEFT)
def test_what_corrects_something_else_changes_nothing(messages: list[str]) -> None:
    """The messages before the last one give the same memories with and without it."""
    found = extract(window(messages))
    assert "The dentist is on 15 July 2026." in [one.content for one in found]
    before = extract(window([*messages[:-1], "Thanks!"]))
    assert [one.content for one in found if one.source_indexes[-1] < len(messages) - 1] == [
        one.content for one in before
    ]
    assert not any(len(one.source_indexes) > 1 for one in found)


def test_people_correct_only_themselves() -> None:
    talk = window([DENTIST, "> Sorry, 16 July."])
    named = tuple(
        SourceMessage(one.id, MessageRole.USER, one.content, one.timestamp, one.created_at, name)
        for one, name in zip(talk.messages, ("Lena", "Tom"), strict=True)
    )
    assert not any("16 July" in one.content for one in extract(ConversationWindow(None, None, named)))


@pytest.mark.rule("17.9 test")
@pytest.mark.parametrize(("rows", "content", "sources"), RIGHT)
def test_a_corrected_statement_is_no_junk(rows: list[str], content: str, sources: tuple[int, ...]) -> None:
    messages = window(rows).messages
    assert junk_reason(content, [SourceReading(messages[at], messages) for at in sources]) is None
    assert kept_sentences(window(rows), sources[-1])


def test_a_correction_of_what_was_read_before_states_it_anew() -> None:
    earlier = window([DENTIST, "> OK"]).messages
    (found,) = extract_after(earlier, window(["No, I meant 16 July.", "> OK"]))
    assert (found.content, found.source_indexes) == ("The dentist is on 16 July 2026.", (0, 2))


def test_a_correction_of_an_earlier_correction_counts_alone() -> None:
    earlier = window([DENTIST, "> OK", "No, I meant 16 July.", "> OK"]).messages
    (found,) = extract_after(earlier, window(["Sorry, 17 July.", "> OK"]))
    assert (found.content, found.source_indexes) == ("The dentist is on 17 July 2026.", (0, 2, 4))


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (
            "Actually, no: the workshop in Graz is on 10 July, not on the 9th.",
            "The workshop in Graz is on 10 July 2026, not on the 9th.",
        ),
        ("Wait, my manager is Svenja Klatt, not Tobias.", f"Lena's manager is Svenja Klatt, not Tobias{TODAY}"),
        ("Correction: our budget is 40,000 euros.", f"Lena's budget is 40,000 euros{TODAY}"),
    ],
)
def test_a_correction_of_another_session_is_kept_if_it_says_what_it_corrects(message: str, content: str) -> None:
    assert [memory.content for memory in extract(window([message, "> Noted."]))] == [content]
    assert (
        extract(window([message.split(": " if ": " in message else ", ", maxsplit=1)[0] + ", 11 July.", "> Noted."]))
        == []
    )


def test_what_was_read_before_is_not_made_again() -> None:
    earlier = window(["I live in Graz.", "> OK"]).messages
    later = window(["I have two kids.", "> OK"])
    assert [one.content for one in extract_after(earlier, later)] == [one.content for one in extract(later)]


def test_many_corrections_are_read_to_the_end() -> None:
    for text in ("Sorry, 8 pm. ", "The call is at 7 pm. Sorry, 8 pm. ", "No. Sorry. 16, not 15. "):
        many = text * (8_000 // len(text))
        assert len(extract(window([many, "> 7 pm " * 1_000, many, "> OK"]))) <= MAX_MEMORIES
