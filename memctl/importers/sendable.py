"""Texts that memd refuses in any field (contract 1.1.3): a whole batch would be refused for one of them."""

import re
from typing import Any, Final, cast

REASON: Final = "holds a NUL character or half of a character"
_UNSENDABLE: Final = re.compile("[\x00\ud800-\udfff]")


def is_sendable(value: Any) -> bool:
    """Whether a JSON value holds no NUL and no lone surrogate."""
    if isinstance(value, str):
        return _UNSENDABLE.search(value) is None
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return all(is_sendable(name) and is_sendable(each) for name, each in items)
    if isinstance(value, list):
        return all(map(is_sendable, cast("list[Any]", value)))
    return True


def sendable_name(name: str) -> str:
    """The name of a file that is to be shown; what is not UTF-8 in it is replaced."""
    return _UNSENDABLE.sub("\N{REPLACEMENT CHARACTER}", name)
