"""The graph around a memory: the entities it names, how they are connected, and the memories next to it."""

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.text import Text

from memctl.text import bar, count, printable
from memctl.wire.recall import ContextNode, ContextRelation, GraphContext, RecallReply

from .cells import TableRow, cell, number


def neighbourhood(memory_id: str, context: GraphContext | None) -> Text:
    """A tree for each entity that the memory connects: first the relations it is evidence for, then others, dim."""
    if context is None:
        return Text("memd sent no graph.", style="dim")
    own = [relation for relation in context.relations if memory_id in relation.evidence_memory_ids]
    if not own:
        hint = "\nThe graph is built in the background from names and facts in the text."
        return Text.assemble("No graph relations come from this memory.", (hint, "dim"))
    nodes = {node.id: node for node in context.nodes}
    ends = dict.fromkeys(end for relation in own for end in (relation.from_, relation.to))
    trees = [_tree(end, memory_id, context.relations, nodes) for end in ends]
    return Text("\n\n").join(trees)


def _tree(node_id: str, memory_id: str, relations: Sequence[ContextRelation], nodes: Mapping[str, ContextNode]) -> Text:
    """An entity with its relations, those of the memory first and the heavier ones before the lighter ones."""
    near = [relation for relation in relations if node_id in (relation.from_, relation.to)]
    near.sort(key=lambda relation: (memory_id not in relation.evidence_memory_ids, -relation.weight))
    node = nodes.get(node_id)
    kind = f"  {printable(node.type)}" if node else ""
    tree = Text.assemble(("● ", "mark"), (_label(node_id, nodes), "bold"), (kind, "dim"))
    for index, relation in enumerate(near):
        branch = "└─" if index == len(near) - 1 else "├─"
        tree.append("\n").append_text(_branch(branch, node_id, relation, memory_id, nodes))
    return tree


def _branch(
    branch: str, node_id: str, relation: ContextRelation, memory_id: str, nodes: Mapping[str, ContextNode]
) -> Text:
    outward = relation.from_ == node_id
    other = _label(relation.to if outward else relation.from_, nodes)
    kind = printable(relation.type)
    arrow = f" {kind} ─▶ " if outward else f" ◀─ {kind} "
    rests = memory_id in relation.evidence_memory_ids
    others = len(relation.evidence_memory_ids) - rests
    words = " and ".join(
        part for part in ("this memory" if rests else "", f"{others:,} more" if others else "") if part
    )
    return Text.assemble(
        (branch, "dim"),
        (arrow, "bar" if rests else "dim"),
        (other, "bold" if rests else "dim"),
        ("  ", ""),
        (bar(relation.weight, 5).rstrip(), "bar" if rests else "dim"),
        (f" {relation.weight:.2f}  {words}", "dim"),
    )


def _label(node_id: str, nodes: Mapping[str, ContextNode]) -> str:
    return printable(nodes[node_id].label) if node_id in nodes else node_id


def neighbour_rows(memory_id: str, reply: RecallReply) -> list[TableRow]:
    """The other memories behind the relations of the memory's entities: how many they share, and their titles."""
    context = reply.graph_context
    if context is None:
        return []
    own = [relation for relation in context.relations if memory_id in relation.evidence_memory_ids]
    ends = {end for relation in own for end in (relation.from_, relation.to)}
    shared = Counter(
        other
        for relation in context.relations
        if ends & {relation.from_, relation.to}
        for other in relation.evidence_memory_ids
        if other != memory_id
    )
    titles = {memory.id: memory.title for memory in reply.memories}
    return [
        TableRow(other, (number(times), cell(count(times, "relation"), "dim"), cell(titles.get(other, other))))
        for other, times in shared.most_common()
    ]
