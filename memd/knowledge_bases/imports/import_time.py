"""How long an import may embed: all of its text has to be read and stored in its time too, with or without vectors."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from memd.memories.batches.admission import CHARACTERS_PER_MS


class TextLeft:
    """Characters of one import that are not read yet."""

    def __init__(self, characters: int) -> None:
        self.characters = characters

    def read(self, characters: int) -> None:
        """Count some of them as read."""
        self.characters -= characters


class ImportsInWork:
    """The imports of a process, whose texts one thread reads; of one event loop."""

    def __init__(self) -> None:
        self._imports = list[TextLeft]()

    @contextmanager
    def counted(self, characters: int) -> Generator[TextLeft]:
        """Count an import of so many characters during the block."""
        left = TextLeft(characters)
        self._imports.append(left)
        try:
            yield left
        finally:
            self._imports.remove(left)

    def seconds_left(self) -> float:
        """How long it takes to read the texts of all imports that are not read yet."""
        return sum(each.characters for each in self._imports) / CHARACTERS_PER_MS / 1000


IMPORTS: Final = ImportsInWork()
"""The imports of this process."""
