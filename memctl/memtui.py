"""The command `memtui`: finds the package of the terminal browser and starts it.

A wheel of the whole product installs it as `memtui`, a checkout has it in the folder `tui` beside this package, and the
client alone comes without it.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

ABSENT = "memtui: the terminal browser comes with the whole product: pip install memd-server"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run memtui with these arguments, or those of the command line; exit code 1 when it is not installed."""
    checkout = Path(__file__).parents[1]
    package = next((name for name in ("memtui", "tui") if (checkout / name / "app.py").is_file()), None)
    if package is None:
        sys.stderr.write(f"{ABSENT}\n")
        sys.exit(1)
    import_module(f"{package}.__main__").main(arguments)
