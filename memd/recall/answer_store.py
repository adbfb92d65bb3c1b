"""The SQL of memories that may answer a question for an attribute, for what is due, or for what was stored in a past time.

`due`, `newest` and `attribute` return common table expressions of which the last one is `answer`: memory_id, created_at,
and whether the memory says that something changed; their values go into `params`, which hold `user` too.
"""

from typing import Any, Final

from memd.domain.facts.full_names import FULL_NAME, first_name
from memd.domain.questions.facts import AskedFact
from memd.domain.questions.time_only import AskedTime
from memd.recall.day_words import day_words

MAX_ANSWERS: Final = 50
"""Maximum number of memories that state the attribute that a query asks for, or were stored in the time that it names."""
MAX_FULL_NAMES: Final = 500
"""Maximum number of memories, the newest ones, that are read for the full names that begin with a first name."""
MAX_DUE: Final = 200
"""Maximum number of rows (goals, and memories that say when something is) that a question about what is due reads."""
DUE_SEARCHED: Final = 5_000
"""Number of the newest memories in scope among which they are looked for."""
DATE_ATTRIBUTES: Final = ("date", "due-date", "start-date", "end-date")
"""Attributes whose value is a day."""


def due(statement: str, params: dict[str, Any]) -> str:
    """Goals, and memories that say when something is, among those that `statement` selects."""
    params |= {"date_attributes": list(DATE_ATTRIBUTES), "day_words": day_words()}
    return f"""answer AS MATERIALIZED (
          SELECT i.created_at, i.memory_id, false AS changed FROM ({statement}) i
          WHERE i.store = 'prospective' OR i.category = 'goal' OR i.tsv @@ %(day_words)s::tsquery OR EXISTS (
            SELECT FROM memory_fact stated WHERE stated.user_id = %(user)s AND stated.memory_id = i.memory_id
              AND stated.attribute = ANY(%(date_attributes)s))
          ORDER BY i.created_at DESC, i.memory_id LIMIT {MAX_DUE}
        ), """


def stored_in(asked: AskedTime, params: dict[str, Any]) -> str:
    """The condition that a row `i` was stored in the time that a question asks for, and is of the kind."""
    params |= {"from": asked.window.from_ms, "to": asked.window.to_ms}
    in_time = "i.created_at BETWEEN %(from)s AND %(to)s"
    if asked.category is None:
        return in_time
    params["category"] = asked.category.value
    return f"{in_time} AND i.category = %(category)s"


def newest(statement: str) -> str:
    """The memories that `statement` selects: the newest ones of a time."""
    return f"""answer AS MATERIALIZED (
          SELECT i.created_at, i.memory_id, false AS changed FROM ({statement}) i
        ), """


def attribute(asked: AskedFact, index: str, in_scope: str, params: dict[str, Any]) -> str:
    """The newest memories in scope that state an attribute of a subject, by the index of facts; `index` has their rows.

    Where a value is named before which another one is asked for, those stored before the first that states it. A first name is the only full name in scope that begins with it. A denial answers nothing while a memory in
    scope states another value.
    """
    params |= {"subject": asked.subject_key, "attributes": list(asked.attributes)}
    params |= {"first_name": first_name(asked.subject_key), "full_name": FULL_NAME}
    params |= {"before": asked.before} if asked.before else {}
    params |= {"thing": asked.thing} if asked.thing else {}
    thing = " UNION SELECT %(thing)s" if asked.thing else ""
    first_before = "min(i.created_at) FILTER (WHERE strpos(lower(stated.value), %(before)s) > 0) OVER ()"
    named_value = f", {first_before} AS named_at" if asked.before else ""
    earlier = " AND (named_at IS NULL OR created_at < named_at)" if asked.before else ""
    return f"""named AS MATERIALIZED (
          SELECT min(stated.value) AS full_name FROM (
            SELECT n.memory_id, n.value FROM memory_fact n
            WHERE n.user_id = %(user)s AND n.subject_key = %(first_name)s AND n.attribute = %(full_name)s
            ORDER BY n.memory_id DESC LIMIT {MAX_FULL_NAMES}) stated
          JOIN {index} i ON i.user_id = %(user)s AND i.memory_id = stated.memory_id WHERE {in_scope}
          HAVING count(DISTINCT stated.value) = 1 AND %(subject)s IN (%(first_name)s, min(stated.value))
        ), answer AS MATERIALIZED (
          SELECT created_at, memory_id, bool_or(changed) AS changed FROM (
            SELECT i.created_at, i.memory_id, stated.changed, stated.denied, lower(stated.value) AS value,
                   min(lower(stated.value)) FILTER (WHERE NOT stated.denied) OVER known AS first_value,
                   max(lower(stated.value)) FILTER (WHERE NOT stated.denied) OVER known AS last_value{named_value}
            FROM memory_fact stated JOIN {index} i ON i.user_id = %(user)s AND i.memory_id = stated.memory_id
            WHERE stated.user_id = %(user)s AND stated.attribute = ANY(%(attributes)s) AND {in_scope}
              AND stated.subject_key = ANY(ARRAY(SELECT %(subject)s{thing} UNION SELECT unnest(ARRAY[%(first_name)s, full_name]) FROM named))
            WINDOW known AS (PARTITION BY stated.subject_key, stated.attribute)) s
          WHERE (NOT denied OR coalesce(first_value = value AND last_value = value, true)){earlier}
          GROUP BY created_at, memory_id ORDER BY created_at DESC, memory_id LIMIT {MAX_ANSWERS}
        ), """
