"""Where a memd listens when nothing says otherwise, and which hosts are this machine."""

from typing import Final

DEFAULT_PORT: Final = 7377
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
