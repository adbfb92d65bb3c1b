"""The SQL of memories that state what a question asks for: an attribute, what is due, or what was stored in a past time.

Each function returns common table expressions of which the last one is `stating`: memory_id, created_at, and whether the
memory says that something changed; their values go into `params`, which hold `user` too.
"""

from typing import Any, Final

from memd.domain.asked_facts import AskedFact
from memd.domain.asked_time import AskedTime
from memd.domain.full_names import FULL_NAME, first_name
from memd.recall.day_words import day_words

MAX_STATING: Final = 50
"""Maximum number of memories that state the attribute that a query asks for, or were stored in the time that it names."""
MAX_NAMING: Final = 500
"""Maximum number of memories, the newest ones, that are read for the full names that begin with a first name."""
MAX_DUE: Final = 200
"""Maximum number of rows (goals, and memories that say when something is) that a question about what is due reads."""
DUE_AMONG: Final = 5_000
"""They are looked for among this number of the newest memories in scope."""
OF_DAYS: Final = ("date", "due-date", "start-date", "end-date")
"""Attributes whose value is a day."""


def due(newest: str, params: dict[str, Any]) -> str:
    """Goals, and memories that say when something is, among the newest ones, which the statement `newest` selects."""
    params |= {"of_days": list(OF_DAYS), "day_words": day_words()}
    return f"""stating AS MATERIALIZED (
          SELECT i.created_at, i.memory_id, false AS changed FROM ({newest}) i
          WHERE i.store = 'prospective' OR i.category = 'goal' OR i.tsv @@ %(day_words)s::tsquery OR EXISTS (
            SELECT FROM memory_fact stated WHERE stated.user_id = %(user)s AND stated.memory_id = i.memory_id
              AND stated.attribute = ANY(%(of_days)s))
          ORDER BY i.created_at DESC, i.memory_id LIMIT {MAX_DUE}
        ), """


def stored_then(asked: AskedTime, params: dict[str, Any]) -> str:
    """The condition that a row `i` was stored in the time, and is of the kind, that a question asks for."""
    params |= {"from": asked.window.from_ms, "to": asked.window.to_ms}
    then = "i.created_at BETWEEN %(from)s AND %(to)s"
    if asked.category is None:
        return then
    params["category"] = asked.category.value
    return f"{then} AND i.category = %(category)s"


def of_time(newest: str) -> str:
    """The memories that the statement `newest` selects: the newest ones of a time."""
    return f"""stating AS MATERIALIZED (
          SELECT i.created_at, i.memory_id, false AS changed FROM ({newest}) i
        ), """


def fact(asked: AskedFact, index: str, within: str, params: dict[str, Any]) -> str:
    """The newest memories in scope that state an attribute of a subject, by the index of facts; `index` has their rows.

    A first name is the only full name in scope that begins with it. A denial answers nothing while a memory in
    scope states another value.
    """
    params |= {"subject": asked.subject_key, "attributes": list(asked.attributes)}
    params |= {"first_name": first_name(asked.subject_key), "full_name": FULL_NAME}
    return f"""named AS MATERIALIZED (
          SELECT min(stated.value) AS full_name FROM (
            SELECT n.memory_id, n.value FROM memory_fact n
            WHERE n.user_id = %(user)s AND n.subject_key = %(first_name)s AND n.attribute = %(full_name)s
            ORDER BY n.memory_id DESC LIMIT {MAX_NAMING}) stated
          JOIN {index} i ON i.user_id = %(user)s AND i.memory_id = stated.memory_id WHERE {within}
          HAVING count(DISTINCT stated.value) = 1 AND %(subject)s IN (%(first_name)s, min(stated.value))
        ), stating AS MATERIALIZED (
          SELECT created_at, memory_id, bool_or(changed) AS changed FROM (
            SELECT i.created_at, i.memory_id, stated.changed, stated.denied, lower(stated.value) AS value,
                   min(lower(stated.value)) FILTER (WHERE NOT stated.denied) OVER known AS first_value,
                   max(lower(stated.value)) FILTER (WHERE NOT stated.denied) OVER known AS last_value
            FROM memory_fact stated JOIN {index} i ON i.user_id = %(user)s AND i.memory_id = stated.memory_id
            WHERE stated.user_id = %(user)s AND stated.attribute = ANY(%(attributes)s) AND {within}
              AND stated.subject_key = ANY(ARRAY(SELECT %(subject)s UNION SELECT unnest(ARRAY[%(first_name)s, full_name]) FROM named))
            WINDOW known AS (PARTITION BY stated.subject_key, stated.attribute)) s
          WHERE NOT denied OR coalesce(first_value = value AND last_value = value, true)
          GROUP BY created_at, memory_id ORDER BY created_at DESC, memory_id LIMIT {MAX_STATING}
        ), """
