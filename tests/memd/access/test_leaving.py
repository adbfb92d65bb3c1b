"""A client who leaves before the body of the request is there."""

import pytest
from starlette.types import ASGIApp, Message
from structlog.testing import capture_logs

from tests.support.service import HOST, TestUser


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/mcp/recall", "/api/mcp/recall"),
        ("/mcp", "/mcp"),
        ("/api/standing/ana.ruiz/run", "/api/standing/{name}/run"),
    ],
)
async def test_who_leaves_before_the_whole_body_was_sent_is_no_failure_of_the_service(
    app: ASGIApp, user: TestUser, path: str, route: str
) -> None:
    incoming: list[Message] = [
        {"type": "http.disconnect"},
        {"type": "http.request", "body": b'{"query": ', "more_body": True},
    ]

    async def receive() -> Message:
        return incoming.pop()

    async def send(message: Message) -> None:
        del message

    headers = [(b"host", HOST.encode()), (b"authorization", f"Bearer {user.key}".encode())]
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [*headers, (b"content-type", b"application/json")],
        "server": (HOST, 80),
    }
    with capture_logs() as logged:
        await app(scope, receive, send)
    (line,) = [line for line in logged if line["event"].startswith("request.")]
    assert (line["event"], line["log_level"], line["route"]) == ("request.client_disconnected", "info", route)
    assert "ana.ruiz" not in str(logged)
