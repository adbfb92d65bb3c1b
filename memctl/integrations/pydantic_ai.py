"""A toolset for pydantic-ai: the agent recalls, remembers and forgets."""

from dataclasses import dataclass
from typing import Any

from memctl.client import MemdClient
from memctl.client.errors import DuplicateMemory, MemoryNotFound
from memctl.client.models import CaptureRequest, ContextRequest, ForgetRequest
from memctl.wire.enums import Category, Store


def memory_toolset(client: MemdClient, *, channel: str | None = None, token_budget: int = 800) -> Any:
    """A `FunctionToolset` with the tools `recall`, `remember` and `forget` of one user.

    For an application with many users, make one for each run: `memory_toolset(client.acting_for(user))`.
    """
    from pydantic_ai.toolsets import FunctionToolset

    tools = _Tools(client, channel, token_budget)
    return FunctionToolset([tools.recall, tools.remember, tools.forget], id="memd")


@dataclass(frozen=True, slots=True)
class _Tools:
    """The tools; their docstrings are what the model reads."""

    client: MemdClient
    channel: str | None
    token_budget: int

    async def recall(self, query: str) -> str:
        """Search the long-term memory: earlier conversations, facts, decisions and preferences.

        Args:
            query: What to look for, in a few words or a question.
        """
        request = ContextRequest(query=query, token_budget=self.token_budget, channel=self.channel)
        found = await self.client.prompt_context(request)
        return "Nothing is stored about this." if found.nothing_relevant else found.text

    async def remember(self, title: str, content: str) -> str:
        """Store something worth knowing in later conversations.

        Args:
            title: A short title.
            content: The fact, decision or preference in one or two complete sentences.
        """
        request = CaptureRequest(
            title=title, content=content, channel=self.channel, store=Store.SEMANTIC, category=Category.FACT
        )
        try:
            return f"Stored as {(await self.client.memories.capture(request)).id}."
        except DuplicateMemory as known:
            return f"Already stored as {known.existing_memory_id}."

    async def forget(self, memory_id: str) -> str:
        """Archive a memory that is wrong or no longer wanted.

        Args:
            memory_id: The id of the memory, as `recall` shows it.
        """
        try:
            return f"Archived: {(await self.client.memories.forget(ForgetRequest(memory_id=memory_id))).title}"
        except MemoryNotFound:
            return "There is no such memory."
