"""Corrections that say anew what somebody does, or who does it: "No, she works at Acme", "It's Lars who owns it, not Tomasz" (contract 11.6)."""

from collections.abc import Sequence

import pytest

from memd.domain.extraction.extract import extract, extract_after, kept_sentences
from memd.domain.extraction.junk import SourceReading, junk_reason
from tests.domain.extraction.test_corrections import DENTIST, TODAY, window

OWNER = "Tomasz owns the billing service."
CLINIC = "My sister Rúna works at the harbour office."
ANEW = (
    (
        CLINIC,
        "Actually, no: she works at the university clinic since October.",
        "Lena's sister Rúna works at the university clinic since October 2025.",
    ),
    (CLINIC, "No, she works at the university clinic.", f"Lena's sister Rúna works at the university clinic{TODAY}"),
    (CLINIC, "That's wrong, she works at a clinic.", f"Lena's sister Rúna works at a clinic{TODAY}"),
    (CLINIC, "My mistake: she works at Acme since 2024.", "Lena's sister Rúna works at Acme since 2024 (10 June 2026)."),
    (CLINIC, "That's wrong, she works for Acme.", f"Lena's sister Rúna works for Acme{TODAY}"),
    (CLINIC, "No, she works at Siemens.", f"Lena's sister Rúna works at Siemens{TODAY}"),
    ("My son is called Max.", "Sorry, he's called Jorn.", f"Lena's son is called Jorn{TODAY}"),
    ("My boss Kim works at Acme in Graz.", "No, she works at Bosch.", f"Lena's boss Kim works at Bosch in Graz{TODAY}"),
    ("My sister works at Acme.", "Wait, she works at the mill.", f"Lena's sister works at the mill{TODAY}"),
    ("My brother Jan lives in Brussels.", "No, he lives in Gent now.", f"Lena's brother Jan lives in Gent now{TODAY}"),
    ("By the way, my uncle lives in Bern.", "Sorry, he lives in Thun now.", f"Lena's uncle lives in Thun now{TODAY}"),
    ("My son Ole works as a nurse.", "Sorry, he works as a cook.", f"Lena's son Ole works as a cook{TODAY}"),
    ("My boss Kim reports to Eva Roth.", "No, she reports to Tom Berg.", f"Lena's boss Kim reports to Tom Berg{TODAY}"),
    ("My sister is called Mirjam.", "Sorry, she's called Mirja.", f"Lena's sister is called Mirja{TODAY}"),
    ("My sister is called Mirjam.", "Sorry, she's called Mirja, not Mirjam.", f"Lena's sister is called Mirja{TODAY}"),
    (
        "My colleague Mirjam works at Acme.",
        "Sorry, she's called Mirja, not Mirjam.",
        f"Lena's colleague Mirja works at Acme{TODAY}",
    ),
    ("My son is called Joran.", "His name is Jorn, not Joran.", f"Lena's son is called Jorn{TODAY}"),
    ("My parents moved to Paris.", "Wait, they moved to Lyon, not Paris.", f"Lena's parents moved to Lyon{TODAY}"),
    ("My parents live in Paris.", "No, they live in Lyon since May.", "Lena's parents live in Lyon since May 2026."),
    (OWNER, "It's Lars who owns it, not Tomasz.", f"Lars owns the billing service{TODAY}"),
    (OWNER, "It's Lars who owns the billing service, not Tomasz.", f"Lars owns the billing service{TODAY}"),
    (OWNER, "It's not Tomasz but Lars who owns it.", f"Lars owns the billing service{TODAY}"),
    (OWNER, "No, it's Lars who owns the billing service.", f"Lars owns the billing service{TODAY}"),
    (OWNER, "Not Tomasz but Lars owns the billing service.", f"Lars owns the billing service{TODAY}"),
    (OWNER, "Lars owns the billing service, not Tomasz.", f"Lars owns the billing service{TODAY}"),
    (OWNER, "Sorry, it’s Lars Berg who owns it, not Tomasz.", f"Lars Berg owns the billing service{TODAY}"),
    ("It's Tomasz who owns the API.", "No, it's Lars who owns the API.", f"Lars owns the API{TODAY}"),
    ("Tomasz Nowak owns the API.", "It's Lars who owns it, not Tomasz.", f"Lars owns the API{TODAY}"),
    ("My sister Anna lives in Graz.", "Not Anna but Tom lives in Graz.", f"Tom lives in Graz{TODAY}"),
    ("Kafka runs the queue.", "It's Redis that runs it, not Kafka.", f"Redis runs the queue{TODAY}"),
    ("Petra leads the data team.", "It's Ines who leads it, not Petra.", f"Ines leads the data team{TODAY}"),
    ("The launch is on 12 May.", "The launch is on the 14th, not the 12th.", "The launch is on 14 May 2027."),
    ("The standup is at 9.", "The standup is at 9:30, not 9.", f"The standup is at 9:30{TODAY}"),
)  # fmt: skip
LEFT = (
    ["My sister Anna is a nurse.", "> OK", "Actually, she is so kind!"],
    ["My brother Jan is sick.", "> OK", "No, he is fine."],
    [CLINIC, "> OK", "Actually, she is so kind!"],
    [CLINIC, "> OK", "No, he works at the university clinic."],
    [CLINIC, "> OK", "Actually, she works at night."],
    [CLINIC, "> OK", "Actually, she works at the weekend."],
    [CLINIC, "> OK", "Actually, she works at a high level."],
    [CLINIC, "> OK", "Actually, she works for a living."],
    [CLINIC, "> OK", "Actually, she works at Acme, too."],
    [CLINIC, "> OK", "Actually, she also works at Acme."],
    [CLINIC, "> OK", "Actually, she works at Acme, I think."],
    [CLINIC, "> OK", "Actually, she might work at the university clinic."],
    [CLINIC, "> OK", "Actually, she works at Acme from May."],
    [CLINIC, "> OK", "Actually, she works at Acme until May."],
    [CLINIC, "> OK", "Actually, she works at Acme on Fridays."],
    [CLINIC, "> OK", "Actually, if she works at Acme, I can ask her."],
    [CLINIC, "> OK", "Wait, she works at the university clinic?"],
    [CLINIC, "> OK", "Actually, she lives in Graz."],
    [CLINIC, "> OK", "She works at the university clinic."],
    [CLINIC, "> And your cousin?", "Oh wait, she works at the mill."],
    [CLINIC, "> And Maria?", "Oh wait, she works at the mill."],
    [CLINIC, "My aunt called.", "> OK", "Actually, she works at the mill."],
    [CLINIC, "Maria called.", "> OK", "Actually, she works at the mill."],
    ["My sister Anna lives in Graz.", CLINIC, "> OK", "Actually, she works at the mill."],
    ["I met Maria yesterday.", CLINIC, "> OK", "Actually, she works at the mill."],
    ["My brother Jan lives in Ghent.", "> OK", "No, she lives in Linz."],
    ["My brother Jan lives in Ghent.", "> OK", "No, she lives in Linz now."],
    ["I met Maria yesterday.", "My sister Rúna lives in Graz.", "> OK", "No, she lives in Linz."],
    ["My sister Rúna lives in Graz.", "> And your niece?", "No, she lives in Linz."],
    ["My sister Rúna and Tom work at the mill.", "> OK", "Actually, she works at Acme."],
    ["My sister Rúna works at the mill and loves it.", "> OK", "Actually, she works at Acme."],
    ["My brother lives in the hills with his dog.", "> OK", "No, he lives in Linz."],
    ["My sister works at the mill as a cook.", "> OK", "No, she works at Acme."],
    ["My sister Rúna works at night.", "> OK", "Actually, she works at Acme."],
    ["My parents moved to Paris.", "> OK", "Wait, they moved to tears."],
    ["My parents moved to Paris.", "> OK", "Actually, they moved to March."],
    ["My sister lives in Paris.", "> OK", "Wait, they live in Lyon now."],
    ["Tomasz moved to Graz in 2019.", "> OK", "Actually, he lives in Linz now."],
    ["My brother Jan lives in Brussels.", "> OK", "Actually, he also lives in Gent."],
    ["Our office is in Graz.", "> OK", "Actually, the office is also in Linz."],
    ["My son's wife works at Acme.", "> OK", "No, he works at Bosch."],
    ["My dog is called Rex.", "The vet is nice.", "> OK", "Sorry, she's called Dr. Wu."],
    ["My doctor works at the city hospital.", "I saw her nurse, too.", "> OK", "Actually, she works at the mill."],
    ["My sister Anna works at Acme.", "> From home?", "No, she works at the office."],
    ["My sister Anna works at Acme.", "> OK", "Actually, she works at the same company as me."],
    [OWNER, "> OK", "Actually, it's Lars who owns it, too."],
    ["Tom owns a car.", "> And a boat?", "No, it's Lars who owns it."],
    ["Petra leads the data team.", "> Who leads the search team?", "Actually, it's Ines who leads the team."],
    [OWNER, "> OK", "It's Lars who told me, not a big deal."],
    [OWNER, "> OK", "It's Lars who told me, not Tomasz."],
    [OWNER, "> OK", "It's Lars who owns the gateway, not Tomasz."],
    [OWNER, "> OK", "It's Lars who owns it."],
    [OWNER, "> OK", "It's Lars who owns it, not Petra."],
    [OWNER, "> OK", "Is it Lars who owns it, not Tomasz?"],
    [OWNER, "> OK", "If it's Lars who owns it, not Tomasz, ask him."],
    [OWNER, "> OK", "Maybe it's Lars who owns it, not Tomasz."],
    [OWNER, "> OK", "Not bad but Lars likes it."],
    [OWNER, "> OK", "Not only Tomasz but Lars owns it."],
    ["I heard that Tomasz owns the billing service.", "> OK", "It's Lars who owns it, not Tomasz."],
    ["Tomasz owns the API and lives in Graz.", "> OK", "It's Lars who owns it, not Tomasz."],
    ["Tomasz owns the API and loves it.", "> OK", "It's Lars who owns it, not Tomasz."],
    ["Anna likes the song that Tomasz wrote.", "> OK", "It's Lars who likes it, not Tomasz."],
    ["My colleague Mirjam works at Acme.", "> OK", "Sorry, she's called away, not sick."],
)  # fmt: skip


