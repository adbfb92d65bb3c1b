"""The TCP socket that memd listens on."""

import socket

from memd.db.errors import DatabaseStartError


class AddressInUseError(DatabaseStartError):
    """Another process listens on the address."""


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to the address; AddressInUseError when that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        msg = f"{host}:{port} cannot be used: {error.strerror}; choose another with --port or MEMD_PORT"
        raise AddressInUseError(msg) from error
    return listener


def check_free(host: str, port: int) -> None:
    """AddressInUseError when memd could not listen on the address: better before a database is created than after."""
    listen(host, port).close()
