"""Which sentences correct something, what they replace in an earlier sentence, and how that reads afterwards (contract 11.6)."""

import pytest

from memd.domain.distilling.corrections import corrections
from memd.domain.distilling.replacing import replaceable, replaced
from memd.domain.distilling.values import MAX_READ, Sort, values_in

REPLACED = (
    ("The dentist is on 15 July.", "No, I meant 16 July.", "The dentist is on 16 July."),
    ("The dentist is on 15 July.", "Sorry, 16 July.", "The dentist is on 16 July."),
    ("The dentist is on 15 July.", "Sorry, the 16th.", "The dentist is on 16 July."),
    ("The dentist is on July 15th.", "Oops, the 16th, not the 15th.", "The dentist is on July 16th."),
    ("The dentist is on 15 July.", "16, not 15.", "The dentist is on 16 July."),
    ("The dentist is on 15 July 2026.", "I meant 16 July.", "The dentist is on 16 July 2026."),
    ("The dentist is on 15 July.", "No, not 15 July, 16 July.", "The dentist is on 16 July."),
    ("The dentist is on 15 July.", "Wait, that's wrong, it's on 5 May.", "The dentist is on 5 May."),
    ("The dentist is on Friday.", "Sorry, it's tomorrow.", "The dentist is tomorrow."),
    ("The dentist is tomorrow.", "Sorry, I meant Friday.", "The dentist is on Friday."),
    ("The trip is from 4 May to 8 May.", "Sorry, to 9 May.", "The trip is from 4 May to 9 May."),
    ("My flight is LH 123 to Oslo.", "Sorry, it's LH 132, not LH 123.", "My flight is LH 132 to Oslo."),
    ("My flight is LH 123 to Oslo.", "It's LH 132, not LH 123.", "My flight is LH 132 to Oslo."),
    ("My flight is LH 123 to Oslo.", "I meant 132, not 123.", "My flight is LH 132 to Oslo."),
    ("My flight is LH 123 to Oslo.", "I meant to Bergen.", "My flight is LH 123 to Bergen."),
    ("Our budget is 4,000 euros.", "Correction: the budget is 40,000.", "Our budget is 40,000 euros."),
    ("Our budget is €4,000.", "Sorry, 40,000.", "Our budget is €40,000."),
    ("Our budget is 4,000 euros for 12 people.", "Sorry, 14 people.", "Our budget is 4,000 euros for 14 people."),
    ("We use Postgres 15 in production.", "Correction: Postgres 16.", "We use Postgres 16 in production."),
    ("The dinner is at 7 pm on Friday.", "Actually, make that 8 pm.", "The dinner is at 8 pm on Friday."),
    ("The dinner is at 7 pm on Friday.", "Make that 8 pm.", "The dinner is at 8 pm on Friday."),
    ("I need 20 chairs.", "Make it 30 instead.", "I need 30 chairs."),
    ("The dinner is at 7 pm on Friday.", "No wait, 7:30.", "The dinner is at 7:30 pm on Friday."),
    ("The meeting is at 10.", "Oops, 11, not 10.", "The meeting is at 11."),
    ("I have two kids.", "Sorry, three.", "I have three kids."),
    ("My sister Anna lives in Graz.", "Sorry, I meant Linz, not Graz.", "My sister Anna lives in Linz."),
    ("My sister Anna lives in Graz.", "No, she lives in Linz.", "My sister Anna lives in Linz."),
    ("I live in Berlin.", "I meant Bern.", "I live in Bern."),
    ("I work with Anna Schmidt.", "It's Anna Schmitt, not Schmidt.", "I work with Anna Schmitt."),
    ("My sister Maria Lopez is a nurse.", "Sorry, Mario Lopez, not Maria.", "My sister Mario Lopez is a nurse."),
    ("My boss is Sofia Lindquist.", "Correction: Lindqvist, not Lindquist.", "My boss is Sofia Lindqvist."),
    ("The server runs on port 8080.", "Actually it's port 8081.", "The server runs on port 8081."),
    ("Bob works at Siemens.", "Wrong, he works at Bosch.", "Bob works at Bosch."),
    ("I'm allergic to walnuts.", "Sorry, I meant peanuts, not walnuts.", "I'm allergic to peanuts."),
    ("The dentist is on 15 July at 10 am.", "No, I meant 16 July at 11 am.", "The dentist is on 16 July at 11 am."),
    ("The dentist is at 10 am on 15 July.", "Sorry, 16 July at 11 am.", "The dentist is at 11 am on 16 July."),
    ("The dentist is on 15 July at 10 am.", "Sorry, at 11 am on 16 July.", "The dentist is on 16 July at 11 am."),
    ("The dentist is on 15 July at 10 am.", "Sorry, 15 July at 11 am.", "The dentist is on 15 July at 11 am."),
    ("The dentist is on 15 July at 10.", "Sorry, Friday at 8.", "The dentist is on Friday at 8."),
    ("The call is on Monday at 7 pm.", "Oops, Tuesday, 8 pm.", "The call is on Tuesday at 8 pm."),
    ("The exam is on 12 June at 9.", "Correction: the exam is on 13 June at 8.", "The exam is on 13 June at 8."),
    ("My grandmother is 70.", "Actually she is 71.", "My grandmother is 71."),
    ("My son is 11.", "Sorry, he's 12, not 11.", "My son is 12."),
    ("My son is 11 years old.", "Sorry, he’s 12.", "My son is 12 years old."),
    ("My daughter is 5.", "Actually, she is 6 years old.", "My daughter is 6."),
    ("My son is 5 and my daughter is 7.", "Sorry, she's 8.", "My son is 5 and my daughter is 8."),
    ("I'm 34 and I play the cello.", "Sorry, I'm 35.", "I'm 35 and I play the cello."),
    ("I graduated in 2014.", "Sorry, 2015.", "I graduated in 2015."),
    ("I moved to Graz in May 2014.", "I meant 2015.", "I moved to Graz in May 2015."),
    ("I was born on 3 May 1989.", "Sorry, 1988.", "I was born on 3 May 1988."),
    ("I bought 2 cats in 2014.", "Sorry, 2015.", "I bought 2 cats in 2015."),
    ("I come from Bern.", "Sorry, from Berlin.", "I come from Berlin."),
    ("I moved from Graz to Linz.", "Oops, to Wels.", "I moved from Graz to Wels."),
    ("My dentist is Dr. Klein.", "Sorry, Dr. Kline.", "My dentist is Dr. Kline."),
    ("My dentist is Dr Klein.", "It's Dr Kline, not Klein.", "My dentist is Dr Kline."),
    ("My boss is Mrs. Miller.", "Sorry, Mr. Miller.", "My boss is Mr. Miller."),
)
UNCERTAIN = (
    ("I don't drink coffee.", "Sorry, tea, not coffee.", "tea, not coffee"),
    ("My manager isn't Peter.", "Sorry, Petra, not Peter.", "Petra, not Peter"),
    ("My sister Anna lives in Graz.", "Sorry, I meant Linz.", "Linz"),
    ("The trip is from 4 May to 8 May.", "Sorry, I meant 9 May.", "9 May"),
    ("The party is on Friday, 12 June.", "Sorry, 13 June.", "13 June"),
    ("Our budget is 4,000 euros for 12 people.", "Correction: the budget is 40,000.", "the budget is 40,000"),
    ("Our budget is 4,000 euros.", "Sorry, €40,000.", "€40,000"),
    ("The lease ends on 31 December 2026.", "Sorry, 2 January.", "2 January"),
    ("The dentist is on 15 July.", "Sorry, 16 July at 11 am.", "16 July at 11 am"),
    ("It's on 4 May or on 8 May at 9.", "Sorry, 5 May at 10.", "5 May at 10"),
    ("My son was 5 in Rome, he is 9.", "Sorry, he's 10.", "he's 10"),
    ("We moved in May 2014 and in May 2016.", "Sorry, 2015.", "2015"),
    ("I lived in Graz and in Linz.", "Sorry, in Wels.", "in Wels"),
    ("My dentist is Dr. Klein.", "Sorry, I meant Dr. Maier.", "Dr. Maier"),
    ("He is a nurse at an EOS 4 clinic.", "Sorry, I meant LH 4.", "LH 4"),
)
"""Which value is replaced, or how the sentence then reads, is not certain."""
UNRELATED = (
    ("The dentist is on 15 July.", "No, I don't like it."),
    ("The dentist is on 15 July.", "Sorry, I was away."),
    ("The dentist is on 15 July.", "Actually, I like tea."),
    ("The dentist is on 15 July.", "Actually, my birthday is on 3 May."),
    ("The dentist is on 15 July.", "Sorry, LH 132."),
    ("The dentist is on 15 July.", "No, I meant Anna."),
    ("The dentist is on 15 July.", "No, I meant 15 July."),
    ("The dentist is on 15 July.", "It's on 16 July."),
    ("The dentist is on 15 July.", "Is it on 16 July, not 15 July?"),
    ("The dentist is on 15 July.", "I meant 16 July, not 14 July."),
    ("I have 2 cats.", "Make it 500 words."),
    ("I have 2 cats.", "Make that 3."),
    ("The server runs on port 8080.", "Actually it's rack 12."),
    ("I have 2 cats.", "Wait 5 minutes."),
    ("I have 2 cats.", "Sorry, 5 dogs."),
    ("I hear that Bob is ill.", "Sorry to hear that, Joanna."),
    ("My sister moved to Graz.", "I mean Anna."),
    ("My manager is Paul.", "Sorry, Anna."),
    ("My car is green.", "It's not only green but blue."),
    ("I'm free today.", "No, tomorrow is bad, not today."),
    ("I wake up at 6 am.", "Sorry, Friday at 8."),
    ("The dentist is on 15 July at 10 am.", "Wait, it's Friday at 8."),
    ("The dentist is on 15 July at 10 am.", "Sorry, I work on Friday at 8."),
    ("My grandmother is 70.", "Actually she is nice."),
    ("My grandmother is 70.", "Actually he is 71."),
    ("My grandmother is 70.", "Actually she is 71 km away."),
    ("My grandmother has 3 cats.", "Actually she is 71."),
    ("My son is 11.", "Sorry, I'm 35."),
    ("My son is 11.", "Sorry, he's 12 minutes late."),
    ("I moved to Graz on 3 May.", "Sorry, 2015."),
    ("I come from Bern.", "Sorry about Berlin."),
    ("I come from Bern.", "Sorry, Berlin."),
    ("I come from Bern.", "Actually, for Anna."),
    ("I live in Graz.", "Sorry, in German."),
    ("I live in Graz.", "Sorry, in Spanglish please."),
    ("I wrote 300 words.", "Make it 500 words."),
    ("My dentist is Dr. Klein.", "Sorry, Dr. Maier."),
    ("My dentist is Dr. Klein.", "Thanks, Dr. Kline."),
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("stated", "sentence", "right"), REPLACED)
def test_the_right_value_replaces_the_wrong_one(stated: str, sentence: str, right: str) -> None:
    ((index, correction),) = corrections([sentence])
    assert (index, replaced(stated, correction)) == (0, right)


