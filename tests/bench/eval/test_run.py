"""`make eval` from files to figures, against a real memd."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.bench.eval import measures
from tests.bench.eval.__main__ import main

SAID = ("We adopted a puppy called Biscuit.", "The marathon in Turin was exhausting.", "I bake sourdough on Sundays.")
CHUNKS = ("Pandas eat bamboo in the mountains.", "Granite is an igneous rock.")
SETS = ["messages", "memories", "shuffled", "chunks", "passages", "paragraphs", "unanswerable"]


def lines(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows))


def talk(folder: Path, name: str, speaker: str) -> None:
    turns = [
        {
            "id": f"{name}:{index}",
            "sessionKey": name,
            "timestamp": 1_683_554_160_000 + 60_000 * index,
            "speaker": speaker,
            "role": "user",
            "content": content,
        }
        for index, content in enumerate(SAID)
    ]
    lines(folder / f"{name}.messages.jsonl", turns)
    lines(folder / f"{name}.questions.jsonl", [{"question": "What is the puppy called?", "evidence": [f"{name}:0"]}])


@pytest.mark.e2e
@pytest.mark.long
def test_every_set_is_measured_beside_bm25_and_the_embedder(
    tmp_path: Path,
    enterable_folder: Path,
    migrated: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measures, "RESAMPLES", 40)
    lasting = enterable_folder / "eval"
    lasting.mkdir(mode=0o711)
    subprocess.run(["cp", "-a", migrated, lasting / "data-wordllama"], check=True)  # with the owners of the files
    talk(tmp_path / "talks", "one", "Ada")
    talk(tmp_path / "talks", "two", "Grace")
    chunks = [
        {"content": content, "dedupeKey": f"c{index}", "metadata": {"title": "Facts"}}
        for index, content in enumerate(CHUNKS)
    ]
    lines(tmp_path / "facts" / "chunks.jsonl", chunks)
    lines(tmp_path / "facts" / "questions.jsonl", [{"question": "What do pandas eat?", "evidence": ["c0"]}])
    options = ["--folder", str(tmp_path), "--model", "wordllama", "--lasting", str(lasting), "--json"]
    assert main([*SETS, *options]) == 0
    measured = json.loads(capsys.readouterr().out)
    means = {
        (each["set"], each["data"], each["depth"], system): figures["recall"]["mean"]
        for each in measured["results"]
        for system, figures in each["systems"].items()
    }
    assert set(means.values()) == {1.0}
    assert {name for name, *_ in means} == {
        *("messages", "memories, in order", "memories, accessed", "memories, true dates", "memories, shuffled"),
        *("chunks", "passages", "paragraphs as memories"),
    }
    assert {system for *_, system in means} == {"memd", "BM25", "embedder"}
    assert {(rate["set"], rate["number"]) for rate in measured["rates"] if rate["data"] == "all"} >= {
        ("its own questions", 2),
        ("questions of another conversation", 2),
        ("questions of facts", 2),
        ("its own questions to messages", 2),
        ("questions of another conversation to messages", 2),
    }
