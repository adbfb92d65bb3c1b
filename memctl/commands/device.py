"""Decide what a device that asks for a key gets."""

from typing import Literal

import click

from memctl import output
from memctl.client import MemdClient
from memctl.client.errors import NotFound
from memctl.diagnostics import CommandError, ExitCode, note
from memctl.groups import Group
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.wire.devices import DeviceApproveRequest
from memctl.wire.limits import DEVICE_KEY_DAYS_MAX


@click.group(cls=Group, epilog=examples("memctl device approve ABCD-EFGH", "memctl device deny ABCD-EFGH"))
def device() -> None:
    """Approve or deny a device by the code that it shows."""


@device.command(epilog=examples("memctl device approve ABCD-EFGH", "memctl device approve ABCD-EFGH --days 30"))
@click.argument("user_code", metavar="CODE")
@click.option(
    "--days",
    type=click.IntRange(0, DEVICE_KEY_DAYS_MAX),
    help="Expire the device's key after this many days; 0 = never.  [default: 180]",
)
@remote
@forms()
def approve(user_code: str, days: int | None, form: Form) -> None:
    """Approve the device that shows CODE; it gets its own key."""
    _decide(user_code, "approve", form, days)


@device.command(epilog=examples("memctl device deny ABCD-EFGH"))
@click.argument("user_code", metavar="CODE")
@remote
@forms()
def deny(user_code: str, form: Form) -> None:
    """Refuse the device that shows CODE."""
    _decide(user_code, "deny", form)


def _decide(user_code: str, decision: Literal["approve", "deny"], form: Form, days: int | None = None) -> None:
    request = DeviceApproveRequest(**chosen({"user_code": user_code, "decision": decision, "days": days}))

    async def action(client: MemdClient) -> None:
        try:
            reply = await client.devices.decide(request)
        except NotFound as error:
            raise CommandError(
                f"no device waits with the code {user_code}; codes expire after ten minutes", ExitCode.NOT_FOUND
            ) from error
        if form is Form.JSON:
            output.document(reply)
        else:
            note("approved; the device picks up its key" if decision == "approve" else "denied")

    run(action)
