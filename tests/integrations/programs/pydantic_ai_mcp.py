"""The part of memd's tools that a pydantic-ai agent sends to its model, as JSON: the text of each answer, and the definitions."""

import asyncio
import json
import os
import sys

import httpx
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.support.tool_costs import CALLS, memories, turns

HEADERS = {"Authorization": f"Bearer {os.environ['KEY']}", "X-Memd-User": "pa-mcp"}


async def main() -> None:
    sent: dict[str, str] = {}

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
        answers = [part for part in parts if isinstance(part, ToolReturnPart)]
        if len(answers) < len(CALLS):
            name = [*CALLS][len(answers)]
            return ModelResponse(parts=[ToolCallPart(name, CALLS[name])])
        sent.update({part.tool_name: part.model_response_str() for part in answers})
        tools = [(tool.name, tool.description, tool.parameters_json_schema) for tool in info.function_tools]
        sent["definitions"] = json.dumps(tools, separators=(",", ":"))
        return ModelResponse(parts=[TextPart("Done.")])

    async with httpx.AsyncClient(base_url=os.environ["ADDRESS"], headers=HEADERS, timeout=60) as http:
        for path, bodies in (("/api/mcp/capture", memories()), ("/api/mcp/turn", turns())):
            for body in bodies:
                (await http.post(path, json=body)).raise_for_status()
    toolset = MCPToolset(f"{os.environ['ADDRESS']}/mcp?tools=core", headers=HEADERS)
    await Agent(FunctionModel(respond), toolsets=[toolset]).run("go")
    sys.stdout.write(json.dumps(sent))


if __name__ == "__main__":
    asyncio.run(main())
