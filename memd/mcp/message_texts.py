"""What a model reads first of the tools for messages, sessions and checkpoints."""

from memd.mcp.memory_texts import Wire, degradation, spoken_line
from memd.mcp.stored import block, count, day, line, quoted


def found(reply: Wire) -> str:
    """Messages that match, best first, and how to go on."""
    lines = [f"{message['score']:.2f} {spoken_line(message, 600)}" for message in reply["messages"]]
    page = reply["pagination"]
    more = f"There may be more: call again with offset {page['nextOffset']}." if page["hasMore"] else ""
    head = f"{count(len(lines), 'message')} found" if lines else "No message found"
    return block(head + (", best first." if lines else "."), lines, [more, degradation(reply)])


def recent(reply: Wire) -> str:
    """The last messages in the order asked for."""
    lines = [spoken_line(message, 600) for message in reply["messages"]]
    return block(f"{count(len(lines), 'message')}, {reply['order']}.", lines)


def awake(reply: Wire) -> str:
    """The briefing."""
    return block("Briefing from memory.", quoted(reply["briefing"]))


def checkpointed(reply: Wire) -> str:
    """The new checkpoint, or those that there are."""
    if "checkpoints" not in reply:
        kept = f"{reply['retainedCount']} of {reply['allowance']} kept"
        return f"Checkpoint {reply['id']} with {count(reply['memoryCount'], 'memory', 'memories')} ({kept})."
    lines = [
        f"{point['id']} {day(point['createdAt'])} {line(point['label'], 200)}: "
        f"{count(point['memoryCount'], 'memory', 'memories')}"
        for point in reply["checkpoints"]
    ]
    return block(f"{count(len(lines), 'checkpoint')}, newest first.", lines)


def turned(reply: Wire) -> str:
    """What became of a turn."""
    if reply["deduped"]:
        return "This turn was stored already; nothing was written."
    stored = [message["role"] for message in reply["messages"] if message.get("inserted")]
    later = " Memories will be made from it." if reply["extraction"]["scheduled"] else ""
    return f"Stored the turn ({', '.join(stored) or 'no message'}).{later}"
