"""Questions to the graph behind the memories: who owns something, how things are connected, what depends on what."""

from collections.abc import Sequence
from typing import Any

import click

from memctl import output
from memctl.client import MemdClient
from memctl.commands.parameter_types import CHANNEL
from memctl.commands.time_options import time_options
from memctl.diagnostics import note
from memctl.groups import Group
from memctl.options import Form, chosen, examples, forms, remote
from memctl.run import run
from memctl.text import one_line
from memctl.wire.graph import (
    DependencyChainReply,
    DependencyChainRequest,
    Evidence,
    ExplainConnectionReply,
    ExplainConnectionRequest,
    GraphPath,
    WhoOwnsReply,
    WhoOwnsRequest,
)

_channel = click.option("--channel", "-c", type=CHANNEL, help="Only what is visible from this channel.")
_agent = click.option("--agent", "agent_id", help="Ask as this agent.")


@click.group(
    cls=Group,
    epilog=examples(
        'memctl graph owners "the billing service"',
        "memctl graph connection Ada billing",
        "memctl graph chain billing --depth 5",
    ),
)
def graph() -> None:
    """Ask what memories say about people and things; every answer names the memories that support it."""


@graph.command(epilog=examples('memctl graph owners "the billing service"', "memctl graph owners billing --json"))
@click.argument("entity")
@click.option("--limit", "-n", type=int, help="Owners, at most 20.  [default: 5]")
@_channel
@_agent
@time_options
@remote
@forms()
def owners(form: Form, **asked: Any) -> None:
    """Show who owns ENTITY or is assigned to it."""

    async def action(client: MemdClient) -> None:
        reply = await client.graph.who_owns(WhoOwnsRequest(**chosen(asked)))
        _report(reply, form, _owner_lines(reply), f"no owner of {reply.entity} is known")

    run(action)


@graph.command(epilog=examples("memctl graph connection Ada billing", "memctl graph connection Ada billing --json"))
@click.argument("one")
@click.argument("other")
@_channel
@_agent
@time_options
@remote
@forms()
def connection(one: str, other: str, form: Form, **asked: Any) -> None:
    """Show how ONE and OTHER are connected, directly or through one other entity."""

    async def action(client: MemdClient) -> None:
        reply = await client.graph.explain_connection(
            ExplainConnectionRequest(entity_a=one, entity_b=other, **chosen(asked))
        )
        _report(reply, form, _path_lines(reply.paths), f"no connection of {one} and {other} is known")

    run(action)


@graph.command(epilog=examples("memctl graph chain billing", "memctl graph chain billing --depth 5 --json"))
@click.argument("entity")
@click.option("--depth", "max_depth", type=int, help="Steps, at most 5.  [default: 3]")
@_channel
@_agent
@time_options
@remote
@forms()
def chain(form: Form, **asked: Any) -> None:
    """Show what ENTITY depends on and leads to, step by step."""

    async def action(client: MemdClient) -> None:
        reply = await client.graph.dependency_chain(DependencyChainRequest(**chosen(asked)))
        _report(reply, form, _chain_lines(reply), f"no dependencies of {reply.entity} are known")

    run(action)


Reply = WhoOwnsReply | ExplainConnectionReply | DependencyChainReply


def _report(reply: Reply, form: Form, lines: Sequence[str], nothing: str) -> None:
    if form is Form.JSON:
        output.document(reply)
        return
    for line in lines:
        output.say(line)
    if not lines:
        note(nothing)


def _owner_lines(reply: WhoOwnsReply) -> list[str]:
    lines: list[str] = []
    for owner in reply.owners:
        lines.append(f"{owner.confidence:.2f}  {owner.label} ({owner.type}) {owner.relation} {reply.entity}")
        lines += _proofs(owner.evidence, 6)
    return lines


def _path_lines(paths: Sequence[GraphPath]) -> list[str]:
    lines: list[str] = []
    for path in paths:
        for index, hop in enumerate(path.hops):
            lead = f"{path.score:.2f}" if index == 0 else "    "
            lines.append(f"{lead}  {hop.from_} {hop.relation} {hop.to}")
            lines += _proofs(hop.evidence, 6)
    return lines


def _chain_lines(reply: DependencyChainReply) -> list[str]:
    lines: list[str] = []
    for link in reply.chain:
        indent = "  " * (link.depth - 1)
        lines.append(f"{indent}{link.from_} {link.relation} {link.to}")
        lines += _proofs(link.evidence, len(indent) + 2)
    return [*lines, "some of these depend on each other"] if reply.cycles else lines


def _proofs(evidence: Sequence[Evidence], indent: int) -> list[str]:
    """A line for each memory that proves an edge."""
    return [f"{'':{indent}}{one_line(proof.title, 80)} · {proof.memory_id}" for proof in evidence]
