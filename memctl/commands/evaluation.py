"""`memctl eval`: how well a server finds what is known to be right, on anybody's own data."""

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.knowledge_base_names import KB, id_of
from memctl.commands.parameter_types import CHANNEL
from memctl.diagnostics import CommandError, ExitCode, meter
from memctl.evaluation import Abstention, Answer, Dataset, Figures, figures, read_datasets
from memctl.evaluation_data import filled_base, logged_messages, settle
from memctl.options import Form, examples, forms, remote
from memctl.run import run
from memctl.wire.kb_query import QueryKnowledgeBaseRequest
from memctl.wire.limits import RECALL_LIMIT_MAX
from memctl.wire.messages import SearchMessagesRequest
from memctl.wire.recall import RecallRequest


class Found(NamedTuple):
    """The ids that a question brought back, best first, and whether the server abstained."""

    ids: Sequence[str]
    abstained: bool


Ask = Callable[[str], Awaitable[Found]]


@click.command(
    "eval",
    epilog=examples(
        "memctl eval conv-26.messages.jsonl conv-26.questions.jsonl",
        "memctl eval ./locomo --k 10 --json > figures.json",
        "memctl eval chunks.jsonl questions.jsonl --keep",
        "memctl eval questions.jsonl --kb handbook",
        "memctl eval questions.jsonl --recall --json",
    ),
)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--k", "ks", multiple=True, type=click.IntRange(1, 100), help="The k to measure at; 5, 10 and 20 when absent."
)
@click.option("--channel", "-c", type=CHANNEL, help="Ask the messages of this channel, without data files.")
@click.option("--recall", "by_recall", is_flag=True, help="Ask recall for memories, those of --channel if given.")
@click.option("--kb", "base", type=KB, help="Ask this knowledge base, without data files.")
@click.option("--keep", is_flag=True, help="Keep the messages and knowledge bases stored for the measurement.")
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=300,
    show_default=True,
    help="Maximum seconds to wait for embeddings.",
)
@remote
@forms()
def eval_(files: tuple[Path, ...], ks: tuple[int, ...], form: Form, **asked: Any) -> None:
    """Measure recall@k, hit@k, MRR and latency on questions whose answers are known.

    FILES are JSON lines, or folders of them. Questions: {question, evidence: [id, …], category?}. Messages: {id,
    sessionKey, timestamp, speaker, role, content}, logged to a new channel. Chunks: as for an import, with a
    dedupeKey, imported into a new knowledge base. Data belongs to the questions whose file name starts the same way,
    else to those in the same folder. Evidence lists the ids of the messages, or the dedupeKeys of the chunks. A
    question with an empty list of evidence is unanswerable; precision and recall of abstention, that is of finding
    nothing relevant, are measured on these.
    """
    depths = sorted(set(ks) or {5, 10, 20})
    try:
        datasets = read_datasets(files)
    except CommandError as error:
        raise click.UsageError(str(error)) from error
    run(lambda client: _evaluate(client, datasets, depths, form, **asked))


async def _evaluate(
    client: MemdClient,
    datasets: Sequence[Dataset],
    ks: Sequence[int],
    form: Form,
    *,
    channel: str | None,
    by_recall: bool,
    base: str | None,
    keep: bool,
    wait: float,
) -> None:
    version = await client.health.version()
    results: list[tuple[str, list[Answer]]] = []
    for dataset in datasets:
        if dataset.messages:
            results.append((dataset.name, await _on_messages(client, dataset, max(ks), wait, keep=keep)))
        elif dataset.chunks:
            results.append((dataset.name, await _on_chunks(client, dataset, max(ks), wait, keep=keep)))
        else:
            ask = _recaller(client, channel, max(ks)) if by_recall else await _asker(client, channel, base, max(ks))
            results.append((dataset.name, [answer async for answer in _answers(dataset, ask)]))
    _report(results, ks, form, f"{version.version}, {version.embedding_model}")


async def _on_messages(client: MemdClient, dataset: Dataset, limit: int, wait: float, *, keep: bool) -> list[Answer]:
    channel = f"eval:{uuid4().hex[:8]}:{dataset.name}"
    async with logged_messages(client, dataset.messages, channel, keep=keep) as names:

        async def ask(query: str) -> Found:
            found = await client.messages.search(SearchMessagesRequest(query=query, channel=channel, limit=limit))
            return Found([names.get(hit.id, hit.id) for hit in found.messages], not found.messages)

        await settle(client, wait)
        return [answer async for answer in _answers(dataset, ask)]


