"""A further process that answers requests: `python -m memd.processes.request`, started by `memd serve --processes N`.

It accepts connections on the sockets of the process that starts it, which counts the limits for all of them.
"""

import asyncio
import sys
from concurrent.futures import Future

from memd.app import build, endpoints
from memd.db.connections.shutdown_watch import shutdown_watch
from memd.embed.providers.provider import Embedder
from memd.mcp.loader import McpLoader
from memd.processes.handover import Handover
from memd.processes.http_server import Server, allow_connections
from memd.processes.limits_client import SharedDurations, shared_limits
from memd.processes.parent import connect, inherited_socket, read_handover
from memd.processes.signals import ignore_stop_signals
from memd.services import running
from memd.start import begin_to_load, run_loop


async def answer_for(handover: Handover, embedder: Future[Embedder]) -> None:
    """Answer requests until SIGINT, SIGTERM or SIGHUP."""
    allow_connections()
    settings, loaded = handover.settings, await asyncio.wrap_future(embedder)
    connection = await connect(handover.connection)
    async with (
        shutdown_watch(handover.conninfo) as watch_database,
        running(settings, handover.conninfo, loaded, handover.model, limits=shared_limits(connection)) as services,
    ):
        mcp = McpLoader(endpoints())
        server = Server(
            build(services, mcp, connection.status, SharedDurations(connection)),
            settings,
            when_stopped=(watch_database,),
        )
        with mcp.loading_soon(services):
            await server.serve_on([inherited_socket(descriptor) for descriptor in handover.listeners])
            ignore_stop_signals()


def main() -> int:
    """Read the handover, then answer until told to stop or until the parent ends; the exit code."""
    handover = read_handover("request", sys.stdin.buffer)
    if handover is None:
        return 1
    embedder = Future[Embedder]()
    begin_to_load(handover.settings, embedder)
    return run_loop(lambda: answer_for(handover, embedder))


if __name__ == "__main__":
    sys.exit(main())
