"""What libraries log has the form of memd's own lines."""

import json
import subprocess
import sys

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
