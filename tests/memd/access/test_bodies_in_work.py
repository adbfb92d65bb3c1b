"""The body of a request counts until the request is answered, however it names its user and by whichever protocol it came."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from memd.access.rate_limits.body_bytes import BODIES, MAX_BYTES_OF_CALLER
from memd.context import Services
from memd.devices import service as sign_in
from memd.errors import ServerBusy
from tests.support.service import MakeUser, TestUser

ROW = {"title": "Valve", "content": "The valve opens at 4 bar."}
TOOL_CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "capture", "arguments": ROW}}


async def answer_of(user: TestUser, form: str) -> dict[str, Any]:
    """What memd answers to a capture."""
    if form == "tool":
        return (await user.http.post("/mcp", json=TOOL_CALL)).json()["result"]
    return (
        await user.http.post("/api/mcp/capture", json=ROW | ({"userId": "ana"} if form == "end user" else {}))
    ).json()


def recording(step: Callable[..., Awaitable[Any]], refused: list[int]) -> Callable[..., Awaitable[Any]]:
    """The step of a request, before which another body of its caller, of the maximum size, is refused."""

    async def recorded(*arguments: Any) -> Any:
        with BODIES.receiving() as further:
            try:
                further.add(MAX_BYTES_OF_CALLER)
            except ServerBusy as busy:
                refused.append(busy.status)
        return await step(*arguments)

    return recorded


@pytest.mark.parametrize("form", ["user", "end user", "tool"])
async def test_a_body_counts_while_its_request_is_in_work(
    services: Services, make_user: MakeUser, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    user = await make_user(scopes=["read", "write", "act_as"])
    refused: list[int] = []
    monkeypatch.setattr(services.captures, "store", recording(services.captures.store, refused))
    answer = await answer_of(user, form)
    assert "error" not in answer
    assert not answer.get("isError")
    assert refused == [503]
    with BODIES.receiving() as further:
        further.add(MAX_BYTES_OF_CALLER)


async def test_a_body_without_a_key_counts_while_its_request_is_in_work(
    user: TestUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[int] = []
    monkeypatch.setattr(sign_in, "start", recording(sign_in.start, refused))
    started = await user.http.post("/api/device/start", json={"clientName": "laptop"}, headers={"Authorization": ""})
    assert (started.status_code, refused) == (200, [503])
    with BODIES.receiving() as further:
        further.add(MAX_BYTES_OF_CALLER)
