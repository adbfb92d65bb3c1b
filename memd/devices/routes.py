"""Device authorization over HTTP, for machines (contract 9.3)."""

from memctl.wire.devices import (
    DeviceApproveReply,
    DeviceApproveRequest,
    DeviceStartReply,
    DeviceStartRequest,
    DeviceStatusReply,
    DeviceStatusRequest,
)
from memd.access.endpoint import Call, Room, Visit
from memd.devices import service
from memd.domain.types import KeyScope

room = Room("devices")


@room.open_endpoint("POST", "/api/device/start", body=DeviceStartRequest, reply=DeviceStartReply)
async def start(visit: Visit[DeviceStartRequest]) -> DeviceStartReply:
    """Begin a device request; no key needed."""
    codes = await service.start(visit.services, visit.body.client_name, visit.address, visit.now)
    page = f"{visit.origin.rstrip('/')}/device"
    return DeviceStartReply(
        device_code=codes.device,
        user_code=codes.user,
        verification_uri=page,
        verification_uri_complete=f"{page}?user_code={codes.user}",
    )


@room.open_endpoint("GET", "/api/device/status", body=DeviceStatusRequest, reply=DeviceStatusReply)
async def status(visit: Visit[DeviceStatusRequest]) -> DeviceStatusReply:
    """The state of a device request; the key is returned once."""
    answer = await service.poll(visit.services, visit.body.device_code, visit.now)
    return DeviceStatusReply(status=answer.status, interval=answer.interval, api_key=answer.api_key)


@room.endpoint(
    "POST",
    "/api/device/approve",
    credits=0,
    scope=KeyScope.WRITE,
    body=DeviceApproveRequest,
    reply=DeviceApproveReply,
    errors=(404, 409),
)
async def approve(call: Call[DeviceApproveRequest]) -> DeviceApproveReply:
    """Approve or deny a device request by its user code."""
    approved = call.body.decision == "approve"
    decided = await service.decide(
        call.context, call.body.user_code, approve=approved, address=call.address, days=call.body.days
    )
    return DeviceApproveReply(status=decided)
