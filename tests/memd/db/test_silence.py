"""A server that refuses a connection is not silent: it has answered."""

import socket

from psycopg.conninfo import make_conninfo

from memd.db.embedded import EmbeddedPostgres
from memd.db.shutdown_watch import _answers


async def test_a_refusal_is_an_answer(embedded_postgres: EmbeddedPostgres) -> None:
    assert await _answers(embedded_postgres.conninfo)
    assert await _answers(make_conninfo(embedded_postgres.conninfo, dbname="there is no such database"))


async def test_a_server_that_is_gone_does_not_answer() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        assert not await _answers(f"host=127.0.0.1 port={port} user=memd dbname=memd")


async def test_a_server_that_accepts_connections_and_says_nothing_is_silent() -> None:
    with socket.socket() as hanging:
        hanging.bind(("127.0.0.1", 0))
        hanging.listen()
        port = hanging.getsockname()[1]
        assert not await _answers(f"host=127.0.0.1 port={port} user=memd dbname=memd")
