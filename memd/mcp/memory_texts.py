"""What a model reads first of the tools for single memories, statistics and reflection."""

from collections.abc import Mapping
from typing import Any

from memd.mcp.stored import block, count, day, line, minute, quoted

Wire = Mapping[str, Any]
_EXCERPT = 300


def memory_line(memory: Wire, text: str) -> str:
    """One memory: what it is, its id and its day, then its text."""
    about = f"[{memory['store']}/{memory['category']}] {line(memory['title'], 200)}"
    return f"{about} ({memory['id']}, {day(memory['createdAt'])}): {text}"


def spoken_line(message: Wire, most: int = _EXCERPT) -> str:
    """One message: when, where, who, and what was said."""
    where = f" [{line(message['channel'], 80)}]" if message.get("channel") else ""
    when = f"{minute(message['timestamp'])} " if message.get("timestamp") is not None else ""
    said = line(str(message.get("text") or message.get("content") or ""), most)
    return f"{when}{message['role']}{where}: {said}"


def recalled(reply: Wire) -> str:
    """Memories in their compact form, best first, and the messages found beside them."""
    return _recalled(reply, "recallText", 600)


def recalled_in_full(reply: Wire) -> str:
    """The same with the memories' own words."""
    return _recalled(reply, "content", 4000)


def _recalled(reply: Wire, field: str, most: int) -> str:
    lines = [
        f"{number}. {memory['relevance']:.2f} {memory_line(memory, line(memory[field], most))}"
        + (f" (knowledge base {line(memory['knowledgeBaseName'], 80)})" if memory.get("knowledgeBaseName") else "")
        for number, memory in enumerate(reply["memories"], 1)
    ]
    head = f"{count(len(lines), 'memory', 'memories')} found, best first." if lines else "No memory found."
    messages = [spoken_line(message) for message in reply["messageMatches"]]
    if messages:
        lines += ["Messages that match:", *messages]
    return block(head, lines, [degradation(reply), hidden(reply)])


def degradation(reply: Wire) -> str:
    """The note that an answer is not the full one; blank when it is."""
    return f"Not the full answer: {reply['degradation']['message']}" if reply.get("degraded") else ""


def hidden(reply: Wire) -> str:
    """The note on knowledge bases that the caller may not read from here; blank when there are none."""
    kept = [f"{base['knowledgeBaseId']} ({base['reason']})" for base in reply["retrieval"]["hidden"]]
    return f"Knowledge bases that this agent and channel do not see: {', '.join(kept)}" if kept else ""


def captured(reply: Wire) -> str:
    """Where the new memory went."""
    if reply.get("duplicate"):
        return f"The same memory was there already: {reply['id']}. Nothing new was stored."
    return f"Stored as {reply['id']} ({reply.get('store')}/{reply.get('category')})."


def traced(reply: Wire) -> str:
    """The conversation that a memory was made from, with what was said around it."""
    memory = reply["memory"]
    talk = [spoken_line(message) for message in reply["sourceConversation"]]
    around = [spoken_line(message) for message in [*reply["contextBefore"], *reply["contextAfter"]]]
    lines = [memory_line(memory, line(memory["content"], 400)), *(["Conversation:", *talk] if talk else [])]
    lines += ["Around it:", *around] if around else []
    return block(f"Where {memory['id']} comes from.", lines, [reply.get("reason", "")])


def forgotten(reply: Wire) -> str:
    """Whether the memory is archived or gone."""
    fate = "Deleted for good" if reply["action"] == "deleted" else "Archived; it is not recalled any more"
    return block(f"{fate}: {reply['memoryId']}.", [line(reply["title"], 200)])


def updated(reply: Wire) -> str:
    """That the memory was edited in place."""
    found = " It is found by its new text from now on." if reply["embeddingUpdated"] else ""
    return f"Edited {reply['memoryId']} in place.{found}"


def superseded(reply: Wire) -> str:
    """Which memory holds from now on."""
    return f"{reply['newMemoryId']} replaces {reply['oldMemoryId']}; the old one is archived and points to the new one."


def read(reply: Wire) -> str:
    """One memory in full."""
    memory = reply["memory"]
    state = ", archived" if memory["archived"] else ""
    newer = f"It was replaced by {memory['supersededByMemoryId']}." if memory.get("supersededByMemoryId") else ""
    about = f"{memory['id']} [{memory['store']}/{memory['category']}] of {day(memory['createdAt'])}{state}."
    return block(about, [line(memory["title"], 500), *quoted(memory["content"])], [newer])


def triggered(reply: Wire) -> str:
    """What to know before the named tools are used."""
    lines = [memory_line(memory, line(memory["recallText"])) for memory in reply["memories"]]
    found = count(len(lines), "memory", "memories") if lines else "No memory"
    return block(f"{found} tied to these tools.", lines)


def counted(reply: Wire) -> str:
    """The size of the memory and what is left of the tier."""
    usage, ttl = reply["usage"], reply["ttlStatus"]
    stores = ", ".join(f"{number} {name}" for name, number in reply["memoryCount"]["byStore"].items() if number)
    bases = reply["knowledgeBases"]
    return (
        f"{count(reply['total'], 'active memory', 'active memories')}{f' ({stores})' if stores else ''}, "
        f"{reply['archived']} archived, {count(ttl['messages_stored'], 'message')}; "
        f"{count(bases['active'], 'knowledge base')} with {count(bases['chunks'], 'chunk')}. "
        f"Tier {usage['tier']}: {usage['percent_used']} % of the memories used, "
        f"{usage['embeddings_used_today']} embedding calls today."
    )


def reflected(reply: Wire) -> str:
    """What a reflection wrote."""
    stats = reply["stats"]
    if stats.get("skipped"):
        return f"Nothing to reflect on: {stats['skipped']} ({stats['memoriesRead']} read)."
    wrote = count(len(reply["memoryIds"]), "memory", "memories")
    return block(f"Read {stats['memoriesRead']}, wrote {wrote} ({reply['method']}).", quoted(stats["summary"]))
