"""The channels that a user has, so that a rule over channels is evaluated once and not for every row."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

from memd.db.typed_rows import Query
from memd.domain.visibility.rules import ChannelScope

MAX_CHANNELS: Final = 500
S = TypeVar("S", bound=ChannelScope)


class RowChannel(NamedTuple):
    """A channel of some rows."""

    channel: str


def channels_of(user_id: UUID, table: str, condition: str = "true", *, sorted_by: str = "channel") -> Query[RowChannel]:
    """The channels of the user in a narrow table, without NULL; at most a few more than can be used.

    Reads one index entry for each channel: `sorted_by` are the columns of the index behind the user, of which
    `condition` bounds all before the channel.
    """
    statement = f"""
    WITH RECURSIVE known AS (
      (SELECT channel FROM {table} WHERE user_id = %(user)s AND {condition} AND channel IS NOT NULL
       ORDER BY {sorted_by} LIMIT 1)
      UNION ALL
      SELECT (SELECT t.channel FROM {table} t
              WHERE t.user_id = %(user)s AND {condition} AND t.channel > known.channel
              ORDER BY {sorted_by} LIMIT 1)
      FROM known WHERE known.channel IS NOT NULL
    )
    SELECT channel FROM known WHERE channel IS NOT NULL LIMIT {MAX_CHANNELS + 1}
    """
    return Query(RowChannel, statement, {"user": user_id})


def listed(scope: S, channels: Sequence[str]) -> S:
    """The scope as a list of the channels that exist; unchanged where it is one already, or where they are too many."""
    if scope.all_but is None or len(channels) > MAX_CHANNELS:
        return scope
    return replace(scope, all_but=None, exact=tuple(filter(scope.admits, channels)))
