"""Facts in what users say in Spanish and French: turns become memories, whose facts contradict each other (17.5)."""

import unicodedata

import pytest

from memd.context import Services
from memd.extraction import service
from tests.memd.extraction.test_extraction import extracted, nobody_waits, turn
from tests.support.jobs import context_of, done
from tests.support.service import TestUser
from tests.support.wire import post, send

__all__ = ["nobody_waits"]


async def said(user: TestUser, services: Services, *texts: str) -> None:
    """The user's words, each in a turn of its own, and the memories of them."""
    context = await context_of(services, user)
    for number, text in enumerate(texts):
        await turn(user, f"t{number}", text)
        await service.extract_turn(context, f"t{number}")
    await done(services, user)


async def first(user: TestUser, question: str) -> str:
    found = await post(user, "recall", {"query": question, "limit": 5})
    return str(found["memories"][0]["content"]).split("): ", 1)[1]


@pytest.mark.rule("17.5 conflicts", "11.2 fact")
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("old", "new", "current", "former"),
    [
        ("Vivo en Madrid.", "Me mudé a Málaga.", "¿Dónde vivo?", "¿Dónde vivía antes?"),
        (
            "Je travaille chez Airbus.",
            "J'ai changé de travail, je suis chez Thalès.",
            "Où est-ce que je travaille ?",
            "Où est-ce que je travaillais avant ?",
        ),
    ],
)
async def test_a_newer_statement_contradicts_the_older_one(
    user: TestUser, services: Services, form: str, old: str, new: str, current: str, former: str
) -> None:
    normal = [unicodedata.normalize(form, text) for text in (old, new)]  # type: ignore[arg-type]
    await said(user, services, *normal)
    (conflict,) = (await send(user, "GET", "/api/conflicts"))["conflicts"]
    assert [conflict["oldTitle"].split("): ")[1], conflict["newTitle"].split("): ")[1]] == [old, new]
    assert [await first(user, current), await first(user, former)] == [new, old]


@pytest.mark.rule("17.5 conflicts")
async def test_two_appointments_contradict_nothing(user: TestUser, services: Services) -> None:
    await said(
        user,
        services,
        "Tengo cita con el dentista el 14 de diciembre.",
        "Tengo cita con el dentista el 9 de enero.",
        "Mi hermana se llama Ana.",
        "Mi hermana se llama Eva.",
    )
    assert (await send(user, "GET", "/api/conflicts"))["conflicts"] == []


@pytest.mark.rule("11.6 method")
async def test_a_correction_in_the_next_turn_supersedes_what_was_stated(user: TestUser, services: Services) -> None:
    await said(user, services, "J'ai rendez-vous chez le dentiste le 3 décembre.", "Je voulais dire le 4 décembre.")
    rows = [row["content"].split("): ", 1)[1] for row in await extracted(user)]
    assert rows == ["J'ai rendez-vous chez le dentiste le 4 décembre."]