@pytest.mark.rule("11.6 method", "11.6 row")
@pytest.mark.parametrize(("stated", "sentence", "content"), ANEW)
def test_a_statement_about_somebody_is_put_right(stated: str, sentence: str, content: str) -> None:
    (found,) = extract(window([stated, "> OK", sentence]))
    assert (found.content, found.source_indexes) == (content, (0, 2))
    (found,) = extract(window([f"{stated} {sentence}", "> OK"]))
    assert (found.content, found.source_indexes) == (content, (0,))


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("stated", "sentence", "content"), ANEW)
def test_it_takes_the_place_of_what_was_read_before(stated: str, sentence: str, content: str) -> None:
    earlier = window([stated, "> Noted. Anything else?"])
    (old,) = extract(earlier)
    (found,) = extract_after(earlier.messages, window([sentence, "> OK"]))
    assert (found.content, found.corrects) == (content, (old.content,))


@pytest.mark.rule("17.9 test")
@pytest.mark.parametrize(("stated", "sentence", "content"), ANEW)
def test_it_is_no_junk(stated: str, sentence: str, content: str) -> None:
    talk = window([stated, "> OK", sentence])
    assert junk_reason(content, [SourceReading(talk.messages[at], talk.messages) for at in (0, 2)]) is None
    assert kept_sentences(talk, 2)


