"""Markdown with YAML front matter: a block between `---` lines, then the text."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

import yaml

_BLOCK = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)

BLOCK_MAX = 128 * 1024
DEPTH_MAX = 100
"""Nesting depth of a block: the parser recurses, and thousands of levels overflow its stack and crash the process."""
NODES_MAX = 20_000
"""Values in a block, those that aliases repeat included: a few hundred characters can stand for billions."""

_TITLES: Final = frozenset({"title", "name"})
_NULL: Final = "tag:yaml.org,2002:null"
_ODD_VALUE: Final = (LookupError, AttributeError, OverflowError)
"""The errors of PyYAML that are not its own: at `!!bool maybe`, `!!timestamp soon`, and a number larger than any float."""
_Pairs: TypeAlias = list[tuple[yaml.Node, yaml.Node]]


class BrokenFrontMatter(Exception):
    """The block is not YAML, or not names and values; the text says why."""


class NoFields(BrokenFrontMatter):
    """The block is YAML, but no names and values, or it is too long for them, as prose between two rules is."""


def compose(fields: Mapping[str, Any], body: str) -> str:
    """The file: the block, an empty line, and the body with a newline after it."""
    block = yaml.safe_dump(dict(fields), allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{block}---\n\n{body}\n"


def split(text: str) -> tuple[dict[str, Any], str]:
    """The fields and everything after the block; no fields when there is no block."""
    found = _BLOCK.match(text)
    if found is None:
        return {}, text
    if len(found[1]) > BLOCK_MAX:
        raise NoFields(f"the front matter has more than {BLOCK_MAX:,} characters")
    try:
        fields: Any = _load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BrokenFrontMatter(_reason(error)) from error
    if fields is not None and not isinstance(fields, dict):
        raise NoFields("the front matter does not contain names and values")
    return cast("dict[str, Any]", fields or {}), text[found.end() :]


def _reason(error: Exception) -> str:
    """What is wrong with the block, with its line in the file where YAML knows it."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"the front matter is not YAML: line {error.problem_mark.line + 2}: {error.problem}"
    return " ".join(str(error).split())


def page_of(text: str) -> tuple[str, str]:
    """The title that the block of a page names, or "", and the page without the block, which may be broken."""
    try:
        fields, page = split(text)
    except NoFields:
        return "", text
    except BrokenFrontMatter:
        return "", _BLOCK.sub("", text, count=1)
    title: object = fields.get("title")
    return title if isinstance(title, str) else "", page


def _load(text: str) -> Any:
    """The fields of the block, as `yaml.safe_load` reads them, but with titles as they are written.

    `BrokenFrontMatter` when it is too deep, or its aliases make it too large, or a value does not fit its tag.
    """
    loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    _limit_depth(text, loader_class)
    loader: Any = loader_class(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        if _expanded(node, {}) > NODES_MAX:
            raise BrokenFrontMatter(f"the front matter holds more than {NODES_MAX:,} values")
        return _constructed(loader, node)
    finally:
        loader.dispose()


def _constructed(loader: Any, node: yaml.Node) -> Any:
    """The value of a node, with titles as they are written: the title `1.10` is no number, and `Yes` no truth value."""
    titles = [
        (name.value, value.value)
        for name, value in (cast("_Pairs", node.value) if isinstance(node, yaml.MappingNode) else [])
        if isinstance(name, yaml.ScalarNode) and name.value in _TITLES
        if isinstance(value, yaml.ScalarNode) and value.tag != _NULL
    ]
    try:
        read: Any = loader.construct_document(node)
    except _ODD_VALUE as error:
        raise BrokenFrontMatter("a value does not have the type that its tag names") from error
    return {**read, **dict(titles)} if titles else read


def _limit_depth(text: str, loader_class: Any) -> None:
    """Refuse a block that is nested too deeply; events are read one after the other, without recursion."""
    depth = 0
    events: Iterable[object] = cast("Any", yaml).parse(text, loader_class)
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEPTH_MAX:
            raise BrokenFrontMatter(f"the front matter is nested more than {DEPTH_MAX} levels deep")


def _expanded(node: yaml.Node, known: dict[int, float]) -> float:
    """The number of values below a node with every alias written out; endless when it holds itself."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = math.inf
    known[id(node)] = 1 + sum(_expanded(part, known) for part in _children(node))
    return known[id(node)]


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in cast("_Pairs", node.value) for part in pair]
    return cast("list[yaml.Node]", node.value) if isinstance(node, yaml.SequenceNode) else []


def body_of(rest: str) -> str:
    """The body that `compose` was given, from the text after the block."""
    newline = "\r\n" if rest.startswith("\r\n") else "\n"
    return rest.removeprefix(newline).removesuffix(newline)
