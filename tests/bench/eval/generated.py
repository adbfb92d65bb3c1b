"""The identifier sets: hit@1 of recall and of the query of a knowledge base on generated texts."""

import time
from collections.abc import Iterator
from functools import partial
from typing import Final

from tests.bench.eval import priors
from tests.bench.eval.asking import Found, ask_all, queried, recalled
from tests.bench.eval.data import Sets
from tests.bench.eval.holdings import Holding
from tests.bench.eval.identifiers import Family, families
from tests.bench.eval.measures import Result
from tests.bench.eval.workbench import MEMD, Workbench

FOLDER = "generated"
DAY_MS: Final = 86_400_000


def identifiers(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Each family captured as memories, in one go and as one a day, and imported as chunks.

    Of memories that say the same with another value, recall puts the newer one first, unless they were stored in one go.
    """
    del sets
    for family in families():
        baselines = bench.baselines(family.texts, family.questions)
        for name, ask in (
            ("identifiers, recall", _recall),
            ("identifiers, recall, a day apart", _recall_dated),
            ("identifiers, query", _query),
        ):
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
    return _recalled(bench, bench.holdings.memories(f"{FOLDER} {family.name}", family.texts), family)


def _recall_dated(bench: Workbench, family: Family) -> Found:
    begin = time.time_ns() // 1_000_000 - len(family.texts) * DAY_MS
    dates = {text.id: {"createdAt": begin + number * DAY_MS} for number, text in enumerate(family.texts)}
    return _recalled(bench, bench.holdings.memories(f"{FOLDER} {family.name} dated", family.texts, dates), family)


def _recalled(bench: Workbench, holding: Holding, family: Family) -> Found:
    with bench.holdings.client(holding) as http, priors.unused(bench.connection, holding):
        return ask_all(partial(recalled, http, holding), family.questions)


def _query(bench: Workbench, family: Family) -> Found:
    chunks = [
        {"content": text.content, "dedupeKey": text.id, "metadata": {"title": text.title}} for text in family.texts
    ]
    holding = bench.holdings.chunks(f"{FOLDER} {family.name}", chunks)
    with bench.holdings.client(holding) as http:
        return ask_all(partial(queried, http, holding), family.questions)
