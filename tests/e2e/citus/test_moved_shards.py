"""Shards of a Citus cluster move to a new worker while memd serves: no request fails, nothing is lost."""

import logging

import pytest

from tests.support.citus import Cluster
from tests.support.daemon import Daemon
from tests.support.steady_load import steady_load

pytestmark = pytest.mark.e2e
log = logging.getLogger(__name__)
USERS = 6
BY_NODE = """
SELECT n.nodeport, count(*) FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
JOIN pg_dist_shard s ON s.shardid = p.shardid JOIN pg_dist_partition d ON d.logicalrelid = s.logicalrelid
WHERE d.partmethod = 'h' GROUP BY 1
"""


def test_a_new_worker_takes_shards_while_memd_serves(citus: Cluster, daemon: Daemon) -> None:
    database = citus.new_memd()
    daemon.environment["MEMD_DATABASE_URL"] = citus.conninfo(database)
    daemon.start()
    added = citus.start_node()
    with steady_load(daemon, USERS) as load:
        load.enter("before")
        load.phase = "adding"
        citus.add_worker(added, database)
        load.phase = "moving"
        citus.run(database, "SELECT rebalance_table_shards('totals', rebalance_strategy => 'by_shard_count')")
        load.enter("after")
        load.stop()
        shards = dict(citus.run(database, BY_NODE))
        for client in load.clients:
            log.info("%s: %s", client.name, {phase: dict(found) for phase, found in client.statuses.items()})
        log.info(
            "shards by port: %s; acknowledged: %d", shards, sum(len(client.acknowledged) for client in load.clients)
        )
        tables = citus.run(database, "SELECT count(*) FROM pg_dist_partition WHERE partmethod = 'h'")[0][0]
        assert shards[added.port] >= tables
        assert load.errors(load.clients) == {}
        assert [lost for client in load.clients for lost in client.lost()] == []