@pytest.mark.parametrize(("stated", "sentence", "words"), UNCERTAIN)
def test_a_sentence_is_not_changed_in_doubt(stated: str, sentence: str, words: str) -> None:
    ((_, correction),) = corrections([sentence])
    assert replaced(stated, correction) is None
    assert replaceable(stated, correction)
    assert correction.text == words


@pytest.mark.parametrize(("stated", "sentence"), UNRELATED)
def test_what_replaces_nothing_of_the_same_kind_corrects_nothing(stated: str, sentence: str) -> None:
    assert not any(replaceable(stated, correction) for _, correction in corrections([sentence]))


def test_what_opens_a_correction_may_be_a_sentence_of_its_own() -> None:
    ((index, correction),) = corrections(["Wait, that's wrong.", "It's on 5 May."])
    assert (index, correction.new.text, correction.firm) == (1, "5 May", True)
    assert list(corrections(["Thanks a lot.", "It's on 5 May."])) == []


def test_values_are_told_apart() -> None:
    text = "Flight LH 123 to Oslo leaves on Friday, June 12th at 7:40 with 2 bags of Dr. Ann Roe, mail a.b@c.org."
    assert [(value.sort, value.text) for value in values_in(text)] == [
        (Sort.CODE, "LH 123"),
        (Sort.NAME, "Oslo"),
        (Sort.WEEKDAY, "Friday"),
        (Sort.DAY, "June 12th"),
        (Sort.CLOCK, "7:40"),
        (Sort.NUMBER, "2"),
        (Sort.NAME, "Dr. Ann Roe"),
        (Sort.CODE, "a.b@c.org"),
    ]
    assert values_in("15 July " * MAX_READ) == []


@pytest.mark.parametrize(
    "part", ["Sorry, ", "a.", "1 ", "not ", "A-", "no, not 1, ", "Sorry, 8 pm. ", "1-a", "Dr. ", "Sorry, in A "]
)
def test_long_texts_have_none(part: str) -> None:
    text = part * (100_000 // len(part))
    assert list(corrections([text])) == values_in(text) == []
    for length in (120, MAX_READ):
        list(corrections([text[:length]] * 10))
        values_in(text[:length])
