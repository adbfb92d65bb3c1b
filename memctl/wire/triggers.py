"""Wire types of triggers: memories that are tied to tools (contract 6.8)."""

from typing import Annotated, Any, Final, cast

from pydantic import BeforeValidator, WithJsonSchema

from memctl.wire.base import RequestModel, WireModel
from memctl.wire.enums import Category, Store
from memctl.wire.fields import ScopeText, ToolNames
from memctl.wire.memories import MemoryIdTwins
from memctl.wire.refusals import wrong_type


def _split_tools(value: Any) -> Any:
    if not isinstance(value, (str, list)):
        raise wrong_type("an array or a string")
    return value.split(",") if isinstance(value, str) else cast("list[Any]", value)


_FORMS: Final = [
    {"type": "array", "items": {"type": "string", "maxLength": 128}},
    {"type": "string", "description": "Names with commas between"},
]
Tools = Annotated[ToolNames, BeforeValidator(_split_tools), WithJsonSchema({"anyOf": _FORMS}, mode="validation")]


class TriggersRequest(RequestModel):
    """POST or GET /api/mcp/triggers; tools as a list or as words with commas."""

    tools: Tools = []
    channel: ScopeText = None
    agent_id: ScopeText = None


class TriggeredMemory(MemoryIdTwins):
    """A memory that is tied to a tool."""

    title: str
    content: str
    recall_text: str
    store: Store
    category: Category
    tags: list[str]
    action_triggers: list[str]
    created_at: int
    score: int = 1


class TriggersReply(WireModel):
    """The memories of the named tools, the last accessed first."""

    memories: list[TriggeredMemory] = []
