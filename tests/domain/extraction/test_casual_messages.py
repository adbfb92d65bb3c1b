"""Messages of users who type without capitals, and of developers about their projects (contract 11.6)."""

from uuid import uuid4

import pytest

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.types import Category, MessageRole
from tests.domain.extraction.test_user_statements import WEDNESDAY, read

DAY = " (18 November 2026)."
STATED = (
    ("ci is on github actions", f"Ci is on github actions{DAY}"),
    ("tests run with pytest -n auto", f"Tests run with pytest -n auto{DAY}"),
    ("migrations run with alembic", f"Migrations run with alembic{DAY}"),
    ("logs go to loki, dashboards are in grafana", f"Logs go to loki, dashboards are in grafana{DAY}"),
    ("every pr needs two approvals", f"Every pr needs two approvals{DAY}"),
    ("dana reviews all prs", f"Dana reviews all prs{DAY}"),
    ("i don't want passwords at all", f"The user doesn't want passwords at all{DAY}"),
    ("ah right. our staging db is on fly.io", f"The user's staging db is on fly.io{DAY}"),
    ("ok let's use redis for the queue", f"The user decided to use redis for the queue{DAY}"),
    (
        "Let's use buildx cache with the registry backend.",
        f"The user decided to use buildx cache with the registry backend{DAY}",
    ),
    (
        "I changed my mind: we stay on Hetzner, but move the database to Postgres 17.",
        f"The user changed their mind and decided to stay on Hetzner, but move the database to Postgres 17{DAY}",
    ),
    ("I changed my mind about Redis.", f"The user changed their mind about Redis{DAY}"),
    ("let's switch to bun", f"The user decided to switch to bun{DAY}"),
    ("ok we'll go with vercel", f"The user will go with vercel{DAY}"),
    ("the staging password is rotated monthly", f"The staging password is rotated monthly{DAY}"),
    ("budget: 400 euros", f"Budget: 400 euros{DAY}"),
    ("stack: next.js, supabase, tailwind", f"Stack: next.js, supabase, tailwind{DAY}"),
    ("i use vim etc. for everything", f"The user uses vim etc. for everything{DAY}"),
    ("my budget is 5k max. per month", f"The user's budget is 5k max. per month{DAY}"),
    ("we live at no. 5 baker street", f"The user lives at no. 5 baker street{DAY}"),
    ("ich wohne in der bahnhofstr. 5 in ulm", "User (18 November 2026): Ich wohne in der bahnhofstr. 5 in ulm"),
    ("i take 20 mg. of ramipril every morning", f"The user takes 20 mg. of ramipril every morning{DAY}"),
    ("i sleep 5 hrs. per night", f"The user sleeps 5 hrs. per night{DAY}"),
    ("i weigh 80 kg. my wife weighs 60 kg", f"The user's wife weighs 60 kg{DAY}"),
    ("i have a dog resp. two dogs", f"The user has a dog resp. two dogs{DAY}"),
    ("I checked it, my blood type is 0 negative", f"The user checked it, their blood type is 0 negative{DAY}"),
    (
        "delete everything in the build folder before each release",
        f"Delete everything in the build folder before each release{DAY}",
    ),
    ("i'm afraid of flying", f"The user is afraid of flying{DAY}"),
    ("starting at Notion in January as a PM", "The user is starting at Notion in January 2027 as a PM."),
    ("cool, going with the Roth then", f"The user is going with the Roth then{DAY}"),
    ("i've cut out coffee too", f"The user has cut out coffee too{DAY}"),
    ("i get migraines from red wine", f"The user gets migraines from red wine{DAY}"),
    ("we squash everything into one commit", f"The user squashes everything into one commit{DAY}"),
    ("staying in Tulsa till next summer", "The user is staying in Tulsa till summer 2027."),
    ("my gf is called jo and shes a nurse", f"The user's gf is called jo and she's a nurse{DAY}"),
    ("were using vite 6 in this project", f"The user is using vite 6 in this project{DAY}"),
    ("lets use drizzle", f"The user decided to use drizzle{DAY}"),
    ("broke my ankle yesterday", "The user broke their ankle on 17 November 2026."),
    ("broke up with ben on the weekend", "The user broke up with ben on the weekend of 14 November 2026."),
    ("not great, got laid off today", "The user got laid off on 18 November 2026."),
    ("taking 20mg of ramipril every morning", f"The user is taking 20mg of ramipril every morning{DAY}"),
    ("jamal does all the infra stuff", f"Jamal does all the infra stuff{DAY}"),
    ("mina owns the billing service", f"Mina owns the billing service{DAY}"),
    (
        "Tests that need the network are marked with @online.",
        f"Tests that need the network are marked with @online{DAY}",
    ),
    ("OK, we'll use UUIDs then.", f"The user decided to use UUIDs{DAY}"),
    ("To release, bump the version, tag it and push.", f"To release, bump the version, tag it and push{DAY}"),
    ("i'm lactose intolerant, what cheese can i eat", f"The user is lactose intolerant{DAY}"),
    ("I'm trying to save 300 a month.", f"The user is trying to save 300 a month{DAY}"),
    ("the kids are with me on weekends", f"The kids are with the user on weekends{DAY}"),
    ("we target node 20 and up", f"The user targets node 20 and up{DAY}"),
    ("hi, i'm a nurse", f"The user is a nurse{DAY}"),
    ("hi i live in graz and have two kids", f"The user lives in graz and has two kids{DAY}"),
    ("hey so i'm moving to japan in april", "The user is moving to japan in April 2027."),
    ("ok so my dog is 12", f"The user's dog is 12{DAY}"),
    ("my flat's on the third floor", f"The user's flat's on the third floor{DAY}"),
    ("I forgot to mention that I have a PhD in law.", f"The user has a PhD in law{DAY}"),
    ("i have a golden retriever, how do i stop him barking", f"The user has a golden retriever{DAY}"),
)
RULES = (
    ("for dev always use the smallest instance type", "For dev always use the smallest instance type."),
    ("Use pnpm, not npm, for everything in this repo.", "Use pnpm, not npm, for everything in this repo."),
    ("good. in general never use fixed sleeps in tests", "In general never use fixed sleeps in tests."),
    ('and no "Co-Authored-By" lines please', 'No "Co-Authored-By" lines please.'),
    ("give me temps in celsius please", "Give the user temps in celsius please."),
    ("don't mention our dad pls, he died in 2021", "Don't mention the user's dad please, he died in 2021."),
    ("also never commit to main directly", "Never commit to main directly."),
    ("don't mock the database in integration tests", "Don't mock the database in integration tests."),
    ("dont commit to main directly ever", "Don't commit to main directly ever."),
    ("Use tabs in this repo, not spaces.", "Use tabs in this repo, not spaces."),
    ("Refactor the parser. Use tabs in this repo.", "Use tabs in this repo."),
    ("Please don't add comments that repeat the code.", "Please don't add comments that repeat the code."),
    ('When I say "ship it", run the release script.', 'When the user says "ship it", run the release script.'),
    ("I always want type hints in Python code.", "The user always wants type hints in Python code."),
    ("don't use lodash, we removed it", "Don't use lodash, the user removed it."),
    ("use camelCase for json keys", "Use camelCase for json keys."),
    (
        "pls always answer in French, im trying to learn it",
        "Please always answer in French, the user is trying to learn it.",
    ),
    ("never put business logic in controllers", "Never put business logic in controllers."),
    (
        "don't mock stripe in e2e tests, we've been burned by that",
        "Don't mock stripe in e2e tests, the user has been burned by that.",
    ),
)
LEFT = (
    "why is it 5 seconds",
    "were the tests green",
    "my question's on line 4",
    "my screen's black",
    "taking 5 photos",
    "lets go",
    "what's the weather in paris",
    "the response is 404",
    "the file is 300 lines long",
    "the css is broken",
    "i ran it 3 times",
    "let's use it",
    "give me the temperature in celsius",
    "don't mention my age in the letter",
    "going with the first one",
    "no tests",
    "use tabs here",
    "don't add comments to this function",
    "Fix the parser. Don't add comments.",
    "this does all the work",
    "we'll use the second one then",
    "don't put it in the header",
    "don't change the tests",
    "ci is red",
    "role: admin?",
    "price: tbd",
    "error: cannot find module",
    "tests are in progress",
    "images are in the attachment",
    "every change gets lost when I reload",
    "all tests should pass now",
)
SUGGESTED = (
    ("I'd use `uvloop`; it is faster.", "let's go with that", "The user decided to use uvloop"),
    ("I'd suggest Drizzle.", "ok lets use that", "The user decided on Drizzle"),
    ("I recommend Postgres for this. MySQL would work, too.", "ok, let's use that", "The user decided on Postgres"),
    ("I would pick **Hetzner** over AWS here.", "great, we'll go with that.", "The user decided on Hetzner"),
)
UNCLEAR = (
    ("I'd go with the second option.", "let's go with it"),
    ("I would use a different approach.", "great, let's use that"),
    ("I would take a break.", "ok I'll take that"),
    ("I'd go with Redis because it is fast. I'd use Postgres for the rest.", "let's go with that"),
    ("You could use Redis or Postgres.", "let's go with that"),
    ("I suggest raising the timeout to 15 s.", "let's go with that"),
    ("I'd take the blue one.", "i'll take that one"),
    ("I'd use Redis.", "let's look at that"),
)


