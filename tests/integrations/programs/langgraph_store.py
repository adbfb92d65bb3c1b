"""The store gives what LangGraph's own `InMemoryStore` gives, for the same operations; and serves a graph."""

import asyncio
import random
from typing import Any, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from memctl.integrations.langgraph import MemdStore

NAMESPACES = [("users",), ("users", "ann"), ("users", "ann/e", "a b"), ("docs", "50%"), ("usersx",)]
FILTERS = [None, {"n": 3}, {"n": {"$gt": 4}}, {"n": {"$gte": 2, "$lte": 6}}, {"kind": "b", "n": {"$lt": 8}}]


def plain(items: Any) -> Any:
    return sorted((item.namespace, item.key, str(item.value)) for item in items)


def same_operations(memd: MemdStore, memory: InMemoryStore) -> None:
    chance = random.Random(17)
    for _ in range(60):
        namespace, key = chance.choice(NAMESPACES), f"key {chance.randrange(4)}"
        if chance.random() < 0.2:
            for store in (memd, memory):
                store.delete(namespace, key)
        else:
            value = {"n": chance.randrange(10), "kind": chance.choice("ab"), "text": f"note {chance.randrange(99)}"}
            for store in (memd, memory):
                store.put(namespace, key, value)
    same_reads(memd, memory)


def same_reads(memd: MemdStore, memory: InMemoryStore) -> None:
    for namespace in NAMESPACES:
        for number in range(4):
            found, expected = memd.get(namespace, f"key {number}"), memory.get(namespace, f"key {number}")
            assert (found and found.value) == (expected and expected.value)
            assert found is None or (found.namespace, found.key) == (namespace, f"key {number}")
    for prefix in [(), ("users",), ("users", "ann"), ("docs",), ("nothing",)]:
        for wanted in FILTERS:
            found = memd.search(prefix, filter=wanted, limit=100)
            assert plain(found) == plain(memory.search(prefix, filter=wanted, limit=100)), (prefix, wanted)
    same_namespaces(memd, memory)


def same_namespaces(memd: MemdStore, memory: InMemoryStore) -> None:
    for options in (
        {},
        {"prefix": ("users",)},
        {"suffix": ("ann",)},
        {"prefix": ("*", "ann")},
        {"max_depth": 1},
        {"limit": 2, "offset": 1},
    ):
        assert memd.list_namespaces(**options) == memory.list_namespaces(**options), options


def batches(memd: MemdStore, memory: InMemoryStore) -> None:
    operations = [
        PutOp(("batch",), "one", {"n": 1}),
        PutOp(("batch",), "two", {"n": 2}),
        GetOp(("batch",), "one"),
        PutOp(("batch",), "one", {"n": 3}),
        SearchOp(("batch",)),
        PutOp(("batch",), "two", None),
    ]
    for _ in range(2):
        ours, theirs = memd.batch(operations), memory.batch(operations)
        assert [getattr(each, "value", None) for each in ours] == [getattr(each, "value", None) for each in theirs]
        assert plain(ours[4]) == plain(theirs[4])
    assert plain(memd.search(("batch",))) == plain(memory.search(("batch",)))


def pages_and_meaning(memd: MemdStore) -> None:
    memd.batch([PutOp(("many",), f"{number:03}", {"n": number}) for number in range(130)])
    assert {item.key for item in memd.search(("many",), limit=500)} == {f"{number:03}" for number in range(130)}
    pages = [memd.search(("many",), limit=50, offset=start) for start in (0, 50, 100)]
    assert [len(page) for page in pages] == [50, 50, 30]
    memd.put(("taste",), "food", {"likes": "spicy ramen with extra chili"})
    memd.put(("taste",), "music", {"likes": "baroque organ concerts"})
    memd.put(("taste",), "secret", {"likes": "ramen"}, index=False)
    best = memd.search(("taste",), query="Which noodle soup does she enjoy: ramen?", limit=3)
    assert best[0].key == "food"
    assert best[0].score is not None
    try:
        memd.put((), "key", {})
    except InvalidNamespaceError:
        return
    raise AssertionError("an empty namespace was taken")


class State(TypedDict):
    question: str
    answer: str


async def in_a_graph(memd: MemdStore) -> None:
    async def remember(state: State, runtime: Runtime) -> dict[str, str]:
        assert runtime.store is not None
        found = await runtime.store.asearch(("facts", "ann"), query=state["question"], limit=1)
        await runtime.store.aput(("facts", "ann"), "last", {"question": state["question"]})
        return {"answer": found[0].value["text"] if found else "unknown"}

    await memd.aput(("facts", "ann"), "city", {"text": "Ann lives in Lisbon"})
    builder = StateGraph(State)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")
    graph = builder.compile(store=memd)
    result = await graph.ainvoke({"question": "Where does Ann live?", "answer": ""})
    assert result["answer"] == "Ann lives in Lisbon", result
    last = await memd.aget(("facts", "ann"), "last")
    assert last is not None
    assert last.value == {"question": "Where does Ann live?"}


if __name__ == "__main__":
    ours, theirs = MemdStore(), InMemoryStore()
    same_operations(ours, theirs)
    batches(ours, theirs)
    pages_and_meaning(ours)
    asyncio.run(in_a_graph(ours))
