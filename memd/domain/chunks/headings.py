"""Where the headings of a text are: Markdown's `# …` lines and underlined lines, outside of fenced code."""

import re
from collections.abc import Iterator
from typing import Final

_LINE: Final = re.compile(
    r"""^(?:
      [ ]{0,3}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)       # opens or closes a block of code
    | [ ]{0,3}\#{1,6}[ \t]                                 # heading
    | (?=\w[^\n]*\n(?:={3,}|-{3,})[ \t\r]*$)               # heading with a line under it
    )""",
    re.MULTILINE | re.VERBOSE,
)


def heading_offsets(text: str) -> Iterator[int]:
    """The offsets of the lines that are headings, ascending; an unclosed block of code reaches to the end."""
    opened = ""
    for line in _LINE.finditer(text):
        fence: str | None = line["fence"]
        if fence is None:
            if not opened:
                yield line.start()
        elif not opened:
            opened = "" if "`" in line["info"] else fence
        elif fence.startswith(opened) and not line["info"].strip():
            opened = ""
