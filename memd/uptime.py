"""The uptime of the machine: a monotonic clock that keeps counting during suspend."""

import sys
import time
from functools import cache
from pathlib import Path
from typing import Final
from uuid import uuid4

from memd.domain.schedule.clock_jump import Uptime

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def read_uptime() -> Uptime:
    """The time since the machine started. Where the system has no boot id, each process counts as a boot."""
    clock = time.CLOCK_BOOTTIME if sys.platform == "linux" else time.CLOCK_MONOTONIC_RAW
    return Uptime(_boot(), time.clock_gettime_ns(clock) // 1_000_000)


@cache
def _boot() -> str:
    try:
        return _BOOT_ID.read_text("ascii").strip()
    except OSError:
        return str(uuid4())
