"""The path of the endpoint, and the JSON-RPC errors that the SDK does not make."""

from typing import Final

from memd.access.http.replies import JsonReply

PATH: Final = "/mcp"


def rpc_error(status: int, code: int, message: str, headers: dict[str, str] | None = None) -> JsonReply:
    """An error of JSON-RPC that answers no message in particular."""
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return JsonReply(body, status_code=status, headers=headers)
