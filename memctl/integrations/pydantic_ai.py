"""A toolset for pydantic-ai: the agent recalls, remembers and forgets."""
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false

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

    async def recall(query: str) -> str:
        """Search the long-term memory: earlier conversations, facts, decisions and preferences.

        Args:
            query: What to look for, in a few words or a question.
        """
        request = ContextRequest(query=query, token_budget=token_budget, channel=channel)
        found = await client.prompt_context(request)
        return "Nothing is stored about this." if found.nothing_relevant else found.text

    async def remember(title: str, content: str) -> str:
        """Store something worth knowing in later conversations.

        Args:
            title: A short title.
            content: The fact, decision or preference in one or two complete sentences.
        """
        request = CaptureRequest(
            title=title, content=content, channel=channel, store=Store.SEMANTIC, category=Category.FACT
        )
        try:
            return f"Stored as {(await client.memories.capture(request)).id}."
        except DuplicateMemory as known:
            return f"Already stored as {known.existing_memory_id}."

    async def forget(memory_id: str) -> str:
        """Archive a memory that is wrong or no longer wanted.

        Args:
            memory_id: The id of the memory, as `recall` shows it.
        """
        try:
            return f"Archived: {(await client.memories.forget(ForgetRequest(memory_id=memory_id))).title}"
        except MemoryNotFound:
            return "There is no such memory."

    return FunctionToolset([recall, remember, forget], id="memd")
