"""Erasing one message or a session, with the memories, snapshots and summaries that were derived from it (contract 17.6).

Memories that a client captured itself are kept: they are independent statements. Memories derived from erased and other
messages go as well, and extraction reads the others again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from memctl.wire.erasure import EraseMessagesRequest, EraseSessionRequest
from memd.audit.recording import record
from memd.context import Context, Services
from memd.db.session import WriteSession
from memd.domain.ids import encode
from memd.domain.messages.redaction import QuotedMessage, without_messages
from memd.domain.visibility.scoping import ScopeRequest, VisibleScopes, visible_scopes
from memd.erasure import store as receipt_store
from memd.erasure.memories import service as memories
from memd.erasure.memories.store import remove_jobs
from memd.erasure.messages import store
from memd.erasure.messages.store import Erased
from memd.erasure.receipts import Request, close, open_receipt
from memd.erasure.store import Receipt
from memd.errors import Forbidden, NotFound
from memd.graph import removal as graph
from memd.stats import service as stats

MESSAGE: Final = "message"
SESSION: Final = "session"
PAGE: Final = 200


async def begin_message(context: Context, message_id: UUID, request: EraseMessagesRequest) -> Receipt:
    """Open the receipt for one message; `NotFound` when the user has none, `Forbidden` when the request may not see it."""
    scopes = context.scopes(request.channel, request.agent_id, all_channels=request.all_channels)
    async with context.database.read(context.user_id) as session:
        visible = await store.is_visible(session, scopes, message_id)
    if visible is None:
        raise NotFound
    if not visible:
        raise Forbidden
    async with context.database.system() as session:
        target = {"messageId": str(message_id)}
        receipt = await open_receipt(
            session, Request(context.user_id, context.now), context.user_id, MESSAGE, target=target
        )
        record(session, context, "message.delete", encode("msg", message_id), after=_named(receipt))
    return receipt


async def begin_session(context: Context, request: EraseSessionRequest) -> Receipt:
    """Open the receipt for what the request sees of a session; a session without messages is erased at once."""
    async with context.database.system() as session:
        target = request.to_wire()
        receipt = await open_receipt(
            session, Request(context.user_id, context.now), context.user_id, SESSION, target=target
        )
        record(session, context, "session.delete", after=_named(receipt))
    return receipt


def _named(receipt: Receipt) -> dict[str, str]:
    return {"erasureId": encode("era", receipt.id)}


async def run(services: Services, receipt: Receipt) -> bool:
    """Erase what the receipt is about, page by page, and close it; an earlier run may have done part of the work."""
    await (_erase_message if receipt.kind == MESSAGE else _erase_session)(services, receipt)
    async with services.database.system() as session:
        await close(services, session, receipt)
    return True


async def _erase_message(services: Services, receipt: Receipt) -> None:
    message_id = UUID((receipt.target or {})["messageId"])
    async with services.database.write(receipt.user_id) as session:
        await graph.lock(session)
        await _remove_page(services, session, receipt, await store.lock_message(session, message_id))


async def _erase_session(services: Services, receipt: Receipt) -> None:
    scopes = _scopes(services, EraseSessionRequest.from_body(receipt.target or {}))
    while True:
        async with services.database.write(receipt.user_id) as session:
            await graph.lock(session)
            erased = await store.lock_page(session, scopes, receipt, PAGE)
            await _remove_page(services, session, receipt, erased)
        if len(erased) < PAGE:
            break
    await _remove_rest(services, receipt, scopes)


def _scopes(services: Services, request: EraseSessionRequest) -> VisibleScopes:
    asked = ScopeRequest(
        channel=request.channel, agent_id=request.agent_id, peer_scope=None, all_channels=request.all_channels
    )
    return visible_scopes(asked, services.settings.visibility, session_key=request.session_key)


async def _remove_page(services: Services, session: WriteSession, receipt: Receipt, erased: Sequence[Erased]) -> None:
    if not erased:
        return
    now = services.clock()
    ids = [one.id for one in erased]
    counts = await _remove_derived(session, ids, now)
    for channel, key in {(one.channel, one.session_key) for one in erased}:
        of_session = [one for one in erased if (one.channel, one.session_key) == (channel, key)]
        counts["snapshot"] += await _clear_snapshots(session, channel, key, of_session)
        counts["session"] += await store.drop_summaries(session, channel, key)
    counts.update(await store.remove(session, ids))
    await stats.move(session, now, messages=-len(ids))
    await receipt_store.count(session, receipt.id, +counts)


async def _remove_derived(session: WriteSession, ids: Sequence[UUID], now: int) -> Counter[str]:
    """Remove the memories derived from these messages, and from those memories.

    Other memories that a removed consolidation had replaced become active again.
    """
    extracted = await store.derived_from(session, ids)
    derived = await memories.derived_from(session, [one.id for one in extracted], alone=False)
    sources = {source for one in extracted for source in one.source_message_ids} - set(ids)
    await store.read_again(session, list(sources))
    removed = derived | {one.id: one.archived for one in extracted}
    restored = await memories.restore_sources(session, list(removed), now)
    return await memories.remove(session, removed, now) + Counter(memory=restored)


async def _clear_snapshots(
    session: WriteSession, channel: str | None, session_key: str | None, erased: Sequence[Erased]
) -> int:
    """Take the messages out of the snapshots of their session; returns how many snapshots changed."""
    passages = [QuotedMessage(one.role, one.content, one.timestamp) for one in erased]
    changed = 0
    for row in await store.snapshots_of(session, channel, session_key):
        kept = without_messages(row.passages, passages)
        if len(kept) < len(row.passages):
            await memories.keep_passages(session, row.id, kept)
            changed += 1
    return changed


async def _remove_rest(services: Services, receipt: Receipt, scopes: VisibleScopes) -> None:
    """Remove turns, snapshots, summaries and metrics of a session whose messages are gone."""
    async with services.database.write(receipt.user_id) as session:
        counts, turns = await store.remove_session(session, scopes, receipt)
        counts["procrastinate_jobs"] = await remove_jobs(session, "turn_id", turns)
        counts["audit_row"] = await store.redact_notes(session, turns)
        await receipt_store.count(session, receipt.id, +Counter(counts))
