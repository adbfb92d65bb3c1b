"""The functions of memd that one request runs through, in the order of their first calls."""

import sys
import threading
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, getattr_static
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
OWN = tuple(f"{ROOT / folder}/" for folder in ("memd", "memctl/wire"))
LAYERS = {
    "pure": ("memd/domain/", "memctl/wire/"),
    "shared": (
        *("memd/access/", "memd/accounts/", "memd/db/", "memd/embed/"),
        *("memd/context.py", "memd/services.py", "memd/cancellation.py", "memd/off_loop.py"),
    ),
}
_SUSPENDABLE = CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR
_traced: ContextVar[bool] = ContextVar("traced", default=False)


@dataclass(frozen=True, slots=True)
class Step:
    """A function at its first call: its file, its name, how deep it was called and from which file.

    A task has no caller, or its own file if that is part of the walk already. `climbs` says that its file was already on the stack above its caller's: the call goes back up. An `accessory` is read
    with what surrounds it and not looked up: a property, a constructor, a function inside another one.
    """

    file: str
    name: str
    depth: int
    caller: str | None
    climbs: bool
    accessory: bool

    @property
    def is_opened(self) -> bool:
        """Whether a reader of the room has to open it: a function of a room that another file calls."""
        return not self.accessory and self.layer == "rooms" and self.caller != self.file

    @property
    def layer(self) -> str:
        """`pure` (domain and wire types), `shared` (what every request uses), or `rooms`."""
        for layer, folders in LAYERS.items():
            if self.file.startswith(folders):
                return layer
        return "rooms"


@dataclass(slots=True)
class Walk:
    """The steps of one request; a function that is called again adds none."""

    steps: list[Step] = field(default_factory=list[Step])

    @property
    def files(self) -> list[str]:
        """Every file, in the order of first calls."""
        return list(dict.fromkeys(step.file for step in self.steps))

    @property
    def opened(self) -> list[Step]:
        """The functions of rooms that a reader opens one after the other."""
        return [step for step in self.steps if step.is_opened]

    @property
    def climbs(self) -> list[Step]:
        """The calls that go back up into a file that the walk has left."""
        return [step for step in self.steps if step.climbs]

    def below(self, handler: str) -> "Walk":
        """The part from the handler (`file:name`) to the rows and back: without what every request shares before it."""
        names = [f"{step.file}:{step.name}" for step in self.steps]
        return Walk(self.steps[names.index(handler) :])

    def lines(self) -> Iterator[str]:
        """The walk as text, one line for each function, indented by depth."""
        for step in self.steps:
            back = f"  ^ back from {step.caller}" if step.climbs else ""
            yield f"{'  ' * step.depth}{step.name}  {step.file}{back}"


class Tracer:
    """Profiles the event loop's thread and the threads that start while it is installed."""

    def __init__(self) -> None:
        self._seen: set[CodeType] = set()
        self.walk = Walk()

    @contextmanager
    def installed(self) -> Generator["Tracer"]:
        """Install the profiler; it records what runs in the context of `record` only."""
        before = sys.getprofile()
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        try:
            yield self
        finally:
            sys.setprofile(before)
            threading.setprofile(None)

    async def record(self, request: Callable[[], Awaitable[Any]]) -> Walk:
        """Record one request; tasks and threads that it starts are part of it."""
        self._seen, self.walk = set(), Walk()
        token = _traced.set(True)
        try:
            await request()
        finally:
            _traced.reset(token)
        return self.walk

    def _called(self, frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code
        if event != "call" or code in self._seen or not code.co_filename.startswith(OWN) or not _traced.get():
            return
        if code.co_name.startswith("<") and code.co_name != "<lambda>":
            return  # a comprehension belongs to the function around it
        if code.co_flags & _SUSPENDABLE and frame.f_lasti <= 0:
            return  # the call that makes the coroutine; its first step comes when it is awaited
        self._seen.add(code)
        above = list(_callers(frame))
        file = _file(code)
        caller = above[0] if above else file if file in self.walk.files else None
        climbs = caller is not None and caller != file and file in above
        accessory = _is_accessory(code, frame.f_globals)
        self.walk.steps.append(Step(file, code.co_qualname, len(above), caller, climbs, accessory))


def _is_accessory(code: CodeType, module: Mapping[str, Any]) -> bool:
    """Whether this is a property, a constructor or other special method, or a function inside another one."""
    if "<locals>" in code.co_qualname or code.co_name.startswith("__") or code.co_name == "_make":
        return True
    owner, _, name = code.co_qualname.rpartition(".")
    return bool(owner) and isinstance(getattr_static(module.get(owner), name, None), property)


def _callers(frame: FrameType) -> Iterator[str]:
    """The files of memd's functions on the stack above a frame, the nearest first."""
    above = frame.f_back
    while above is not None:
        if above.f_code.co_filename.startswith(OWN):
            yield _file(above.f_code)
        above = above.f_back


def _file(code: CodeType) -> str:
    return str(Path(code.co_filename).relative_to(ROOT))
