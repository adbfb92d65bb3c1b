"""The identifier sets: hit@1 of recall and of the query of a knowledge base on generated texts."""

from collections.abc import Iterator
from functools import partial

from tests.bench.eval import priors
from tests.bench.eval.asking import Found, ask_all, queried, recalled
from tests.bench.eval.data import Sets
from tests.bench.eval.identifiers import Family, families
from tests.bench.eval.measures import Result
from tests.bench.eval.workbench import MEMD, Workbench

FOLDER = "generated"


def identifiers(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Each family captured as memories, and imported as chunks."""
    del sets
    for family in families():
        baselines = bench.baselines(family.texts, family.questions)
        for name, ask in (("identifiers, recall", _recall), ("identifiers, query", _query)):
            yield Result(
                set=name,
                folder=FOLDER,
                data=family.name,
                depth=1,
                key="original",
                evidence=[question.evidence for question in family.questions],
                found={MEMD: ask(bench, family), **baselines},
            )


def _recall(bench: Workbench, family: Family) -> Found:
    holding = bench.holdings.memories(f"{FOLDER} {family.name}", family.texts)
    with bench.holdings.client(holding) as http, priors.unused(bench.connection, holding):
        return ask_all(partial(recalled, http, holding), family.questions)


def _query(bench: Workbench, family: Family) -> Found:
    chunks = [
        {"content": text.content, "dedupeKey": text.id, "metadata": {"title": text.title}} for text in family.texts
    ]
    holding = bench.holdings.chunks(f"{FOLDER} {family.name}", chunks)
    with bench.holdings.client(holding) as http:
        return ask_all(partial(queried, http, holding), family.questions)
