"""Texts that are being written: each stays in a file until memd has stored it, so that no failure loses one."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from memctl.settings import state_dir


@dataclass(frozen=True, slots=True)
class Draft:
    """A text on disk, readable by its owner only."""

    path: Path

    @classmethod
    def of(cls, memory_id: str, kind: str = "edit") -> "Draft":
        """The draft of a change to a memory; `kind` keeps different changes of one memory apart."""
        name = re.sub(r"[^\w-]", "_", memory_id)
        return cls(state_dir() / "drafts" / f"{kind}-{name}.md")

    def read(self) -> str | None:
        """The text; None when there is none that can be read."""
        try:
            return self.path.read_text("utf-8") or None
        except (OSError, UnicodeDecodeError):
            return None

    def write(self, text: str) -> None:
        """Store the text. Raises OSError."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_WRONLY | os.O_TRUNC | os.O_CREAT, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def remove(self) -> None:
        """Delete the draft, if there is one."""
        self.path.unlink(missing_ok=True)
