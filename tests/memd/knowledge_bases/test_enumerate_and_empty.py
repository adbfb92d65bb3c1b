"""GET /:id/memories and POST /:id/empty (contract 8.6, 8.7)."""

from typing import Any

import pytest

from memd.context import Services
from tests.support.service import MakeUser, TestUser
from tests.support.wire import Json, base_row, capture, chunk, enumerate_chunks, fill, make_base, memory, post, send

CHILDREN = ("recall_activity", "memory_node", "association", "trigger", "memory_index", "memory_vector", "memory")


async def page(user: TestUser, base: str, status: int = 200, **query: Any) -> Json:
    return await send(user, "GET", f"/api/knowledge-bases/{base}/memories", status=status, **query)


@pytest.mark.rule("8.6 reply")
async def test_a_row_has_every_field(user: TestUser) -> None:
    base = await make_base(user, scope="team")
    memory_id = (await fill(user, base, chunk("words", metadata={"title": "T", "chunkIndex": 0})))["memoryIds"][0]
    reply = await page(user, base)
    created = reply["memories"][0]["createdAt"]
    assert reply == {
        "knowledgeBaseId": base,
        "memories": [
            {
                "id": memory_id,
                "_id": memory_id,
                "memoryId": memory_id,
                "title": "T",
                "content": "words",
                "dedupeKey": None,
                "createdAt": created,
                "channel": "team",
                "chunkKind": "content",
                "metadata": {"title": "T", "sourceUrl": None, "chunkIndex": 0, "totalChunks": None},
            }
        ],
        "isDone": True,
        "continueCursor": "",
    }


@pytest.mark.rule("8.6 order")
async def test_every_active_chunk_comes_once_oldest_first(user: TestUser) -> None:
    base = await make_base(user)
    ids: list[str] = []
    for batch in range(3):
        ids += (await fill(user, base, *(chunk(f"{batch}.{n}", channel=f"c{n}") for n in range(7))))["memoryIds"]
    await post(user, "forget", {"memoryId": ids[4]})
    rows = await enumerate_chunks(user, base, limit=4)
    assert [row["id"] for row in rows] == [memory_id for memory_id in ids if memory_id != ids[4]]


@pytest.mark.rule("8.6 cursor")
async def test_a_page_that_ends_with_the_last_chunk_is_done(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, *(chunk(f"Number {number}") for number in range(4)))
    first = await page(user, base, limit=2)
    second = await page(user, base, limit=2, cursor=first["continueCursor"])
    assert (first["isDone"], second["isDone"], second["continueCursor"]) == (False, True, "")


@pytest.mark.rule("8.6 cursor")
async def test_paging_goes_on_while_chunks_are_added_and_removed(user: TestUser) -> None:
    base = await make_base(user)
    ids = (await fill(user, base, *(chunk(f"Number {number}") for number in range(20))))["memoryIds"]
    seen: list[str] = []
    cursor, done = "", False
    while not done:
        reply = await page(user, base, limit=3, **({"cursor": cursor} if cursor else {}))
        seen += [row["id"] for row in reply["memories"]]
        cursor, done = reply["continueCursor"], reply["isDone"]
        if len(seen) < 20:
            await post(user, "forget", {"memoryId": seen[0]})
            await fill(user, base, chunk(f"Late {len(seen)}"))
    assert seen[:20] == ids
    assert len(seen) == len(set(seen))


@pytest.mark.rule("8.6 limit")
@pytest.mark.parametrize("limit", ["0", "-3", "2.5", "many"])
async def test_a_limit_below_one_or_not_whole_is_refused(user: TestUser, limit: str) -> None:
    assert (await page(user, await make_base(user), 400, limit=limit))["error"] == "Bad request"


@pytest.mark.rule("8.6 limit")
async def test_a_limit_above_200_is_cut_and_100_is_the_default(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, *(chunk(f"Number {number}") for number in range(201)))
    assert len((await page(user, base, limit=5000))["memories"]) == 200
    assert len((await page(user, base))["memories"]) == 100


@pytest.mark.rule("8.6 cursor")
async def test_a_cursor_of_another_knowledge_base_user_or_list_is_refused(user: TestUser, make_user: MakeUser) -> None:
    other = await make_user()
    base, sibling, foreign = await make_base(user), await make_base(user), await make_base(other)
    for owner, wanted in ((user, base), (user, sibling), (other, foreign)):
        await fill(owner, wanted, chunk("one"), chunk("two"))
    cursors = [
        (await page(user, sibling, limit=1))["continueCursor"],
        (await page(other, foreign, limit=1))["continueCursor"],
        (await send(user, "GET", "/api/memories", pageSize=1))["pagination"]["cursor"],
        "nonsense",
    ]
    for cursor in cursors:
        assert (await page(user, base, 400, cursor=cursor))["details"] == "Field cursor must be a cursor of this list"


