"""Sentences of a user to a program: which become memories, and in which words."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.extraction.extracted_memory import ExtractedMemory
from memd.domain.types import Category, MessageRole

WEDNESDAY = int(datetime(2026, 11, 18, 9, tzinfo=UTC).timestamp() * 1000)

KEPT = (
    "I'm Priya, I work as a backend engineer at Lumen in Lisbon.",
    "My name is Tom Becker.",
    "We use PayPal for payouts since March.",
    "By the way, my passport expires on 17 November 2026, remind me to renew it before 1 October.",
    "Anyway, never run the migrations by hand, always use `make migrate`.",
    "Since v2.14 our tests need Postgres 16.",
    "The staging database is at db-stage.lumen.internal, port 5433.",
    "Deployments happen on Tuesdays and Thursdays.",
    "I don't like cilantro.",
    "I don't eat meat.",
    "My dentist appointment is on Monday at 9.",
    "The dentist appointment is on 3 May at 9.",
    "We switched from Jira to Linear.",
    "I'm 34 years old and I play the cello in an amateur orchestra.",
    "I have two kids, Mia and Jonas.",
    "Our office is on the fourth floor of the old brewery.",
    "I usually get up at 6.",
    "My car is a blue Skoda from 2014.",
    "Our main competitor is Acme.",
    "The API key rotates every 90 days.",
    "I studied physics in Heidelberg.",
    "We're a team of five, all remote.",
    "I'm vegetarian.",
    "I'm learning Portuguese.",
    "I can't eat gluten.",
    "Remember that the fiscal year starts in October.",
    "Note that invoices go out on the 5th.",
    "FYI the production cluster has 12 nodes.",
    "Remind me to call Anna on Friday.",
    "My manager's name is Iris Vogt.",
    "The repo is at github.com/lumen/payouts.",
    "Our budget for this quarter is 40,000 euros.",
    "I drive to work, it takes 45 minutes.",
    "I'm a nurse at the children's hospital.",
    "I speak German, English and a bit of Polish.",
    "We deploy with Terraform on AWS.",
    "My flight to Oslo leaves on 12 June at 7:40.",
    "The contract with Acme ends on 31 December.",
    "Our customers are mostly small clinics.",
    "I was born in 1989 in Gdansk.",
    "The release is due on 4 December.",
    "I live alone with a cat called Miso.",
    "The meeting with legal moved to Thursday 3 pm.",
    "I quit my job at Siemens in May.",
    "Our wifi password hint is the name of the boat.",
    "I'm left-handed.",
    "I use vim and a Dvorak keyboard.",
    "Backups run at 02:00 UTC.",
    "We have 1,200 paying customers.",
    "Hey, quick intro: I'm a data scientist from Toronto.",
    "I've been vegan since 2018.",
    "Our standup is at 9:30 every weekday.",
    "We're on Kubernetes 1.29 and we deploy through ArgoCD.",
    "my girlfriend Lena is a dentist",
    "I'm allergic to penicillin, by the way.",
    "The client wants the report in Spanish.",
    "I just bought a house in Leeds.",
    "We got a dog last month, she's called Pepper.",
    "I take metformin twice a day.",
    "The database password is kept in Vault under kv/prod/db.",
    "Our tests run with pytest -n 4.",
    "Jonas is the on-call engineer this week.",
    "I can only meet after 4 pm.",
    "My timezone is CET.",
    "I usually run on Tuesday evenings.",
    "I switched to a standing desk two weeks ago.",
    "Please call me Max from now on.",
    "My son's school is closed on 8 December.",
    "We have a house rule: no phones at dinner.",
    "I finished my thesis yesterday!",
    "The landlord raised our rent to 1,450 euros.",
    "Our API is rate limited to 60 requests a minute.",
    "I'd rather have short answers without emojis.",
    "I work night shifts until January.",
    "My grandma turns 90 next Saturday.",
    "I have a meeting with Dr. Roth at 11 tomorrow.",
    "We store all amounts in cents.",
    "The feature flag is called new_checkout.",
    "I bike to the office.",
    "I'm lactose intolerant, so which milk should I buy?",
    "I have a Canon EOS R6, which lens is best for portraits?",
    "I've never integrated Flask-Login in this project.",
    "My doctor, Dr. Patel, told me to cut salt.",
    "The technician said the heating element has to be replaced every two years.",
    "For sourdough we use 72% hydration and 18 hours of cold proof.",
)
LEFT = (
    "please write a function that adds two numbers",
    "Write me a poem about the sea.",
    "thanks, that works!",
    "I get an error when I run the tests.",
    "I have a question about joins.",
    "I need help with my homework.",
    "Fix the typo in line 3.",
    "Can you explain how this works?",
    "It doesn't work.",
    "The test fails with a KeyError.",
    "I think that's wrong.",
    "I don't understand.",
    "I don't know.",
    "I want you to rewrite this paragraph.",
    "Let me check.",
    "I'll try it tomorrow.",
    "That's not what I meant.",
    "I'm getting a 500 from this endpoint.",
    "Here is the file.",
    "The code you gave me is broken.",
    "Use a different approach.",
    "Give me three options.",
    "Make it shorter.",
    "I see.",
    "I have no idea why.",
    "I'm not sure.",
    "Sure, go ahead.",
    "I have to go now.",
    "My code doesn't compile.",
    "The function should return a list.",
    "This is the output of the command.",
    "I ran the script again.",
    "I tried that already.",
    "Show me the first ten rows.",
    "What is the capital of France?",
    "I like it.",
    "I love this answer.",
    "The second option is better.",
    "I need a table with three columns.",
    "Add a docstring to it.",
    "We are almost there.",
    "I'm confused.",
    "The output is empty.",
    "I'm here.",
    "My question is how to do this in Rust.",
    "I use it like this.",
    "The image is too small.",
    "I have another question.",
    "I mean the other file.",
    "Our conversation was long.",
    "What does this mean?",
    "Could you make the tone friendlier?",
    "Here's my code:",
    "Hmm, still not working.",
    "It says permission denied.",
    "I ran it and got the same result.",
    "ok next",
    "Looks good to me.",
    "I appreciate it.",
    "That makes sense now.",
    "Summarise the following article in three sentences.",
    "In the first paragraph you wrote something odd.",
    "I forgot to mention that.",
    "We need to fix this first.",
    "Is it possible to cache that?",
    "I want a shorter version.",
    "This is great, thank you so much!",
    "I think we should look at the logs.",
    "The button is too big on mobile.",
    "It should be blue.",
    "Try again with the other file.",
    "I'm trying to install it.",
    "The list is sorted in the wrong order.",
    "My last message was cut off.",
    "I have two errors in the console.",
    "Continue.",
    "We can do that later.",
    "I will test it and get back to you.",
    "I have a list of numbers, how do I sort it in Python?",
    "I get an error when I run this, can you fix it?",
    "The capital of Australia is Canberra, right?",
    "The contract ends on 31 December, doesn't it?",
    "I've used this approach before, does it scale?",
    "Let's say I have 10 apples and give away 3, how many do I have?",
    "In the attached file, what is the total revenue?",
    "Translate this please: I live in a small house by the sea.",
    "If I had a million dollars I'd buy a boat.",
)


def read(*messages: str, role: MessageRole = MessageRole.USER) -> list[ExtractedMemory]:
    """The memories that extraction makes of messages of one session, a minute apart."""
    rows = [
        SourceMessage(id=uuid4(), role=role, content=text, timestamp=WEDNESDAY + at * 60_000, created_at=WEDNESDAY)
        for at, text in enumerate(messages)
    ]
    return extract(ConversationWindow(None, None, tuple(rows)))


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", KEPT)
def test_what_users_say_of_themselves_and_their_work_is_kept(sentence):
    assert len(read(sentence)) == 1


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", LEFT)
def test_requests_trouble_and_remarks_are_left(sentence):
    assert read(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "content"),
    [
        ("By the way, I'm allergic to nuts.", "The user is allergic to nuts (18 November 2026)."),
        ("We're a team of five.", "The user and others are a team of five (18 November 2026)."),
        ("We're 12 engineers in two teams.", "The user and others are 12 engineers in two teams (18 November 2026)."),
        ("We're vegetarians.", "The user and others are vegetarians (18 November 2026)."),
        ("We are both allergic to nuts.", "The user and others are both allergic to nuts (18 November 2026)."),
        ("We're married.", "The user is married (18 November 2026)."),
        ("We're always on Kubernetes 1.29.", "The user is always on Kubernetes 1.29 (18 November 2026)."),
        ("We decided to use batches of 500.", "The user decided to use batches of 500 (18 November 2026)."),
        ("FYI the cluster has 12 nodes.", "The cluster has 12 nodes (18 November 2026)."),
        ("My passport expires on 1 March.", "The user's passport expires on 1 March 2027."),
        ("Remind me to call Anna on Friday.", "Remind the user to call Anna on 20 November 2026."),
        ("Hey, quick intro: I'm a nurse from Leeds.", "The user is a nurse from Leeds (18 November 2026)."),
        (
            "Book me a hotel in Porto, I prefer quiet rooms and I'm allergic to feathers.",
            "The user prefers quiet rooms and they are allergic to feathers (18 November 2026).",
        ),
        (
            "My wife Marta will join me on 10 April. She's vegetarian.",
            "The user's wife Marta will join the user on 10 April 2027. She's vegetarian.",
        ),
        (
            "My sprint ends on 29 March, and I've completed the login, what should I do next?",
            "The user's sprint ends on 29 March 2027, and they have completed the login.",
        ),
        (
            "We switched to Postgres 16 last month, so please give SQL for that.",
            "The user switched to Postgres 16 in October 2026.",
        ),
        (
            "My daughter Maya is 7. She starts swimming lessons on Friday at 4pm.",
            "The user's daughter Maya is 7. She starts swimming lessons on 20 November 2026 at 4pm.",
        ),
        (
            "My daughter Maya is 7. They never ask why, do they?",
            "The user's daughter Maya is 7 (18 November 2026).",
        ),
        ("Remind me to please call Anna on Friday.", "Remind the user to please call Anna on 20 November 2026."),
        (
            "From now on, please always answer in English.",
            "From now on, please always answer in English (18 November 2026).",
        ),
        ("My building super is called Joe.", "The user's building super is called Joe (18 November 2026)."),
        ("I wake up at 6 and do yoga.", "The user wakes up at 6 and does yoga (18 November 2026)."),
        ("Actually my birthday is on 3 May.", "The user's birthday is on 3 May (18 November 2026)."),
        ("Anyway, we always use `make migrate`.", "The user always uses `make migrate` (18 November 2026)."),
    ],
)
def test_the_words_are_those_of_a_statement_about_the_user(sentence, content):
    assert [memory.content for memory in read(sentence)] == [content]


def test_a_reminder_is_a_goal():
    (memory,) = read("Remind me to renew the passport before 1 October.")
    assert memory.category is Category.GOAL


def test_a_pasted_text_is_not_taken_for_the_users_own_facts():
    pasted = " ".join(f"The ship left harbour {number} on a Monday in 1871." for number in range(20))
    assert read("Summarise this text. " + pasted) == []
    assert read("The ship leaves at 9 on Monday.") != []


def test_what_a_program_has_booked_is_kept():
    (memory,) = read(
        "Done: the hotel is booked from 3 to 17 April, confirmation number HX-4471.", role=MessageRole.ASSISTANT
    )
    assert memory.content == "Done: the hotel is booked from 3 to 17 April 2027, confirmation number HX-4471."


def test_few_words_are_english_when_nothing_says_otherwise():
    assert len(read("PayPal allows us 100 calls per minute.")) == 1
    assert read("PayPal nous permet 100 appels par minute.") == []


def test_a_program_that_says_the_same_is_not_believed():
    assert read("I'm vegetarian.", "We use PayPal for payouts.", role=MessageRole.ASSISTANT) == []
