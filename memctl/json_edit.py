"""Edits JSON settings of other programs as text, so that everything but the change stays byte for byte.

Settings of editors are often JSON with comments and commas after the last entry; these are read and kept as well.
"""

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, cast

_BETWEEN: Final = r"(?:\s+|//[^\n]*|/\*[\s\S]*?\*/)*+"
_TOKEN: Final = re.compile(_BETWEEN + r'("(?:\\.|[^"\\])*+"|[{}\[\],:]|[^\s{}\[\],:"/]+|\Z)')
"""A part of the text, and the white space and comments before it."""
_TRAILING: Final = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*(?=[\r\n]))?")
"""White space and a comment after an entry on its line."""
_OPEN_COMMENT: Final = re.compile(r"(?:\s+|/\*[\s\S]*?\*/|//[^\n]*\n)*+//[^\n]*\Z")
"""What follows a token when it ends in a comment that goes on up to the end of the line."""
_OPENING: Final = frozenset("{[")
_CLOSING: Final = frozenset("}]")
_DEPTH_MAX: Final = 100
"""Objects and lists inside each other; no program has settings as deep."""
_Path: TypeAlias = tuple[str | int, ...]
"""The names and positions that lead to a value."""


class UnknownSettingsError(Exception):
    """A file cannot be read as settings; the text says why."""


class _Token(NamedTuple):
    """A part of the text that is neither white space nor a comment."""

    start: int
    end: int
    text: str


class _Member(NamedTuple):
    """A value of an object, under its name, or of a list; where it begins with its name, without it, and where it ends."""

    name: str | int
    start: int
    value: int
    end: int


class _Container(NamedTuple):
    """An object or list: its brackets, its members, and where the comma after the last one is, if there is one."""

    start: int
    end: int
    members: list[_Member]
    last_comma: int | None

    def member(self, name: str | int) -> _Member:
        """The member that a parser uses: the last one of this name."""
        return next(member for member in reversed(self.members) if member.name == name)


def parsed(text: str) -> Any:
    """The value of a JSON text, with comments and commas after last entries; an empty object for a blank text."""
    kept: list[str] = []
    end = depth = 0
    try:
        tokens = [*_tokens(text)]
        for token, following in zip_longest(tokens, tokens[1:]):
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if depth > _DEPTH_MAX:
                raise UnknownSettingsError(f"it has more than {_DEPTH_MAX} objects and lists inside each other")
            is_last_comma = token.text == "," and following is not None and following.text in _CLOSING
            kept += [_blank(text[end : token.start]), " " if is_last_comma else token.text]
            end = token.end
        return json.loads("".join(kept), parse_constant=_refuse_constant) if text.strip() else {}
    except ValueError as error:
        raise UnknownSettingsError(f"it is not JSON ({error})") from error


def parsed_object(text: str) -> dict[str, Any]:
    """The object of a JSON text, as `parsed` reads it; `UnknownSettingsError` also for another value."""
    read = parsed(text)
    if not isinstance(read, dict):
        raise UnknownSettingsError("it does not hold a JSON object")
    return cast("dict[str, Any]", read)


def rewritten(text: str, document: dict[str, Any]) -> str:
    """The text of an object with another value: only what differs is written. `UnknownSettingsError` as `parsed_object`.

    Also when the text cannot be changed in place, because a name occurs in it twice.
    """
    changed = _changed(text if text.strip() else "{}\n", (), parsed_object(text), document)
    if parsed(changed) != document:
        raise UnknownSettingsError("it has a name twice")
    return changed


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _blank(between: str) -> str:
    """White space as long as the white space and comments between two tokens: errors name places in the text."""
    return between if between.isspace() else re.sub(r"\S", " ", between)


def _tokens(text: str, start: int = 0) -> Iterator[_Token]:
    """The tokens from `start` on; ValueError at what is no part of JSON."""
    while (found := _TOKEN.match(text, start)) and found[1]:
        yield _Token(found.start(1), found.end(), found[1])
        start = found.end()
    if found is None:
        raise ValueError(f"unexpected {text[start:].lstrip()[:1]!r} after character {start}")


def _changed(text: str, path: _Path, old: Any, new: Any) -> str:
    """The text with the value `new` at a path in place of `old`."""
    if _is_same(old, new):
        return text
    if isinstance(old, dict) and isinstance(new, dict):
        return _changed_object(text, path, cast("dict[str, Any]", old), cast("dict[str, Any]", new))
    if isinstance(old, list) and isinstance(new, list):
        return _changed_list(text, path, cast("list[Any]", old), cast("list[Any]", new))
    container = _container_at(text, path[:-1])
    place = container.member(path[-1])
    indent = _indent_of(text, place.start)
    written = _dumped(text, new, indent, one_line=_is_on_one_line(text, container))
    return text[: place.value] + written + text[place.end :]


def _changed_object(text: str, path: _Path, old: dict[str, Any], new: dict[str, Any]) -> str:
    for name in old.keys() - new.keys():
        text = _removed(text, path, name)
    for name, value in new.items():
        if name in old:
            text = _changed(text, (*path, name), old[name], value)
        else:
            text = _inserted(text, path, None, f"{json.dumps(name)}: ", value)
    return text


