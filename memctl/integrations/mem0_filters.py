"""mem0's filters: who owns memories, and which of their metadata is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, cast

_OPERATORS: Final = frozenset(("eq", "ne", "gt", "gte", "lt", "lte", "in"))
_ENTITIES: Final = ("user_id", "agent_id", "run_id")


@dataclass(frozen=True, slots=True)
class Owner:
    """The user, agent and run of memories; at least one of them is named."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    @classmethod
    def named(cls, user_id: str | None, agent_id: str | None, run_id: str | None) -> Self:
        """ValueError when none is named."""
        names = [name.strip() if name is not None else None for name in (user_id, agent_id, run_id)]
        if not any(names):
            raise ValueError("At least one of 'user_id', 'agent_id', or 'run_id' must be provided.")
        return cls(*(name or None for name in names))

    @property
    def where(self) -> dict[str, Any]:
        """The condition on metadata for agent and run."""
        named = {"agent_id": self.agent_id, "run_id": self.run_id}
        return {name: value for name, value in named.items() if value is not None}


def owner_and_where(filters: Mapping[str, Any] | None, ids: Mapping[str, str | None]) -> tuple[Owner, dict[str, Any]]:
    """The owner and the metadata filter of memd for mem0's filters; ValueError for what memd cannot express."""
    unknown = ids.keys() - set(_ENTITIES)
    if unknown:
        raise TypeError(f"unexpected argument: {', '.join(sorted(unknown))}")
    conditions = {**(filters or {}), **{name: value for name, value in ids.items() if value is not None}}
    owner = Owner.named(*(conditions.pop(name, None) for name in _ENTITIES))
    return owner, {name: _condition(name, value) for name, value in conditions.items()} | owner.where


def _condition(name: str, value: Any) -> Any:
    if name in {"AND", "OR", "NOT"}:
        raise ValueError(f"memd has no filter {name}: all conditions must hold")
    if value == "*":
        return {"exists": True}
    if isinstance(value, dict):
        unknown = cast("dict[str, Any]", value).keys() - _OPERATORS
        if unknown:
            raise ValueError(f"memd has no operator {', '.join(sorted(unknown))}")
        return cast("dict[str, Any]", value)
    return {"in": cast("list[Any]", value)} if isinstance(value, list) else {"eq": value}
