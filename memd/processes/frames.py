"""Messages between the supervising process and its children: one line of JSON each, over a socket pair."""

import asyncio
import json
from abc import ABC, abstractmethod
from typing import Any, cast


class Frames(asyncio.Protocol, ABC):
    """One end of a socket pair; `received` gets the messages of the other end in order."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._incomplete = b""

    @abstractmethod
    def received(self, message: list[Any]) -> None:
        """Handle a message; may not block."""

    def send(self, *message: object) -> None:
        """Send a message; does nothing once the other end has gone."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(json.dumps(message).encode() + b"\n")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Split the bytes that have arrived into messages."""
        *lines, self._incomplete = (self._incomplete + data).split(b"\n")
        for line in lines:
            self.received(json.loads(line))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the name is the protocol's
        """Drop the transport."""
        self._transport = None
