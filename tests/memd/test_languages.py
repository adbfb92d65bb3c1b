"""Memories, chunks and messages of any language are found by their words (contract 11.2)."""

import pytest
import pytest_asyncio

from memd.context import Services
from memd.domain.types import Tier
from tests.support.limits import spend_embeddings
from tests.support.service import MakeUser, TestUser
from tests.support.talk import found, log
from tests.support.wire import capture, chunk, fill, make_base, post

FOUND = {
    "Rechnungen der Druckerei": "Die Rechnung von der Druckerei ist noch nicht bezahlt.",
    "¿Cuánto cuestan las entradas?": "La entrada del museo cuesta nueve euros y es para todo el día.",
    "Кто чинит лодки?": "Лодку чинит Анна, она живёт у старого моста.",
    "谁修理船只？": "安娜在旧桥边修理船只和渔网。",
    "灯台の高さは？": "港の灯台の高さは三十メートルです。",
    "เรือข้ามฟาก": "เราขึ้นเรือข้ามฟากทุกเช้า",
    "नावों की मरम्मत कौन करता है?": "नाव की मरम्मत पुराने पुल के पास रवि करता है।",
    "من يصلح القوارب؟": "يصلح أحمد القارب قرب الجسر القديم.",
    "नतीजे हिन्दी परीक्षाओं के": "हिंदी परीक्षा के नतीजे सोमवार को आएंगे।",
    "كم عدد السيارات؟": "ثلاث سيارات زرقاء تقف عند المدخل.",
    "¿Quién ganó las elecciones?": "Ganaron la elección del puerto los vecinos de la colina.",
    "등대 관리인": "등대의 관리인은 민수입니다.",
    "Who wrote the résumé?": "The resume was written by Bob.",
    "what is 4040": "Alarm ERR-4040 is the low pressure alarm.",
    "gasket for E-318": "Room E318 needs the blue gasket.",
    "upgrade to v3.0.1": "We run 3.0.1 since the upgrade.",
    "disk of node 14": "The disk of node14 was replaced.",
}
OTHERS = (
    "Die Lieferung der Blumen kam am Montag.",
    "El tren sale de la estación a las nueve.",
    "Вчера в саду цвели яблони.",
    "图书馆在星期一不开门。",
    "Alarm ERR-4041 is the high level alarm.",
    "Room E319 needs the red hose.",
    "We ran 3.0.2 before the rollback.",
    "The fan of node15 was cleaned.",
)
"""Other rows, similar in language or number."""


ANSWERED = {
    "鲍勃喜欢喝什么茶？": "鲍勃喜欢喝阿萨姆红茶，从不喝咖啡。",
    "密钥多少天更换一次？": "密钥每九十天更换一次。",
    "谁修理船只？": "安娜在旧桥边修理船只和渔网。",
    "Сколько марок в альбоме?": "Марка из Чили лежит в альбоме у окна.",
}
UNANSWERED = ("蒙古的首都是哪里？", "酒店有游泳池吗？", "谁赢得了世界杯？", "Какого цвета была машина?")


@pytest_asyncio.fixture(loop_scope="session")
async def reader(services: Services, make_user: MakeUser) -> TestUser:
    """A user with a memory of each text, whose embedding calls are used up: only words find."""
    user = await make_user(tier=Tier.ULTRA)
    for number, text in enumerate(dict.fromkeys([*OTHERS, *FOUND.values(), *ANSWERED.values()])):
        await capture(user, title=f"Note {chr(65 + number)}", content=text)
    await spend_embeddings(services, user)
    return user


@pytest.mark.rule("11.2 lexemes in any language", "11.2 words")
async def test_memories_are_found_by_their_words(reader: TestUser) -> None:
    for query, text in FOUND.items():
        reply = await post(reader, "recall", {"query": query})
        assert reply["degraded"] is True
        assert reply["memories"][0]["content"] == text


async def test_rows_that_answer_a_question_are_not_weak_and_those_that_do_not_are(reader: TestUser) -> None:
    for query, text in ANSWERED.items():
        row = (await post(reader, "recall", {"query": query}))["memories"][0]
        assert (row["content"], row.get("weak", False)) == (text, False)
    for query in UNANSWERED:
        assert all(row["weak"] for row in (await post(reader, "recall", {"query": query}))["memories"])


@pytest.mark.rule("11.2 lexemes in any language", "11.2 words")
async def test_messages_are_found_by_their_words(wordy: TestUser) -> None:
    for text in [*OTHERS, *FOUND.values()]:
        await log(wordy, text)
    assert {query: (await found(wordy, query))[0] for query in FOUND} == FOUND


@pytest.mark.rule("11.2 lexemes in any language", "11.2 words")
async def test_chunks_are_found_by_their_words(services: Services, make_user: MakeUser) -> None:
    user = await make_user(tier=Tier.ULTRA)
    base = await make_base(user)
    await fill(user, base, *(chunk(text) for text in [*OTHERS, *FOUND.values()]))
    await spend_embeddings(services, user)
    replies = {
        query: await post(user, f"/api/knowledge-bases/{base}/query", {"query": query, "limit": 1}) for query in FOUND
    }
    assert {query: reply["results"][0]["content"] for query, reply in replies.items()} == FOUND


async def test_an_edited_memory_is_found_by_its_new_words_in_their_language(reader: TestUser) -> None:
    row = (await post(reader, "recall", {"query": "Wer hat die Blumen geliefert?"}))["memories"][0]
    await post(reader, "update", {"memoryId": row["id"], "tags": ["Gärtnereien"]})
    reply = await post(reader, "recall", {"query": "die Gärtnerei"})
    assert reply["memories"][0]["id"] == row["id"]