def _changed_list(text: str, path: _Path, old: list[Any], new: list[Any]) -> str:
    """From the end, so that positions before a change stay valid."""
    forms = [[json.dumps(value, sort_keys=True) for value in values] for values in (old, new)]
    for _, first, last, new_first, new_last in reversed(SequenceMatcher(None, *forms, autojunk=False).get_opcodes()):
        shared = min(last - first, new_last - new_first)
        for position in reversed(range(first + shared, last)):
            text = _removed(text, path, position)
        for value in reversed(new[new_first + shared : new_last]):
            text = _inserted(text, path, first + shared, "", value)
        for position in reversed(range(shared)):
            text = _changed(text, (*path, first + position), old[first + position], new[new_first + position])
    return text


def _is_same(old: Any, new: Any) -> bool:
    """Whether two values are the same JSON value; for Python, 1 is True."""
    return old == new and json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _container_at(text: str, path: _Path) -> _Container:
    """The object or list at a path of a text that can be parsed."""
    container = _container_from(text, 0)
    for name in path:
        container = _container_from(text, container.member(name).value)
    return container


def _container_from(text: str, start: int) -> _Container:
    """The object or list whose bracket is the first token from `start` on."""
    tokens = _tokens(text, start)
    bracket = next(tokens)
    members: list[_Member] = []
    part: list[_Token] = []
    comma, depth = None, 1
    for token in tokens:
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth > 1 or (depth == 1 and token.text != ","):
            part.append(token)
            continue
        if part:
            members.append(_member(part, None if bracket.text == "{" else len(members)))
        comma = token.start if depth else comma if not part else None
        if depth == 0:
            return _Container(bracket.start, token.end, members, comma)
        part = []
    raise ValueError("an object has no end")


def _member(tokens: Sequence[_Token], position: int | None) -> _Member:
    """A member from its tokens: of a list at a position, or of an object."""
    first, end = tokens[0], tokens[-1].end
    if position is not None:
        return _Member(position, first.start, first.start, end)
    return _Member(json.loads(first.text), first.start, tokens[2].start, end)


def _inserted(text: str, path: _Path, position: int | None, label: str, value: Any) -> str:
    """The text with a new member at a position of a container, by default its end, in the style of the members that are there."""
    target = _container_at(text, path)
    one_line = _is_on_one_line(text, target)
    outer = _indent_of(text, target.start)
    indent = outer + _unit(text)
    if target.members and not one_line:
        indent = _indent_of(text, target.members[0].start)
    lead = " " if one_line else f"{_line_end(text)}{indent}"
    written = f"{label}{_dumped(text, value, indent, one_line=one_line)}"
    if not target.members:
        kept = text[target.start + 1 : target.end - 1].rstrip()
        if not one_line:
            written = f"{lead}{written}{_line_end(text)}{outer}"
        return text[: target.start + 1] + kept + written + text[target.end - 1 :]
    if position is not None and position < len(target.members):
        place = target.members[position].start
        return f"{text[:place]}{written},{lead}{text[place:]}"
    if target.last_comma is not None:
        end = target.last_comma + 1
        place = end if one_line else _after_comment(text, end)
        return f"{text[:place]}{lead}{written},{text[place:]}"
    end = target.members[-1].end
    place = end if one_line else _after_comment(text, end)
    return f"{text[:end]},{text[end:place]}{lead}{written}{text[place:]}"


def _removed(text: str, path: _Path, name: str | int) -> str:
    """The text without a member of a container, with the comma and the white space that came with it."""
    target = _container_at(text, path)
    member = target.member(name)
    number = target.members.index(member)
    before = len(text[: member.start].rstrip())
    if number + 1 < len(target.members):
        following = target.members[number + 1].start
        if "\n" not in text[member.end : following]:
            return text[: member.start] + text[following:]
        return _joined(text[:before], text[next(_tokens(text, member.end)).end :])
    end = member.end if target.last_comma is None else target.last_comma + 1
    if number == 0:
        rest = text[target.start + 1 : before] + text[end : target.end - 1]
        return _joined(text[:before], text[end:]) if rest.strip() else text[:before] + text[target.end - 1 :]
    if target.last_comma is not None:
        return _joined(text[:before], text[end:])
    comma = next(_tokens(text, target.members[number - 1].end))
    return _joined(text[: comma.start] + text[comma.end : before], text[end:])


def _joined(left: str, right: str) -> str:
    """Two parts of a text, on two lines if a comment at the end of the first would hide the beginning of the second."""
    last = 0
    for token in _tokens(left):
        last = token.end
    beginning = right.partition("\n")[0].strip()
    is_hidden = beginning and not beginning.startswith("//") and _OPEN_COMMENT.match(left, last)
    return f"{left}{_line_end(left)}{right}" if is_hidden else left + right


def _dumped(text: str, value: Any, indent: str, *, one_line: bool) -> str:
    """A value as JSON text; its further lines are indented by `indent` at least."""
    if one_line:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return f"{_line_end(text)}{indent}".join(lines)


def _is_on_one_line(text: str, target: _Container) -> bool:
    """Whether the members of a container follow each other on its line; an empty one is as its file is."""
    if target.members:
        return "\n" not in text[target.start : target.members[0].start]
    return "\n" not in text.strip() and text.strip() != "{}"


def _unit(text: str) -> str:
    """One level of indentation: that of the first indented name, or else two spaces."""
    found = re.search(r"^([ \t]+)\"", text, re.MULTILINE)
    return found[1] if found else "  "


def _indent_of(text: str, place: int) -> str:
    """The white space at the beginning of the line that a place is on."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _after_comment(text: str, start: int) -> int:
    """The position after the white space and the comment that follow on the line."""
    found = _TRAILING.match(text, start)
    return found.end() if found else start
