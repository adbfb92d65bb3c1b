"""Waiting for a server that is not up yet: after a reboot, Postgres often starts, or recovers, later than memd."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, Ping

from memd.logs import log

ANSWER_S: Final = 2
"""How long a server may take to answer one attempt; libpq accepts no less."""
BACKOFF_S: Final = 0.25
MAX_BACKOFF_S: Final = 5.0
_REASONS: Final = {
    Ping.REJECT: "it is starting up, recovering or shutting down",
    Ping.NO_RESPONSE: "it does not answer",
}


def wait_for_servers(
    conninfos: Sequence[str], patience_s: float, while_awaited: Callable[[], AbstractContextManager[None]] = nullcontext
) -> None:
    """Return when every server accepts connections, or after `patience_s` seconds in all: then connecting says why not.

    If one has to be awaited, that happens in the context of `while_awaited`.
    A server that refuses a login or lacks the database accepts connections, so that those errors are not waited for.
    The answer is that of libpq's PQping, which goes by the SQLSTATE: texts of the server may be in any language.
    """
    deadline = time.monotonic() + patience_s
    if patience_s > 0 and any(_ping(conninfo) in _REASONS for conninfo in conninfos):
        with while_awaited():
            for conninfo in conninfos:
                _wait_for(conninfo, deadline)


def accepts_connections(conninfo: str) -> bool:
    """Whether a server accepts connections now."""
    return _ping(conninfo) is Ping.OK


def _wait_for(conninfo: str, deadline: float) -> None:
    delay = BACKOFF_S
    while (left := deadline - time.monotonic()) > 0 and (reason := _REASONS.get(_ping(conninfo))) is not None:
        server = conninfo_to_dict(conninfo).get("host", "the default host")
        log.warning("database.awaited", server=server, reason=reason, secondsLeft=round(left))
        time.sleep(min(delay, left))
        delay = min(delay * 2, MAX_BACKOFF_S)


def _ping(conninfo: str) -> Ping:
    return Ping(PGconn.ping(make_conninfo(conninfo, connect_timeout=ANSWER_S).encode()))
