"""A `Session` of the OpenAI Agents SDK whose items are the messages of a memd session.

The conversation can be searched, and memories are made from it. Items with text are stored as that text with the item
as metadata; other items, and items too large for metadata, are stored as JSON.
"""

import json
import time
from typing import Any, Final, cast
from uuid import uuid4

from memctl.client import MemdClient
from memctl.client.models import EraseMessagesRequest, ListMessagesRequest, LogRequest, MessageRow
from memctl.json_values import fields
from memctl.wire.enums import MessageRole
from memctl.wire.limits import MESSAGE_CONTENT_MAX, MESSAGE_PAGE_MAX, METADATA_MAX_BYTES

CHANNEL: Final = "openai-agents"
_ITEM, _JSON = "item", "json"
_ROOM_FOR_KEYS: Final = 100


class MemdSession:
    """The items of one conversation, in the order in which they were added; it follows the SDK's protocol `Session`.

    `client` is used on one event loop. Items larger than 100,000 characters of JSON are refused with ValueError.
    """

    session_settings: Any = None

    def __init__(self, session_id: str, client: MemdClient, *, channel: str = CHANNEL) -> None:
        self.session_id = session_id
        self._client = client
        self._channel = channel
        self._last_ms = 0

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The newest `limit` items, or all of them, oldest first."""
        if limit is None:
            limit = getattr(self.session_settings, "limit", None)
        rows = await self._newest(limit)
        return [_item_of(row) for row in reversed(rows)]

    async def add_items(self, items: list[Any]) -> None:
        """Append items."""
        requests = [self._request(item) for item in items]
        for item, request in zip(items, requests, strict=True):
            reply = await self._client.messages.log(request)
            if reply.id is None:  # text that memd itself had put into the prompt
                await self._client.messages.log(_as_json(request, item))

    async def pop_item(self) -> Any | None:
        """Erase the newest item, with what was derived from it, and return it; None for an empty session."""
        rows = await self._newest(1)
        if not rows:
            return None
        await self._erased(await self._client.erasure.message(rows[0].id, EraseMessagesRequest(channel=self._channel)))
        return _item_of(rows[0])

    async def clear_session(self) -> None:
        """Erase all items, with what was derived from them."""
        request = EraseMessagesRequest(channel=self._channel)
        await self._erased(await self._client.erasure.session(self.session_id, request))

    async def _erased(self, started: Any) -> None:
        await self._client.erasure.finished(started.erasure_id)

    async def _newest(self, limit: int | None) -> list[MessageRow]:
        if limit is not None and limit <= 0:
            return []
        request = ListMessagesRequest(
            channel=self._channel, session_key=self.session_id, limit=min(limit or MESSAGE_PAGE_MAX, MESSAGE_PAGE_MAX)
        )
        rows: list[MessageRow] = []
        async for row in self._client.messages.history(request):
            rows.append(row)
            if len(rows) == limit:
                break
        return rows

    def _request(self, item: Any) -> LogRequest:
        """The message of an item; every item has its own millisecond and turn, so that equal items remain distinct."""
        self._last_ms = max(time.time_ns() // 1_000_000, self._last_ms + 1)
        text = _text_of(item)
        is_small = len(json.dumps(item, ensure_ascii=False).encode()) < METADATA_MAX_BYTES - _ROOM_FOR_KEYS
        request = LogRequest(
            content=text or "{}",
            role=MessageRole(_role_of(item)),
            channel=self._channel,
            session_key=self.session_id,
            turn_id=uuid4().hex,
            turn_message_index=0,
            timestamp=self._last_ms,
            metadata={_ITEM: item} if is_small else None,
        )
        return request if text and is_small else _as_json(request, item)


def _as_json(request: LogRequest, item: Any) -> LogRequest:
    """The same message with the JSON of the item as its content."""
    content = json.dumps(item)
    if len(content) > MESSAGE_CONTENT_MAX:
        raise ValueError(
            f"an item of {len(content):,} characters is too large for memd: {MESSAGE_CONTENT_MAX:,} at most"
        )
    return request.model_copy(update={"content": content, "metadata": {_JSON: True}, "role": MessageRole.ASSISTANT})


def _item_of(row: MessageRow) -> Any:
    metadata = fields(row.metadata)
    if _ITEM in metadata:
        return metadata[_ITEM]
    return json.loads(row.content) if metadata.get(_JSON) else {"role": row.role.value, "content": row.content}


def _role_of(item: Any) -> str:
    role = fields(item).get("role")
    known = {"user": "user", "system": "system", "developer": "system"}
    return known.get(str(role), "assistant")


def _text_of(item: Any) -> str:
    """The text of a message item; empty for tool calls and other items."""
    content = fields(item).get("content")
    if isinstance(content, str):
        return content.strip() and content
    if not isinstance(content, list):
        return ""
    parts = [fields(part).get("text") for part in cast("list[Any]", content)]
    text = "\n".join(part for part in parts if isinstance(part, str))
    return text.strip() and text
