"""A worker of a Citus cluster is killed and comes back under load: its users wait, the others notice nothing."""

import logging
import signal
from uuid import UUID

import pytest

from tests.support.citus import Cluster, Node
from tests.support.daemon import Daemon
from tests.support.steady_load import WAIT_S, Client, Load, steady_load
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
USERS = 12
PLACE = """
SELECT n.nodeport FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
WHERE p.shardid = get_shard_id_for_distribution_column('memory', %s::uuid)
"""


def place(citus: Cluster, database: str, user: UUID) -> int:
    """The port of the node that has the rows of a user."""
    return int(citus.run(database, PLACE, user)[0][0])


def test_the_users_of_other_nodes_notice_nothing_and_nothing_is_lost(citus: Cluster, daemon: Daemon) -> None:
    database = citus.new_memd()
    daemon.environment["MEMD_DATABASE_URL"] = citus.conninfo(database)
    daemon.start()
    victim: Node = citus.workers[-1]
    with steady_load(daemon, USERS) as load:
        load.enter("warm")
        hit, others = _by_node(citus, database, load, victim)
        assert hit
        assert others
        try:
            victim.stop(signal.SIGQUIT)
            load.enter("away")
            ready = _degraded(daemon)
            assert str(victim.port) in ready
        finally:
            victim.start()
        wait_until(lambda: not _degraded(daemon), WAIT_S)
        wait_until(lambda: all(_works(client) for client in hit), WAIT_S)
        load.enter("back")
        load.stop()
        for client in load.clients:
            log.info("%s: %s", client.name, {phase: dict(found) for phase, found in client.statuses.items()})
        log.info("acknowledged: %d", sum(len(client.acknowledged) for client in load.clients))
        assert load.errors(others) == {}
        assert {status for found in load.errors(hit).values() for status in found} == {503}
        assert "back" not in load.errors(hit)
        assert [lost for client in load.clients for lost in client.lost()] == []


def _by_node(citus: Cluster, database: str, load: Load, node: Node) -> tuple[list[Client], list[Client]]:
    """The clients whose rows the node has, and the others."""
    on_node = {client.name: place(citus, database, client.id) == node.port for client in load.clients}
    hit = [client for client in load.clients if on_node[client.name]]
    return hit, [client for client in load.clients if not on_node[client.name]]


def _degraded(daemon: Daemon) -> str:
    """The nodes that do not answer, according to /readyz; empty when all do."""
    with daemon.http() as http:
        return str(http.get("/readyz").json().get("degraded", {}).get("nodes", ""))


def _works(client: Client) -> bool:
    return client.http.post("/api/mcp/recall", json={"query": "valve", "limit": 1}).status_code == 200
