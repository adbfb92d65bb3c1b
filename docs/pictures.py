"""Draws docs/pictures/*.svg: memtui in front of a throw-away memd with invented data; `python docs/pictures.py`."""

import asyncio
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
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
MEMORIES = (
    ("We bake on order from Tuesday on", Store.SEMANTIC, Category.DECISION, "bakery", "orders"),
    ("Rye needs the old oven", Store.PROCEDURAL, Category.LESSON, "bakery", "oven"),
    ("Ada takes the early shift", Store.EPISODIC, Category.PERSON, "team", "people"),
    ("Never open the steam valve before the door is shut", Store.SEMANTIC, Category.RULE, "bakery", "oven"),
    ("Order flour before the 25th", Store.PROSPECTIVE, Category.GOAL, "office", "orders"),
    ("Sourdough: 20 minutes at 230 degrees with steam", Store.PROCEDURAL, Category.SKILL, "bakery", "recipes"),
    ("The mill delivered two days late", Store.EPISODIC, Category.EVENT, "office", "suppliers"),
    ("Invoices go out on the last Friday", Store.PROCEDURAL, Category.WORKFLOW, "office", "money"),
    ("The market stall costs 80 a day", Store.SEMANTIC, Category.FACT, "office", "money"),
    ("A guest asked for bread without salt", Store.SENSORY, Category.CONVERSATION, "shop", "guests"),
)
TALK = (
    ("When does the mill deliver next?", "On Monday before seven; they were two days late last time."),
    ("May I open the steam valve early?", "No. The door has to be shut first, that is a rule of ours."),
    ("How long does the sourdough stay in?", "Twenty minutes at 230 degrees, with steam for the first eight."),
    ("Who is on the early shift tomorrow?", "Ada. She asked to keep it until the end of the month."),
)
RULES = (
    "Wash the bowls at once",
    "Weigh twice, mix once",
    "Old bread is for the crumbs",
    "Label every dough with its hour",
)
SHOTS = {
    "overview": ("stats", ()),
    "memories": ("memories", ("j", "j", "j")),
    "messages": ("messages", ("k",)),
    "knowledge-base": ("knowledge_bases", ("enter", "slash", *"how do I treat dough?".replace(" ", "\0"), "enter")),
    "recall-bench": ("recall", ("slash", *"when may I open the oven?".replace(" ", "\0"), "enter")),
}


async def fill(client: MemdClient, now: int) -> None:
    """Memories of a month, some talk, a knowledge base."""
    for at in range(120):
        title, store, category, channel, tag = MEMORIES[at % len(MEMORIES)]
        week = at // len(MEMORIES)
        content = f"{title}." if week == 0 else f"{title}. Noted again in week {week} of the season."
        age = int(720 * HOUR * (at / 120) ** 1.7)
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
                session_key=f"shift-{at // 8 + 1}",
                channel="bakery" if at % 4 < 3 else "team",
                turn_id=f"turn-{at}",
                user_message=question,
                assistant_message=answer,
                timestamp=now - (24 - at) * HOUR // 3,
            )
        )
    base = await client.knowledge_bases.create(
        CreateKnowledgeBaseRequest(name="House rules", description="How we work")
    )
    chunks = [
        ImportChunk(
            content=f"{rule}. The one who forgets makes the coffee.",
            metadata=ChunkMetadata(title=rule),
            dedupe_key=f"rules.md#{at}",
        )
        for at, rule in enumerate(RULES)
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
    for name, (room, keys) in SHOTS.items():
        app = Memtui(client, room=room)
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
