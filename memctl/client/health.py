"""The service itself: version, life and readiness."""

from memctl.client.transport import Transport
from memctl.wire.health import HealthReply, VersionReply


class Health:
    """Version and readiness of contract 9.5."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def version(self) -> VersionReply:
        """Version, embedder and features."""
        return await self._transport.get("/api/version", VersionReply)

    async def alive(self) -> HealthReply:
        """Whether the process answers; no key needed."""
        return await self._transport.get("/healthz", HealthReply)

    async def ready(self) -> HealthReply:
        """Whether database, migrations and embedder are ready; no key needed."""
        return await self._transport.call("GET", "/readyz", HealthReply, accept=(503,))
