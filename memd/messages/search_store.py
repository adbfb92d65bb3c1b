"""The SQL of message search: the hits of the lanes, the exact values of both lanes for them and around them.

Only narrow rows are read, except to look for a phrase or for a time; `message_rows` fetches the rows of a page.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector

from memd.db.session import ReadSession, Statement
from memd.db.sql.term import QueryReading, TermSql, tsquery
from memd.db.typed_rows import Query
from memd.domain.dates.months import MONTH
from memd.domain.dates.time_window import Window
from memd.domain.dates.weekdays import WEEKDAYS
from memd.domain.ranking.message_wording import asks_when
from memd.domain.visibility.scoping import MessageScope, VisibleScopes
from memd.messages.store import MESSAGE, StoredMessage, scope_condition

AROUND: Final = 3
"""Messages fetched before and after each hit: a neighbour counts as candidate and needs what its own neighbours need."""
_TIMES: Final = tsquery(
    (
        *("yesterday", "today", "tonight", "tomorrow", "morn", "ago", "last", "next", "week", "weekend", "month"),
        *("year", "recent", "summer", "winter", "spring", "autumn", *WEEKDAYS, "noon", "midnight"),
    )
)
"""The lexemes of a message that states a time."""
_WRITTEN_TIME: Final = (
    r"\m(?:january|february|march|april|june|july|august|september|october|november|december|(?:in|since|until|from|by) (?:19|20)\d\d)\M"
    rf"|\m\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}\M|\m{MONTH} \d{{1,2}}\M"
    r"|\m(?:19|20)\d\d-\d\d|\m\d{1,2}:\d\d\M|\m\d{1,2} ?[ap]\.?m\M"
    r"|\m(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few) (?:minutes?|hours?|days?)\M"
)
"""Other times: searched in the text itself, since the date of a message is indexed with its words."""
_SPECIAL: Final = re.compile(r"[][(){}.^$*+?|\\]")
"""Characters that mean something in a regular expression of Postgres."""
_READ_FOR_TIME: Final = 1_000
"""Characters of a message in which a time is looked for."""
PHRASE_PIECE: Final = 100
"""Characters of a phrase that are looked for with one pattern."""


@dataclass(frozen=True, slots=True)
class MessageSearch:
    """The terms and the scope of a message search.

    With a `period`, which takes an open window, each lane also finds its best messages of that time;
    `asks_for_period`: the query names nothing else. `unrelated` is the cosine that unrelated messages may have.
    """

    scope: MessageScope
    window: Window
    query: QueryReading
    vector: npt.NDArray[np.float32] | None
    model: int
    depth: int
    period: Window | None = None
    asks_for_period: bool = False
    unrelated: float = 0.0


class FoundMessage(NamedTuple):
    """A hit of a lane or a message near one, with its exact values for both lanes; `timestamp` in epoch ms.

    A hit also has `around`: the ids of it and of the messages next to it in its session, in the order of time; and
    `session_words`: the words that its session has. `rarities` of the words are in one row only.
    """

    id: UUID
    session_key: str | None
    timestamp: int
    speaker: str | None
    asks: bool
    words: int
    cosine: float | None
    holds_phrase: bool
    states_time: bool
    around: list[UUID] | None
    session_words: int | None
    rarities: list[float] | None


def sample(user_id: UUID) -> Statement:
    """The FROM clause of a statement on the user's newest messages, with the alias `i`."""
    return "message_index i WHERE i.user_id = %(user)s ORDER BY i.message_id DESC", {"user": user_id}


async def message_rows(
    session: ReadSession, scopes: VisibleScopes, message_ids: Sequence[UUID]
) -> dict[UUID, StoredMessage]:
    """The messages that a search found in the scope, by id."""
    if not message_ids:
        return {}
    params: dict[str, Any] = {"user": session.user_id, "ids": list(message_ids)}
    condition = scope_condition(scopes.messages, "message", params)
    rows = await session.rows(
        StoredMessage,
        f"SELECT {MESSAGE} FROM message WHERE user_id = %(user)s AND id = ANY(%(ids)s) AND {condition}",
        params,
    )
    return {row.id: row for row in rows}


