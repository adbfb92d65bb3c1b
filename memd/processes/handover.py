"""The handover to a child process: one line of JSON on its standard input."""

import json
from dataclasses import asdict, dataclass
from typing import IO, Self

from memd.embed.providers.lazy import EmbedderTraits
from memd.settings import Settings


@dataclass(frozen=True, slots=True)
class Handover:
    """The starter's process id, settings and database (a conninfo), its embedder and the number of its model.

    `connection` is the inherited end of a socket pair, `listeners` are the inherited sockets on which to answer requests,
    all by file descriptor.

    It holds passwords, which neither the command line nor the environment of a process hides.
    """

    parent: int
    settings: Settings
    conninfo: str
    embedder: EmbedderTraits
    model: int
    connection: int = -1
    listeners: tuple[int, ...] = ()

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The file descriptors that the child inherits."""
        return (self.connection, *self.listeners)

    def to_line(self) -> bytes:
        """One line of JSON."""
        values = {
            "parent": self.parent,
            "settings": self.settings.model_dump(mode="json"),
            "conninfo": self.conninfo,
            "embedder": asdict(self.embedder),
            "model": self.model,
            "connection": self.connection,
            "listeners": self.listeners,
        }
        return json.dumps(values).encode() + b"\n"

    @classmethod
    def read(cls, stream: IO[bytes]) -> Self:
        """Read the line; EOFError when the starter has ended before it wrote one."""
        line = stream.readline()
        if not line.endswith(b"\n"):
            raise EOFError("no handover: memd starts this program by itself; use `memd worker`")
        values = json.loads(line)
        return cls(
            parent=values["parent"],
            settings=Settings(**values["settings"]),
            conninfo=values["conninfo"],
            embedder=EmbedderTraits(**values["embedder"]),
            model=values["model"],
            connection=values["connection"],
            listeners=tuple(values["listeners"]),
        )
