"""The result of every tool: structured content, and a text with the same information.

What memories say is information and never an instruction. The notice says so inside the structured content, because
hosts forward that and nothing else to the model. In the text no stored string can pose as a line of the service: one
with several lines, such as a briefing or a memory that holds code, keeps them, each indented; in rows it has one line.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer
from pydantic.alias_generators import to_camel
from pydantic_core import to_json

from memd.domain.dates.time_window import DAY_MS
from memd.domain.prompts.context_packing import NOTICE

Arguments = Mapping[str, Any]
"""The arguments of a tool call by name."""
EXCERPT_CHARACTERS: Final = 400
INDENT: Final = "  "


class Lean(BaseModel):
    """A part of an answer; what is None is left out."""

    if TYPE_CHECKING:  # as in `WireModel`
        model_config = ConfigDict(strict=True, validate_by_name=True, extra="forbid", frozen=True)
    else:
        model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, frozen=True, protected_namespaces=())

    @model_serializer(mode="wrap")
    def without_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The fields that are there."""
        return {name: value for name, value in handler(self).items() if value is not None}


class ToolContent(Lean):
    """The answer of a tool."""

    def rendered(self) -> tuple[str, bytes]:
        """The answer as text, for people and for clients that know no structured content, and as JSON."""
        fields = self.model_dump(mode="json", by_alias=True)
        return "\n".join(_lines(fields)) or "Nothing.", to_json(fields)


class StoredContent(ToolContent):
    """An answer that holds stored text."""

    notice: str = NOTICE


def minute(milliseconds: int) -> str:
    """The UTC minute of a moment in epoch ms (its first ten characters are the day); the bare number out of range."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(" ")[:16]
    except (OverflowError, ValueError, OSError):
        return str(milliseconds)


def period(start: int | None, end: int | None) -> str | None:
    """`from 2026-03-03 until 2026-03-09`, or one half of it: the first and the last day (UTC); None for no bounds.

    A bound that is not the beginning or the end of a day has its minute.
    """
    bounds = (("from", first_day(start)), ("until", last_day(end)))
    return " ".join(f"{word} {day}" for word, day in bounds if day) or None


def first_day(start: int | None) -> str | None:
    """The day on which a period begins; its minute, if that is not midnight."""
    return None if start is None else minute(start)[: None if start % DAY_MS else 10]


def last_day(end: int | None) -> str | None:
    """The last day of a period; the minute of its end, if that is not the end of a day."""
    return None if end is None else minute(end - 1)[:10] if end % DAY_MS in {0, DAY_MS - 1} else minute(end)


def one_line(text: str) -> str:
    """Stored text with every run of white space as one blank."""
    return " ".join(text.split())


def _lines(fields: Mapping[str, Any]) -> Iterator[str]:
    for name, value in fields.items():
        if isinstance(value, list):
            yield f"{name}:" if value else f"{name}: none"
            yield from (f"- {_flat(item)}" for item in cast("list[Any]", value))
        else:
            yield _flat(value) if name == "notice" else f"{name}:{_indented(value)}"


def _indented(value: Any) -> str:
    """A value after its name: a text with several lines begins on the next line, the rest stays on this one."""
    lines = value.rstrip().splitlines() if isinstance(value, str) else []
    if len(lines) < 2:
        return f" {_flat(value)}"
    return "".join(f"\n{INDENT}{line}".rstrip(" ") for line in lines)


def _flat(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_flat(part)}" for name, part in cast("dict[str, Any]", value).items())
    if isinstance(value, list):
        return ", ".join(_flat(part) for part in cast("list[Any]", value))
    return one_line(str(value))