@pytest.mark.parametrize(("sentence", "content"), STATED)
def test_what_lasts_is_kept(sentence, content):
    assert [one.content for one in read(sentence)] == [content]


@pytest.mark.parametrize(("sentence", "content"), RULES)
def test_a_rule_for_the_project_is_kept_as_one(sentence, content):
    assert [(one.category, one.content) for one in read(sentence)] == [(Category.RULE, content)]


@pytest.mark.parametrize("sentence", LEFT)
def test_questions_and_remarks_about_the_task_are_left(sentence):
    assert read(sentence) == []


def test_sentences_that_begin_with_small_letters_are_memories_of_their_own():
    found = read("i moved to berlin last week. my new job at siemens starts on monday. i'm vegan btw")
    assert sorted(one.content for one in found) == [
        "The user is vegan (18 November 2026).",
        "The user moved to berlin in the week of 9 November 2026.",
        "The user's new job at siemens starts on 23 November 2026.",
    ]


def test_a_value_after_its_name_is_corrected_as_others_are():
    found = read("pricing: 29 euros a month per practice", "actually make it 39")
    assert [one.content for one in found] == [f"Pricing: 39 euros a month per practice{DAY}"]


@pytest.mark.parametrize(("suggestion", "reply", "content"), SUGGESTED)
def test_a_suggestion_that_the_user_accepts_is_a_decision(suggestion, reply, content):
    assert [(one.category, one.content) for one in _talk(suggestion, reply)] == [(Category.DECISION, f"{content}{DAY}")]


@pytest.mark.parametrize(("suggestion", "reply"), UNCLEAR)
def test_what_is_accepted_has_to_be_clear(suggestion, reply):
    assert _talk(suggestion, reply) == []


def _talk(suggestion: str, reply: str):
    said = (
        (MessageRole.USER, "what should i take?"),
        (MessageRole.ASSISTANT, suggestion),
        (MessageRole.USER, reply),
    )
    rows = [
        SourceMessage(id=uuid4(), role=role, content=text, timestamp=WEDNESDAY + at * 60_000, created_at=WEDNESDAY)
        for at, (role, text) in enumerate(said)
    ]
    return extract(ConversationWindow(None, None, tuple(rows)))
