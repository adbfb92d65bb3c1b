"""Tells systemd that memd is ready, as sd_notify(3) specifies it."""

import os
import socket

from memd.logs import log


def tell_ready() -> None:
    """Send READY=1 to the service manager that started this process; without one, nothing."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as messages:
            messages.sendto(b"READY=1", f"\0{address[1:]}" if address.startswith("@") else address)
    except OSError as error:
        log.warning("service.not_notified", error=str(error))
