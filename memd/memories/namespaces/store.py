"""The SQL that reads the memories of a namespace."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from memd.db.session import ReadSession
from memd.db.sql.metadata import metadata_condition, namespace_condition
from memd.db.sql.moment import period_condition, tables_at
from memd.db.sql.scope import channel_condition
from memd.domain.periods.validity import Moment
from memd.domain.search.metadata_filter import Condition, Namespace
from memd.domain.visibility.scoping import MemoryScope


class NamespaceRow(NamedTuple):
    """A memory as search results show it; times in epoch ms, `metadata` any JSON."""

    id: UUID
    namespace: str | None
    key: str | None
    title: str
    content: str
    metadata: Any
    tags: list[str]
    store: str
    category: str
    channel: str | None
    created_at: int
    updated_at: int
    valid_from: int | None
    valid_until: int | None


Position: TypeAlias = tuple[int, UUID]
"""When a memory was last changed (epoch ms), and its id: its place in the list."""
_COLUMNS = ", ".join(f"m.{name}" for name in NamespaceRow._fields)


async def page(
    session: ReadSession,
    scope: MemoryScope,
    namespace: Namespace,
    where: Sequence[Condition],
    moment: Moment,
    *,
    limit: int,
    start: int | Position,
) -> list[NamespaceRow]:
    """The visible memories of a namespace, active at the moment, that pass the filter, the last changed first.

    `start` is the number of those before the page, or the position of the last one of them.
    """
    params: dict[str, Any] = {"user": session.user_id, "limit": limit, "offset": 0}
    after = "true"
    if isinstance(start, int):
        params["offset"] = start
    else:
        after = "(m.updated_at, m.id) < (%(updated_at)s, %(after)s)"
        params |= {"updated_at": start[0], "after": start[1]}
    visible = channel_condition(scope, "m.channel", params)
    named = namespace_condition(namespace, "m", params)
    return await session.rows(
        NamespaceRow,
        f"""
        SELECT {_COLUMNS} FROM {tables_at(moment, params).memory} m
        WHERE m.user_id = %(user)s AND m.namespace IS NOT NULL AND {named} AND {metadata_condition(where, "m", params)}
          AND {_true_then(moment, params)} AND NOT m.archived AND NOT m.blocked AND {visible} AND {after}
        ORDER BY m.updated_at DESC, m.id DESC LIMIT %(limit)s OFFSET %(offset)s
        """,
        params,
    )


def _true_then(moment: Moment, params: dict[str, Any]) -> str:
    """The condition of a moment; a request that names none gets memories whenever they are true."""
    return period_condition(moment, "m", params) if moment.is_historical else "true"


async def rows(session: ReadSession, scope: MemoryScope, ids: Sequence[UUID], moment: Moment) -> list[NamespaceRow]:
    """The visible active memories among these, as of the moment, in any order."""
    params: dict[str, Any] = {"user": session.user_id, "ids": list(ids)}
    visible = channel_condition(scope, "m.channel", params)
    return await session.rows(
        NamespaceRow,
        f"""
        SELECT {_COLUMNS} FROM {tables_at(moment, params).memory} m
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND NOT m.archived AND NOT m.blocked AND {visible}
        """,
        params,
    )
