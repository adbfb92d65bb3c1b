"""Wire types of the device authorization (contract 9.3); this room speaks snake_case on the wire."""

from typing import Annotated, Literal

from pydantic import ConfigDict, StringConstraints, computed_field

from memctl.wire.base import RequestModel, WireModel, absent
from memctl.wire.enums import DeviceStatus
from memctl.wire.fields import Integer, RequiredText
from memctl.wire.limits import DEVICE_KEY_DAYS_MAX


class DeviceStartRequest(RequestModel):
    """POST /api/device/start; no key needed."""

    client_name: Annotated[str, StringConstraints(strict=True, max_length=60)] | None = None


class DeviceStartReply(WireModel):
    """The codes of a device request; times are in seconds."""

    model_config = ConfigDict(alias_generator=None)

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int = 600
    interval: int = 5

    @computed_field
    @property
    def verification_url(self) -> str:
        """The complete address again, under the name that the installer reads."""
        return self.verification_uri_complete


class DeviceStatusRequest(RequestModel):
    """GET /api/device/status."""

    model_config = ConfigDict(alias_generator=None)

    device_code: Annotated[str, RequiredText(200)]


class DeviceStatusReply(WireModel):
    """The state of a device request; the key is shown once."""

    status: DeviceStatus
    interval: int | None = absent()
    api_key: str | None = absent()


class DeviceApproveRequest(RequestModel):
    """POST /api/device/approve; the device's key ends after so many days, 0 = no end, absent = 180."""

    model_config = ConfigDict(alias_generator=None)

    user_code: Annotated[str, RequiredText(50)]
    decision: Literal["approve", "deny"] = "approve"
    days: Annotated[int, Integer(0, DEVICE_KEY_DAYS_MAX)] | None = None


class DeviceApproveReply(WireModel):
    """The outcome of the device request."""

    ok: Literal[True] = True
    status: DeviceStatus
