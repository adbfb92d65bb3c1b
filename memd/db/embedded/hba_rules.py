"""Postgres's rules of host-based authentication: only root and the user that runs memd may log in (peer).

The rules are stored in the data directory and not in the cluster, so that code inside Postgres cannot change them.
"""

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from memd.db.embedded.account import ServerAccount

RULES, USERS = "pg_hba.conf", "pg_ident.conf"
_RULES = """\
# Written by memd at each start.
# TYPE  DATABASE  USER  METHOD
local   all       all   peer map=memd
"""
_USERS = """\
# Written by memd at each start.
# MAP  SYSTEM USER  DATABASE USER
"""


def write_hba_rules(data_dir: Path, account: ServerAccount) -> Mapping[str, str]:
    """Write the rules where only `account` can read them; the server settings that name them."""
    lines = [f'memd   "{name}"  all\n' for name in sorted({"root", pwd.getpwuid(os.geteuid()).pw_name})]
    for name, text in ((RULES, _RULES), (USERS, _USERS + "".join(lines))):
        draft = data_dir / f"{name}.new"
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        account.admit(draft, 0o640 if account.other else 0o600)
        draft.rename(data_dir / name)
    return {"hba_file": str(data_dir / RULES), "ident_file": str(data_dir / USERS)}
