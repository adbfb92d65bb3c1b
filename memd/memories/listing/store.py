"""The SQL of the list of memories. Each sort has an index that leads with the user; see `Memory.__table_args__`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from memd.db.session import OwnerSession
from memd.db.sql.successor import successor

Key = tuple[str | float | UUID, ...]
"""Where a page begins: the values that the row before is sorted by, and its id."""

_ARCHIVED_AT: Final = "coalesce(m.archived_at, m.updated_at)"
_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "created": ("m.created_at",),
    "archived": (_ARCHIVED_AT,),
    "used": ("m.last_accessed_at",),
    "strength": ("m.strength",),
    "title": ("lower(m.title)",),
    "store": ("m.store", "m.created_at"),
    "category": ("m.category", "m.created_at"),
}
"""By sort, the expressions that a row is sorted by, before its id."""
KEY_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "created": (int,),
    "archived": (int,),
    "used": (int,),
    "strength": (float,),
    "title": (str,),
    "store": (str, int),
    "category": (str, int),
}
"""By sort, the types of their values."""


class ListedRow(NamedTuple):
    """A memory of the list; times in epoch ms, `title_key` is what it is sorted by.

    `valid_from` and `valid_until` are its period, None on a side that is open.
    """

    id: UUID
    title: str
    excerpt: str
    length: int
    store: str
    category: str
    tags: list[str]
    channel: str | None
    strength: float
    archived: bool
    archived_by: str | None
    archived_at: int
    superseded_by_memory_id: UUID | None
    knowledge_base_id: UUID | None
    created_at: int
    last_accessed_at: int
    valid_from: int | None
    valid_until: int | None
    title_key: str

    def key(self, sort: str) -> Key:
        """Where the page after this row begins."""
        values: Mapping[str, Key] = {
            "created": (self.created_at,),
            "archived": (self.archived_at,),
            "used": (self.last_accessed_at,),
            "strength": (self.strength,),
            "title": (self.title_key,),
            "store": (self.store, self.created_at),
            "category": (self.category, self.created_at),
        }
        return (*values[sort], self.id)


@dataclass(frozen=True, slots=True)
class Listing:
    """Which memories are listed, and how; `text` is a tsquery on the lexemes of the row."""

    sort: str
    descending: bool
    archived: bool
    chunks: bool
    store: str | None = None
    category: str | None = None
    channel: str | None = None
    tag: str | None = None
    text: str | None = None

    @property
    def is_filtered(self) -> bool:
        """Whether anything but the archive is asked for."""
        return bool(self.chunks or self.store or self.category or self.channel or self.tag or self.text)


_COLUMNS: Final = f"""
m.id, m.title, left(m.content, %(excerpt)s) AS excerpt, length(m.content) AS length, m.store, m.category, m.tags, m.channel,
m.strength, m.archived, m.archived_by, {_ARCHIVED_AT} AS archived_at, {successor("m")}, m.knowledge_base_id,
m.created_at, m.last_accessed_at, m.valid_from, m.valid_until, lower(m.title) AS title_key
"""


def _conditions(listing: Listing, params: dict[str, Any]) -> list[str]:
    """The conditions on rows of `memory m`; their values go into `params`."""
    values = {name: getattr(listing, name) for name in ("store", "category", "channel", "tag", "text")}
    params.update({name: value for name, value in values.items() if value is not None})
    terms = ["m.archived" if listing.archived else "NOT m.archived"]
    if not listing.chunks:
        terms.append("m.knowledge_base_id IS NULL")
    wording = {
        "store": "m.store = %(store)s",
        "category": "m.category = %(category)s",
        "channel": "starts_with(m.channel, %(channel)s)",
        "tag": "m.tags @> ARRAY[%(tag)s]::text[]",
        "text": (
            "m.id IN (SELECT i.memory_id FROM memory_index i WHERE i.user_id = %(user)s AND i.tsv @@ %(text)s::tsquery)"
        ),
    }
    return terms + [wording[name] for name, value in values.items() if value is not None]


def page_statement(
    user_id: UUID, listing: Listing, after: Key | None, *, limit: int, excerpt: int
) -> tuple[str, dict[str, Any]]:
    """The statement of one page, after the position; `excerpt` is the most characters of a content."""
    params: dict[str, Any] = {"user": user_id, "limit": limit, "excerpt": excerpt}
    terms, keys = _conditions(listing, params), (*_KEYS[listing.sort], "m.id")
    direction, beyond = ("DESC", "<") if listing.descending else ("ASC", ">")
    if after is not None:
        terms.append(f"({', '.join(keys)}) {beyond} ({_values(after, params)})")
    order = ", ".join(f"{key} {direction}" for key in keys)
    where = " AND ".join(terms)
    return (
        f"SELECT {_COLUMNS} FROM memory m WHERE m.user_id = %(user)s AND {where} ORDER BY {order} LIMIT %(limit)s",
        params,
    )


async def page(
    session: OwnerSession, listing: Listing, after: Key | None, *, limit: int, excerpt: int
) -> list[ListedRow]:
    """One page of the list."""
    sql, params = page_statement(session.user_id, listing, after, limit=limit, excerpt=excerpt)
    return await session.rows(ListedRow, sql, params)


def _values(after: Key, params: dict[str, Any]) -> str:
    """The placeholders of a position; its values go into `params`."""
    names: Sequence[str] = [f"after_{at}" for at in range(len(after))]
    params.update(zip(names, after, strict=True))
    return ", ".join(f"%({name})s" for name in names)


async def count(session: OwnerSession, listing: Listing, maximum: int) -> int:
    """How many memories match; not more than `maximum` are counted."""
    params: dict[str, Any] = {"user": session.user_id, "most": maximum}
    where = " AND ".join(_conditions(listing, params))
    return await session.value(
        f"SELECT count(*) FROM (SELECT FROM memory m WHERE m.user_id = %(user)s AND {where} LIMIT %(most)s) counted",
        params,
    )
