"""Kill memd between deferring a job and running it, again and again.

`python -m tests.support.killing CONNINFO DATA_DIR USER_ID ROUNDS SEED`. Each round is a process of its own that
delivers a turn, works and is killed at a random moment afterwards; one program forks them all, so that a round costs no
imports.
"""

import asyncio
import gc
import os
import random
import signal
import sys
import time
from pathlib import Path
from uuid import UUID

from memctl.wire.messages import TurnRequest
from memd.accounts.service import job_context
from memd.embed import models
from memd.embed.providers.choose import load_embedder
from memd.embed.providers.provider import Embedder
from memd.jobs.worker import run_workers
from memd.messages.turn import deliver
from memd.resources import logins_of
from memd.services import running
from memd.settings import EmbedModel, Settings
from tests.support.service import STILL

MAX_LIFETIME_S = 0.25


async def one_life(
    settings: Settings, conninfo: str, embedder: Embedder, model: int, user_id: UUID, number: int, delivered: int
) -> None:
    """Deliver a turn, say so through the pipe `delivered`, and work until somebody kills this process."""
    login = logins_of(settings, conninfo).system
    async with running(settings, conninfo, embedder, model) as services, run_workers(services, login):
        context = await job_context(services, user_id)
        assert context is not None
        turn = TurnRequest(
            session_key="s1",
            channel="slack",
            turn_id=f"turn {number}",
            user_message=f"We decided to give project number {number} a budget of {number} thousand euros.",
            assistant_message="Noted.",
        )
        await deliver(context, turn)
        os.write(delivered, b".")
        await asyncio.sleep(60)


async def warm(settings: Settings, conninfo: str, embedder: Embedder, model: int) -> None:
    """Start and stop once, so that no round pays for what is made only once in a process."""
    async with running(settings, conninfo, embedder, model):
        pass


def main() -> None:
    """Live and die as often as asked."""
    conninfo, folder, user_id, rounds, seed = sys.argv[1:]
    chance = random.Random(int(seed))
    settings = Settings(
        data_dir=Path(folder), embed_model=EmbedModel.WORDLLAMA, extraction_delay_s=0, schedule=STILL, log_level="error"
    )
    embedder = load_embedder("wordllama", data_dir=settings.data_dir)
    model = models.claim(conninfo, embedder.name, embedder.dimensions)
    asyncio.run(warm(settings, conninfo, embedder, model))
    gc.freeze()
    for number in range(int(rounds)):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            asyncio.run(one_life(settings, conninfo, embedder, model, UUID(user_id), number, writer))
        os.close(writer)
        if not os.read(reader, 1):
            sys.exit(f"round {number} ended by itself")
        time.sleep(chance.random() * MAX_LIFETIME_S)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)


if __name__ == "__main__":
    main()
