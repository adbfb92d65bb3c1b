"""Standing instructions, habits and news that users tell a program: kept; what is about one request: left (contract 11.6)."""

import pytest

from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read

RULES = (
    "Don't use emojis.",
    "Please don't use emojis in your answers.",
    "Stop using bullet points.",
    "Use metric units, please.",
    "Please use British spelling in all answers.",
    "Keep your answers short.",
    "Only answer in German.",
    "Don't call me Bob.",
    "call me bex",
    "Don't push to main without asking me.",
    "I'd like you to always answer in French.",
    "Write a poem about rain. Never use emojis.",
    "don't use emojis when you write to me",
    "Use British spelling in everything you write for me.",
    "Keep answers under 100 words.",
    "Keep your replies to two sentences.",
    "Stop apologising.",
    "Whenever you write Python, use type hints and pytest, no unittest.",
    "When you write SQL for me, use lowercase keywords.",
    "When you review code, please never nitpick style.",
    "Every time I paste a log, show the first error only.",
    "Rotate the signing keys every quarter.",
    "dont call me between 1 and 2pm",
    "no onions in any recipe please",
    "You can be informal with me.",
    "Only Eva and Ben may merge to main.",
    "If you are drafting emails, sign them with my initials.",
    "Use pnpm, never npm.",
    "Please use tabs, not spaces.",
    "Use pathlib instead of os.path.",
    "Use uv rather than pip in this repo.",
    "Use Acme SDK instead of Foo SDK in this project.",
    "Don't push to main directly.",
    "Do not force-push to the release branch.",
    "Please keep commit messages under 50 characters.",
    "Keep functions short.",
)
STATED = (
    (
        "I usually go for a run before breakfast.",
        "The user usually goes for a run before breakfast (18 November 2026).",
    ),
    ("I never push to main.", "The user never pushes to main (18 November 2026)."),
    ("I always open a PR.", "The user always opens a PR (18 November 2026)."),
    ("Most days I run before work.", "Most days the user runs before work (18 November 2026)."),
    ("Every morning I meditate.", "Every morning the user meditates (18 November 2026)."),
    ("Bad news, the server died yesterday.", "The server died on 17 November 2026."),
    ("Good news: I got the job!", "The user got the job (18 November 2026)."),
    ("Quick update: the launch moved to 4 May.", "The launch moved to 4 May 2027."),
    (
        "In this project we write commit messages in the imperative mood.",
        "In this project the user writes commit messages in the imperative mood (18 November 2026).",
    ),
    ("I need to send the invoice by Friday.", "The user needs to send the invoice by 20 November 2026."),
    ("I've got until Monday to decide.", "The user has got until 23 November 2026 to decide."),
    ("I've been ill until Monday.", "The user has been ill until Monday (18 November 2026)."),
    ("I'm in Lyon until Tuesday.", "The user is in Lyon until 24 November 2026."),
    ("I have to leave by Friday, 4 December.", "The user has to leave by Friday, 4 December 2026."),
    ("The call is on Friday, 4 December at 3 pm.", "The call is on Friday, 4 December 2026 at 3 pm."),
    ("I moved the fern before Friday.", "The user moved the fern before Friday (18 November 2026)."),
    ("I'm flying to the US in June.", "The user is flying to the US in June 2027."),
    ("My brother lives in the US.", "The user's brother lives in the US (18 November 2026)."),
    ("Our US office is in Boston.", "The user's US office is in Boston (18 November 2026)."),
    ("We use IM for support.", "The user uses IM for support (18 November 2026)."),
    ("Need the report every month.", "Need the report every month (18 November 2026)."),
    ("We ship by Friday every week.", "The user ships by Friday every week (18 November 2026)."),
    ("Please remember that I'm colour-blind.", "The user is colour-blind (18 November 2026)."),
    ("im allergic to nuts", "The user is allergic to nuts (18 November 2026)."),
    ("I'm getting married on 12 September 2027.", "The user is getting married on 12 September 2027."),
    ("The cast comes off in three weeks.", "The cast comes off around 9 December 2026."),
    ("We call the billing service Moneta.", "The user calls the billing service Moneta (18 November 2026)."),
    (
        'By "the box" I mean our server falcon.',
        'By "the box" the user means their server falcon (18 November 2026).',
    ),
    ("I lent my drill to Pedro.", "The user lent their drill to Pedro (18 November 2026)."),
    ("Pedro still owes me 50 euros.", "Pedro still owes the user 50 euros (18 November 2026)."),
    (
        "Customers on the Pro plan get 10 seats.",
        "Customers on the Pro plan get 10 seats (18 November 2026).",
    ),
    (
        "I hate it when code reviews take a week.",
        "The user hates it when code reviews take a week (18 November 2026).",
    ),
    ("Big news, we're moving to Oslo.", "The user is moving to Oslo (18 November 2026)."),
)
LEFT = (
    "Use red instead of blue here.",
    "Use butter instead of oil.",
    "Use Paris instead of London.",
    "Use the second file instead of the first.",
    "Use Anna instead of Maria in the story.",
    "Use 5 instead of 10.",
    "Don't push to main yet.",
    "Don't translate this.",
    "Don't use a loop here.",
    "Don't call me tomorrow.",
    "Don't send it without telling me.",
    "Please do the second one now.",
    "Write a poem about rain. Don't use emojis.",
    "Can you draft a tweet? No hashtags and no emojis please.",
    "Use British spelling in this text.",
    "When you write the report, use the attached template.",
    "When you explain it, use an example.",
    "When you reply, it takes too long.",
    "If you write a function, it should return 3.",
    "If you test this, use pytest.",
    "Whenever I ask about this, the test fails.",
    "Keep the answer under 100 words.",
    "I love it!",
    "Only this works.",
    "no way in the world",
    "No errors in the logs.",
    "No bugs in any test.",
    "No sugar in my coffee.",
    "Sounds the same every day.",
    "Only Apple can fix it.",
    "If you write tests, great.",
    "When you suggest changes, people listen.",
    "If you create more files, tests fail.",
    "You can talk about it with me.",
    "I call the bank Monday.",
    "Book club meets before Monday.",
    "You can be sure to ask me.",
    "I mean it.",
    "I call the office every day.",
    "I'm getting there.",
    "The build breaks the tests every day.",
    "In the project I get this error.",
    "Every day I get this error.",
    "Every time I run it, it fails.",
    "I usually get an error here.",
    "I usually do it like this.",
)


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", RULES)
def test_a_standing_instruction_is_a_rule(sentence: str) -> None:
    assert [one.category for one in read(sentence)] == [Category.RULE]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(("sentence", "content"), STATED)
def test_habits_and_news_are_kept_without_what_announces_them(sentence: str, content: str) -> None:
    assert [one.content for one in read(sentence)] == [content]


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize("sentence", LEFT)
def test_what_is_about_one_request_is_left(sentence: str) -> None:
    assert read(sentence) == []


@pytest.mark.rule("11.6 method")
@pytest.mark.parametrize(
    ("sentence", "content"),
    [
        ("We moved the retro to Wednesdays because of this.", "The user moved the retro to Wednesdays (18 November 2026)."),
        ("I switched the editor to Helix because", "The user switched the editor to Helix (18 November 2026)."),
        ("We moved the retro to Wednesdays because Ana is away.", "The user moved the retro to Wednesdays because Ana is away (18 November 2026)."),
    ],
)  # fmt: skip
def test_a_reason_that_is_not_said_leaves_no_word_behind(sentence: str, content: str) -> None:
    assert [one.content for one in read(sentence)] == [content]
