"""Knowledge bases, chunks and the hits of a query as rows and texts."""

from rich.text import Text

from memctl.text import age, bar, count, moment, one_line, printable
from memctl.wire.kb_query import QueryHit, QueryReply
from memctl.wire.knowledge_bases import ChunkRow, KnowledgeBaseRow

from .cells import TableRow, cell, number, share


def knowledge_base_row(base: KnowledgeBaseRow, now: int) -> TableRow:
    """Name, chunks, characters, scope, agents, role, last change."""
    style = "dim" if base.archived else "bold"
    name = f"{base.name} (archived)" if base.archived else base.name
    agents = ", ".join(base.agent_ids) or "every agent"
    return TableRow(
        base.id,
        (
            cell(name, style),
            number(base.chunk_count),
            number(base.total_chars),
            cell(base.scope or "–", "dim"),
            cell(agents, "dim"),
            cell(base.source_role or "–", "dim"),
            cell(age(base.updated_at, now), "dim"),
        ),
    )


def about(base: KnowledgeBaseRow) -> Text:
    """A knowledge base in two lines."""
    state = [("  archived", "bad")] if base.archived else []
    parts = (
        f"{count(base.chunk_count, 'chunk')}, {count(base.total_chars, 'character')}",
        f"scope {base.scope}" if base.scope else None,
        f"agents {', '.join(base.agent_ids)}" if base.agent_ids else "every agent",
        f"{base.peer_scope_policy} for peers",
        f"changed {moment(base.updated_at)}",
        base.description or None,
    )
    facts = " · ".join(one_line(part, 200) for part in parts if part)
    return Text.assemble((printable(base.name), "bold"), *state, "\n", (facts, "dim"))


def chunk_row(chunk: ChunkRow) -> TableRow:
    """Part number, title, beginning of the text, dedupe key."""
    source = chunk.metadata
    part = "" if source.chunk_index is None else f"{source.chunk_index + 1}/{source.total_chunks or '?'}"
    kind = "warn" if chunk.chunk_kind == "config" else "bold"
    return TableRow(
        chunk.id, (cell(part, "dim"), cell(chunk.title, kind), cell(chunk.content), cell(chunk.dedupe_key, "dim"))
    )


def chunk_text(chunk: ChunkRow) -> Text:
    """A chunk in full."""
    parts = (chunk.dedupe_key, chunk.metadata.source_url, chunk.channel, chunk.chunk_kind, chunk.id)
    facts = " · ".join(one_line(part, 120) for part in parts if part)
    return Text.assemble((printable(chunk.title), "bold"), "\n", (facts, "dim"), "\n\n", printable(chunk.content))


def hit_rows(reply: QueryReply) -> list[TableRow]:
    """The hits of a query, best first."""
    weak = reply.weak_chunks()
    return [_hit_row(rank, hit, weak=hit.chunk_id in weak) for rank, hit in enumerate(reply.results, 1)]


def _hit_row(rank: int, hit: QueryHit, *, weak: bool) -> TableRow:
    """Rank, relevance, similarity as a bar, title, beginning of the text; a weak hit is dimmed."""
    style = "dim" if weak else "bold"
    return TableRow(
        hit.chunk_id,
        (
            number(rank, "dim"),
            number(hit.relevance, style),
            share(hit.similarity or 0.0),
            cell(hit.title or hit.metadata.title, style),
            cell(hit.content, "dim" if weak else ""),
        ),
    )


def hit_text(hit: QueryHit) -> Text:
    """A hit in full, with its scores."""
    scores = [
        ("relevance", hit.relevance),
        ("similarity", hit.similarity),
        ("words", hit.text_score),
        ("pairs", hit.pair_score or None),
        ("neighbour", hit.neighbour_lift or None),
    ]
    bars = [
        Text.assemble(f"{name:<11}", (bar(value, 20), "bar"), f" {value:.3f}\n")
        for name, value in scores
        if value is not None
    ]
    return Text.assemble(
        (printable(hit.title or hit.metadata.title or ""), "bold"), "\n", *bars, "\n", printable(hit.content)
    )


def query_line(reply: QueryReply) -> str:
    """How the hits came about."""
    found = reply.retrieval
    lanes = f"{found.vector_count:,} by meaning, {found.lexical_count:,} by words, {found.indexed_fill_count:,} to fill"
    hidden = f" · hidden: {found.hidden[0].reason}" if found.hidden else ""
    fallback = f" · fallback {found.fallback}" if found.fallback != "none" else ""
    degraded = f" · degraded: {one_line(reply.degradation.message, 80)}" if reply.degradation else ""
    nothing = "nothing relevant · " if reply.has_only_weak() else ""
    return f"{nothing}{found.result_count:,} hits: {lanes}{fallback}{hidden}{degraded}"
