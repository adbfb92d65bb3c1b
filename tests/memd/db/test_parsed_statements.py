"""A statement as long as those of a search is parsed once."""

import pytest
from psycopg import _queries
from psycopg._queries import PostgresQuery, _query2pg
from psycopg.adapt import Transformer

from memd.db.connections.parsed_statements import MAX_LENGTH
from memd.db.engine import make_pool
from memd.db.schema.logins import Login


def test_a_long_statement_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_queries, "MAX_CACHED_STATEMENT_LENGTH", 4096)
    make_pool(Login("host=nowhere"))
    sql = f"SELECT %(value)s::int /* {'x' * (MAX_LENGTH - 100)} */"
    parsed = _query2pg.cache_info().misses
    for value in range(3):
        PostgresQuery(Transformer()).convert(sql, {"value": value})
    assert _query2pg.cache_info().misses == parsed + 1
