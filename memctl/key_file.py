"""Replaces a key file atomically: a reader finds the old key or the new one; only its owner can read it."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_key(path: Path, key: str) -> None:
    """Replace the key in a file; mode 0600, the owner stays. Raises OSError."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".key-")  # mkstemp makes the file 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{key}\n")
            file.flush()
            os.fsync(file.fileno())
        before = path.stat()
        if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(draft, before.st_uid, before.st_gid)
        Path(draft).replace(path)
    except OSError:
        with suppress(OSError):
            Path(draft).unlink()
        raise
