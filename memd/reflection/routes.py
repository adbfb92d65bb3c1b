"""Reflection over HTTP (contract 6.11)."""

from dataclasses import asdict

from memctl.wire.graph import ReflectReply, ReflectRequest, ReflectStats
from memd.access.endpoint import Call, Room
from memd.domain.ids import encode
from memd.domain.types import KeyScope
from memd.reflection import service

room = Room("reflection")


@room.endpoint("POST", "/api/mcp/reflect", credits=10, scope=KeyScope.WRITE, body=ReflectRequest, reply=ReflectReply)
async def reflect(call: Call[ReflectRequest]) -> ReflectReply:
    """Distil the memories of the last hours."""
    context = call.context
    async with context.services.rate_limiter.alone(context.principal, "reflection"):
        done = await service.reflect(context, call.body.window_hours, call.body.session_id)
    return ReflectReply(
        method=done.method,
        stats=ReflectStats(**asdict(done.stats)),
        memory_ids=[encode("mem", memory_id) for memory_id in done.memory_ids],
        degraded=done.degraded or None,
    )
