"""Whether a text is Markdown, and how it looks when it is."""

import re
from typing import Final

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.text import Text

from memctl.text import printable

MAX_LENGTH: Final = 40_000
"""Characters; a longer text is shown at once, without rendering."""
_SIGNS: Final = re.compile(
    r"^(?:#{1,6} \S|[-*+] \S|\d{1,3}[.)] \S|```|> \S|\|.+\|\s*$)|\*\*\S|\[[^\[\]\n]+\]\(\S|`[^`\n]+`", re.MULTILINE
)


def is_markdown(text: str) -> bool:
    """Whether a text has a heading, list, quotation, table, code, emphasis or link in it."""
    return len(text) <= MAX_LENGTH and _SIGNS.search(text) is not None


def rendered(text: str, *, dark: bool, raw: bool = False) -> RenderableType:
    """The text as Markdown when it is, else as it stands; links are words, never commands of the terminal."""
    safe = printable(text)
    if raw or not is_markdown(safe):
        return Text(safe)
    return Markdown(safe, hyperlinks=False, code_theme="ansi_dark" if dark else "ansi_light")
