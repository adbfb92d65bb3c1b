"""Device authorization: a key for a machine without one."""

from memctl.client.transport import Transport
from memctl.wire.devices import (
    DeviceApproveReply,
    DeviceApproveRequest,
    DeviceStartReply,
    DeviceStartRequest,
    DeviceStatusReply,
    DeviceStatusRequest,
)


class Devices:
    """The room of contract 9.3."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def start(self, client_name: str | None = None) -> DeviceStartReply:
        """The codes of a new request; no key needed."""
        request = DeviceStartRequest(client_name=client_name)
        return await self._transport.post("/api/device/start", DeviceStartReply, request)

    async def status(self, device_code: str) -> DeviceStatusReply:
        """The state of a request; the key comes once. RateLimited when asked too often."""
        request = DeviceStatusRequest(device_code=device_code)
        return await self._transport.get("/api/device/status", DeviceStatusReply, request)

    async def decide(self, request: DeviceApproveRequest) -> DeviceApproveReply:
        """Approve or deny a request by its user code."""
        return await self._transport.post("/api/device/approve", DeviceApproveReply, request)
