"""The client for code without an event loop: the same rooms and methods as `MemdClient`, without `await`.

with SyncMemdClient("http://127.0.0.1:7377", key) as client:
    client.memories.capture(CaptureRequest(title="…", content="…"))

The requests run on an event loop in a thread of the client's own. The types are in `sync.pyi`, which a test makes from
the asynchronous client.
"""

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from functools import wraps
from types import TracebackType
from typing import Any, Self, TypeVar

from memctl.client import MemdClient
from memctl.client.transport import Credits

Result = TypeVar("Result")
_END = object()
_CLOSED = "the client is closed"


class _LoopThread:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._is_open = True
        self._thread = threading.Thread(target=self._loop.run_forever, name="memd-client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of a coroutine; it is cancelled when the calling thread is interrupted.

        RuntimeError when the client is closed, also while the call waits.
        """
        with self._lock:
            if not self._is_open:
                work.close()
                raise RuntimeError(_CLOSED)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except CancelledError:
            raise RuntimeError(_CLOSED) from None
        except BaseException:
            future.cancel()
            raise

    def stop(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Cancel the calls of all threads, run the last coroutine and end the thread; a second call does nothing."""
        with self._lock:
            if not self._is_open:
                return
            self._is_open = False
        try:
            asyncio.run_coroutine_threadsafe(self._finish(last), self._loop).result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    @staticmethod
    async def _finish(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await last()


class _SyncRoom:
    """A room of the asynchronous client whose methods wait for their result."""

    def __init__(self, room: Any, thread: _LoopThread) -> None:
        self._room = room
        self._thread = thread

    def __getattr__(self, name: str) -> Any:
        return _waiting(getattr(self._room, name), self._thread)

    def __dir__(self) -> list[str]:
        return dir(self._room)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return _waiting(self._room.__call__, self._thread)(*args, **options)


def _waiting(member: Any, thread: _LoopThread) -> Any:
    """A method that waits for its result, or an iterator over its results; anything else unchanged."""
    if inspect.isasyncgenfunction(member):
        pages: Callable[..., AsyncIterator[Any]] = member

        @wraps(pages)
        def iterate(*args: Any, **options: Any) -> Iterator[Any]:
            return _iterate(pages(*args, **options), thread)

        return iterate
    if inspect.iscoroutinefunction(member):
        call: Callable[..., Coroutine[Any, Any, Any]] = member

        @wraps(call)
        def wait(*args: Any, **options: Any) -> Any:
            return thread.run(call(*args, **options))

        return wait
    return member


def _iterate(results: AsyncIterator[Any], thread: _LoopThread) -> Iterator[Any]:
    async def following() -> Any:
        return await anext(results, _END)

    while (result := thread.run(following())) is not _END:
        yield result


class SyncMemdClient:
    """A connection to one memd with one key; takes the arguments of `MemdClient`. It may be used by several threads."""

    def __init__(self, url: str, api_key: str | None, **options: Any) -> None:
        self._adopt(MemdClient(url, api_key, **options), _LoopThread())

    @classmethod
    def from_environment(cls, **options: Any) -> Self:
        """As `MemdClient.from_environment`."""
        client = cls.__new__(cls)
        client._adopt(MemdClient.from_environment(**options), _LoopThread())  # noqa: SLF001 - made here
        return client

    def acting_for(self, end_user: str) -> Self:
        """As `MemdClient.acting_for`: it uses the connections of this client and ends with them."""
        other = type(self).__new__(type(self))
        other._adopt(self._client.acting_for(end_user), self._thread)  # noqa: SLF001 - made here
        return other

    def _adopt(self, client: MemdClient, thread: _LoopThread) -> None:
        self._client = client
        self._thread = thread
        self.url = client.url

    def __getattr__(self, name: str) -> _SyncRoom:
        if name.startswith("_") or name not in MemdClient.__annotations__:
            raise AttributeError(name)
        return _SyncRoom(getattr(self._client, name), self._thread)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and end the thread; a call that another thread waits for ends with a RuntimeError."""
        self._thread.stop(lambda: self._client.__aexit__(None, None, None))

    @property
    def credits(self) -> Credits | None:
        """The credit pool, from the last reply; None before the first."""
        return self._client.credits
