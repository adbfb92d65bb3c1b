"""Who sees what (contract section 10): from a request to the one value that every read of a store takes.

`VisibleScopes` is the only way to say what a read may return. It holds the channels of ordinary memories
(10.3) and of messages (10.4), and answers for each knowledge base (10.2). Owner, archived and blocked are the store's
own conditions, in every query.
"""

from dataclasses import dataclass

from memd.domain.visibility.channels import is_dangling, is_group, prefix_of, present, suffix_of
from memd.domain.visibility.kb_scoping import (
    ChunkRule,
    ChunkScope,
    HiddenReason,
    KbDecision,
    KnowledgeBaseView,
    PeerBlock,
    SelectedBy,
    chunk_scope,
    kb_decision,
    kb_listed,
)
from memd.domain.visibility.rules import ChannelScope, ScopeRequest, VisibilityRules

__all__ = [
    "ChannelScope",
    "ChunkRule",
    "ChunkScope",
    "HiddenReason",
    "KbDecision",
    "KnowledgeBaseView",
    "MemoryScope",
    "MessageScope",
    "PeerBlock",
    "ScopeRequest",
    "SelectedBy",
    "VisibilityRules",
    "VisibleScopes",
    "chunk_scope",
    "kb_decision",
    "kb_listed",
    "memory_scope",
    "message_scope",
    "visible_scopes",
]


@dataclass(frozen=True, slots=True)
class MemoryScope(ChannelScope):
    """The channels of the ordinary memories that a request sees; rendered as `ChannelScope` says."""


@dataclass(frozen=True, slots=True)
class MessageScope(ChannelScope):
    """The messages that a request sees: the channels, and when `session_key` is set, that session only.

    Rendered as `ChannelScope` says, with `AND session_key = …` when `session_key` is not None.
    """

    session_key: str | None = None


def _is_absent_peer(request: ScopeRequest, rules: VisibilityRules) -> bool:
    """Whether a peer-capable agent asks without naming its peer."""
    return request.q is None and rules.is_peer_capable(request.agent)


def memory_scope(request: ScopeRequest, rules: VisibilityRules) -> MemoryScope:
    """The ordinary memories that a request sees (contract 10.3)."""
    q = request.q
    if q is None:
        return _memories_without_channel(request, rules)
    if is_dangling(q) or rules.is_bare(q):
        return MemoryScope()
    suffix = suffix_of(q)
    if suffix is None:
        return MemoryScope(absent=True, exact=(q,))
    if is_group(q) or rules.is_peer_capable(q) or suffix.isdigit():
        return MemoryScope(exact=(q,))
    broader = tuple(name for name in (prefix_of(q), suffix) if not rules.is_peer_capable(name))
    return MemoryScope(absent=True, exact=(q, *broader))


def _memories_without_channel(request: ScopeRequest, rules: VisibilityRules) -> MemoryScope:
    if _is_absent_peer(request, rules):
        return MemoryScope()
    if request.all_channels:
        return MemoryScope(everything=True)
    return MemoryScope(absent=True, all_but=rules.guarded_regex)


def message_scope(request: ScopeRequest, session_key: str | None, rules: VisibilityRules) -> MessageScope:
    """The messages that a request sees (contract 10.4); a blank `session_key` asks for no session."""
    session = present(session_key)
    q = request.q
    if q is not None:
        return MessageScope(exact=() if is_dangling(q) else (q,), session_key=session)
    if _is_absent_peer(request, rules):
        return MessageScope(session_key=session)
    if request.all_channels:
        return MessageScope(everything=True, session_key=session)
    return MessageScope(absent=True, all_but=rules.guarded_regex, session_key=session)


@dataclass(frozen=True, slots=True)
class VisibleScopes:
    """Everything that one request may see; made by `visible_scopes`, taken by every store read of rows that have scopes."""

    request: ScopeRequest
    rules: VisibilityRules
    memory: MemoryScope
    messages: MessageScope

    @property
    def message_lane(self) -> MessageScope:
        """The messages that recall may match: those of `messages`, but none for a bare peer-capable Q (10.4 rule 2)."""
        q = self.request.q
        if q is not None and self.rules.is_bare(q):
            return MessageScope(session_key=self.messages.session_key)
        return self.messages

    def kb(self, view: KnowledgeBaseView, selected_by: SelectedBy) -> KbDecision:
        """Whether a knowledge base of the caller is visible, by which chunk rule, or why not (10.2)."""
        return kb_decision(view, self.request, selected_by, self.rules)

    def chunks(self, view: KnowledgeBaseView, decision: KbDecision) -> ChunkScope:
        """The chunks of the knowledge base that `decision`, made for it by `kb`, lets through."""
        return chunk_scope(view, self.request, decision, self.rules)


def visible_scopes(request: ScopeRequest, rules: VisibilityRules, session_key: str | None = None) -> VisibleScopes:
    """The scopes that a request may see; `session_key` restricts only its messages."""
    return VisibleScopes(
        request=request,
        rules=rules,
        memory=memory_scope(request, rules),
        messages=message_scope(request, session_key, rules),
    )
