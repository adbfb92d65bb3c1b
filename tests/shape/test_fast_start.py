"""`memctl --help` stays light, and `memd serve` loads no library that its start can do without."""

import subprocess
import sys

import pytest

HEAVY = ("httpx", "rich", "textual", "pydantic", "memd")


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from memctl.__main__ import main\n"
        "sys.argv = ['memctl', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


LATER = (
    "sqlalchemy",
    "sqlmodel",
    "alembic",
    "mcp",
    "httpx",
    "jwt",
    "jinja2",
    "rich",
    "pygments",
    "onnx",
    "opentelemetry",
)


@pytest.mark.slow
def test_a_start_of_memd_loads_nothing_that_may_come_later() -> None:
    program = f"import sys, memd.start, memd.serve; print([name for name in {LATER!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
