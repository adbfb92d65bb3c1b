"""One memd for each data directory: a lock on the open file, which the kernel drops with the process that holds it."""

import fcntl
import os
from pathlib import Path

from memd.db.errors import DataDirectoryInUseError

LOCK_NAME = "memd.lock"


class DataDirectoryLock:
    """The lock of `folder`, held from `acquire` to `release`; the file names the holder's process id and stays."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock without waiting, or raise DataDirectoryInUseError with the holder's process id."""
        descriptor = os.open(self._folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).strip()
            os.close(descriptor)
            raise DataDirectoryInUseError(self._folder, int(holder) if holder.isdigit() else None) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor

    def release(self) -> None:
        """Empty the file and release the lock; a no-op when it is not held."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None
