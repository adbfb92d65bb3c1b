"""Facts that change (contract 17.5), paraphrased, among distractors; supersession is automatic.

`make changing-facts` has 80 subjects with over 400 facts, and asks about each; the suite a quarter of both.

As of any instant the fact that held then is the first of all rows, a third of the questions being worded in ways that
`memd.domain.questions.facts` does not know; without supersession, while conflicts are open, it is first less often.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import pytest

from memd.context import Services
from memd.domain.ids import decode
from memd.memories.conflicts.detection import find_conflicts, supersede_certain
from memd.settings import SupersedeMode
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import memory, post

IS_LONG: Final = bool(os.environ.get("MEMD_ALL_FACTS"))
SUBJECTS: Final = 80 if IS_LONG else 20
EVERY: Final = 1 if IS_LONG else 4
"""One of this many lines of facts is asked about."""
BEGIN: Final = 1_640_995_200_000
STEP: Final = 30 * 86_400_000
FIRST: Final = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gina", "Hugo", "Ines", "Jon")
LAST: Final = ("Adler", "Brandt", "Costa", "Dietz", "Egger", "Falk", "Gruber", "Hansen")
CITIES: Final = ("Oslo", "Rome", "Kiel", "Porto", "Lyon", "Graz", "Turin", "Bergen", "Malaga", "Riga")
FIRMS: Final = ("Acme", "Bolt", "Corex", "Delta", "Everon", "Fintec", "Globex", "Hooli", "Initech", "Jumbo")
SHAPES: Final = {
    "residence": (CITIES, ("{s} lives in {v}.", "{s} moved to {v}.", "{s} is based in {v} now.", "{s} relocated to {v}."),
                  ("Which city does {s} live in?", "Where is {s} based?", "In what town is the home of {s}?")),
    "employer": (FIRMS, ("{s} works at {v}.", "{s} joined {v}.", "{s} now works for {v}."), ("Which company employs {s}?", "Where does {s} work?", "Who pays the salary of {s}?")),
    "phone": (tuple(f"555-{number}" for number in range(2101, 2111)),
              ("{s}'s phone number is {v}.", "{s}'s phone number was changed to {v}.", "The phone number of {s} is now {v}."),
              ("What is the phone number of {s}?", "What is {s}'s phone number?", "How do I reach {s} by phone?")),
}  # fmt: skip
DISTRACTORS: Final = (
    "{s} likes the food of {v}.", "{s} met a friend from {v}.", "{s} read a book about {v}.", "{s} flew over {v}.",
)  # fmt: skip


class Stated(NamedTuple):
    """A fact from its moment on, and how it was put."""

    at: int
    subject: str
    kind: str
    value: str
    text: str


def stated() -> list[Stated]:
    """Each subject has one or two attributes, each with 2 to 6 values one after the other."""
    facts: list[Stated] = []
    for number in range(SUBJECTS):
        subject = f"{FIRST[number % 10]} {LAST[number // 10]}"
        for turn, kind in enumerate(list(SHAPES)[: 1 + number % 2] if number % 3 else ["phone"]):
            values, shapes, _ = SHAPES[kind]
            for change in range(2 + (number + turn) % 5):
                value = values[(number * 3 + change) % 10]
                text = shapes[change and 1 + (change - 1) % (len(shapes) - 1)].format(s=subject, v=value)
                facts.append(Stated(BEGIN + (change * 7 + number % 7) * STEP // 7, subject, kind, value, text))
    return facts


async def store(user: TestUser, rows: list[dict[str, Any]]) -> list[str]:
    results: list[dict[str, Any]] = []
    for start in range(0, len(rows), 500):
        results += (await post(user, "capture-batch", {"memories": rows[start : start + 500]}))["results"]
    return [result["id"] for result in results]


@pytest.mark.rule("17.5 supersede.mode", "17.5 validAt")
async def test_the_fact_of_any_instant_is_found_first(services: Services, user: TestUser) -> None:
    facts = stated()
    assert len(facts) >= 5 * SUBJECTS
    others = [
        DISTRACTORS[index % 4].format(s=one.subject, v=CITIES[index % 10])
        for index, one in enumerate(facts)
        if index % 4 == 0
    ]
    ids = await store(user, [{"title": one.text, "content": one.text, "createdAt": one.at} for one in facts])
    await store(user, [{"title": text, "content": text, "createdAt": BEGIN} for text in dict.fromkeys(others)])
    await done(services, user)

    by_line: dict[tuple[str, str], list[tuple[Stated, str]]] = {}
    for row, one in zip(ids, facts, strict=True):
        by_line.setdefault((one.subject, one.kind), []).append((one, row))
    proposed = await hits(user, by_line)
    await supersede(services, user, ids)
    automatic = await hits(user, by_line)
    wrong = 0
    for row, one in zip(ids, facts, strict=True):
        new = (await memory(user, row))["supersededByMemoryId"]
        line = [each for _, each in by_line[one.subject, one.kind]]
        wrong += new is not None and (new not in line or line.index(new) <= line.index(row))
    print(f"hit@1 {automatic:.3f} superseded, {proposed:.3f} proposed; {wrong} of {len(facts)} falsely superseded")  # noqa: T201 - for make changing-facts
    assert automatic >= 0.9
    assert proposed >= 0.9
    assert wrong / len(facts) <= 0.01, wrong


Lines = dict[tuple[str, str], list[tuple[Stated, str]]]


async def hits(user: TestUser, by_line: Lines) -> float:
    """The share of instants, one for each fact, of which recall finds the fact that was true then first."""
    asked = found = 0
    for index, ((subject, kind), line) in enumerate(list(by_line.items())[::EVERY]):
        query = SHAPES[kind][2][index % 3].format(s=subject)
        for (one, row), after in zip(line, [*(each for each, _ in line[1:]), None], strict=True):
            then = {} if after is None else {"validAt": (one.at + after.at) // 2}
            rows = (await post(user, "recall", {"query": query, "limit": 10} | then))["memories"]
            asked, found = asked + 1, found + (rows[0]["id"] == row)
    return found / asked


async def supersede(services: Services, user: TestUser, ids: Sequence[str]) -> None:
    """The effect of the job on these memories where `supersede.mode` is auto."""
    auto = services.settings.model_copy(update={"supersede_mode": SupersedeMode.AUTO})
    context = replace(await context_of(services, user), services=replace(services, settings=auto))
    async with context.database.owner(user.id) as session:
        found = await find_conflicts(session, [decode("mem", memory_id) for memory_id in ids], len(ids))
    await supersede_certain(context, found)
