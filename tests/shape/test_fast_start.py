"""`memctl --help` stays light: nothing heavy is imported before a command runs (design 5)."""

import subprocess
import sys

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
