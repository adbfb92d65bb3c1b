"""Removes the recalled memories that a client put before the words of a user (contract 7.5, 1–2).

Clients inject memories as `<recalled_context>…</recalled_context>` in front of a prompt. Stored as a message, they would
be remembered a second time as if the user had said them.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_TAG: Final = re.compile(r"<(/?)recalled_context(?:\s[^<>]*)?>")


class SkipReason(StrEnum):
    """Why a message is not stored."""

    SYNTHETIC_CONTEXT_ONLY = "synthetic_context_only"
    MALFORMED_SYNTHETIC_CONTEXT = "malformed_synthetic_context"


@dataclass(frozen=True, slots=True)
class UserText:
    """The words to store, or the reason why there are none (then `text` is empty)."""

    text: str
    skip_reason: SkipReason | None = None


def strip_synthetic_context(text: str) -> UserText:
    """Remove the leading blocks, one after the other, nesting counted.

    A text without a leading block comes back as it was; blocks further inside are the user's own words. A leading block
    that is not closed, or a closing tag in front, is malformed.
    """
    depth = end = 0
    for tag in _TAG.finditer(text):
        if depth == 0 and text[end : tag.start()].strip():
            break
        depth += -1 if tag.group(1) else 1
        if depth < 0:
            break
        if depth == 0:
            end = tag.end()
    if depth != 0:
        return UserText("", SkipReason.MALFORMED_SYNTHETIC_CONTEXT)
    if end == 0:
        return UserText(text)
    rest = text[end:].lstrip()
    return UserText(rest, None if rest else SkipReason.SYNTHETIC_CONTEXT_ONLY)
