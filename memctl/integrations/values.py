"""The text of a JSON value, by which it is searched."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast


def text_of_value(value: Mapping[str, Any], fields: Sequence[str] | None = None) -> str:
    """The texts of these fields (`a`, `a.b`, `a[*].b`), or of all fields if None: one a line, with their names."""
    if fields is None:
        return "\n".join(f"{name}: {_plain(each)}" for name, each in value.items())
    return "\n".join(_plain(each) for field in fields for each in _at(value, _steps(field)))


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _steps(field: str) -> list[str]:
    return [step for step in field.replace("[", ".[").split(".") if step not in {"", "$"}]


def _at(value: Any, steps: Sequence[str]) -> Iterator[Any]:
    """The values at a path of names, `[number]` and `[*]`; none where the path leads nowhere."""
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step.startswith("[") and isinstance(value, list):
        every = cast("list[Any]", value)
        number = step.strip("[]")
        chosen = every if number == "*" else every[int(number) :][:1] if number.isdecimal() else every[-1:]
        for each in chosen:
            yield from _at(each, rest)
    elif isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        if step in fields:
            yield from _at(fields[step], rest)
