"""Reads documents in a separate process: a file may be made to exhaust memory or time, and the import continues.

The limits are the kernel's. Memory is bounded by RLIMIT_AS; processor time and time by interval timers, whose signals
end a process in any state. The timeout restarts with each part of a document (a page, a row, a section). What a document
leaves in memory would count against the next one, so a process that has grown is replaced.
"""

import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Self

from memctl.importers.documents import is_plain_text, read_document, read_parts
from memctl.importers.sections import Document, Part, Unreadable, nest

MIB = 2**20
MEMORY = 192 * MIB
"""Memory beyond the size of the file, as much as the process may map."""
MEMORY_PER_BYTE = 8
MEMORY_TO_REPLACE = MEMORY // 2
"""A process that maps more than this after a file is replaced; with all readers loaded it maps 70 MiB."""
PROCESSOR_SECONDS = 1.0
"""Processor time for one part, beyond what the size of the file allows."""
BYTES_PER_SECOND = {
    "markdown": 500_000,
    "html": 5_000_000,
    "pdf": 2_000_000,
    "docx": 200_000,
    "rst": 100_000,
    "csv": 2_000_000,
}
"""Bytes of a file that add a second for each of its parts; the readers are several times faster."""
WAIT_FACTOR = 10
"""How many times longer than its processor time a part may take: the machine may be busy."""
TEXT_MAX = 32 * MIB
_TOO_LONG = "takes too long to read; it may be damaged or made to do so"
_TOO_LARGE = "needs too much memory to read; it may be damaged or made to do so"
_ENDED = {-getattr(signal, name): _TOO_LONG for name in ("SIGPROF", "SIGALRM") if hasattr(signal, name)}


class ReaderProcess:
    """A process that reads one document after the other; it starts with the first, and is replaced when it has grown."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._end()

    def read(self, path: Path) -> Document:
        """The sections of a file; Unreadable when it holds no text that can be had within the limits."""
        if is_plain_text(path):
            return read_document(path)
        parts: list[Part] = []
        for message in self._messages(path):
            if message.get("grown"):
                self._end()
            match message:
                case {"part": [level, heading, body]}:
                    parts.append((level, heading, body))
                case {"kind": kind}:
                    return Document(kind, nest(parts))
                case {"unreadable": reason}:
                    raise Unreadable(reason)
                case _:
                    break
        raise Unreadable(self._end())

    def _messages(self, path: Path) -> Iterator[dict[str, Any]]:
        process = self._running()
        requests, replies = process.stdin, process.stdout
        if requests is None or replies is None:
            return
        with contextlib.suppress(BrokenPipeError):
            requests.write(json.dumps(str(path.absolute())) + "\n")
            requests.flush()
        for line in replies:
            yield json.loads(line)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-P", "-m", "memctl.importers.reader_process"]
            pipe, null = subprocess.PIPE, subprocess.DEVNULL
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                command, stdin=pipe, stdout=pipe, stderr=null, encoding="ascii", process_group=0
            )  # a group of its own: Ctrl+C is for the import, and would look like a broken file
        return self._process

    def _end(self) -> str:
        """End the process; the reason, if it had already ended."""
        process, self._process = self._process, None
        if process is None:
            return ""
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        try:
            code = process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        return _ENDED.get(code, f"its reader ended unexpectedly ({code}); it may be damaged or made to do so")


def serve(requests: IO[str], replies: IO[str]) -> None:
    """Answer each request, the path of a file, with its parts and its format, or with the reason why there are none."""
    for line in requests:
        for message in _answer(Path(json.loads(line))):
            replies.write(json.dumps(message) + "\n")
        replies.flush()


def _answer(path: Path) -> Iterator[dict[str, Any]]:
    try:
        kind, parts = read_parts(path)
        allowance = _limit(kind, path.stat().st_size)
        for part in _bounded(parts):
            _start_timers(allowance)
            yield {"part": part}
        end = {"kind": kind}
    except MemoryError:
        end = {"unreadable": _TOO_LARGE}
    except OSError as error:
        end = {"unreadable": error.strerror or str(error)}
    except Unreadable as error:
        end = {"unreadable": str(error)}
    finally:
        _start_timers(0)
    yield {**end, "grown": _has_grown()}


def _has_grown() -> bool:
    """Whether the process maps so much memory, after a garbage collection, that a new one should read the rest."""
    if _mapped_bytes() <= MEMORY_TO_REPLACE:
        return False
    gc.collect()
    return _mapped_bytes() > MEMORY_TO_REPLACE


def _mapped_bytes() -> int:
    """How much memory the process maps; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _bounded(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, as long as their text is no more than TEXT_MAX characters."""
    remaining = TEXT_MAX
    for part in parts:
        remaining -= len(part[2])
        if remaining < 0:
            raise Unreadable(f"holds more than {TEXT_MAX // MIB} MiB of text")
        yield part


def _limit(kind: str, size: int) -> float:
    """Set the limits for a file of `size` bytes; the processor time that each of its parts has, in seconds."""
    allowance = PROCESSOR_SECONDS + size / BYTES_PER_SECOND[kind]
    with contextlib.suppress(ImportError, OSError, ValueError):  # some systems know no such limit
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        memory_limit = MEMORY + MEMORY_PER_BYTE * size
        resource.setrlimit(
            resource.RLIMIT_AS, (memory_limit if hard == resource.RLIM_INFINITY else min(memory_limit, hard), hard)
        )
    _start_timers(allowance)
    return allowance


def _start_timers(seconds: float) -> None:
    """End the process after this much processor time, or ten times as much elapsed time; 0 stops the timers."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * WAIT_FACTOR)


def main() -> None:
    """The process: output of the readers is discarded, so that it does not mix with the replies."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    serve(sys.stdin, replies)


if __name__ == "__main__":
    main()
