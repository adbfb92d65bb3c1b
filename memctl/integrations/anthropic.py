"""The memory tool of Anthropic's API (`memory_20250818`) on keyed memories.

    runner = client.beta.messages.tool_runner(model=…, tools=[memory_tool(memd)], …)

Each file under `/memories` is a memory whose key is its path, so that it is also found by `recall`.
"""

from collections.abc import Callable
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError

from memctl.client.sync import SyncMemdClient
from memctl.integrations.memory_files import FileProblem, MemoryFiles


class MemdMemoryTool(BetaAbstractMemoryTool):
    """The tool for one user: pass it to `tool_runner`, or its `to_dict()` and `execute` to a loop of your own."""

    def __init__(self, client: SyncMemdClient | None = None, **options: Any) -> None:
        super().__init__(**options)  # pyrefly: ignore[unknown-attribute-access]
        self.files = MemoryFiles(client or SyncMemdClient.from_environment())

    def view(self, command: Any) -> str:
        """A file with line numbers, or the files below a directory."""
        return _answer(lambda: self.files.view(command.path, command.view_range))

    def create(self, command: Any) -> str:
        """Write a new file."""
        return _answer(lambda: self.files.create(command.path, command.file_text))

    def str_replace(self, command: Any) -> str:
        """Replace a text that occurs once."""
        return _answer(lambda: self.files.str_replace(command.path, command.old_str, command.new_str or ""))

    def insert(self, command: Any) -> str:
        """Insert text after a line."""
        return _answer(lambda: self.files.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: Any) -> str:
        """Delete a file or a directory."""
        return _answer(lambda: self.files.delete(command.path))

    def rename(self, command: Any) -> str:
        """Move a file or a directory."""
        return _answer(lambda: self.files.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        """Delete every file."""
        return _answer(self.files.clear)


def _answer(work: Callable[[], str]) -> str:
    try:
        return work()
    except FileProblem as problem:
        raise ToolError(str(problem)) from problem
