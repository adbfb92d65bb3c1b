"""A small program that supervises an embedded Postgres, for tests that kill it: `supervise.py DATA_DIR [USER]`.

Prints one line of JSON, {"pid", "conninfo"} or {"error", "message"}; shuts down at the end of its input. With USER it
gives up root first, after every import, since that user may be unable to read Python itself.
"""

import json
import os
import pwd
import shutil
import sys
from pathlib import Path

from memd.db.embedded.server import EmbeddedPostgres
from memd.db.errors import DatabaseStartError


def become(user: str) -> None:
    """Give up root, and start further programs with a Python that this user can run."""
    entry = pwd.getpwnam(user)
    os.setgroups([entry.pw_gid])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)
    if not os.access(sys.executable, os.X_OK):
        sys.executable = shutil.which("python3", path=os.defpath) or sys.exit(f"no Python for {user}")


def main() -> None:
    """Start, report, wait, stop."""
    if len(sys.argv) > 2:
        become(sys.argv[2])
    server = EmbeddedPostgres(Path(sys.argv[1]))
    try:
        conninfo = server.start()
    except DatabaseStartError as error:
        print(json.dumps({"error": type(error).__name__, "message": str(error)}), flush=True)  # noqa: T201
        return
    print(json.dumps({"pid": server.pid, "conninfo": conninfo}), flush=True)  # noqa: T201
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