@pytest.mark.rule("8.6 owner's view")
async def test_the_owner_sees_chunks_that_no_peer_would(user: TestUser) -> None:
    base = await make_base(user, scope="peer-coach:7", agentIds=["peer-coach"])
    await fill(user, base, chunk("one"), chunk("two", channel="peer-coach:8"), chunk("three: 3", chunkKind="config"))
    for query in ({}, {"agentId": "editor", "channel": "peer-coach:9"}):
        assert [row["content"] for row in (await page(user, base, **query))["memories"]] == ["one", "two", "three: 3"]


@pytest.mark.rule("8.6 ids")
async def test_each_id_works_with_update_and_forget(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("one"), chunk("two"))
    first, second = await enumerate_chunks(user, base)
    await post(user, "update", {"memoryId": first["id"], "title": "New"})
    await post(user, "forget", {"memoryId": second["id"]})
    assert [row["title"] for row in await enumerate_chunks(user, base)] == ["New"]


@pytest.mark.rule("8.7 reply", "8.7 removal")
async def test_emptying_removes_every_chunk_and_keeps_the_knowledge_base(services: Services, user: TestUser) -> None:
    base = await make_base(user, agentIds=["writer"], scope="team")
    ids = (await fill(user, base, *(chunk(f"Number {number}") for number in range(5))))["memoryIds"]
    await post(user, "update", {"memoryId": ids[0], "actionTriggers": ["Bash"]})
    await post(user, "forget", {"memoryId": ids[1]})
    async with services.database.write(user.id) as session:
        await session.execute("INSERT INTO recall_activity SELECT user_id, id, id, 1, 'recall' FROM memory")
        await session.execute("INSERT INTO memory_node SELECT user_id, id, id, 'topic', 1, 1 FROM memory")
        await session.execute("INSERT INTO association SELECT user_id, id, id, 'supports', 1, 1, 1 FROM memory")
    reply = await post(user, f"/api/knowledge-bases/{base}/empty")
    assert reply == {
        "knowledgeBaseId": base,
        "deletedMemories": 5,
        "activeDeletedMemories": 4,
        "kept": True,
        "isDone": True,
    }
    row = await base_row(user, base)
    assert (row["chunkCount"], row["totalChars"], row["agentIds"], row["scope"]) == (0, 0, ["writer"], "team")
    async with services.database.read(user.id) as session:
        left = [await session.value(f"SELECT count(*)::int FROM {table}") for table in CHILDREN]
    assert left == [0] * len(CHILDREN)


@pytest.mark.rule("8.7 reply")
async def test_emptying_again_deletes_nothing(user: TestUser) -> None:
    base = await make_base(user)
    reply = await post(user, f"/api/knowledge-bases/{base}/empty")
    assert (reply["deletedMemories"], reply["isDone"]) == (0, True)


async def test_emptying_goes_over_pages_and_leaves_other_knowledge_bases(user: TestUser) -> None:
    base, other = await make_base(user), await make_base(user)
    kept = (await fill(user, other, chunk("kept")))["memoryIds"][0]
    await fill(user, base, *(chunk(f"Number {number}") for number in range(410)))
    assert (await post(user, f"/api/knowledge-bases/{base}/empty"))["deletedMemories"] == 410
    assert (await memory(user, kept))["content"] == "kept"
    assert (await base_row(user, other))["chunkCount"] == 1


async def test_an_archived_knowledge_base_is_not_emptied(user: TestUser) -> None:
    base = await make_base(user)
    await send(user, "DELETE", f"/api/knowledge-bases/{base}")
    refusal = await post(user, f"/api/knowledge-bases/{base}/empty", status=409)
    assert refusal == {"error": "Knowledge base is archived"}


async def test_it_can_be_filled_again(user: TestUser) -> None:
    base = await make_base(user)
    await fill(user, base, chunk("old", dedupeKey="k"))
    await post(user, f"/api/knowledge-bases/{base}/empty")
    assert (await fill(user, base, chunk("new", dedupeKey="k")))["importedCount"] == 1


@pytest.mark.rule("8.7 removal", "8.3 DELETE /:id?permanent=true")
@pytest.mark.parametrize("whole", [False, True])
async def test_no_checkpoint_keeps_the_text_of_a_chunk_that_was_deleted_with_its_base(
    user: TestUser, whole: bool
) -> None:
    base, kept = await make_base(user), await capture(user, title="Kept")
    gone = (await fill(user, base, chunk("The code word is heliotrope.")))["memoryIds"][0]
    made = await post(user, "checkpoint", {"label": "L", "memoryIds": [gone, kept]})
    if whole:
        await send(user, "DELETE", f"/api/knowledge-bases/{base}")
        await send(user, "DELETE", f"/api/knowledge-bases/{base}", permanent=True)
    else:
        await post(user, f"/api/knowledge-bases/{base}/empty")
    shown = (await send(user, "GET", f"/api/checkpoints/{made['id']}"))["checkpoint"]
    assert [row["title"] for row in shown["memories"]] == ["[removed]", "Kept"]
    assert "heliotrope" not in str(shown)