@pytest.mark.parametrize(
    "around", ["My brother Jan lives in Ghent.", "We use Kafka at Acme.", "I spoke with the team.", "My parents came."]
)
def test_others_whom_the_pronoun_cannot_mean_may_be_named(around: str) -> None:
    found = extract(window([around, "> OK", CLINIC, "> Noted, Lena.", "No, she works at the university clinic."]))
    assert f"Lena's sister Rúna works at the university clinic{TODAY}" in [one.content for one in found]
    assert not any("harbour" in one.content for one in found)


def test_what_is_asked_about_the_statement_itself_may_be_answered_by_a_correction() -> None:
    for between in ("So Tomasz owns the billing service?", "Anything else I can help with?"):
        found = extract(window([OWNER, f"> {between}", "Sorry, it's Lars who owns it."]))
        assert [one.content for one in found] == [f"Lars owns the billing service{TODAY}"]


@pytest.mark.parametrize("messages", LEFT)
def test_other_talk_about_people_corrects_nothing(messages: Sequence[str]) -> None:
    """The messages before the last one give the same memories with and without it."""
    found = extract(window([DENTIST, *messages]))
    before = extract(window([DENTIST, *messages[:-1], "Thanks!"]))
    assert [one.content for one in found if one.source_indexes[-1] <= len(messages) - 1] == [
        one.content for one in before
    ]
    assert not any(len(one.source_indexes) > 1 for one in found)
    assert not any(one.corrects for one in extract_after(window(messages[:-1]).messages, window(messages[-1:])))
