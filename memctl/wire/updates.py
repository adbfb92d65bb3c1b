"""Wire types of edits in place (contract 6.3)."""

from collections.abc import Collection, Sequence
from typing import ClassVar, Literal, Self

from pydantic import computed_field, model_validator

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import Category, Store
from memctl.wire.fields import Metadata, ScopeText, TagList, Text500, ToolNames, Unit
from memctl.wire.memories import AnyMemoryId, Content, Title, Valence
from memctl.wire.refusals import refused
from memctl.wire.time_window import PeriodBound


class UpdateRequest(RequestModel):
    """POST /api/mcp/update and /api/mcp/edit; `channel` is the new channel, `request_channel` makes the test.

    `tags` replaces all tags; then `add_tags` and `remove_tags` change those that are there. `reason` is kept in the history.
    A side of the period that is null is removed (contract 17.5), unlike other fields that are null.
    """

    CLEARED_BY_NULL: ClassVar[Collection[str]] = ("validFrom", "validUntil", "valid_from", "valid_until")

    memory_id: AnyMemoryId
    title: Title | None = None
    content: Content | None = None
    metadata: Metadata | None = None
    tags: TagList | None = None
    add_tags: TagList | None = None
    remove_tags: TagList | None = None
    action_triggers: ToolNames | None = None
    store: Store | None = None
    category: Category | None = None
    confidence: Unit | None = None
    strength: Unit | None = None
    arousal: Unit | None = None
    valence: Valence | None = None
    channel: ScopeText = None
    valid_from: PeriodBound = None
    valid_until: PeriodBound = None
    reason: Text500 | None = None
    agent_id: ScopeText = None
    request_channel: ScopeText = None

    def removed_sides(self) -> set[str]:
        """The sides of the period, as attributes, that the request removes: those that it sends as null."""
        sides = self.model_fields_set.intersection(self.CLEARED_BY_NULL)
        return {name for name in sides if getattr(self, name) is None}

    @model_validator(mode="after")
    def something_to_edit(self) -> Self:
        """Refuse a request that changes nothing."""
        sent = self.model_dump(exclude_none=True, exclude_unset=True)
        if not self.removed_sides() and not sent.keys() - {"memory_id", "reason", "agent_id", "request_channel"}:
            raise refused("At least one editable field is required")
        return self

    def tags_after(self, stored: Sequence[str]) -> list[str]:
        """The tags of a memory with these after the change; a tag that is both added and removed is not among them."""
        kept = stored if self.tags is None else self.tags
        removed = self.remove_tags or ()
        return [tag for tag in dict.fromkeys((*kept, *(self.add_tags or ()))) if tag not in removed]


class UpdateReply(WireModel):
    """The outcome of an edit in place; title and period are those that the memory has now."""

    success: Literal[True] = True
    ok: Literal[True] = True
    memory_id: str
    title: str | None = absent()
    updated_at: int
    embedding_updated: bool
    valid_from: int | None = absent()
    valid_until: int | None = absent()

    @computed_field
    @property
    def id(self) -> str:
        """The memory's id again."""
        return self.memory_id
