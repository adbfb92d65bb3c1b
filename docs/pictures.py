"""Draws docs/pictures/*.svg: memtui in front of a throw-away memd with invented data; `python docs/pictures.py`."""

import asyncio
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from demo import BIN, wait_for
from textual.pilot import Pilot

from memctl.client import MemdClient
from memctl.wire.enums import Category, Store
from memctl.wire.imports import ChunkMetadata, ImportChunk, ImportRequest
from memctl.wire.knowledge_bases import CreateKnowledgeBaseRequest
from memctl.wire.memories import CaptureRequest
from memctl.wire.messages import TurnRequest
from tui.app import Memtui

PICTURES = Path(__file__).parent / "pictures"
FONT_ADDRESS = re.compile(r",?\s*url\([^)]*\) format\([^)]*\)")
"""A picture names its font; it does not fetch it."""
HOUR = 3_600_000
Row = tuple[str, str, Store, Category, str, str]
MEMORIES: tuple[Row, ...] = (
    ("Deploys: Tuesdays and Thursdays, never on Fridays", "The pipeline blocks a release after 15:00 UTC on Thursday.",
     Store.SEMANTIC, Category.RULE, "slack:ops", "deploy"),
    ("Postgres over MongoDB for the billing service", "Chosen for transactions and for pgvector; reviewed by Ines and Tom.",
     Store.SEMANTIC, Category.DECISION, "slack:backend", "database"),
    ("Rolling back a migration", "Run `make rollback REV=…`, then restart the workers before the web processes.",
     Store.PROCEDURAL, Category.WORKFLOW, "slack:ops", "deploy"),
    ("Outage of 3 November: the disk of db-2 was full", "WAL had grown to 400 GB because a replication slot was left behind.",
     Store.EPISODIC, Category.EVENT, "slack:ops", "incident"),
    ("Check replication slots before resizing a volume", "An abandoned slot keeps WAL for ever; alert above 20 GB.",
     Store.PROCEDURAL, Category.LESSON, "slack:ops", "incident"),
    ("Ines owns the payment integration", "Ask her before any change to webhooks; Marek covers for her on Mondays.",
     Store.SEMANTIC, Category.PERSON, "slack:backend", "people"),
    ("Customer Northwind pays 4,200 EUR a month", "Enterprise plan since March; renewal is due in February.",
     Store.SEMANTIC, Category.FACT, "slack:sales", "customers"),
    ("Ship the audit log before the SOC 2 review", "The review begins on 15 January; the export is still missing.",
     Store.PROSPECTIVE, Category.GOAL, "slack:backend", "audit"),
    ("Prefers short answers with the command first", "No introductions; one code block, then at most three sentences.",
     Store.SEMANTIC, Category.RULE, "cli", "style"),
    ("How to read a flame graph of the API", "Start at the widest frame below `handle_request`; ignore the event loop.",
     Store.PROCEDURAL, Category.SKILL, "slack:backend", "performance"),
    ("Rate limit: 600 requests a minute for each key", "Raised from 300 in June after Northwind's import failed.",
     Store.SEMANTIC, Category.FACT, "slack:backend", "api"),
    ("Retries need jitter", "Without it the workers hit the provider together after an outage.",
     Store.SEMANTIC, Category.LESSON, "slack:backend", "api"),
    ("The mobile app crashes on Android 12", "Only when the camera permission is denied; fixed in 4.7.1.",
     Store.EPISODIC, Category.EVENT, "slack:mobile", "bugs"),
    ("Weekly review moved to Wednesday, 10:00", "It was on Thursday until September.",
     Store.SEMANTIC, Category.FACT, "slack:team", "meetings"),
    ("Rotate the signing keys every 90 days", "Next on 1 December; the runbook is in the handbook under Keys.",
     Store.PROSPECTIVE, Category.GOAL, "slack:ops", "security"),
    ("Never log request bodies in production", "Agreed after the review in May; the linter checks it.",
     Store.SEMANTIC, Category.RULE, "slack:backend", "security"),
    ("Tom asked whether exports can be resumed", "They can: the same command continues where it stopped.",
     Store.SENSORY, Category.CONVERSATION, "slack:team", "support"),
    ("Feature flags instead of long-lived branches", "Branches live two days at most; flags are removed after a month.",
     Store.SEMANTIC, Category.DECISION, "slack:backend", "process"),
    ("Restoring a backup takes 25 minutes", "Measured on the staging cluster with 180 GB.",
     Store.EPISODIC, Category.FACT, "slack:ops", "backup"),
    ("Lisa moved from Berlin to Lisbon", "She works in UTC now; her working day begins at nine.",
     Store.EPISODIC, Category.PERSON, "slack:team", "people"),
)  # fmt: skip
CUSTOMERS = (
    "Acme",
    "Globex",
    "Initech",
    "Umbra",
    "Hooli",
    "Vandelay",
    "Stark",
    "Wonka",
    "Tyrell",
    "Cyberdyne",
    "Soylent",
)
FIXES = (
    "Imports no longer stop at an empty line", "Time zones in the weekly report", "Search ignores accents",
    "The invoice of a cancelled order", "Duplicate webhooks after a timeout", "Sorting of long tables",
    "Login with a plus sign in the address", "Upload of files over 2 GB", "Dark mode of the editor",
    "Memory use of the exporter", "Broken links in the handbook", "Rounding in the price list",
)  # fmt: skip
RELEASES = 48
TALK = (
    ("When is the next deploy?", "On Tuesday. Thursday is blocked after 15:00 UTC."),
    ("Who covers for Ines on Monday?", "Marek. He has access to the payment dashboard since October."),
    (
        "Why was the database down on the 3rd?",
        "The disk of db-2 was full: an abandoned replication slot kept 400 GB of WAL.",
    ),
    ("What does Northwind pay?", "4,200 EUR a month. The renewal is due in February."),
)
RULES = (
    ("Freeze", "The API is frozen on the first of every month; deploys wait until the second."),
    ("On call", "Whoever is on call acknowledges within ten minutes and writes down what was tried."),
    ("Secrets", "Secrets live in the vault. A secret that was pasted into a chat is rotated the same day."),
    ("Reviews", "Two people review a migration; one of them did not write it."),
)
SHOTS = {
    "overview": ("stats", ()),
    "memories": ("memories", ("j", "j", "j")),
    "messages": ("messages", ("k",)),
    "knowledge-base": ("knowledge_bases", ("enter", "slash", *"who reviews a migration?".replace(" ", "\0"), "enter")),
    "recall-bench": ("recall", ("slash", *"why was the database down?".replace(" ", "\0"), "enter")),
}


