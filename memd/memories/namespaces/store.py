"""The SQL that reads the memories of a namespace."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from memd.db.metadata_sql import metadata_condition, namespace_condition
from memd.db.scope_sql import channel_condition
from memd.db.session import ReadSession
from memd.domain.metadata_filter import Condition, Namespace
from memd.domain.scoping import MemoryScope


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


_COLUMNS = ", ".join(f"m.{name}" for name in NamespaceRow._fields)


async def page(
    session: ReadSession, scope: MemoryScope, namespace: Namespace, where: Sequence[Condition], limit: int, offset: int
) -> list[NamespaceRow]:
    """The visible active memories of a namespace that pass the filter, the last changed first."""
    params: dict[str, Any] = {"user": session.user_id, "limit": limit, "offset": offset}
    visible = channel_condition(scope, "m.channel", params)
    named = namespace_condition(namespace, "m", params)
    return await session.rows(
        NamespaceRow,
        f"""
        SELECT {_COLUMNS} FROM memory m
        WHERE m.user_id = %(user)s AND m.namespace IS NOT NULL AND {named} AND {metadata_condition(where, "m", params)}
          AND NOT m.archived AND NOT m.blocked AND {visible}
        ORDER BY m.updated_at DESC, m.id DESC LIMIT %(limit)s OFFSET %(offset)s
        """,
        params,
    )


async def rows(session: ReadSession, scope: MemoryScope, ids: Sequence[UUID]) -> list[NamespaceRow]:
    """The visible active memories among these, in any order."""
    params: dict[str, Any] = {"user": session.user_id, "ids": list(ids)}
    visible = channel_condition(scope, "m.channel", params)
    return await session.rows(
        NamespaceRow,
        f"""
        SELECT {_COLUMNS} FROM memory m
        WHERE m.user_id = %(user)s AND m.id = ANY(%(ids)s) AND NOT m.archived AND NOT m.blocked AND {visible}
        """,
        params,
    )
