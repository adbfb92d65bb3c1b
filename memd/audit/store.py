"""The SQL of the audit log; rows are appended by `WriteSession.audit` and never changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from memd.db.session import SystemSession
from memd.domain.accounts.audit_chain import GENESIS, ChainedEntry, Link

COLUMNS = """seq, at, user_id, key_id, address, action, target, outcome, before::text AS before, after::text AS after, request_id,
             previous_hash, hash"""


class KnownKey(NamedTuple):
    """A key of the database, live or not."""

    key_hash: str
    id: UUID


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries are wanted; None means all. `action` ends in a dot for a whole group of actions."""

    user_id: UUID | None = None
    key_id: UUID | None = None
    action: str | None = None
    since: int | None = None
    until: int | None = None


_PAGE = f"""
SELECT {COLUMNS} FROM audit_entry
WHERE (%(user_id)s::uuid IS NULL OR user_id = %(user_id)s)
  AND (%(key_id)s::uuid IS NULL OR key_id = %(key_id)s)
  AND (%(action)s::text IS NULL OR action = %(action)s OR (right(%(action)s, 1) = '.' AND starts_with(action, %(action)s)))
  AND (%(since)s::bigint IS NULL OR at >= %(since)s)
  AND (%(until)s::bigint IS NULL OR at <= %(until)s)
"""
_NEWEST = f"{_PAGE} AND (%(after)s::bigint IS NULL OR seq < %(after)s) ORDER BY seq DESC LIMIT %(limit)s"
_OLDEST = f"{_PAGE} AND (%(after)s::bigint IS NULL OR seq > %(after)s) ORDER BY seq LIMIT %(limit)s"


async def page(
    session: SystemSession, filters: Filter, after: int | None, limit: int, *, newest: bool
) -> list[ChainedEntry]:
    """Entries behind the sequence number `after`, in the order asked for."""
    params = {
        "user_id": filters.user_id,
        "key_id": filters.key_id,
        "action": filters.action,
        "since": filters.since,
        "until": filters.until,
        "after": after,
        "limit": limit,
    }
    return await session.rows(ChainedEntry, _NEWEST if newest else _OLDEST, params)


async def keys_by_hash(session: SystemSession, hashes: Sequence[str]) -> dict[str, KnownKey]:
    """The keys with these hashes, dead ones included."""
    rows = await session.rows(
        KnownKey, "SELECT key_hash, id FROM api_key WHERE key_hash = ANY(%(hashes)s)", {"hashes": list(hashes)}
    )
    return {row.key_hash: row for row in rows}


async def head(session: SystemSession) -> Link:
    """The last link of the chain."""
    rows = await session.rows(Link, "SELECT seq, hash FROM audit_head")
    return rows[0] if rows else Link(0, GENESIS)


async def expire(session: SystemSession, now: int, before: int, limit: int) -> int:
    """Remove up to `limit` of the oldest entries from before that moment, and anchor the rest; returns how many."""
    return await session.value(
        "SELECT memd_audit_expire(%(now)s, %(before)s, %(limit)s)", {"now": now, "before": before, "limit": limit}
    )
