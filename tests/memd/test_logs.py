"""Log lines of libraries have the form of memd's own."""

import contextlib
import json
import os
import pty
import re
import subprocess
import sys

from memd.logs import KINDS_MAX, Repeats

LOGGING = """
import logging
from memd import logs

logs.configure("info")
logging.getLogger("uvicorn.error").warning("Invalid HTTP request received from %s.", "afar")
logging.getLogger("odd").log(35, "between two levels")
logging.getLogger("quiet").info("not worth a line")
try:
    raise ValueError("no")
except ValueError:
    logging.getLogger("lib").exception("it failed")
logs.log.info("own")
"""


def test_what_libraries_log_is_json_when_ours_is() -> None:
    done = subprocess.run([sys.executable, "-c", LOGGING], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["event"], line.get("logger")) for line in lines] == [
        ("warning", "Invalid HTTP request received from afar.", "uvicorn.error"),
        ("warning", "between two levels", "odd"),
        ("error", "it failed", "lib"),
        ("info", "own", None),
    ]
    assert "ValueError: no" in lines[2]["exception"]
    assert all("timestamp" in line for line in lines)


REPEATING = """
import logging
from memd import logs

logs.configure("info")
for attempt in range(3):
    logging.getLogger("psycopg.pool").warning("error connecting in %r: %s", "memd", attempt)
    logging.getLogger("psycopg.pool").error("attempt %d failed", attempt)
logging.getLogger("psycopg.pool").warning("another warning")
"""


def test_a_warning_of_a_library_that_repeats_is_logged_once() -> None:
    done = subprocess.run([sys.executable, "-c", REPEATING], capture_output=True, text=True, check=True)
    assert [json.loads(line)["event"] for line in done.stderr.splitlines()] == [
        "error connecting in 'memd': 0",
        "attempt 0 failed",
        "attempt 1 failed",
        "attempt 2 failed",
        "another warning",
    ]


ON_A_TERMINAL = r"""
from memd import logs

logs.configure("info")
logs.log.info("request.client_disconnected", path="/api/sessions/\x1b]0;title\x07\x1b[2J", host="evil\x9b31m\u202e", port=1)
try:
    raise ValueError("a text with \x1b[31m")
except ValueError:
    logs.log.exception("failed")
"""


def test_what_is_logged_does_not_command_a_terminal() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1"}
    with subprocess.Popen([sys.executable, "-c", ON_A_TERMINAL], stderr=theirs, env=environment) as process:
        os.close(theirs)
        output = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(ours, 1 << 16):
                output += part
    os.close(ours)
    assert process.returncode == 0
    text = re.sub(r"\x1b\[[\d;]*m", "", output.decode())  # the colours of the lines themselves
    assert "/api/sessions/\N{REPLACEMENT CHARACTER}]0;title" in text
    assert "ValueError: a text with \N{REPLACEMENT CHARACTER}[31m" in text
    assert not set(text) & set("\x1b\x07\x9b\u202e")


def test_the_kinds_of_repeated_warnings_are_bounded() -> None:
    repeats = Repeats()
    assert all(repeats.is_new(f"from the client: {number}") for number in range(KINDS_MAX))
    assert not repeats.is_new("from the client: 0")
    assert repeats.is_new("one more")
    assert repeats.is_new("from the client: 0")
