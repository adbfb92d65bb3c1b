"""Where the tools of requirements.tools are, and how they come there."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
BIN: Final = ROOT / ".venv" / "tools" / "bin"
