"""`memctl recall` says why a question in another language than the stored texts finds nothing, and what helps."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from memd.app import build
from memd.context import Services
from memd.embed.batcher import Batcher
from memd.embed.models import CurrentModel
from memd.embed.providers.minilm import MiniLmEmbedder
from tests.memctl.conftest import Terminal
from tests.memd.embed.conftest import model_data_dir
from tests.support.service import TestUser

__all__ = ["model_data_dir"]


@pytest.fixture
def app(services: Services, model_data_dir: Path) -> Iterator[ASGIApp]:
    """The service with the default model, which learned from English."""
    embedder = MiniLmEmbedder(model_data_dir, parallelism=1)
    yield build(
        replace(services, batcher=Batcher(embedder, threads=1), current_model=CurrentModel(services.model + 101))
    )
    embedder.close()


@pytest.mark.parametrize("query", ["Wer hat den Wasserhahn repariert?", "Кто чинил кран?"])
async def test_a_question_in_another_language_that_finds_nothing_says_what_helps(
    terminal: Terminal, user: TestUser, query: str
) -> None:
    await terminal(user, "capture", "Tap", "A plumber fixed the dripping tap in January.")
    assert "ask in the language of what is stored" in (await terminal(user, "recall", query)).stderr
    found = await terminal(user, "recall", "who fixed the dripping tap?")
    assert ("plumber" in found.stdout, found.stderr) == (True, "")
