"""Tables and statements can be distributed by user: the rules, and the catalogue of a migrated database.

`tests.support.statement_rules` watches the statements themselves, in every test.
"""

import pytest
from sqlalchemy import UniqueConstraint

from memd.context import Services
from memd.db.schema.catalogue import METADATA
from memd.db.schema.distribute import LOCAL
from tests.support.statement_rules import USER_TABLES, violations

_UNIQUE = """
SELECT c.relname || '.' || i.relname FROM pg_index x
JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
WHERE x.indisunique AND c.relname = ANY(%(tables)s) AND a.attname <> 'user_id'
"""
_POLICIES = """
SELECT p.polrelid::regclass::text FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
WHERE c.relnamespace = 'public'::regnamespace
  AND concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) ~* '\\mselect\\M'
"""
_TRIGGERS = """
SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relname = ANY(%(tables)s)
"""
_FOREIGN_KEYS = "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY(%(tables)s)"


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("SELECT id FROM memory WHERE archived", "does not bind memory"),
        (
            "SELECT m.id FROM memory m JOIN trigger t ON t.user_id = m.user_id WHERE m.user_id = %(user)s",
            "bind trigger",
        ),
        ("SELECT 1 WHERE EXISTS (SELECT FROM message) AND (SELECT user_id = %(user)s)", "does not bind message"),
        ("UPDATE memory SET archived = true WHERE id = %(id)s", "does not bind memory"),
        ("DELETE FROM trigger t USING memory m WHERE t.user_id = %(user)s AND m.id = t.memory_id", "bind memory"),
        ("INSERT INTO message (id, user_id) VALUES (%(id)s, %(user)s)", "without the user first"),
        (
            "INSERT INTO trigger (user_id, tool_name) SELECT %(user)s, t FROM unnest(%(tools)s) t",
            "no table of the user",
        ),
        (
            "WITH k AS (INSERT INTO trigger (user_id) SELECT user_id FROM memory WHERE user_id = %(user)s) SELECT FROM k",
            "inside WITH",
        ),
        ("SELECT FROM memory WHERE user_id = %(user)s AND EXISTS (SELECT FROM pg_class)", "reads the catalogue"),
        (
            "INSERT INTO totals (user_id) VALUES (%(user)s) ON CONFLICT (user_id) DO UPDATE SET x = (SELECT 1)",
            "ON CONFLICT",
        ),
        (
            "INSERT INTO totals (user_id) VALUES (%(user)s) ON CONFLICT (user_id) DO UPDATE SET x = totals.x[1:2]",
            "ON CONFLICT",
        ),
        (
            (
                "DELETE FROM trigger WHERE user_id = %(user)s AND memory_id IN (\n SELECT memory_id FROM trigger "
                "WHERE user_id = %(user)s AND tool_name = ANY(ARRAY(SELECT 'x')) LIMIT 5)"
            ),
            "LIMIT in IN",
        ),
    ],
)
def test_what_cannot_be_distributed_is_found(sql: str, problem: str) -> None:
    assert any(problem in found for found in violations(sql, of_one_user=True))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM memory WHERE user_id = %(user)s",
        "SELECT m.id FROM memory m JOIN trigger t ON t.user_id = %(user)s AND t.memory_id = m.id WHERE m.user_id = %(user)s",
        "INSERT INTO trigger (user_id) SELECT own.user_id FROM totals own CROSS JOIN unnest(%(t)s) WHERE own.user_id = %(user)s",
        "SELECT FROM api_key WHERE key_hash = %(hash)s",
        "SELECT 'FROM memory' AS text",
    ],
)
def test_what_can_be_distributed_passes(sql: str) -> None:
    assert list(violations(sql, of_one_user=True)) == []


def test_a_statement_over_all_users_names_none() -> None:
    assert list(violations("SELECT user_id FROM totals WHERE updated_at > %(since)s", of_one_user=False)) == []


def test_each_unique_key_of_a_distributed_table_begins_with_the_user() -> None:
    for name in USER_TABLES:
        table = METADATA.tables[name]
        keys = [table.primary_key, *(one for one in table.constraints if isinstance(one, UniqueConstraint))]
        unique = [
            *(list(key.columns) for key in keys),
            *(list(index.columns) for index in table.indexes if index.unique),
        ]
        assert all(columns[0].name == "user_id" for columns in unique), name


def test_each_table_on_the_coordinator_has_a_user_and_a_reason() -> None:
    assert all("user_id" in METADATA.tables[name].columns and reason for name, reason in LOCAL.items())


async def test_the_catalogue_has_nothing_that_keeps_a_table_on_one_node(services: Services) -> None:
    async with services.database.system() as session:
        for statement in (_UNIQUE, _TRIGGERS, _FOREIGN_KEYS):
            assert await session.values(statement, {"tables": sorted(USER_TABLES)}) == []
        assert await session.values(_POLICIES) == []
