"""Resources of every measurement: a running memd with its data, its database, and the embedder in this process."""

import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

from memctl.evaluation import Question
from memd.db.embedded.server import running_conninfo
from memd.embed.providers.choose import BuiltIn
from tests.bench.eval.baselines import Bm25, Embedding
from tests.bench.eval.data import Text
from tests.bench.eval.holdings import Holdings
from tests.bench.eval.priors import without_graph
from tests.bench.serving import serving
from tests.support.daemon import Daemon

DEPTH = 20
"""How far the rankings of BM25 and the embedder are kept."""
MEMD, BM25, EMBEDDER = "memd", "BM25", "embedder"


@dataclass(frozen=True, slots=True)
class Workbench:
    """`connection` is that of the database's owner: for priors that the API cannot set, and for the lexemes of BM25."""

    holdings: Holdings
    connection: psycopg.Connection
    embedding: Embedding

    def language(self, texts: Sequence[Text]) -> str:
        """The stemmer that suits the texts."""
        return Bm25(self.connection, [text.whole for text in texts]).language

    def baselines(self, texts: Sequence[Text], questions: Sequence[Question]) -> dict[str, list[list[str]]]:
        """The ids that BM25 alone and the embedder alone find for each question."""
        whole, asked = [text.whole for text in texts], [question.text for question in questions]
        ranked = {
            BM25: Bm25(self.connection, whole).rank(asked, DEPTH),
            EMBEDDER: self.embedding.rank(whole, asked, DEPTH),
        }
        return {system: [[texts[place].id for place in row] for row in rows] for system, rows in ranked.items()}


NO_REFLECTION: Final = {"MEMD_SCHEDULE": '{"reflection": "off"}'}
"""The nightly reflection would add memories of its own to those that are measured."""


@contextmanager
def workbench(model: BuiltIn | Path, settings: Mapping[str, str], lasting: Path | None = None) -> Generator[Workbench]:
    """A memd with this embedder and these settings; on a folder that stays and holds its texts, or on one that goes."""
    if lasting is None:
        with serving(str(model), {**NO_REFLECTION, **settings}) as daemon:
            yield from _set_up(daemon, model, None)
        return
    lasting.mkdir(parents=True, exist_ok=True)
    lasting.chmod(0o711)
    name = Path(model).name
    daemon = Daemon(lasting / f"data-{name}", {"MEMD_EMBED_MODEL": str(model), **NO_REFLECTION, **settings})
    try:
        yield from _set_up(daemon.start(), model, lasting / f"holdings-{name}.json")
    finally:
        if daemon.runs:
            daemon.stop()


def _set_up(daemon: Daemon, model: BuiltIn | Path, ledger: Path | None) -> Generator[Workbench]:
    sys.stderr.write(f"memd with {model} runs (process {daemon.process.pid if daemon.process else '?'})\n")
    with psycopg.connect(running_conninfo(daemon.data_dir), autocommit=True) as connection:
        without_graph(connection)
        yield Workbench(Holdings(daemon, ledger), connection, Embedding(model, daemon.data_dir))


def evaluation_folder() -> Path | None:
    """The folder of question sets: `MEMD_EVAL_DIR`, or the usual one next to the checkout; None when it is absent."""
    named = os.environ.get("MEMD_EVAL_DIR")
    folder = Path(named) if named else Path(__file__).parents[4] / "shared" / "eval"
    return folder if folder.is_dir() else None
