"""A stored memory or chunk: the fields that ranking reads and answers show."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID


class StoredRow(Protocol):
    """A stored memory or chunk; times in epoch ms. The lanes read rows of their own types, which have these fields."""

    @property
    def id(self) -> UUID:
        """The memory or chunk."""
        ...

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def content(self) -> str:
        """Its text in full."""
        ...

    @property
    def channel(self) -> str | None:
        """Where it is valid; None for every channel."""
        ...

    @property
    def strength(self) -> float:
        """How firmly it is held, 0..1."""
        ...

    @property
    def access_count(self) -> int:
        """How often it was returned."""
        ...

    @property
    def created_at(self) -> int:
        """When it was stored."""
        ...

    @property
    def last_accessed_at(self) -> int:
        """When it was last returned."""
        ...

    @property
    def salience_score(self) -> float | None:
        """How much it matters, 0..1; None where that is not known yet."""
        ...

    @property
    def recall_text(self) -> str | None:
        """Its short form."""
        ...

    @property
    def store(self) -> str:
        """The store of a memory."""
        ...

    @property
    def category(self) -> str:
        """Its category."""
        ...

    @property
    def tags(self) -> Sequence[str]:
        """Its tags."""
        ...

    @property
    def metadata(self) -> str | None:
        """Its metadata as JSON."""
        ...

    @property
    def project_id(self) -> str | None:
        """Its project."""
        ...

    @property
    def confidence(self) -> float:
        """How certain its author was, 0..1."""
        ...
