"""The status of the processes of a memd."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """By kind of process (`request`, `worker`): running, wanted, restarts and lastExitCode; the process ids."""

    reports: dict[str, dict[str, int]]
    pids: dict[str, list[int]]

    @property
    def details(self) -> dict[str, dict[str, int]]:
        """The reports as `/readyz` names them."""
        names = {"request": "requestProcesses", "worker": "workers"}
        return {names[kind]: report for kind, report in self.reports.items()}


ReadStatus: TypeAlias = Callable[[], Awaitable[ProcessStatus]]
