"""The sets that are made of conversations and passages: messages, memories, chunks, query, paragraphs."""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from memctl.evaluation import Question
from tests.bench.eval import priors
from tests.bench.eval.asking import Found, ask_all, queried, recalled, searched
from tests.bench.eval.data import Conversation, Passages, Sets, Text
from tests.bench.eval.holdings import AT_ONCE, Holding
from tests.bench.eval.measures import Result
from tests.bench.eval.workbench import MEMD, Workbench

FIRST, TEN = 1, 10


def messages(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Turns logged as messages; message search."""
    for data in sets.conversations:
        holding = bench.holdings.messages(data.path, data.turns)
        texts = [Text(turn.id, turn.date, f"{turn.speaker}: {turn.content}") for turn in data.turns]
        with bench.holdings.client(holding) as http:
            found = ask_all(partial(searched, http, holding), data.questions)
        yield from _results("messages", data, TEN, {MEMD: found, **bench.baselines(texts, data.questions)})


def memories(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Turns captured as memories in order; recall under equal priors, after use, and with true dates."""
    for data in sets.conversations:
        plain = bench.holdings.memories(data.path, data.texts)
        aged = bench.holdings.memories(f"{data.path} dated", data.texts, priors.dated(data))
        baselines = _merged(plain, bench.baselines(data.texts, data.questions))
        for name, holding, is_used in (
            ("memories, in order", plain, False),
            ("memories, accessed", plain, True),
            ("memories, true dates", aged, True),
        ):
            found = _recalled(bench, holding, data, is_used=is_used)
            yield from _results(name, data, TEN, {MEMD: found, **baselines}, holding.same)


def shuffled(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Turns captured as memories in random order, so that neighbours have nothing to do with each other."""
    for data in sets.conversations:
        texts = data.texts
        random.Random(1).shuffle(texts)
        holding = bench.holdings.memories(f"{data.path} shuffled", texts)
        found = _recalled(bench, holding, data)
        baselines = _merged(holding, bench.baselines(texts, data.questions))
        yield from _results("memories, shuffled", data, TEN, {MEMD: found, **baselines}, holding.same)


def chunks(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Turns imported as chunks, a source for each session; the query of their knowledge base."""
    for data in sets.conversations:
        texts = data.texts
        holding = bench.holdings.chunks(data.path, _chunks_of(data))
        with bench.holdings.client(holding) as http:
            found = ask_all(partial(queried, http, holding), data.questions)
        yield from _results("chunks", data, TEN, {MEMD: found, **bench.baselines(texts, data.questions)})


def passages(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """Paragraphs of a knowledge base in some language; its query."""
    for data in sets.passages:
        holding = bench.holdings.chunks(data.path, data.chunks)
        with bench.holdings.client(holding) as http:
            found = ask_all(partial(queried, http, holding), data.questions)
        baselines = bench.baselines(data.texts, data.questions)
        for depth in (FIRST, TEN):
            yield from _results("passages", data, depth, {MEMD: found, **baselines})


def paragraphs(bench: Workbench, sets: Sets) -> Iterator[Result]:
    """The same paragraphs captured as memories; recall."""
    for data in sets.passages:
        holding = bench.holdings.memories(data.path, data.texts)
        found = _recalled(bench, holding, data)
        baselines = _merged(holding, bench.baselines(data.texts, data.questions))
        yield from _results("paragraphs as memories", data, FIRST, {MEMD: found, **baselines}, holding.same)


def _recalled(bench: Workbench, holding: Holding, data: Conversation | Passages, *, is_used: bool = False) -> Found:
    """The rows of a recall; where accesses count (`is_used`), every question was asked once before, one by one."""
    ask_as = priors.used if is_used else priors.unused
    with bench.holdings.client(holding) as http, ask_as(bench.connection, holding):
        ask = partial(recalled, http, holding)
        if is_used:
            ask_all(ask, data.questions, at_once=1)
        return ask_all(ask, data.questions, at_once=1 if is_used else AT_ONCE)


def _chunks_of(data: Conversation) -> list[dict[str, object]]:
    places: dict[str, int] = {}
    made: list[dict[str, object]] = []
    for turn in data.turns:
        place = places[turn.session] = places.get(turn.session, -1) + 1
        text = turn.as_text
        source = {"title": text.title, "sourceUrl": f"chat:{turn.session}", "chunkIndex": place}
        made.append({"content": text.content, "dedupeKey": turn.id, "metadata": source})
    return made


def _merged(holding: Holding, found: Mapping[str, Found]) -> dict[str, Found]:
    """Rankings in which a text that equals another is named like that one, once."""
    same = holding.same
    return {
        system: [list(dict.fromkeys(same.get(each, each) for each in row)) for row in rows]
        for system, rows in found.items()
    }


def _results(
    name: str,
    data: Conversation | Passages,
    depth: int,
    found: Mapping[str, Found],
    same: Mapping[str, str] | None = None,
) -> Iterator[Result]:
    """The result by the original answer key, and by the corrected one where there is one."""
    same = same or {}
    keys: dict[str, Sequence[Question]] = {"original": data.questions}
    if data.corrected is not None:
        keys["corrected"] = data.corrected
    for key, questions in keys.items():
        wanted = {question.text: question for question in questions}
        kept = [index for index, question in enumerate(data.questions) if question.text in wanted]
        yield Result(
            set=name,
            folder=data.folder,
            data=data.name,
            depth=depth,
            key=key,
            evidence=[
                frozenset(same.get(each, each) for each in wanted[data.questions[index].text].evidence)
                for index in kept
            ],
            found={system: [rows[index] for index in kept] for system, rows in found.items()},
        )
