"""The client without an event loop: the methods of the asynchronous one, with the same types."""

import ast
import inspect
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from memctl.client import MemdClient, errors, models
from memctl.client.models import CaptureRequest, MemorySearchRequest
from memctl.client.sync import SyncMemdClient
from tests.support.sync_stub import STUB, stub


def answer(request: httpx.Request) -> httpx.Response:
    if request.url.path == "/api/memories/search":
        offset = int(request.read().partition(b'"offset":')[2].split(b",")[0].strip(b" }") or 0)
        page = [
            {"id": f"mem_{offset + number}", "title": "t", "content": "c", "tags": [], "store": "semantic",
             "category": "fact", "createdAt": 1, "updatedAt": 1}
            for number in range(100 if offset == 0 else 3)
        ]  # fmt: skip
        return httpx.Response(200, json={"memories": page, "hasMore": offset == 0})
    if request.url.path == "/api/memories/by-key":
        return httpx.Response(404, json={"error": "Memory not found"})
    user = request.headers.get("X-Memd-User", "nobody")
    return httpx.Response(200, json={"ok": True, "id": f"mem_{user}", "createdAt": 1, "embedding": []})


@pytest.fixture
def client() -> Iterator[SyncMemdClient]:
    with SyncMemdClient("http://memd.test", "k", transport=httpx.MockTransport(answer)) as opened:
        yield opened


CAPTURE = CaptureRequest(title="t", content="c")


def test_methods_wait_for_their_result(client: SyncMemdClient) -> None:
    assert client.memories.capture(CAPTURE).id == "mem_nobody"
    assert client.acting_for("ann").memories.capture(CAPTURE).id == "mem_ann"
    with pytest.raises(errors.MemoryNotFound):
        client.memories.by_key("k", "n")


def test_pages_are_iterated(client: SyncMemdClient) -> None:
    found = [memory.id for memory in client.memories.search_all(MemorySearchRequest(namespace="n"))]
    assert found == [f"mem_{number}" for number in range(103)]


def test_work_in_pages_is_repeated_until_done() -> None:
    replies = [{"knowledgeBaseId": "kb_1", "archivedMemoryCount": 2, "isDone": is_done} for is_done in (False, True)]
    pages = httpx.MockTransport(lambda _: httpx.Response(200, json=replies.pop(0)))
    with SyncMemdClient("http://memd.test", "k", transport=pages) as client:
        assert [page.archived_memory_count for page in client.knowledge_bases.archive("kb_1")] == [2, 2]


def test_every_method_of_a_room_waits() -> None:
    rooms = [getattr(MemdClient("http://memd.test", "k"), name) for name in MemdClient.__annotations__]
    methods = [
        method
        for room in rooms
        for name, method in inspect.getmembers(room, inspect.ismethod)
        if not name.startswith("_") or name == "__call__"
    ]
    assert len(methods) > 70
    assert [
        method.__qualname__
        for method in methods
        if not inspect.iscoroutinefunction(method) and not inspect.isasyncgenfunction(method)
    ] == []


def test_threads_share_a_client(client: SyncMemdClient) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda name: client.acting_for(name).memories.capture(CAPTURE).id, map(str, range(50))))
    assert ids == [f"mem_{number}" for number in range(50)]


def test_a_closed_client_says_so(client: SyncMemdClient) -> None:
    client.close()
    with pytest.raises(RuntimeError, match="closed"):
        client.memories.capture(CAPTURE)


def test_an_interpreter_shows_the_methods_with_their_arguments(client: SyncMemdClient) -> None:
    assert {"capture", "search_all"} <= set(dir(client.memories))
    assert [*inspect.signature(client.memories.capture).parameters] == ["request"]
    assert "Every memory of a namespace" in (client.memories.search_all.__doc__ or "")


def test_an_unknown_room_is_an_attribute_error(client: SyncMemdClient) -> None:
    with pytest.raises(AttributeError):
        client.attic  # pyrefly: ignore[missing-attribute] # noqa: B018


def test_the_types_are_those_of_the_asynchronous_client() -> None:
    written = stub()
    for command in (["check", "--select", "I", "--fix", "--quiet"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(STUB), "-"]
        written = subprocess.run(ruff, input=written, capture_output=True, text=True, check=True).stdout
    if os.environ.get("MEMD_PIN"):
        STUB.write_text(written)
    assert STUB.read_text() == written, "run MEMD_PIN=1 pytest tests/memctl/client/test_sync.py after a wanted change"
    assert "async" not in written.replace("asynchronous", "").replace("httpx.Async", "")
    assert {f"{name}: {kind}" for name, kind in MemdClient.__annotations__.items()} <= set(
        map(str.strip, written.splitlines())
    )


def test_every_type_of_a_signature_is_among_the_models() -> None:
    lines = [node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ImportFrom)]
    wire = [node for node in lines if node.module and node.module.startswith("memctl.wire.")]
    names = {alias.name for node in wire for alias in node.names}
    assert len(names) > 50
    assert names - set(models.__all__) == set(), "add them to memctl/client/models.py"


def test_closing_ends_the_calls_of_other_threads() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = SyncMemdClient(f"http://127.0.0.1:{silent.getsockname()[1]}", "key")
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(client.accounts.whoami)
            connection, _ = silent.accept()  # the request is on its way
            client.close()
            with pytest.raises(RuntimeError, match="closed"):
                waiting.result(timeout=60)
            connection.close()
        client.close()
