"""Restarts wait longer each time; a handover carries every setting to the worker as it is."""

import io
from pathlib import Path
from typing import NoReturn

import pytest

from memd.embed.providers.lazy import EmbedderTraits, LazyEmbedder
from memd.embed.providers.provider import Embedder
from memd.processes.child import BACKOFF_S, MAX_BACKOFF_S, Child, Kind, backoff_s
from memd.processes.handover import Handover
from memd.processes.supervisor import report
from memd.resources import make_embedder
from memd.settings import EmbedModel, Settings


def test_a_worker_that_keeps_dying_is_restarted_ever_later() -> None:
    delays = [backoff_s(failures) for failures in range(1, 100)]
    assert delays[:3] == [BACKOFF_S, 2 * BACKOFF_S, 4 * BACKOFF_S]
    assert delays == sorted(delays)
    assert delays[-1] == MAX_BACKOFF_S


def test_a_handover_is_read_as_it_was_written(tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path,
        embed_model=tmp_path / "model",
        database_url="postgresql://memd:secret@db.example.com/memd",
        schedule={"decay": "03:30", "cleanup": "off"},
        cors_origins=["https://a.example.com", "https://b.example.com"],
        message_weights={},
        policy_dir=tmp_path,
    )
    traits = EmbedderTraits("model", 384, cased=False, latin_only=True, batch_size=16, parallelism=2)
    handover = Handover(1, settings, "host=/tmp", traits, 3, connection=7, listeners=(8, 9))
    line = handover.to_line()
    assert line.count(b"\n") == 1
    assert Handover.read(io.BytesIO(line)) == handover


@pytest.mark.parametrize("written", [b"", b'{"parent": 1'])
def test_a_handover_that_breaks_off_is_an_error(written: bytes) -> None:
    with pytest.raises(EOFError, match="memd worker"):
        Handover.read(io.BytesIO(written))


def test_a_lazy_embedder_loads_once_and_makes_the_same_vectors(tmp_path: Path) -> None:
    loaded: list[Embedder] = []

    def load() -> Embedder:
        loaded.append(make_embedder(Settings(data_dir=tmp_path, embed_model=EmbedModel.WORDLLAMA)))
        return loaded[-1]

    real = make_embedder(Settings(data_dir=tmp_path, embed_model=EmbedModel.WORDLLAMA))
    lazy = LazyEmbedder(EmbedderTraits.of(real), load)
    assert EmbedderTraits.of(lazy) == EmbedderTraits.of(real)
    assert loaded == []
    assert (lazy.embed(["a text"]) == real.embed(["a text"])).all()
    assert (lazy.embed_queries(["a query"]) == real.embed_queries(["a query"])).all()
    assert len(loaded) == 1
    lazy.close()


def test_the_report_names_the_exit_code_of_the_child_that_died_last() -> None:
    def child(**ended: float) -> Child:
        return Child(Kind.REQUEST, handover=unused, connect=unused, **ended)

    def unused() -> NoReturn:
        raise AssertionError

    children = [child(exit_code=-9, ended_at=20.0), child(exit_code=1, ended_at=10.0), child()]
    assert report(children)["lastExitCode"] == -9
    assert "lastExitCode" not in report([child()])