def events() -> Iterator[Row]:
    """What happened, the newest first."""
    for number in range(RELEASES, 0, -1):
        text = f"{number + 11} changes since 4.{number - 1}, {'one rollback' if number % 7 == 0 else 'no rollback'}."
        yield (f"Release 4.{number} is out", text, Store.EPISODIC, Category.EVENT, "slack:ops", "deploy")
        if number % 4 == 0:
            fix = FIXES[number // 4 % len(FIXES)]
            text = f"Shipped with 4.{number}; reported by support."
            yield (fix, text, Store.EPISODIC, Category.LESSON, "slack:backend", "bugs")
        if number % 5 == 0:
            name = CUSTOMERS[number // 5 % len(CUSTOMERS)]
            text = f"{900 + number * 50} EUR a month for another year."
            yield (f"{name} renewed the contract", text, Store.SEMANTIC, Category.FACT, "slack:sales", "customers")


async def fill(client: MemdClient, now: int) -> None:
    """Memories of a year, some talk, a knowledge base."""
    for at, (title, content, store, category, channel, tag) in enumerate((*MEMORIES, *events())):
        age = at * HOUR if at < len(MEMORIES) else (at - len(MEMORIES)) * 5 * 24 * HOUR * (1 + at % 3) // 2
        await client.memories.capture(
            CaptureRequest(
                title=title,
                content=content,
                store=store,
                category=category,
                channel=channel,
                tags=[tag],
                strength=round(0.4 + 0.6 * ((at * 37) % 100) / 100, 2),
                created_at=now - age,
            )
        )
    for at, (question, answer) in enumerate(TALK * 6):
        await client.messages.turn(
            TurnRequest(
                session_key=f"standup-{at // 8 + 1}",
                channel="slack:ops" if at % 4 < 3 else "slack:team",
                turn_id=f"turn-{at}",
                user_message=question,
                assistant_message=answer,
                timestamp=now - (24 - at) ** 2 * 12 * HOUR,
            )
        )
    base = await client.knowledge_bases.create(CreateKnowledgeBaseRequest(name="Handbook", description="How we work"))
    chunks = [
        ImportChunk(
            content=text,
            metadata=ChunkMetadata(title=title),
            dedupe_key=f"rules.md#{at}",
        )
        for at, (title, text) in enumerate(RULES)
    ]
    await client.knowledge_bases.import_chunks(base.id, ImportRequest(chunks=chunks))


async def settle(pilot: Pilot[None]) -> None:
    """Wait until nothing is under way."""
    await pilot.pause()
    while len(pilot.app.workers):
        await pilot.pause(0.05)
    await pilot.pause()


async def draw(client: MemdClient) -> None:
    """One picture for each entry of SHOTS."""
    for name, (tab, keys) in SHOTS.items():
        app = Memtui(client, tab=tab)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(pilot)
            for key in keys:
                await pilot.press("space" if key == "\0" else key)
                await settle(pilot)
            svg = FONT_ADDRESS.sub("", app.export_screenshot(title="memtui"))
            (PICTURES / f"{name}.svg").write_text(svg, encoding="utf-8")


async def tour(url: str, key: str) -> None:
    """Fill and draw."""
    async with MemdClient(url, key) as client:
        await fill(client, time.time_ns() // 1_000_000)
        await draw(client)


def main() -> None:
    """Start memd, draw, stop it."""
    PICTURES.mkdir(exist_ok=True)
    base = Path(tempfile.mkdtemp(prefix="memd-pictures-", dir="/tmp"))
    base.chmod(0o711)
    daemon = subprocess.Popen(
        [str(BIN / "memd"), "serve", "--port", "0", "--data-dir", str(base / "data")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        url = wait_for(daemon)
        asyncio.run(tour(url, (base / "data" / "local.key").read_text().strip()))
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(30)
        shutil.rmtree(base)


if __name__ == "__main__":
    sys.exit(main())
