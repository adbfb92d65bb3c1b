"""The SQL of rankings."""

from typing import NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession, WriteSession


class RankingPage(NamedTuple):
    """A slice of a ranking, the size of the whole, and whether the search would find no more; None marks adjacent rows."""

    ids: list[UUID]
    scores: list[float]
    weak: list[bool | None]
    size: int
    exhausted: bool
    degradation: str | None
    used_at: int


async def page(session: OwnerSession, key: UUID, since: int, first: int, last: int) -> RankingPage | None:
    """The places `first` to `last` (from 1, inclusive) of a ranking that was used after `since` (epoch ms).

    A ranking that a process of the release before has written or extended has no mark for some rows and is skipped.
    """
    return await session.row(
        RankingPage,
        """
        SELECT ids[%(first)s:%(last)s] AS ids, scores[%(first)s:%(last)s] AS scores, weak[%(first)s:%(last)s] AS weak,
               size, exhausted, degradation, used_at
        FROM ranking
        WHERE user_id = %(user)s AND key = %(key)s AND used_at > %(since)s AND cardinality(weak) = size
        """,
        {"user": session.user_id, "key": key, "since": since, "first": first, "last": last},
    )


async def touch(session: WriteSession, key: UUID, now: int) -> None:
    """Keep a ranking from now (epoch ms) on."""
    await session.execute(
        "UPDATE ranking SET used_at = greatest(used_at, %(now)s) WHERE user_id = %(user)s AND key = %(key)s",
        {"user": session.user_id, "key": key, "now": now},
    )


async def replace(session: WriteSession, key: UUID, ranking: RankingPage) -> None:
    """Store a whole ranking instead of the one with the same key."""
    await session.execute(
        """
        INSERT INTO ranking (user_id, key, ids, scores, weak, size, exhausted, degradation, used_at)
        VALUES (%(user)s, %(key)s, %(ids)s, %(scores)s, %(weak)s, %(size)s, %(exhausted)s, %(degradation)s, %(used_at)s)
        ON CONFLICT (user_id, key) DO UPDATE
        SET ids = excluded.ids, scores = excluded.scores, weak = excluded.weak, size = excluded.size,
            exhausted = excluded.exhausted, degradation = excluded.degradation, used_at = excluded.used_at
        """,
        {"user": session.user_id, "key": key, **ranking._asdict()},
    )


async def extend(session: WriteSession, key: UUID, known: int, more: RankingPage) -> bool:
    """Append to a ranking that still has `known` rows; False if it has changed or no longer exists."""
    return bool(
        await session.execute(
            """
            UPDATE ranking
            SET ids = ids || %(ids)s::uuid[], scores = scores || %(scores)s::float8[], weak = weak || %(weak)s::boolean[],
                size = size + %(size)s, exhausted = %(exhausted)s, degradation = coalesce(degradation, %(degradation)s), used_at = %(used_at)s
            WHERE user_id = %(user)s AND key = %(key)s AND size = %(known)s
            """,
            {"user": session.user_id, "key": key, "known": known, **more._asdict()},
        )
    )


async def remove_beyond(session: WriteSession, since: int, maximum: int) -> None:
    """Delete rankings that were last used before `since` (epoch ms), then the longest unused beyond `maximum` ids in all.

    Locked rows are skipped: another request is deleting them, or using them.
    """
    await session.execute(
        """
        DELETE FROM ranking WHERE user_id = %(user)s AND key IN (
            SELECT key FROM ranking WHERE user_id = %(user)s AND key IN (
                SELECT key FROM (
                    SELECT key, used_at, sum(size) OVER (ORDER BY used_at DESC, key) AS total
                    FROM ranking WHERE user_id = %(user)s
                ) r WHERE r.used_at <= %(since)s OR r.total > %(most)s
            ) FOR UPDATE SKIP LOCKED)
        """,
        {"user": session.user_id, "since": since, "most": maximum},
    )


async def remove_expired(session: WriteSession, since: int, limit: int) -> int:
    """Delete up to `limit` rankings that were last used before `since` (epoch ms); returns how many."""
    return await session.execute(
        """
        DELETE FROM ranking WHERE user_id = %(user)s AND key = ANY(ARRAY(
            SELECT key FROM ranking WHERE user_id = %(user)s AND used_at <= %(since)s
            LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
        """,
        {"user": session.user_id, "since": since, "limit": limit},
    )
