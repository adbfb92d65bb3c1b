"""Whether a memd on this machine is still starting or is not running."""

import fcntl
import os
from pathlib import Path
from typing import Final

from memctl.client.errors import NoMemdFound

LOCK_FILE: Final = "memd.lock"


def no_memd(folder: Path, *, option: bool) -> NoMemdFound:
    """The error for a data directory that no memd serves; `option` says that --data-dir named it."""
    return NoMemdFound(folder, option=option, starting=is_starting(folder))


def is_starting(folder: Path) -> bool:
    """Whether a memd with an embedded Postgres has locked this data directory; it may be upgrading its tables.

    A memd that serves holds the lock as well, but is found by its `memd.json`.
    """
    try:
        descriptor = os.open(folder / LOCK_FILE, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