def pool(user_id: UUID, search: MessageSearch) -> Query[FoundMessage]:
    """The best of each lane (full text, vector, phrase) and the messages around them, with their exact values."""
    params: dict[str, Any] = {"user": user_id, "model": search.model, "depth": search.depth}
    terms = TermSql(search.query.terms, user_id, params)
    cosine, phrase = "NULL::float8", "false"
    if search.vector is not None:
        params["vector"] = HalfVector(search.vector.astype(np.float16))
        cosine = "1 - (v.embedding <=> %(vector)s)"
    if search.query.phrase is not None:
        phrase = f"""CASE WHEN (SELECT count(*) FROM phrased) < %(depth)s
            THEN i.message_id IN (SELECT message_id FROM phrased) ELSE {_holds_words(search, params)} AND {_holds_phrase(search, params)} END"""
    ctes = _finds(search, terms, params)
    return Query(
        FoundMessage,
        f"""
        WITH {", ".join(f"{name} AS MATERIALIZED ({body})" for name, body in ctes.items())}
        SELECT i.message_id AS id, i.session_key, i.timestamp, i.speaker, i.asks, {terms.words("i.tsv")} AS words,
               {cosine} AS cosine, {phrase} AS holds_phrase,
               {_states_time(params) if asks_when(search.query.text) else "false"} AS states_time,
               p.around, p.session_words, CASE WHEN row_number() OVER () = 1 THEN (SELECT idf FROM rarity) END AS rarities
        FROM (SELECT DISTINCT unnest(around) AS message_id FROM placed) u
        JOIN message_index i ON i.user_id = %(user)s AND i.message_id = u.message_id
        LEFT JOIN message_vector v ON v.user_id = %(user)s AND v.message_id = i.message_id AND v.model = %(model)s
        LEFT JOIN placed p ON p.message_id = i.message_id
        """,
        params,
    )


def _finds(search: MessageSearch, terms: TermSql, params: dict[str, Any]) -> dict[str, str]:
    """The common table expressions up to `placed`: each hit with the messages around it."""
    in_scope = _within(search.scope, search.window, "i", params)
    return {
        "hit": f"""SELECT i.message_id, i.session_key, i.timestamp, {terms.words("i.tsv")} AS words
            FROM message_index i WHERE i.user_id = %(user)s AND {terms.found("i.tsv")} AND {in_scope}""",
        "amount": f"""SELECT {terms.counted("words")} AS counted,
            (SELECT count(*) FROM message_index i WHERE i.user_id = %(user)s AND {in_scope})::float8 AS n FROM hit""",
        "known": f"SELECT {terms.frequencies('counted', 'n')} AS df, n FROM amount",
        "rarity": f"SELECT {terms.rarities('df', 'n')} AS idf FROM known",
        **({"phrased": _phrased(search, in_scope, params)} if search.query.phrase is not None else {}),
        "found": " UNION ".join(_lanes(search, terms, params)),
        "find": """SELECT i.message_id, i.session_key, i.timestamp FROM message_index i
            WHERE i.user_id = %(user)s AND i.message_id = ANY(ARRAY(SELECT message_id FROM found))""",
        "talk": """SELECT session_key, bit_or(words) AS words FROM hit
            WHERE session_key IN (SELECT session_key FROM find) GROUP BY session_key""",
        "placed": f"""SELECT f.message_id,
            {_beside("<", "DESC", in_scope)} || f.message_id || {_beside(">", "ASC", in_scope)} AS around,
            coalesce((SELECT words FROM talk t WHERE t.session_key = f.session_key), 0) AS session_words FROM find f""",
    }


def _within(scope: MessageScope, window: Window, alias: str, params: dict[str, Any]) -> str:
    """The condition of the scope and the window on the rows of `alias`."""
    return f"{scope_condition(scope, alias, params)} AND {_between(window, alias, params)}"


def _between(window: Window, alias: str, params: dict[str, Any]) -> str:
    """The condition of the window on the rows of `alias`."""
    conditions: list[str] = []
    if window.from_ms is not None:
        params["from"] = window.from_ms
        conditions.append(f"{alias}.timestamp >= %(from)s")
    if window.to_ms is not None:
        params["to"] = window.to_ms
        conditions.append(f"{alias}.timestamp <= %(to)s")
    return " AND ".join(conditions) or "true"


