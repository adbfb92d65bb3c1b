"""How large the buffer cache of the embedded Postgres is by default."""

import os
from pathlib import Path

MIN_MB = 128
MAX_MB = 4096
"""The vectors of 800,000 memories and their index fit; pages are only taken from the machine when they are used."""
SHARE_OF_MEMORY = 8
CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""Files in which a container finds its limit, in bytes; `max`, or more than the machine has, means none."""


def shared_buffers() -> str:
    """An eighth of the memory that this process may use, within bounds, as Postgres reads it: `512MB`."""
    return f"{min(MAX_MB, max(MIN_MB, usable_memory_mb() // SHARE_OF_MEMORY))}MB"


def usable_memory_mb(cgroup_limits: tuple[Path, ...] = CGROUP_LIMITS) -> int:
    """The machine's memory, or the limit of its container when that is lower."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([machine, *(limit for path in cgroup_limits if (limit := _limit(path)) is not None)]) // 2**20


def _limit(path: Path) -> int | None:
    """The number of bytes in a file of limits, None without such a file or such a number."""
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None
