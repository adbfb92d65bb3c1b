"""Completion in bash of values with colons, blanks and quotes, such as `slack:ops` and a knowledge base `Team notes`.

Bash ends a word at a colon and at an equals sign, and puts what it is given on the command line as it is. Here the words
are read from the line itself, and each value is quoted and without the part that bash keeps.
"""

import os
import re
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, split_arg_string

_QUOTED = re.compile(r"([^\w@%+=:,./\u0080-\U0010ffff-])")
"""A character that bash would not take as it is; all beyond ASCII it does."""

_SOURCE = """\
%(complete_func)s() {
    local response type value
    response=$(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" %(complete_var)s_BREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete $1)
    while IFS=',' read -r type value; do
        if [[ $type == 'dir' ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == 'plain' ]]; then
            COMPREPLY+=("$value")
        fi
    done <<< "$response"
    return 0
}

%(complete_func)s_setup() {
    complete -o nosort -F %(complete_func)s %(prog_name)s
}

%(complete_func)s_setup;
"""


class Bash(BashComplete):
    """Completion in bash; `COMP_LINE` is the line up to the cursor.

    `_MEMCTL_COMPLETE_BREAKS` has bash's `COMP_WORDBREAKS`: under that name it would not reach a memctl that a script of
    bash starts, such as a shim of pyenv.
    """

    source_template = _SOURCE

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the cursor, and the beginning of the one at it."""
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)[1:]
        if _typed_part(line) and words:
            return words[:-1], words[-1]
        return words, ""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """The value as it stands on the command line, without what bash keeps of the word at the cursor."""
        if item.type != "plain":
            return f"{item.type},{item.value}"
        typed = _typed_part(os.environ["COMP_LINE"])
        if typed[:1] in {"'", '"'}:
            return f"plain,{item.value}"
        breaks = os.environ.get(f"{self.complete_var}_BREAKS", ":=")
        ends = (typed.rfind(sign) + 1 for sign in ":=" if sign in breaks)
        kept = typed[: max(ends, default=0)]
        if kept.startswith("-"):
            kept = kept.partition("=")[2]
        quoted = _QUOTED.sub(r"\\\1", item.value)
        return f"plain,{quoted.removeprefix(kept)}"


def _typed_part(line: str) -> str:
    """The word at the end of the line as it is typed, quotes and all; empty after a blank."""
    start, quote, is_escaped = 0, "", False
    for at, character in enumerate(line):
        if is_escaped:
            is_escaped = False
        elif quote:
            quote = "" if character == quote else quote
        elif character == "\\":
            is_escaped = True
        elif character in {"'", '"'}:
            quote = character
        elif character.isspace():
            start = at + 1
    return line[start:]
