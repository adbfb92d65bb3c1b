"""Compares what commands write with files in `golden`; MEMD_PIN=1 writes the files anew after a wanted change."""

import os
import re
from pathlib import Path
from typing import Protocol

from click.testing import Result

from tests.memctl.conftest import Terminal
from tests.support.service import TestUser

PINS = Path(__file__).parent / "golden"
CHANGING = (
    (re.compile(r"\b(mem|kb|msg|ckpt|snap|usr|key|imp|job|req|node|rel)_[0-7][0-9a-hjkmnp-tv-z]{25}\b"), r"\1_…"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "KEY"),
    (re.compile(r"(?<=Bearer …)[0-9a-f]{4}\b"), "KEY"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?"), "DATE TIME"),
    (re.compile(r"\b1[78]\d{11}\b"), "EPOCH"),
    (re.compile(r'"embedding": \[[^]]*\]'), '"embedding": […]'),
    (re.compile(r"in \d+\.\d s( \(\d+ chunks/s\))?"), "in N s"),
    (re.compile(r'"(seconds|chunksPerSecond|oldestAgeMs)": [\d.]+'), r'"\1": N'),
    (re.compile(r"\d+\.\d ms"), "N ms"),
    (re.compile(r"(?<=\nTime        ).*"), "N ms"),
    (re.compile(r"[\d,]+\.\d GiB"), "N GiB"),
    (re.compile(r"within \d+ s"), "within N s"),
    (re.compile(r"(?<=embeddings today  )\d+|(?<=\"embeddings_used_today\": )\d+"), "N"),
    (re.compile(r"\d{4}-\d\d-\d\d(?=:(\n|\\n)\[)"), "DATE"),
    (re.compile(r"\[\d\d:\d\d\]"), "[TIME]"),
    (re.compile(r"/\S+?(?=/config/config.toml|/\.claude\.json)"), "HOME"),
    (re.compile(r'"graphEnriched(At)?": (true|false|null|EPOCH)'), r'"graphEnriched\1": …'),
    (re.compile(r'"enrichmentPercent": [\d.]+|(?<=in the graph      )\d+ %'), "ENRICHED"),
)
SCORE = re.compile(r"(?<![\d.])[-+]?\d\.\d+")
BAR = re.compile("[█▉▊▋▌▍▎▏]+ *")
"""Scores and their bars: they may differ a little from processor to processor."""


def settled(text: str) -> str:
    """The text without what differs from run to run."""
    for pattern, stand_in in CHANGING:
        text = pattern.sub(stand_in, text)
    return "\n".join(line.rstrip() for line in text.split("\n"))


class Done(Protocol):
    """The result of a command that has ended."""

    @property
    def stdout(self) -> str: ...
    @property
    def stderr(self) -> str: ...
    @property
    def exit_code(self) -> int: ...


def compare(name: str, command: str, done: Done, *, scores: bool) -> None:
    parts = [f"$ memctl {command}", settled(done.stdout).rstrip("\n")]
    if done.stderr:
        parts.append(f"--- standard error\n{settled(done.stderr).rstrip()}")
    text = "\n".join([*parts, f"--- exit code {done.exit_code}", ""])
    if not scores:
        text = BAR.sub("BAR", SCORE.sub("N", text))
    pin = PINS / f"{name}.txt"
    if os.environ.get("MEMD_PIN"):
        pin.parent.mkdir(exist_ok=True)
        pin.write_text(text)
    assert pin.exists(), f"{pin.name} is not pinned: run MEMD_PIN=1 pytest tests/memctl/commands"
    assert text == pin.read_text()


class Session:
    """Runs commands in a row; `{name}` stands for what an earlier one printed."""

    def __init__(self, terminal: Terminal, user: TestUser, prefix: str) -> None:
        self._terminal = terminal
        self._user = user
        self._prefix = prefix
        self._kept: dict[str, str] = {}
        self._number = 0

    def keep(self, name: str, text: str) -> None:
        """Let `{name}` stand for the text from now on."""
        self._kept[name] = text

    async def run(
        self, *arguments: str, keep: str = "", stdin: str | None = None, pin: bool = True, scores: bool = True
    ) -> Result:
        """Run a command, compare it with its pin, and keep its first line under a name."""
        done = await self._terminal(self._user, *(each.format(**self._kept) for each in arguments), stdin=stdin)
        if keep:
            self._kept[keep] = done.stdout.splitlines()[0]
        if pin:
            self._number += 1
            compare(f"{self._prefix}-{self._number:02}-{arguments[0]}", " ".join(arguments), done, scores=scores)
        return done
