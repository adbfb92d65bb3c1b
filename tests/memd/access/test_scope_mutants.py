"""Every scope condition matters: taken out of any one read, rows of a channel that the request does not see come back.

`channel_condition` renders each scope to SQL. A probe reads through a store as a request on the channel `desk` does, and
says whether it got anything of the guarded channel. First no probe gets any; then each condition that a probe renders is
replaced by `true`, alone, and the probe has to get some. Every store function that renders a scope needs a probe.
"""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from memd.context import Services
from memd.db.sql import scope as scope_sql
from memd.domain.ids import decode
from memd.domain.visibility.kb_scoping import ChunkScope
from memd.knowledge_bases.search.store import ScopedBase
from tests.memd.access.scope_probes import HIDDEN, SEEN, SESSION, WORD, Probe, World
from tests.memd.access.write_probes import PROBES
from tests.support.jobs import context_of, done, enriched
from tests.support.service import MakeUser
from tests.support.wire import capture, chunk, enumerate_chunks, fill, make_base, post

ROOT = Path(__file__).parents[3]
LEAVES = {"channel_condition", "memory_condition"}

Site = tuple[str, ...]
"""The functions of stores that a condition is rendered in, innermost first, and the name of its parameters."""


class Recorder:
    """Renders scopes as `channel_condition` does, notes where, and leaves out the condition of one site."""

    def __init__(self) -> None:
        self.sites: set[Site] = set()
        self.removed: Site | None = None

    def __call__(self, scope: Any, column: str, params: dict[str, Any], name: str = "scope") -> str:
        condition = _render(scope, column, params, name)
        site = (*_stores(), name)
        self.sites.add(site)
        return "true" if site == self.removed else condition


_render = scope_sql.channel_condition


def _stores() -> list[str]:
    """The functions of store modules on the stack, innermost first."""
    found: list[str] = []
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(f"{ROOT}/memd/") and file.endswith("store.py") and not frame.f_code.co_name.startswith("<"):
            found.append(f"{file.removeprefix(f'{ROOT}/memd/')} {frame.f_code.co_name}")
        frame = frame.f_back
    return found


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder()
    for module in [module for name, module in sys.modules.items() if name.startswith("memd.")]:
        if getattr(module, "channel_condition", None) is _render:
            monkeypatch.setattr(module, "channel_condition", recorder)
    return recorder


@pytest.fixture
async def world(services: Services, make_user: MakeUser) -> World:
    user = await make_user()
    context = await context_of(services, user)
    hidden: dict[str, Any] = {"channel": HIDDEN}
    ids = [
        await enriched(services, user, title=f"{WORD} owner", content=f"Ana owns the {WORD} service.", **hidden),
        await capture(user, content="Ana lives in Oslo.", actionTriggers=["deploy"], category="rule", **hidden),
        await capture(user, content=f"{WORD} in a namespace", namespace="n", **hidden),
    ]
    await done(services, user)
    ids.append(await capture(user, content="Ana moved to Rome.", **hidden))
    await done(services, user)
    await post(user, "log", {"role": "user", "content": f"The {WORD} valve.", "sessionKey": SESSION, **hidden})
    messages = [{"role": "user", "content": WORD}]
    await post(user, "snapshot", {"sessionKey": SESSION, "messages": messages, **hidden})
    await post(user, "checkpoint", {"label": WORD, **hidden})
    base = await make_base(user)
    await fill(user, base, chunk(f"The {WORD} page.", channel=HIDDEN))
    chunks = [decode("mem", row["id"]) for row in await enumerate_chunks(user, base)]
    return World(
        user,
        context,
        context.scopes(SEEN, None),
        context.scopes(SEEN, None, session_key=SESSION),
        [decode("mem", memory_id) for memory_id in ids],
        ScopedBase(decode("kb", base), 1, 20.0, ChunkScope(exact=(SEEN,))),
        chunks,
    )


def rendering() -> set[str]:
    """The functions of stores that render a scope, as `file function`."""
    found: set[str] = set()
    for path in (ROOT / "memd").rglob("*store.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and _renders(function):
                found.add(f"{path.relative_to(ROOT / 'memd')} {function.name}")
    return found


def _renders(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id in LEAVES for called in calls)


async def test_a_condition_removed_from_any_one_read_lets_a_guarded_row_through(
    world: World, recorder: Recorder
) -> None:
    reached: dict[Site, list[Probe]] = {}
    for each in PROBES:
        recorder.sites.clear()
        assert not await each(world), f"{each.__name__} got a row of {HIDDEN}"
        for site in recorder.sites:
            reached.setdefault(site, []).append(each)
    probed = {function for site in reached for function in site}
    assert rendering() - probed == set(), "store functions that render a scope and have no probe"
    survivors: list[Site] = []
    for recorder.removed, probes in reached.items():
        if not any([await each(world) for each in probes]):
            survivors.append(recorder.removed)
    assert not survivors, "\n".join(map(str, survivors))
