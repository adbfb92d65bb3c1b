"""Edits one entry of a JSON file as text, so that everything else in it stays byte for byte.

Settings of editors are often JSON with comments and commas after the last entry; these are read and kept as well.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

_TOKEN: Final = re.compile(r'\s+|//[^\n]*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\])*"|[{}\[\],:]|[^\s{}\[\],:"/]+')
_TRAILING: Final = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*(?=[\r\n]))?")
"""White space and a comment after an entry on its line."""


class _Token(NamedTuple):
    """A part of the text that is neither white space nor a comment."""

    start: int
    end: int
    text: str


class _Member(NamedTuple):
    """A name with its value: where the name begins, where the value begins and where it ends."""

    name: str
    start: int
    value: int
    end: int


class _Object(NamedTuple):
    """Its brackets, its members, and where the comma after the last member is, if there is one."""

    start: int
    end: int
    members: list[_Member]
    last_comma: int | None

    def member(self, name: str) -> _Member | None:
        """The member that a parser uses: the last one of this name."""
        return next((member for member in reversed(self.members) if member.name == name), None)


def parsed(text: str) -> Any:
    """The value of a JSON text, with comments and commas after last entries; ValueError when it is none."""
    tokens = [*_tokens(text)]
    kept = (
        token.text
        for number, token in enumerate(tokens)
        if not (token.text == "," and number + 1 < len(tokens) and tokens[number + 1].text in {"}", "]"})
    )
    return json.loads(" ".join(kept))


def with_entry(text: str, table: str, name: str, entry: dict[str, Any]) -> str:
    """The text of an object with `entry` as the member `name` of its member `table`, both of which may be new."""
    whole = _object_at(text, 0)
    found = whole.member(table)
    if found is None:
        return _inserted(text, whole, table, {name: entry}, depth=1)
    inner = _object_at(text, found.value)
    known = inner.member(name)
    if known is None:
        return _inserted(text, inner, name, entry, depth=2)
    indent = _indent_of(text, known) or _unit(text) * 2
    written = _dumped(text, entry, indent, one_line=_is_on_one_line(text, inner))
    return text[: known.value] + written + text[known.end :]


def without_entry(text: str, table: str, name: str) -> str:
    """The text without the member, and without `table` when it held nothing else; the text is known to have it."""
    whole = _object_at(text, 0)
    found = next(member for member in whole.members if member == whole.member(table))
    inner = _object_at(text, found.value)
    if len(inner.members) == 1:
        return _removed(text, whole, found)
    return _removed(text, inner, next(member for member in inner.members if member.name == name))


def _tokens(text: str, start: int = 0) -> Iterator[_Token]:
    """The tokens from `start` on; ValueError at what is no part of JSON."""
    while start < len(text):
        found = _TOKEN.match(text, start)
        if found is None:
            raise ValueError(f"unexpected {text[start]!r} at character {start}")
        if not found[0].isspace() and not found[0].startswith(("//", "/*")):
            yield _Token(start, found.end(), found[0])
        start = found.end()


def _object_at(text: str, start: int) -> _Object:
    """The object whose bracket is the first token from `start` on, of a text that can be parsed."""
    members: list[_Member] = []
    depth = 0
    name: _Token | None = None
    value = comma = None
    first = last = None
    for token in _tokens(text, start):
        first = first or token
        if depth == 1 and token.text in {",", "}"}:
            if name is not None and value is not None and last is not None:
                members.append(_Member(json.loads(name.text), name.start, value, last.end))
            comma = token.start if token.text == "," else comma if name is None else None
            name = value = None
        elif depth == 1 and name is None:
            name = token
        elif depth == 1 and value is None and token.text != ":":
            value = token.start
        depth += (token.text in {"{", "["}) - (token.text in {"}", "]"})
        if depth == 0:
            return _Object(first.start, token.end, members, comma)
        last = token
    raise ValueError("an object has no end")


def _inserted(text: str, target: _Object, name: str, value: dict[str, Any], depth: int) -> str:
    """The text with a new last member of an object, in the style of the members that are there."""
    one_line = _is_on_one_line(text, target)
    indent = _unit(text) * depth
    if not target.members:
        kept = text[target.start + 1 : target.end - 1].rstrip()
        written = f"{json.dumps(name)}: {_dumped(text, value, indent, one_line=one_line)}"
        if not one_line:
            written = f"{_line_end(text)}{indent}{written}{_line_end(text)}{_unit(text) * (depth - 1)}"
        return text[: target.start + 1] + kept + written + text[target.end - 1 :]
    if not one_line:
        indent = _indent_of(text, target.members[0]) or indent
    written = f"{json.dumps(name)}: {_dumped(text, value, indent, one_line=one_line)}"
    lead = " " if one_line else f"{_line_end(text)}{indent}"
    if target.last_comma is not None:
        place = _after_comment(text, target.last_comma + 1)
        return f"{text[:place]}{lead}{written},{text[place:]}"
    end = target.members[-1].end
    place = end if one_line else _after_comment(text, end)
    return f"{text[:end]},{text[end:place]}{lead}{written}{text[place:]}"


def _removed(text: str, target: _Object, member: _Member) -> str:
    """The text without a member of an object, with the comma and the white space that came with it."""
    number = target.members.index(member)
    before = len(text[: member.start].rstrip())
    if number + 1 < len(target.members):
        following = target.members[number + 1].start
        if "\n" not in text[member.end : following]:
            return text[: member.start] + text[following:]
        return text[:before] + text[next(_tokens(text, member.end)).end :]
    end = member.end if target.last_comma is None else target.last_comma + 1
    if number == 0:
        rest = text[target.start + 1 : before] + text[end : target.end - 1]
        return text[: target.start + 1] + (rest if rest.strip() else "") + text[target.end - 1 :]
    if target.last_comma is not None:
        return text[:before] + text[end:]
    comma = next(_tokens(text, target.members[number - 1].end))
    return text[: comma.start] + text[comma.end : before] + text[end:]


def _dumped(text: str, value: dict[str, Any], indent: str, *, one_line: bool) -> str:
    """A value as JSON text; its further lines are indented by `indent` at least."""
    if one_line:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return f"{_line_end(text)}{indent}".join(lines)


def _is_on_one_line(text: str, target: _Object) -> bool:
    """Whether the members of an object follow each other on its line; an empty one is as its file is."""
    if target.members:
        return "\n" not in text[target.start : target.members[0].start]
    return "\n" not in text.strip() and text.strip() != "{}"


def _unit(text: str) -> str:
    """One level of indentation: that of the first indented name, or else two spaces."""
    found = re.search(r"^([ \t]+)\"", text, re.MULTILINE)
    return found[1] if found else "  "


def _indent_of(text: str, member: _Member) -> str | None:
    """The white space before a name on its line; None if anything else is before it."""
    before = text[text.rfind("\n", 0, member.start) + 1 : member.start]
    return before if before.isspace() else None


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _after_comment(text: str, start: int) -> int:
    """The position after the white space and the comment that follow on the line."""
    found = _TRAILING.match(text, start)
    return found.end() if found else start
