"""Markdown with YAML front matter: a block between `---` lines, then the text."""

import re
from collections.abc import Mapping
from typing import Any, cast

import yaml

_BLOCK = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


class BrokenFrontMatter(Exception):
    """The block is not YAML, or not names and values; the text says why."""


def compose(fields: Mapping[str, Any], body: str) -> str:
    """The file: the block, an empty line, and the body as it is with a newline after it."""
    block = yaml.safe_dump(dict(fields), allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{block}---\n\n{body}\n"


def split(text: str) -> tuple[dict[str, Any], str]:
    """The fields and everything after the block; no fields when there is no block."""
    found = _BLOCK.match(text)
    if found is None:
        return {}, text
    try:
        fields: Any = yaml.safe_load(found[1])
    except yaml.YAMLError as error:
        raise BrokenFrontMatter(" ".join(str(error).split())) from error
    if fields is not None and not isinstance(fields, dict):
        raise BrokenFrontMatter("the front matter holds no names and values")
    return cast("dict[str, Any]", fields or {}), text[found.end() :]


def body_of(rest: str) -> str:
    """What `compose` was given as body, from what follows the block."""
    newline = "\r\n" if rest.startswith("\r\n") else "\n"
    return rest.removeprefix(newline).removesuffix(newline)
