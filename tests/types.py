"""Checks types with pyrefly, and that no condition is a coroutine: `python -m tests.types [path …]`.

A condition that lacks its `await` is always true. Pyrefly reports it only under the rule `implicit-bool`, together with
every other condition that is not a `bool`; those are left out here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PYREFLY = Path(sys.executable).with_name("pyrefly")
CONDITIONS = "implicit-bool"


def errors(arguments: Sequence[str] = ()) -> list[str]:
    """A line for each error in some files, by default in all; RuntimeError when pyrefly cannot tell."""
    command = [PYREFLY, "check", "--error", CONDITIONS, "--output-format", "json", "--summary=none", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # pyrefly warns about it
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    problems = [line for line in done.stderr.splitlines() if line and not line.startswith(" INFO")]
    if problems or done.returncode not in {0, 1}:
        raise RuntimeError("\n".join(problems) or f"pyrefly ended with {done.returncode}")
    return [
        f"{error['path']}:{error['line']}:{error['column']}: {error['description']} [{error['name']}]"
        for error in json.loads(done.stdout)["errors"]
        if error["name"] != CONDITIONS or "`Coroutine[" in error["description"]
    ]


if __name__ == "__main__":
    sys.exit("\n".join(errors(sys.argv[1:])) or 0)
