"""Making the row of a memory with its text index, off the event loop for a long text."""

from collections.abc import Callable
from functools import partial

from memd.context import Context
from memd.memories.new import NewMemory
from memd.off_loop import in_thread_if_long


async def drafted(context: Context, content: str, make: Callable[[], NewMemory]) -> NewMemory:
    """The row with this content that `make` returns, with its text index; `make` only computes."""
    return await in_thread_if_long(partial(_indexed, context, make), len(content))


def _indexed(context: Context, make: Callable[[], NewMemory]) -> NewMemory:
    row = make()
    row.make_text_index(context.user_id, context.services.settings.text_search_config)
    return row
