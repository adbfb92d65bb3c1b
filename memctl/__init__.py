"""The command line and the typed client of memd."""

import sys

__version__ = "0.8.20"

# httpx's own command line, which nobody calls here, would load rich and pygments: a tenth of a second of every start.
sys.modules.setdefault("httpx._main", None)  # pyright: ignore[reportArgumentType] - None keeps a module out
