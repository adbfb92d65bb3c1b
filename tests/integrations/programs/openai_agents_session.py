"""An agent of the OpenAI Agents SDK keeps its conversation in memd, as it keeps it in the SDK's `SQLiteSession`."""

import asyncio
from typing import Any
from uuid import uuid4

from agents import Agent, Runner, SQLiteSession, set_tracing_disabled
from agents.items import ModelResponse
from agents.memory import Session
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from memctl.client import MemdClient
from memctl.client.models import SearchMessagesRequest
from memctl.integrations.openai_agents import MemdSession


class Scripted(Model):
    """A model that notes what it is sent and answers with the number of items."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    async def get_response(self, *_: Any, **options: Any) -> ModelResponse:
        self.seen.append(options["input"] if options else _[1])
        text = ResponseOutputText(text=f"I was sent {len(self.seen[-1])} items", type="output_text", annotations=[])
        message = ResponseOutputMessage(
            id=f"msg_{len(self.seen)}", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


ITEMS: list[Any] = [
    {"role": "user", "content": "What is the weather in Oslo?"},
    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Oslo"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "snow " * 6000},
    {"role": "assistant", "content": [{"type": "output_text", "text": "It snows in Oslo.", "annotations": []}]},
    {"role": "user", "content": "yes"},
    {"role": "user", "content": "yes"},
    {"role": "user", "content": "<recalled_context>old</recalled_context>"},
    {"role": "user", "content": ""},
]


async def same_as_sqlite(ours: Any, theirs: Any) -> None:
    for session in (ours, theirs):
        await session.add_items(ITEMS)
    assert await ours.get_items() == await theirs.get_items() == ITEMS
    for limit in (1, 3, 8, 50):
        assert await ours.get_items(limit) == await theirs.get_items(limit), limit
    for _ in range(3):
        assert await ours.pop_item() == await theirs.pop_item()
    assert await ours.get_items() == await theirs.get_items()
    for session in (ours, theirs):
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None
    many: list[Any] = [{"role": "user", "content": f"message {number}"} for number in range(130)]
    await ours.add_items(many)
    assert await ours.get_items() == many
    assert await ours.get_items(120) == many[-120:]


async def an_agent_remembers(memd: MemdClient) -> None:
    model, name = Scripted(), uuid4().hex
    agent = Agent(name="Assistant", model=model)
    first = await Runner.run(agent, "What city is the Golden Gate Bridge in?", session=MemdSession(name, memd))
    second = await Runner.run(agent, "What state is it in?", session=MemdSession(name, memd))
    assert (first.final_output, second.final_output) == ("I was sent 1 items", "I was sent 3 items")
    found = await memd.messages.search(
        SearchMessagesRequest(query="Golden Gate Bridge", channel="openai-agents", session_key=name)
    )
    assert "Golden Gate Bridge" in found.messages[0].content


async def main() -> None:
    set_tracing_disabled(True)
    async with MemdClient.from_environment() as memd:
        session = MemdSession(uuid4().hex, memd)
        assert isinstance(session, Session)
        await same_as_sqlite(session, SQLiteSession("s"))
        await an_agent_remembers(memd)


if __name__ == "__main__":
    asyncio.run(main())
