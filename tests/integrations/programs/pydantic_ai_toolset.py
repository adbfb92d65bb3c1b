"""A pydantic-ai agent that has the toolset remembers, recalls and forgets."""

import asyncio
import re

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from memctl.client import MemdClient
from memctl.integrations.pydantic_ai import memory_toolset


def returned(messages: list[ModelMessage]) -> list[str]:
    """The results of the tools of a run."""
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    return [str(part.content) for part in parts if isinstance(part, ToolReturnPart)]


def calling(*calls: ToolCallPart) -> FunctionModel:
    """A model that calls the tools one after the other and ends with what the last one returned."""

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {tool.name for tool in info.function_tools} == {"recall", "remember", "forget"}
        done = returned(messages)
        return ModelResponse(parts=[calls[len(done)] if len(done) < len(calls) else TextPart(done[-1])])

    return FunctionModel(respond)


async def main() -> None:
    fact = {"title": "Allergy", "content": "Ann is allergic to peanuts."}
    async with MemdClient.from_environment() as memd:
        ann, bob = memory_toolset(memd.acting_for("pa-ann")), memory_toolset(memd.acting_for("pa-bob"))
        recall = ToolCallPart("recall", {"query": "peanut allergy"})

        async def run(toolset: object, *calls: ToolCallPart) -> str:
            return (await Agent(calling(*calls), toolsets=[toolset]).run("go")).output

        assert (await run(ann, ToolCallPart("remember", fact))).startswith("Stored as mem_")
        assert (await run(ann, ToolCallPart("remember", fact))).startswith("Already stored as mem_")
        found = await run(ann, recall)
        assert "allergic to peanuts" in found
        assert "peanuts" not in await run(bob, recall)
        (memory_id,) = set(re.findall(r"mem_[0-9a-z]{26}", found))
        assert await run(ann, ToolCallPart("forget", {"memory_id": memory_id})) == "Archived: Allergy"
        assert "peanuts" not in await run(ann, recall)


if __name__ == "__main__":
    asyncio.run(main())