async def _on_chunks(client: MemdClient, dataset: Dataset, limit: int, wait: float, *, keep: bool) -> list[Answer]:
    name = f"eval {uuid4().hex[:8]} {dataset.name}"
    async with filled_base(client, dataset.chunks, name, keep=keep) as base_id:
        await settle(client, wait)
        ask = await _asker(client, None, base_id, limit)
        return [answer async for answer in _answers(dataset, ask)]


async def _asker(client: MemdClient, channel: str | None, base: str | None, limit: int) -> Ask:
    """Asks what the server holds already: a knowledge base, or the messages of a channel."""
    if base is None and channel is None:
        raise CommandError("no data file belongs to the questions; name --channel, --kb or --recall", ExitCode.USAGE)
    base_id = await id_of(client, base) if base is not None else ""

    async def ask_base(query: str) -> Found:
        request = QueryKnowledgeBaseRequest(query=query, limit=min(limit, 50))
        found = await client.knowledge_bases.query(base_id, request)
        abstained = not found.results or found.has_only_weak()
        return Found([hit.dedupe_key or hit.chunk_id for hit in found.results], abstained)

    async def ask_channel(query: str) -> Found:
        found = await client.messages.search(SearchMessagesRequest(query=query, channel=channel, limit=limit))
        return Found([hit.id for hit in found.messages], not found.messages)

    return ask_base if base is not None else ask_channel


def _recaller(client: MemdClient, channel: str | None, limit: int) -> Ask:
    """Asks the memories that the server holds."""

    async def ask(query: str) -> Found:
        request = RecallRequest(
            query=query, channel=channel, all_channels=channel is None, limit=min(limit, RECALL_LIMIT_MAX)
        )
        found = await client.recall(request)
        return Found([memory.id for memory in found.memories], found.retrieval.nothing_relevant)

    return ask


async def _answers(dataset: Dataset, ask: Ask) -> AsyncIterator[Answer]:
    """The questions one at a time, so that the times are those of a single client."""
    with meter(f"asking {dataset.name}", len(dataset.questions)) as progress:
        for question in dataset.questions:
            started = time.perf_counter()
            found = await ask(question.text)
            yield Answer(question, found.ids, (time.perf_counter() - started) * 1000, found.abstained)
            progress.advance(1, "")


def _report(results: Sequence[tuple[str, list[Answer]]], ks: Sequence[int], form: Form, server: str) -> None:
    everything = [answer for _, answers in results for answer in answers]
    sets = [(name, figures(answers, ks)) for name, answers in results]
    kinds = [(kind, figures(answers, ks)) for kind, answers in _by_category(everything).items()]
    if form is Form.JSON:
        datasets = [{"name": name, **found.to_wire()} for name, found in sets]
        by_category = {kind: found.to_wire() for kind, found in kinds}
        total = figures(everything, ks).to_wire()
        output.document({"server": server, "datasets": datasets, "byCategory": by_category, "total": total})
        return
    measured = [*sets, *((f"category {kind}", found) for kind, found in kinds)]
    if len(results) > 1:
        measured.append(("all", figures(everything, ks)))
    output.say(f"memd {server}")
    _tables(measured, ks)


def _tables(measured: Sequence[tuple[str, Figures]], ks: Sequence[int]) -> None:
    headings = ["", "questions", *(f"R@{k}" for k in ks), *(f"hit@{k}" for k in ks), "MRR", "p50 ms", "p95 ms"]
    output.table(
        headings, [_cells(name, found) for name, found in measured], right=range(1, len(headings)), headed=True
    )
    abstaining = [(name, found.abstention) for name, found in measured if found.abstention]
    if abstaining:
        headings = ["", "unanswerable", "abstained", "precision", "recall"]
        output.table(
            headings, [_abstention_cells(*row) for row in abstaining], right=range(1, len(headings)), headed=True
        )


def _by_category(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    """The answers by the kind of their question, where questions have one."""
    kinds: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.question.category is not None:
            kinds[answer.question.category].append(answer)
    return dict(sorted(kinds.items()))


def _cells(name: str, found: Figures) -> list[str]:
    shares = [f"{value:.3f}" for value in (*found.recall.values(), *found.hit.values(), found.mrr)]
    return [name, f"{found.questions:,}", *shares, f"{found.p50:.1f}", f"{found.p95:.1f}"]


def _abstention_cells(name: str, found: Abstention) -> list[str]:
    precision = "" if found.precision is None else f"{found.precision:.3f}"
    return [name, f"{found.unanswerable:,}", f"{found.abstained:,}", precision, f"{found.recall:.3f}"]
