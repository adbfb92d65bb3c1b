"""The system user at the other end of a unix socket."""

import socket
import struct


def peer_user(raw: socket.socket) -> int | None:
    """The user id at the other end of a unix socket; None where the platform has no SO_PEERCRED, as macOS.

    There the mode of the socket, 0600, alone keeps other users out.
    """
    option: int | None = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    credentials = raw.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    return struct.unpack("3i", credentials)[1]
