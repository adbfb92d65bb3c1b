"""The SQL of vector indexes: which users are large, which indexes there are, building and dropping one.

Indexes are built by the role that owns the tables, on a dedicated connection, since a build cannot be in a transaction.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, LiteralString, NamedTuple, TypeAlias, cast
from uuid import UUID

from psycopg import AsyncConnection

from memd.db.session import SystemSession
from memd.db.typed_rows import Query

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]
LINKS: Final = 24
"""Neighbours of a vector in each layer. With pgvector's default of 16, a search needs twice as many candidates."""
TRIED: Final = 128
"""Candidates for those neighbours. The two make a build take twice as long: 95 s for 100,000 vectors instead of 45."""


MIN_BUILD_KB: Final = 256 * 1024
MAX_BUILD_KB: Final = 2 * 1024 * 1024
KB_PER_VECTOR: Final = 2
"""Memory for a build: a graph that does not fit is built far more slowly."""
_BUILD_MEMORY: Final = """
SELECT set_config('maintenance_work_mem', greatest(setting::bigint, %(kb)s) || 'kB', false)
FROM pg_settings WHERE name = 'maintenance_work_mem'
"""


class Indexable(StrEnum):
    """The tables whose vectors have indexes, by the column of `totals` that notes the model of a user's index."""

    PRESENT = "indexed_model"
    VERSIONS = "indexed_versions"

    @property
    def table(self) -> str:
        """The name of the table."""
        return "memory_vector" if self is Indexable.PRESENT else "memory_version"

    @property
    def condition(self) -> str:
        """The condition on the rows in its indexes, in addition to user and model."""
        ordinary = "live AND knowledge_base_id IS NULL"
        return ordinary if self is Indexable.PRESENT else f"{ordinary} AND indexed"

    @property
    def suffix(self) -> str:
        """How the names of its indexes end."""
        return "" if self is Indexable.PRESENT else "_versions"


def index_name(user_id: UUID, model: int, of: Indexable = Indexable.PRESENT) -> str:
    """The name of the user's index for the vectors of a model."""
    return f"{index_prefix(user_id)}{model}{of.suffix}"


def indexed_by(name: str) -> Indexable:
    """Whether the index of this name covers current rows or versions."""
    return Indexable.VERSIONS if name.endswith(Indexable.VERSIONS.suffix) else Indexable.PRESENT


def index_prefix(user_id: UUID) -> str:
    """How the names of a user's indexes begin."""
    return f"hnsw_{user_id.hex}_"


class Indexed(NamedTuple):
    """Whether there is a complete index."""

    indexed: bool


class LargeUser(NamedTuple):
    """A user with many memories."""

    user_id: UUID
    active_memories: int


class _VersionCount(NamedTuple):
    user_id: UUID
    versions: int


def is_indexed(user_id: UUID, model: int) -> Query[Indexed]:
    """One row: whether the user's index is there and complete, as noted by who built it."""
    return Query(
        Indexed,
        """
        SELECT EXISTS (SELECT FROM totals WHERE user_id = %(user)s AND indexed_model = %(model)s) AS indexed
        """,
        {"user": user_id, "model": model},
    )


async def large_users(session: SystemSession, minimum: int, maximum: int) -> list[LargeUser]:
    """Users with at least this number of memories, the largest first."""
    return await session.rows(
        LargeUser,
        """
        SELECT user_id, active_memories FROM totals WHERE active_memories >= %(least)s
        ORDER BY active_memories DESC LIMIT %(most)s
        """,
        {"least": minimum, "most": maximum},
    )


async def version_counts(session: SystemSession, user_ids: Sequence[UUID], maximum: int) -> dict[UUID, int]:
    """How many versions of each user's memories have ended; of each at most `maximum` are counted."""
    rows = await session.rows(
        _VersionCount,
        """
        SELECT t.user_id, ended.versions FROM totals t CROSS JOIN LATERAL (
          SELECT count(*) AS versions FROM (
            SELECT FROM memory_version v WHERE v.user_id = t.user_id LIMIT %(most)s) counted
        ) ended
        WHERE t.user_id = ANY(%(users)s)
        """,
        {"users": list(user_ids), "most": maximum},
    )
    return dict(rows)


async def known(owner: Owner) -> dict[str, bool]:
    """The names of the indexes that there are, and whether each is complete."""
    cursor = await owner.execute(
        r"""
        SELECT c.relname AS name, x.indisvalid AS complete FROM pg_class c JOIN pg_index x ON x.indexrelid = c.oid
        WHERE x.indrelid IN ('memory_vector'::regclass, 'memory_version'::regclass)
          AND c.relname ~ '^hnsw_[0-9a-f]{32}_[0-9]+(_versions)?$'
        """
    )
    return dict(await cursor.fetchall())


async def record_index(
    session: SystemSession, user_id: UUID, model: int | None, of: Indexable = Indexable.PRESENT
) -> None:
    """Note that the vectors of a model have an index, or with None that those of no model have one."""
    await session.execute(
        f"""
        UPDATE totals SET {of} = %(model)s WHERE user_id = %(user)s AND {of} IS DISTINCT FROM %(model)s
        """,
        {"user": user_id, "model": model},
    )


def owner_of(name: str) -> UUID:
    """The user whose index has this name."""
    return UUID(name.split("_")[1])


async def build(owner: Owner, user_id: UUID, model: int, dimensions: int, of: Indexable = Indexable.PRESENT) -> None:
    """Build an index of a user concurrently with reads and writes; an aborted build leaves it invalid."""
    counted = await owner.execute(
        cast("LiteralString", f"SELECT count(*) FROM {of.table} WHERE user_id = %(user)s"), {"user": user_id}
    )
    ((rows,),) = await counted.fetchall()
    await owner.execute(_BUILD_MEMORY, {"kb": min(MAX_BUILD_KB, max(MIN_BUILD_KB, KB_PER_VECTOR * rows))})
    await _execute(owner, "SET max_parallel_maintenance_workers = 1")
    await _execute(
        owner,
        f"""
        CREATE INDEX CONCURRENTLY {index_name(user_id, model, of)} ON {of.table}
        USING hnsw ((embedding::halfvec({dimensions})) halfvec_cosine_ops) WITH (m = {LINKS}, ef_construction = {TRIED})
        WHERE user_id = '{user_id}' AND model = {model} AND {of.condition}
        """,
    )


async def drop(owner: Owner, name: str) -> None:
    """Drop an index concurrently with reads and writes."""
    await _execute(owner, f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


async def _execute(owner: Owner, statement: str) -> None:
    await owner.execute(cast("LiteralString", statement))
