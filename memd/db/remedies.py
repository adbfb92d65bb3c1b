"""What an operator does about a failure of the machine, by what Postgres or the operating system says of it."""

from typing import Final

_REMEDIES: Final = (
    ("No space left on device", "make room on that disk; nothing has to be repaired"),
    ("Disk quota exceeded", "make room within the quota; nothing has to be repaired"),
    ("Read-only file system", "remount it for writing (mount -o remount,rw), or choose another --data-dir"),
    ("has invalid permissions", "chmod 700 that folder: Postgres refuses one that others may enter"),
    ("Cannot allocate memory", "allow memd more memory, or make its buffer cache smaller: MEMD_DATABASE_CACHE_MB=128"),
    ("insufficient file descriptors", "allow more open files: ulimit -n 4096, or LimitNOFILE= of the service"),
    ("Too many open files", "allow more open files: ulimit -n 4096, or LimitNOFILE= of the service"),
    (
        "connection timeout expired",
        "check whether its machine hangs or the network drops packets; memd doctor asks again",
    ),
    ("Is the server running", "start that server, or correct its address; memd doctor asks again"),
    (
        "failed to resolve host",
        "correct the host in MEMD_DATABASE_URL, or fix its DNS entry; memd doctor asks again",
    ),
    ("password authentication failed", "correct the login or its password in MEMD_DATABASE_URL"),
    ("no password supplied", "put the password into MEMD_DATABASE_URL, or into the file that PGPASSFILE names"),
    (
        'FATAL:  database "',
        "create it (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0;), or correct MEMD_DATABASE_URL",
    ),
    ('FATAL:  role "', "create that login (CREATE ROLE … LOGIN PASSWORD '…';), or correct MEMD_DATABASE_URL"),
)


def remedy(failure: str) -> str:
    """What to do about a failure that was described in these words; empty for any other."""
    return next((advice for words, advice in _REMEDIES if words in failure), "")


def with_remedy(failure: str) -> str:
    """The message, and in a last line what to do about it where that is known."""
    advice = remedy(failure)
    return f"{failure}\nTo mend it: {advice}" if advice else failure
