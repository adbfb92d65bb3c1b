"""Statistics over HTTP (contract 6.10)."""

from memctl.wire.stats import (
    ActivityReply,
    ActivityRequest,
    KnowledgeBaseCounts,
    MemoryCount,
    StatsReply,
    StrongMemory,
    TtlStatus,
    Usage,
)
from memd.access.authentication.principal import Principal
from memd.access.endpoint import Call, NoBody, Room
from memd.domain.accounts.credits import wire_number
from memd.domain.ids import encode
from memd.domain.types import Category, KeyScope, Store
from memd.embed.reading import rows_note
from memd.stats import service
from memd.stats.service import Statistics

room = Room("stats")


@room.endpoint("GET", "/api/mcp/stats", credits=1, scope=KeyScope.READ, reply=StatsReply)
async def read_stats(call: Call[NoBody]) -> StatsReply:
    """Counts, usage and the strongest memories of the caller."""
    numbers = await service.statistics(call.context)
    note = rows_note(call.context.services.batcher.embedder, numbers.languages)
    return _reply(numbers, call.context.principal, note)


@room.endpoint("POST", "/api/mcp/stats", credits=1, scope=KeyScope.READ, reply=StatsReply)
async def post_stats(call: Call[NoBody]) -> StatsReply:
    """The same, for clients that only POST."""
    return await read_stats(call)  # pyrefly: ignore[bad-return]


@room.endpoint("GET", "/api/activity", credits=1, scope=KeyScope.READ, body=ActivityRequest, reply=ActivityReply)
async def activity(call: Call[ActivityRequest]) -> ActivityReply:
    """Captures and messages of each day."""
    return ActivityReply(**(await service.activity(call.context, call.body.days))._asdict())


def _reply(numbers: Statistics, caller: Principal, embedding_note: str | None) -> StatsReply:
    total = sum(group.memories for group in numbers.groups)
    strength = sum(group.strength for group in numbers.groups)
    enriched = sum(group.enriched for group in numbers.groups)
    return StatsReply(
        memory_count=MemoryCount(
            by_store={name: sum(row.memories for row in numbers.groups if row.store == name) for name in Store},
            by_category={
                name: sum(row.memories for row in numbers.groups if row.category == name) for name in Category
            },
        ),
        ttl_status=TtlStatus(
            free_tier_expires_in_days=caller.allowance.message_ttl_days,
            messages_stored=numbers.totals.total_messages,
        ),
        usage=_usage(numbers, caller, total),
        total=total,
        archived=numbers.totals.archived_memories,
        api_key_label=caller.key_label,
        avg_strength=round(strength / total, 4) if total else 0.0,
        recent_captures=numbers.recent,
        strongest=[
            StrongMemory(
                id=encode("mem", row.id),
                title=row.title,
                store=Store(row.store),
                category=Category(row.category),
                strength=row.strength,
            )
            for row in numbers.strongest
        ],
        knowledge_bases=KnowledgeBaseCounts(**numbers.knowledge_bases._asdict()),
        languages=numbers.languages,
        embedding_note=embedding_note,
        enrichment_percent=round(100 * enriched / total, 2) if total else 0.0,
    )


def _usage(numbers: Statistics, caller: Principal, total: int) -> Usage:
    allowance = caller.allowance
    return Usage(
        tier=caller.tier,
        policy=caller.policy,
        memory_limit=wire_number(allowance.memories),
        memories_used=total,
        percent_used=round(100 * total / allowance.memories, 2) if allowance.memories else 0.0,
        messages_limit=wire_number(allowance.messages),
        embeddings_used_today=numbers.embeddings_today,
        embeddings_limit=wire_number(allowance.embeddings_per_day),
    )
