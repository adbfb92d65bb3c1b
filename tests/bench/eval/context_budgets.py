"""Context within a token budget: the share of the evidence in the text, against plain top-k cut at the same budget.

Plain top-k is what a caller does without `context`: whole rows of recall or message search, best first, with date and id,
until the next one does not fit. `random_budgets` asks for texts of random length about random words of the conversations.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import httpx
import numpy as np

from memctl.evaluation import Question
from memd.domain.dates.calendar_day import iso_day
from memd.domain.prompts.context_packing import NOTICE
from memd.domain.text.token_estimate import estimate_tokens
from tests.bench.eval import priors
from tests.bench.eval.asking import post, recall
from tests.bench.eval.data import Conversation, Sets
from tests.bench.eval.holdings import AT_ONCE, Holding
from tests.bench.eval.measures import Rate
from tests.bench.eval.workbench import Workbench

BUDGETS: Final = (500, 1_000, 2_000)
TOP_K: Final = {"messages": 100, "memories": 20}
RANDOM_CASES: Final = 10_000
SMALLEST, LARGEST = 50, 4_000
"""Random budgets, in tokens."""
Case = tuple[str, int]
Ask = Callable[[str, int], list[str]]


def context(bench: Workbench, sets: Sets) -> Iterator[Rate]:
    """Shares of each question's evidence in the text, for turns kept as messages and as memories."""
    for data in sets.conversations:
        for kind in TOP_K:
            holding = _held(bench, data, kind)
            with bench.holdings.client(holding) as http, priors.unused(bench.connection, holding):
                yield from _rates(http, holding, data, kind)


def random_budgets(bench: Workbench, sets: Sets) -> Iterator[Rate]:
    """Whether a text keeps to its budget: 10,000 random queries and budgets, all sections, over the messages."""
    for index, data in enumerate(sets.conversations):
        holding = _held(bench, data, "messages")
        cases = _random_cases(data, random.Random(index), RANDOM_CASES // len(sets.conversations) + 1)
        with bench.holdings.client(holding) as http, ThreadPoolExecutor(AT_ONCE) as pool:
            within = list(pool.map(partial(_is_within, http), cases))
        yield Rate("random budgets", data.folder, data.name, "texts within 50 to 4,000 tokens", np.array(within, float))


def _random_cases(data: Conversation, chance: random.Random, number: int) -> list[Case]:
    """Questions of the set and passages of its turns, in equal parts, each with a budget."""
    questions, words = [each.text for each in data.questions], " ".join(turn.content for turn in data.turns).split()
    cases: list[Case] = []
    for index in range(number):
        start = chance.randrange(len(words))
        passage = " ".join(words[start : start + chance.randint(1, 40)])
        cases.append((chance.choice(questions) if index % 2 else passage, chance.randint(SMALLEST, LARGEST)))
    return cases


def _is_within(http: httpx.Client, case: Case) -> bool:
    query, budget = case
    reply = post(http, "/api/mcp/context", {"query": query, "tokenBudget": budget})
    tokens: int = reply["tokens"]
    return estimate_tokens(reply["text"]) == tokens <= budget


def _held(bench: Workbench, data: Conversation, kind: str) -> Holding:
    if kind == "messages":
        return bench.holdings.messages(data.path, data.turns)
    return bench.holdings.memories(data.path, data.texts)


def _rates(http: httpx.Client, holding: Holding, data: Conversation, kind: str) -> Iterator[Rate]:
    for budget in BUDGETS:
        for what, ask in (("context", partial(packed, kind=kind)), ("plain top-k", partial(top_k, kind=kind))):
            found = _ask_all(partial(ask, http), data.questions, budget)
            values = [_share(holding, question, ids) for question, ids in zip(data.questions, found, strict=True)]
            yield Rate(f"{kind}, {budget:,} tokens", data.folder, data.name, f"evidence in {what}", np.array(values))


def _ask_all(ask: Ask, questions: Sequence[Question], budget: int) -> list[list[str]]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda question: ask(question.text, budget), questions))


def _share(holding: Holding, question: Question, ids: Sequence[str]) -> float:
    wanted = {holding.same.get(each, each) for each in question.evidence}
    return len(wanted & {holding.names[row_id] for row_id in ids}) / len(wanted)


def packed(http: httpx.Client, question: str, budget: int, *, kind: str) -> list[str]:
    """The ids of the rows that `context` packs."""
    reply = post(http, "/api/mcp/context", {"query": question, "tokenBudget": budget, "sections": [kind]})
    if reply["tokens"] > budget or estimate_tokens(reply["text"]) != reply["tokens"]:
        raise AssertionError(f"{reply['tokens']} tokens for a budget of {budget}: {question}")
    return [row["id"] for row in reply["included"]]


def top_k(http: httpx.Client, question: str, budget: int, *, kind: str) -> list[str]:
    """The ids of the best rows, whole, until the next one does not fit."""
    if kind == "messages":
        body = {"query": question, "limit": TOP_K[kind]}
        rows = [_line(row, row["speaker"]) for row in post(http, "/api/mcp/search-messages", body)["messages"]]
    else:
        rows = [_line(row, row["title"]) for row in recall(http, question, limit=TOP_K[kind])["memories"]]
    text, ids = NOTICE, list[str]()
    for row_id, line in rows:
        text += line
        if estimate_tokens(text) > budget:
            break
        ids.append(row_id)
    return ids


def _line(row: dict[str, Any], label: str) -> tuple[str, str]:
    return row["id"], f"\n- {iso_day(row['createdAt'])} {label}: {' '.join(row['content'].split())} [{row['id']}]"
