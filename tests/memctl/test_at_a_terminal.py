"""Messages beside a progress bar, and Ctrl+C at a question, as a terminal shows them."""

import contextlib
import os
import pty
import re
import select
import subprocess
import sys
import time
from functools import partial

PATIENCE_S = 30.0
NOTED = """
from memctl.diagnostics import meter, note
with meter("importing", 3) as bar:
    bar.advance(1, "one file")
    note("chunks go into handbook")
    bar.advance(1, "two files")
note("done")
"""
ASKED = """
import asyncio
from memctl.diagnostics import confirm

async def delete() -> None:
    confirm("Delete it?")

try:
    asyncio.run(delete())
except KeyboardInterrupt:
    print("interrupted")
"""


def shown(code: str, typed: bytes = b"") -> str:
    """What a program shows at a terminal, where `typed` is typed when the program waits for it."""
    ours, theirs = pty.openpty()
    text, ends = b"", time.monotonic() + PATIENCE_S
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "24"}
    command = [sys.executable, "-c", code]
    in_terminal = partial(os.login_tty, theirs)
    with subprocess.Popen(command, env=environment, preexec_fn=in_terminal) as program:  # noqa: PLW1509 - for Ctrl+C
        os.close(theirs)
        with contextlib.suppress(OSError):  # the terminal is closed when the process has ended
            while True:
                if select.select([ours], [], [], 2.0)[0]:
                    if not (part := os.read(ours, 4096)):
                        break
                    text += part
                elif typed and text:  # nothing more comes: the program waits for a key
                    os.write(ours, typed)
                    typed, ends = b"", time.monotonic() + PATIENCE_S
                elif time.monotonic() > ends:
                    program.kill()
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.decode())


def test_a_message_stands_above_the_progress_bar_on_a_line_of_its_own() -> None:
    lines = [line.strip() for line in re.split(r"[\r\n]+", shown(NOTED))]
    assert {"chunks go into handbook", "done"} <= {*lines}


def test_ctrl_c_at_a_question_interrupts_the_command() -> None:
    assert shown(ASKED, b"\x03").rstrip().endswith("interrupted")
