"""Logs hold the template of a route, not the names that clients put into a path (contract 15)."""

import psycopg
from structlog.testing import capture_logs

from memd.db.embedded.server import EmbeddedPostgres
from tests.support.service import TestUser

NAME = "ana.ruiz"


async def test_the_log_of_a_failure_does_not_hold_the_name_in_the_path(
    user: TestUser, embedded_postgres: EmbeddedPostgres
) -> None:
    with psycopg.connect(embedded_postgres.conninfo, autocommit=True) as owner:
        owner.execute("REVOKE SELECT ON standing_question FROM memd_app")
        try:
            with capture_logs() as logged:
                reply = await user.http.get(f"/api/standing/{NAME}")
        finally:
            owner.execute("GRANT SELECT ON standing_question TO memd_app")
    assert reply.status_code == 500
    (line,) = [line for line in logged if line["event"] == "request.failed"]
    assert (line["method"], line["route"]) == ("GET", "/api/standing/{name}")
    assert NAME not in str(logged)
