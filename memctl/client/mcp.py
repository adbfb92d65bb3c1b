"""MCP messages, passed on as they are."""

from collections.abc import Mapping
from typing import Any, cast

from memctl.client.transport import Transport

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_UNAVAILABLE = -32000
Message = Mapping[str, Any]


class Mcp:
    """The endpoint of contract 14 for one conversation: it remembers the protocol version that was agreed upon."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._version: str | None = None

    async def exchange(self, message: Message, tools: str | None = None) -> dict[str, Any] | None:
        """The answer to a JSON-RPC message; None to a notification. NotReachable when memd does not answer.

        `tools` is the toolset that the endpoint lists: `core`, or every tool when absent.
        """
        path = "/mcp" if tools is None else f"/mcp?tools={tools}"
        answer = await self._transport.send("POST", path, json=message, headers=self._headers(message))
        if answer.status_code == 202:
            return None
        try:
            body: Any = answer.json()
        except ValueError:
            body = None
        if not isinstance(body, dict) or "jsonrpc" not in body:
            text = cast("dict[str, Any]", body).get("error") if isinstance(body, dict) else None
            return failure(message, str(text or f"memd answered {answer.status_code}"))
        reply = cast("dict[str, Any]", body)
        if message.get("method") == "initialize":
            self._version = reply.get("result", {}).get("protocolVersion")
        return reply

    def _headers(self, message: Message) -> dict[str, str]:
        """The HTTP headers of a message: the version; since 2026-07-28 the method and its object."""
        params: dict[str, Any] = message.get("params") or {}
        meta: dict[str, Any] = params.get("_meta") or {}
        method = str(message.get("method", ""))
        headers = {"Accept": "application/json, text/event-stream"}
        if modern := meta.get(VERSION_KEY):
            headers |= {"MCP-Protocol-Version": str(modern), "Mcp-Method": method}
            if named := params.get(_NAMED.get(method, "")):
                headers["Mcp-Name"] = str(named)
        elif self._version and method != "initialize":
            headers["MCP-Protocol-Version"] = self._version
        return headers


def failure(message: Message, text: str) -> dict[str, Any] | None:
    """A JSON-RPC error as the answer to a message; None to a notification."""
    if message.get("id") is None:
        return None
    return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": _UNAVAILABLE, "message": text}}
