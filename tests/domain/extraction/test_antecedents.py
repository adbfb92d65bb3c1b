"""Statements that begin with a pronoun are about somebody who was mentioned shortly before (contract 11.6)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memd.domain.extraction.antecedents import may_refer_back
from memd.domain.extraction.extract import extract, extract_after
from memd.domain.extraction.junk import SourceReading, junk_reason
from tests.domain.extraction.test_corrections import TODAY, window

TOM = "My brother Tom moved to Oslo."
MEANT = (
    (TOM, "He works at Equinor as a geologist.", f"Lena's brother Tom works at Equinor as a geologist{TODAY}"),
    (TOM, "He's allergic to nuts.", f"Lena's brother Tom is allergic to nuts{TODAY}"),
    (TOM, "His birthday is on 3 May.", f"Lena's brother Tom's birthday is on 3 May{TODAY}"),
    (TOM, "By the way, he lives in Oslo now.", f"Lena's brother Tom lives in Oslo now{TODAY}"),
    ("My sister works at Acme.", "Her office is in Graz.", f"Lena's sister's office is in Graz{TODAY}"),
    ("I visited my aunt Rita.", "She lives in Bern.", f"Lena's aunt Rita lives in Bern{TODAY}"),
    ("My dog Rex has arthritis.", "he's 13", f"Lena's dog Rex is 13{TODAY}"),
    ("My wife Ana works nights, what can I cook for her?", "She's gluten free.", f"Lena's wife Ana is gluten free{TODAY}"),
    ("My parents moved.", "They live in Bern now.", f"Lena's parents live in Bern now{TODAY}"),
    ("My parents moved.", "Their address is Hill Road 4.", f"Lena's parents' address is Hill Road 4{TODAY}"),
    ("Our new colleague Jo is nice.", "She works at the Graz office.", f"Lena's new colleague Jo works at the Graz office{TODAY}"),
    ("Lucía is on parental leave.", "Her deputy for the frontend is Wei.", f"Lucía's deputy for the frontend is Wei{TODAY}"),
    ("My mother lives in Cork.", "She likes gardening and hates flying.", f"Lena's mother likes gardening and hates flying{TODAY}"),
    ("My wife is called Tess.", "She doesn't eat fish.", f"Lena's wife doesn't eat fish{TODAY}"),
    ("My boss is Kim.", "She wants the report every Friday.", f"Lena's boss wants the report every Friday{TODAY}"),
    ("My accountant is Ms. Weber.", "Her office is in Graz.", f"Lena's accountant's office is in Graz{TODAY}"),
    ("My brother Tom moved.", "He's been a geologist since 2019.", f"Lena's brother Tom has been a geologist since 2019{TODAY}"),
    ("My landlord called.", "He's raising the rent to 1,300 euros.", f"Lena's landlord is raising the rent to 1,300 euros{TODAY}"),
    ("My son is twelve.", "He'll start at Acme in 2030.", "Lena's son will start at Acme in 2030 (10 June 2026)."),
    (TOM, "He's always wanted to live in Bern.", f"Lena's brother Tom has always wanted to live in Bern{TODAY}"),
    (TOM, "He's left-handed and allergic to nuts.", f"Lena's brother Tom is left-handed and allergic to nuts{TODAY}"),
    ("My brother Tom is a nurse.", "He lives in Bern.", f"Lena's brother Tom lives in Bern{TODAY}"),
    ("Petra works at Brandt.", "She lives in Ulm.", f"Petra lives in Ulm{TODAY}"),
)  # fmt: skip
UNCLEAR = (
    [TOM, "> OK", "She works at Equinor."],
    [TOM, "> OK", "They live in Bern."],
    ["My brother Tom and my colleague Ben are here.", "> OK", "He works at Acme."],
    ["My brother Tom moved. His friend Ole moved, too.", "> OK", "He works at Acme."],
    ["My wife has a cold.", "> Is her mother with you?", "She lives in Bonn."],
    [TOM, "> Your boss Karl told me. Karl said hello.", "He works at Acme."],
    [TOM, "> OK", "The plumber came.", "> OK", "He works at Acme."],
    [TOM, "> OK", "A guy fixed the roof.", "> OK", "He works at Acme."],
    [TOM, "I had lunch with Max.", "> OK", "He lives in Bern."],
    [TOM, "I spoke to Max.", "> OK", "He lives in Bern."],
    ["My sister Anna is here.", "> OK", "Her and Tom's office is in Graz."],
    ["Figma is slow.", "> OK", "She works at Brandt."],
    ["My boss in Berlin is called Kim.", "> OK", "She works at the Munich office."],
    ["My friend sent me a film with Tom Hanks.", "> OK", "He lives in Malibu."],
    ["My cousin works with Ada.", "> OK", "She leads the data team."],
    ["My manager called.", "> OK", "He lives in Bern.", "> OK", "She works at Acme."],
    ["My manager called.", "> Did she?", "He works at Acme."],
    ["My wife met Anna.", "> OK", "She works at Acme."],
    ["I like tea.", "> OK", "He works at Acme."],
    [TOM, "> 1", "I like tea.", "> 2", "I like jazz.", "> 3", "He works at Acme."],
)


def contents(messages: Sequence[str], name: str | None = "Lena") -> list[str]:
    return [one.content for one in extract(window([*messages, "> Noted."], name))]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("before", "sentence", "content"), MEANT)
def test_the_one_meant_stands_in_the_place_of_the_pronoun(before: str, sentence: str, content: str) -> None:
    assert content in contents([before, "> OK", sentence])
    assert content.replace("Lena", "The user") in contents([before, "> OK", sentence], None)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("before", "sentence", "content"), MEANT)
def test_the_one_meant_may_have_been_mentioned_before_the_window(before: str, sentence: str, content: str) -> None:
    after = window([sentence, "> Noted."])
    assert may_refer_back(after)
    (found,) = extract_after(window([before, "> OK"]).messages, after)
    assert (found.content, found.source_indexes, found.corrects) == (content, (2,), ())


@pytest.mark.rule("17.9 test")
@pytest.mark.parametrize(("before", "sentence", "content"), MEANT)
def test_such_a_memory_is_no_junk(before: str, sentence: str, content: str) -> None:
    messages = window([before, "> OK", sentence, "> Noted."]).messages
    assert junk_reason(content, [SourceReading(messages[2], messages)]) is None


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("messages", UNCLEAR)
def test_a_pronoun_that_is_not_clear_stays(messages: list[str]) -> None:
    pronoun, _, rest = messages[-1].partition(" ")
    found = contents(messages)
    assert f"{pronoun} {rest.rstrip('.')}{TODAY}" in found


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    "messages",
    [
        ["My kids have new shoes.", "> OK", "They cost 80 euros."],
        ["My parents sent me three books.", "> OK", "They are about Roman history."],
        ["My parents have a house and an apartment.", "> OK", "They are rented out to a friend."],
        ["My kids go to the Graz school.", "> Nice. And the teachers?", "They are strict but fair."],
    ],
)
def test_they_may_be_things_and_others(messages: list[str]) -> None:
    assert contents(messages) == contents(messages[:-1])


@pytest.mark.rule("11.6 method")
def test_a_corrected_statement_is_about_the_one_meant_too() -> None:
    messages = [TOM, "> OK", "He works at Equinor.", "> OK", "No, he works at Shell."]
    assert f"Lena's brother Tom works at Shell{TODAY}" in contents(messages)
    earlier, later = window([*messages[:3], "> OK"]).messages, window([messages[-1], "> OK"])
    (right,) = extract_after(earlier, later)
    assert right.content == f"Lena's brother Tom works at Shell{TODAY}"
    assert f"Lena's brother Tom works at Equinor{TODAY}" in right.corrects


@pytest.mark.rule("11.6 method")
def test_what_people_tell_each_other_keeps_its_words() -> None:
    talk = window([TOM, "> OK", "He works at Equinor as a geologist."])
    named = replace(talk, messages=tuple(replace(one, speaker=one.speaker or "Max") for one in talk.messages))
    assert not any("brother Tom works" in one.content for one in extract(named))
