"""Questions that people asked and the answers that they expected, over HTTP with the default embedder (contract 11.2)."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

import httpx
import pytest
import pytest_asyncio
from pgvector import HalfVector

from memd.app import build
from memd.context import Services
from memd.embed.batcher import Batcher
from memd.embed.models import CurrentModel
from memd.embed.providers.minilm import MiniLmEmbedder
from memd.embed.reembedding.store import add_message_vectors, messages_without
from tests.support.jobs import context_of, done
from tests.support.service import BASE, MakeUser, TestUser
from tests.support.talk import talk
from tests.support.wire import Json, capture, chunk, fill, make_base, post

YEAR_AGO = 1_731_000_000_000
DIARY = (
    "Yesterday we had lunch at the harbour with the neighbours.",
    "The dentist has moved the appointment to Thursday.",
    "Carla drinks coffee without sugar.",
    "The train to Vienna leaves from platform four.",
    "Release day for the app is the first of June.",
    "The garden shed needs a new lock.",
    "Our landlord is called Mr Petrov.",
    "The bicycle has a flat tyre again.",
    "Grandfather turns eighty in October.",
    "The printer in the hall needs black ink.",
    "Swimming lessons start at six in the evening.",
    "The password manager was moved to the new laptop.",
)


@pytest.fixture(scope="module")
def batcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Batcher]:
    """The default embedder."""
    embedder = MiniLmEmbedder(tmp_path_factory.mktemp("embed"), parallelism=1)
    yield Batcher(embedder, threads=1)
    embedder.close()


@pytest.fixture
def with_default(services: Services, batcher: Batcher) -> Services:
    """The service with the default embedder."""
    return replace(services, batcher=batcher, current_model=CurrentModel(services.model + 100))


@pytest_asyncio.fixture(loop_scope="session")
async def user(with_default: Services, make_user: MakeUser) -> AsyncGenerator[TestUser]:
    """A user of it."""
    made = await make_user()
    transport = httpx.ASGITransport(build(with_default))
    headers = {"Authorization": f"Bearer {made.key}"}
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as http:
        yield replace(made, http=http)


async def ask(user: TestUser, query: str, **fields: object) -> list[Json]:
    return (await post(user, "recall", {"query": query} | fields))["memories"]


async def keep_diary(user: TestUser) -> None:
    """Unrelated rows that are strong and new."""
    for text in DIARY:
        await capture(user, title=text[:24], content=text, strength=1.0)


async def keep_old(user: TestUser, title: str, content: str) -> str:
    """A row that is weak and a year old."""
    return await capture(user, title=title, content=content, strength=0.2, createdAt=YEAR_AGO)


async def say(with_default: Services, user: TestUser, *contents: str) -> None:
    """Log messages, with vectors of the default embedder; the worker of the tests has another one."""
    await talk(user, *contents)
    context, model = await context_of(with_default, user), with_default.model
    async with context.database.owner(context.user_id) as session:
        rows = await messages_without(session, model, len(contents))
    embedded = await with_default.batcher.embed_many([row.text for row in rows])
    vectors = [HalfVector(vector) for vector in embedded]
    async with context.database.write(context.user_id) as session:
        await add_message_vectors(session, model, [row.id for row in rows], vectors)


async def test_all_ten_invoices_come_before_anything_else(user: TestUser) -> None:
    await keep_diary(user)
    invoices = {
        await keep_old(user, "Invoice", f"Invoice {4200 + number} of the print shop comes to {90 + number} euros.")
        for number in range(10)
    }
    for query in ("invoices of the print shop", "what invoices do we have?"):
        assert {row["id"] for row in (await ask(user, query))[:10]} == invoices


async def test_a_song_called_yesterday_comes_before_what_happened_yesterday(user: TestUser) -> None:
    await keep_diary(user)
    song = await keep_old(user, "Music", "Her favourite Beatles song is Yesterday.")
    assert (await ask(user, "which Beatles song is Yesterday"))[0]["id"] == song


async def test_bobs_tea_is_first_and_nothing_else_is_relevant(user: TestUser) -> None:
    await keep_diary(user)
    tea = await keep_old(user, "Bob", "Drinks Assam tea")
    answer = await ask(user, "what tea does bob drink?")
    assert answer[0]["id"] == tea
    assert [row["id"] for row in answer if not row.get("weak")][:1] == [tea]
    assert next(row for row in answer if row["content"].startswith("Release day")).get("weak") is True


@pytest.mark.rule("11.2 paraphrase", "11.2 weak")
@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Her sister Paz is expecting twins.", "Who in the family is pregnant?"),
        ("The trip to Lisbon is booked for May.", "When are they flying to Portugal?"),
        ("Before the startup she taught chemistry.", "What was her previous profession?"),
    ],
)
async def test_an_answer_in_other_words_is_first_and_not_weak(user: TestUser, content: str, query: str) -> None:
    await keep_diary(user)
    row = await keep_old(user, "Note", content)
    first, *others = await ask(user, query)
    assert (first["id"], first.get("weak", False)) == (row, False)
    signals = first["rankingSignals"]
    assert 0 < signals["paraphraseScore"] == signals["contextScore"] <= 0.5 * signals["vectorScore"]
    assert all(other.get("weak") for other in others)


async def test_the_unit_that_is_asked_for_is_first_of_thirty(user: TestUser) -> None:
    for unit in range(1, 31):
        text = f"The blue valve of unit {unit} opens at {10 + unit * 7 % 50} bar."
        await capture(user, title="Plant manual", content=text, strength=1.0 if unit != 12 else 0.2)
    answer = await ask(user, "which pressure for the blue valve of unit 12?")
    assert answer[0]["content"].startswith("The blue valve of unit 12 ")


async def test_an_allergy_comes_before_an_imported_handbook(user: TestUser) -> None:
    base = await make_base(user, name="Handbook", sourceRole="canonical_reference")
    articles = ("guests", "kitchen", "allergy leaflet", "cakes", "storage of nuts", "cleaning", "fire drill", "parking")
    await fill(user, base, *(chunk(f"Handbook, article {n}: rules on {about}.") for n, about in enumerate(articles)))
    allergy = await keep_old(user, "Grandma", "Grandma has a severe allergy to walnuts.")
    assert (await ask(user, "walnuts allergy"))[0]["id"] == allergy


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Лодку чинит Анна, она живёт у старого моста.", "кто чинит лодки?"),
        ("安娜在旧桥边修理船只和渔网。", "谁修理船只？"),
    ],
)
async def test_a_question_in_another_script_finds_its_row(user: TestUser, content: str, query: str) -> None:
    await keep_diary(user)
    for other in (
        "Вчера в саду цвели яблони.",
        "Поезд уходит в девять часов.",
        "图书馆在星期一不开门。",
        "明天上午有雨。",
    ):
        await capture(user, title="-", content=other)
    row = await keep_old(user, "-", content)
    answer = await ask(user, query)
    assert (answer[0]["id"], answer[0].get("weak", False)) == (row, False)


@pytest.mark.rule("11.2 fact")
@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("where do I live?", "I moved to Vienna on 1 April 2025."),
        ("where do I work?", "I started a new job at Globex in May 2025."),
        ("Where does Ana live?", "Ana Ruiz moved to Oslo in September 2025."),
        ("where does Ana Ruiz live?", "Ana Ruiz moved to Oslo in September 2025."),
    ],
)
async def test_where_somebody_lives_is_not_where_others_live(
    with_default: Services, user: TestUser, query: str, answer: str
) -> None:
    await keep_old(user, "I moved", "I moved to Vienna on 1 April 2025.")
    await keep_old(user, "New job", "I started a new job at Globex in May 2025.")
    for text in (
        "Ana Ruiz, our designer, lives in Lisbon.",
        "Ben lives in Graz.",
        "Ana Ruiz moved to Oslo in September 2025.",
        "Ana Ruiz works at Acme.",
        "Ben (our lawyer) works at Bolt.",
    ):
        await capture(user, title=text, content=text, strength=1.0)
    await done(with_default, user)
    first, second, *_ = await ask(user, query)
    assert first["content"] == answer
    assert first["score"] > second["score"] + 1e-3


@pytest.mark.parametrize("rows", [2, 5, 9, len(DIARY)])
async def test_what_nobody_noted_is_answered_by_nothing_relevant(user: TestUser, rows: int) -> None:
    for text in DIARY[:rows]:
        await capture(user, title=text[:24], content=text)
    for query in ("photosynthesis of algae", "what tea does bob like?", "who won the football cup in 1998?"):
        reply = await post(user, "recall", {"query": query})
        assert reply["retrieval"]["nothingRelevant"] is True, [
            (row["content"], row["rankingSignals"]) for row in reply["memories"] if not row.get("weak")
        ]


TALKS = {
    "German": (
        "Ich habe Erdbeeren nie gemocht.",
        "Das WLAN-Passwort steht am Kühlschrank.",
        "Wir haben das Treffen auf Dienstag verschoben.",
        "Leo ist allergisch gegen Nüsse.",
    ),
    "Spanish": (
        "Mi talla de zapatos es 43.",
        "La contraseña del wifi está en la nevera.",
        "Movimos la reunión al martes.",
        "Leo es alérgico a las nueces.",
    ),
}


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("German", "Wie wird das Wetter morgen?"),
        ("German", "Wie hoch ist der Mount Everest?"),
        ("German", "Schreibe eine Funktion, die eine Liste sortiert"),
        ("Spanish", "Ordena esta lista en Python por favor"),
        ("Spanish", "¿Qué altura tiene el Everest?"),
        ("Spanish", "Traduce este texto por favor"),
    ],
)
async def test_a_question_about_something_else_gets_no_message_in_any_language(
    with_default: Services, user: TestUser, language: str, query: str
) -> None:
    """For a model that learned from English, all texts in another language are alike."""
    await say(with_default, user, *TALKS[language])

    reply = await post(user, "context", {"query": query})

    assert reply["nothingRelevant"] is True, reply["text"]


@pytest.mark.parametrize(
    ("language", "query", "answer"),
    [
        ("German", "Wo finde ich das Passwort für das WLAN?", 1),
        ("German", "Was verträgt Leo nicht?", 3),
        ("German", "Mag ich Erdbeeren?", 0),
        ("German", "Wann ist das Treffen?", 2),
        ("Spanish", "¿Cuál es mi talla de zapatos?", 0),
        ("Spanish", "¿Dónde está la contraseña?", 1),
        ("Spanish", "¿Cuándo es la reunión?", 2),
        ("Spanish", "¿A qué es alérgico Leo?", 3),
    ],
)
async def test_and_one_about_what_was_said_gets_its_message(
    with_default: Services, user: TestUser, language: str, query: str, answer: int
) -> None:
    await say(with_default, user, *TALKS[language])

    reply = await post(user, "context", {"query": query})

    assert TALKS[language][answer] in reply["text"]
