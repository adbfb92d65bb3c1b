"""Recall of memd against the search of other memories: mem0 (its default Qdrant) and Chroma, on the same texts.

`pip install 'memd-server[peers]'` brings both; one that is absent is skipped. `python -m tests.bench.peers 1000 10000`
measures users of these sizes together with nine users of 1,000. memd answers over HTTP with all that a recall does; the
others are called in this process and only look for vectors. All embed the question with the same model, memd in its
quantized form.
"""

import importlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import uuid4

from memd.embed.providers.minilm import MiniLmEmbedder
from tests.bench.corpus import Text, Writer, queries
from tests.bench.latency import LIMIT, OF_OTHERS, OTHERS, measure, prepare
from tests.bench.lean import percentile, seconds
from tests.bench.serving import serving

ROUNDS: Final = 200
PAGE: Final = 500


class Peer(Protocol):
    """Another memory."""

    def add(self, user: str, texts: Sequence[Text]) -> None:
        """Store texts with their vectors."""
        ...

    def search(self, user: str, query: str) -> int:
        """Look for a question; how many rows come back."""
        ...


class Mem0:
    """mem0 with its embedded Qdrant and our embedder; its language model is never asked."""

    def __init__(self, folder: Path, embed: Callable[[str], list[float]]) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none"}
        store = {"provider": "qdrant", "config": {"path": str(folder / "qdrant"), "embedding_model_dims": 384}}
        history = str(folder / "history.db")
        self._memory: Any = importlib.import_module("mem0").Memory.from_config(
            {"vector_store": store, "history_db_path": history}
        )
        self._memory.embedding_model.embed = lambda text, *_, **__: embed(text)

    def add(self, user: str, texts: Sequence[Text]) -> None:
        """Store texts with their vectors."""
        payloads = [{"data": f"{text.title} {text.content}", "user_id": user} for text in texts]
        ids = [str(uuid4()) for _ in texts]
        self._memory.vector_store.insert([text.vector.tolist() for text in texts], payloads, ids)

    def search(self, user: str, query: str) -> int:
        """Look for a question; how many rows come back."""
        return len(self._memory.search(query, top_k=LIMIT, filters={"user_id": user}, threshold=0.0)["results"])


class Chroma:
    """Chroma on disk, one collection for all users."""

    def __init__(self, folder: Path, embed: Callable[[str], list[float]]) -> None:
        chromadb: Any = importlib.import_module("chromadb")
        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder / "chroma"), settings=settings)
        self._rows = client.create_collection("memories", metadata={"hnsw:space": "cosine"}, embedding_function=None)
        self._embed = embed

    def add(self, user: str, texts: Sequence[Text]) -> None:
        """Store texts with their vectors."""
        self._rows.add(
            ids=[str(uuid4()) for _ in texts],
            embeddings=[text.vector.tolist() for text in texts],
            documents=[f"{text.title} {text.content}" for text in texts],
            metadatas=[{"user": user} for _ in texts],
        )

    def search(self, user: str, query: str) -> int:
        """Look for a question; how many rows come back."""
        found = self._rows.query(query_embeddings=[self._embed(query)], n_results=LIMIT, where={"user": user})
        return len(found["ids"][0])


PEERS: Final[dict[str, type[Mem0] | type[Chroma]]] = {"mem0": Mem0, "chromadb": Chroma}


@contextmanager
def _folder() -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="memd-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def ask(peer: Peer, user: str, questions: Sequence[str]) -> tuple[float, int]:
    """Median milliseconds of a search, and the fewest rows that one gave."""
    for query in questions[ROUNDS:]:
        peer.search(user, query)
    fewest = LIMIT
    times: list[float] = []
    for query in questions[:ROUNDS]:
        found: list[int] = []
        times.append(1000 * seconds(lambda query=query, found=found: found.append(peer.search(user, query))))
        fewest = min(fewest, *found)
    return percentile(times, 0.5), fewest


def compare(size: int) -> Generator[tuple[str, int, float, int]]:
    """(tool, memories, p50 ms, fewest rows of twelve); the floor of the speed table is shown with memd."""
    with serving("minilm") as daemon, _folder() as folder:
        tenant, _ = prepare(daemon, size)
        latency = measure(daemon, size, tenant, ROUNDS)
        yield "floor", size, latency.floor, LIMIT
        yield "memd", size, latency.recall, latency.shortest
        embedder = MiniLmEmbedder(daemon.data_dir, precision="fp32", parallelism=1)
        writer = Writer(embedder)
        for name, kind in PEERS.items():
            if importlib.util.find_spec(name) is None:
                yield f"{name} is not installed", 0, 0.0, 0
                continue
            home = folder / name
            home.mkdir()
            peer = kind(home, lambda text: embedder.embed([text])[0].tolist())
            users = {"measured": size} | {f"other-{n}": OF_OTHERS for n in range(OTHERS)}
            for user, count in users.items():
                for _ in range(0, count, PAGE):
                    peer.add(user, writer.texts(min(PAGE, count)))
            yield name, size, *ask(peer, "measured", queries(ROUNDS + 20, seed=size))


def main() -> None:
    """Print the table."""
    sizes = [int(size) for size in sys.argv[1:]] or [1_000, 10_000]
    print("| tool | memories | p50 ms | fewest rows of 12 |\n|---|---|---|---|")
    for name, memories, p50, fewest in chain.from_iterable(map(compare, sizes)):
        print(f"| {name} | {memories:,} | {p50:.1f} | {fewest} |", flush=True)


if __name__ == "__main__":
    main()
