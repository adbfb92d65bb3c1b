"""What a model reads first of the tools for knowledge bases."""

from memd.mcp.memory_texts import Wire, degradation, hidden
from memd.mcp.stored import block, count, line


def listed(reply: Wire) -> str:
    """The knowledge bases with their ids and sizes."""
    lines = [
        f"{base['id']} {line(base['name'], 200)} ({count(base['chunkCount'], 'chunk')}"
        f"{', archived' if base['archived'] else ''})"
        + (f": {line(base['description'], 200)}" if base["description"] else "")
        for base in reply["knowledgeBases"]
    ]
    return block(f"{count(len(lines), 'knowledge base')}.", lines)


def created(reply: Wire) -> str:
    """The id of the new knowledge base."""
    return f"Made knowledge base {reply['id']}."


def imported(reply: Wire) -> str:
    """What became of the chunks."""
    head = (
        f"{reply['importedCount']} new, {reply['updatedCount']} replaced, {reply['rejectedCount']} rejected "
        f"in {reply['knowledgeBaseId']}, which holds {count(reply['memoryCount'], 'chunk')} now."
    )
    waiting = reply["pendingEmbeddings"]
    later = f"{count(waiting, 'chunk')} will be found by meaning later, when embedded." if waiting else ""
    refused = [f"chunk {chunk['index']}: {line(chunk['reason'], 200)}" for chunk in reply["rejected"][:20]]
    return "\n".join([head, *refused, *([later] if later else []), *[line(text) for text in reply["warnings"]]])


def queried(reply: Wire) -> str:
    """Chunks that answer, best first."""
    lines = [
        f"{number}. {hit['relevance']:.2f} {line(hit['title'], 200)} ({hit['chunkId']}): {line(hit['content'], 1200)}"
        for number, hit in enumerate(reply["results"], 1)
    ]
    head = f"{count(len(lines), 'chunk')} found, best first." if lines else "No chunk found."
    return block(head, lines, [degradation(reply), hidden(reply)])


def enumerated(reply: Wire) -> str:
    """One page of chunks and how to go on."""
    lines = [f"{chunk['id']} {line(chunk['title'], 200)}: {line(chunk['content'], 200)}" for chunk in reply["memories"]]
    more = "" if reply["isDone"] else f"There are more: call again with cursor {reply['continueCursor']}"
    return block(f"{count(len(lines), 'chunk')}, oldest first.", lines, [more])


def emptied(reply: Wire) -> str:
    """How much is gone, and whether some is left."""
    left = "It is empty now." if reply["isDone"] else "Some are left: call again."
    return f"Deleted {count(reply['deletedMemories'], 'chunk')} of {reply['knowledgeBaseId']}, which stays. {left}"