def _lanes(search: MessageSearch, terms: TermSql, params: dict[str, Any]) -> list[str]:
    """The hits of each lane: full text, vector, phrase; full text and vector once more inside the period.

    Where the query asks for the period alone, also its newest messages, most of which share no word with the query.
    """
    weight = terms.weight("words", "idf")
    lanes: list[str] = []
    for window in (search.window, *([search.period] if search.period else [])):
        lanes.append(
            f"""(SELECT h.message_id FROM hit h CROSS JOIN rarity WHERE {_between(window, "h", params)}
            ORDER BY {weight} DESC, h.timestamp DESC, h.message_id LIMIT %(depth)s)"""
        )
        if search.vector is not None:
            lanes.append(
                f"""(SELECT v.message_id FROM message_vector v
                WHERE v.user_id = %(user)s AND v.model = %(model)s AND {_within(search.scope, window, "v", params)}
                ORDER BY v.embedding <=> %(vector)s LIMIT %(depth)s)"""
            )
    if search.period is not None and search.asks_for_period:
        lanes.append(
            f"""(SELECT i.message_id FROM message_index i
            WHERE i.user_id = %(user)s AND {_within(search.scope, search.period, "i", params)}
            ORDER BY i.timestamp DESC, i.message_id LIMIT %(depth)s)"""
        )
    if search.query.phrase is not None:
        lanes.append("SELECT message_id FROM phrased")
    return lanes


def _phrased(search: MessageSearch, in_scope: str, params: dict[str, Any]) -> str:
    """The hits of the phrase lane, newest first: texts are read only until there are `depth`.

    Fewer than `depth` are all messages with the phrase, so that no text is read for it again.
    """
    return f"""SELECT i.message_id FROM (
              SELECT i.message_id, i.timestamp FROM message_index i
              WHERE i.user_id = %(user)s AND {in_scope} AND {_holds_words(search, params)}
              ORDER BY i.timestamp DESC, i.message_id OFFSET 0
            ) i WHERE {_holds_phrase(search, params)} ORDER BY i.timestamp DESC, i.message_id LIMIT %(depth)s"""


def _holds_words(search: MessageSearch, params: dict[str, Any]) -> str:
    """Whether the message of the alias `i` has the words of the phrase that are indexed, if any is."""
    if not search.query.phrase_query:
        return "true"
    params["phrase_query"] = search.query.phrase_query
    return "i.tsv @@ %(phrase_query)s::tsquery"


def _holds_phrase(search: MessageSearch, params: dict[str, Any]) -> str:
    """Whether the text of the message of the alias `i` holds the phrase, ignoring case and white space.

    Postgres writes both in lower case: it does not agree with Python about İ and the Σ at the end of a word.

    As an EXISTS it could become a join, which reads every text of the user.
    """
    params["phrase"] = phrase_patterns(search.query.phrase or "")
    return """coalesce((SELECT lower(m.content) ~ ALL(ARRAY(SELECT lower(unnest(%(phrase)s::text[])))) FROM message m
            WHERE m.user_id = %(user)s AND m.id = i.message_id), false)"""


def phrase_patterns(phrase: str) -> list[str]:
    """Regular expressions of Postgres for a phrase, with any white space between its words.

    A message is searched in one pass. To rewrite its white space first takes ten times as long, so that a dozen searches
    through 400 messages of the greatest length kept the database busy for 20 seconds.

    A longer phrase is looked for in pieces of PHRASE_PIECE characters, all of which the message must hold: a pattern may
    take time in the square of its length, such as one of a thousand times the same word.
    """
    text = " ".join(phrase.split())
    pieces = [text[start : start + PHRASE_PIECE] for start in range(0, len(text), PHRASE_PIECE)]
    return [_SPECIAL.sub(r"\\\g<0>", piece).replace(" ", r"\s+") for piece in pieces]


def _states_time(params: dict[str, Any]) -> str:
    """Whether the message of the alias `i` states a time."""
    params |= {"times": _TIMES, "written_time": _WRITTEN_TIME, "read": _READ_FOR_TIME}
    return """(i.tsv @@ %(times)s::tsquery OR EXISTS (SELECT FROM message m WHERE m.user_id = %(user)s
            AND m.id = i.message_id AND left(m.content, %(read)s) ~* %(written_time)s))"""


def _beside(comparison: str, direction: str, in_scope: str) -> str:
    """The ids of the messages before (`<`) or after (`>`) the hit `f` in its session, in the order of time."""
    return f"""ARRAY(SELECT b.message_id FROM (
              SELECT i.message_id, i.timestamp FROM message_index i
              WHERE i.user_id = %(user)s AND i.session_key = f.session_key AND {in_scope}
                AND (i.timestamp, i.message_id) {comparison} (f.timestamp, f.message_id)
              ORDER BY i.timestamp {direction}, i.message_id {direction} LIMIT {AROUND}
            ) b ORDER BY b.timestamp, b.message_id)"""
