"""A server that refuses a connection is not silent: it has answered; nor is one whose statements take long."""

import socket

from psycopg.conninfo import make_conninfo

from memd.db.connections.answers import answers
from memd.db.connections.silence import SLICE_S, SLICES, SLOW_S
from memd.db.embedded.server import EmbeddedPostgres
from memd.db.engine import make_pool
from memd.db.schema.logins import APP_ROLE, Login
from memd.db.schema.migrate import migrate


async def test_a_refusal_is_an_answer(embedded_postgres: EmbeddedPostgres) -> None:
    assert await answers(embedded_postgres.conninfo)
    assert await answers(make_conninfo(embedded_postgres.conninfo, dbname="there is no such database"))


async def test_a_server_that_is_gone_does_not_answer() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        assert not await answers(f"host=127.0.0.1 port={port} user=memd dbname=memd")


async def test_a_server_that_accepts_connections_and_says_nothing_is_silent() -> None:
    with socket.socket() as hanging:
        hanging.bind(("127.0.0.1", 0))
        hanging.listen()
        port = hanging.getsockname()[1]
        assert not await answers(f"host=127.0.0.1 port={port} user=memd dbname=memd")


async def test_a_long_statement_of_a_server_that_answers_is_left_alone(new_database: str) -> None:
    migrate(new_database)
    pool = make_pool(Login(new_database, APP_ROLE), max_size=3)
    await pool.open(wait=True)
    async with pool.connection() as connection:
        cursor = await connection.execute("SELECT 1 FROM pg_sleep(%s)", [SLOW_S + SLICE_S * (SLICES + 2)])
        assert await cursor.fetchone() == (1,)
    await pool.close()
