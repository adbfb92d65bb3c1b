"""Files that hold one JSON list of chunks, as many programs export them."""

import json
from pathlib import Path
from typing import Any, cast

from memctl.importers.decoding import text_of
from memctl.importers.reader_process import MIB, TEXT_MAX
from memctl.importers.sections import Unreadable

SUFFIX = ".json"
NOT_A_LIST = "read as plain text, since it is not a list of objects with `content` or `text`"
_CONTENT = ("content", "text")


def chunk_list(path: Path) -> list[object] | None:
    """The elements of a JSON list if one of them is an object with a text, else None; Unreadable if it is too large.

    OSError or Unreadable also as for any text file.
    """
    text = text_of(path)
    if not text.lstrip().startswith("["):
        return None
    if len(text) > TEXT_MAX:
        raise Unreadable(
            f"a JSON list of more than {TEXT_MAX // MIB} MiB; JSON lines may be longer: jq -c '.[]' makes them of a list"
        )
    try:
        read: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    elements = cast("list[object]", read)
    return (
        elements
        if any(isinstance(each, dict) and any(name in each for name in _CONTENT) for each in elements)
        else None
    )
