"""How many processes and threads the settings and the machine ask for."""

import os

from memd.settings import Settings


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def request_processes(settings: Settings) -> int:
    """How many processes of `memd serve` answer requests."""
    return max(1, processors() - 1) if settings.processes == "auto" else settings.processes


def embed_threads(settings: Settings) -> int:
    """Threads for bulk embedding of each process that answers requests; 0 when the embedder chooses.

    Several processes divide the processors between them.
    """
    if settings.embed_threads or request_processes(settings) == 1:
        return settings.embed_threads
    return max(1, processors() // request_processes(settings))


def caller_connections(settings: Settings) -> int | None:
    """The connections of each process that one caller may hold; None for no such limit.

    Statements of the bundled Postgres run on these processors: more of them at once end no earlier, and those of other
    callers later.
    """
    return None if settings.database_url else max(4, 2 * processors())
