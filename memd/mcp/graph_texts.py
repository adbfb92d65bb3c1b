"""What a model reads first of the tools that ask the graph."""

from memd.mcp.memory_texts import Wire
from memd.mcp.stored import block, count, line


def _evidence(rows: list[Wire]) -> str:
    return f" (from {', '.join(row['memoryId'] for row in rows[:5])})" if rows else ""


def owners(reply: Wire) -> str:
    """Who owns the entity."""
    lines = [
        f"{line(owner['label'], 200)} {owner['relation']} it, confidence {owner['confidence']:.2f}"
        + _evidence(owner["evidence"])
        for owner in reply["owners"]
    ]
    return block(f"{count(len(lines), 'owner')} known." if lines else "No owner is known.", lines)


def connection(reply: Wire) -> str:
    """How two entities hang together."""
    lines = [
        "; ".join(
            f"{line(hop['from'], 200)} {hop['relation']} {line(hop['to'], 200)}{_evidence(hop['evidence'])}"
            for hop in path["hops"]
        )
        for path in reply["paths"]
    ]
    return block(f"{count(len(lines), 'path')} found." if lines else "No connection is known.", lines)


def chain(reply: Wire) -> str:
    """What an entity depends on, step by step."""
    lines = [
        f"{'  ' * (link['depth'] - 1)}{line(link['from'], 200)} {link['relation']} {line(link['to'], 200)}"
        + _evidence(link["evidence"])
        for link in reply["chain"]
    ]
    head = f"{count(len(lines), 'dependency', 'dependencies')} known." if lines else "No dependency is known."
    return block(head, lines, ["The chain runs in a circle." if reply["cycles"] else ""])
