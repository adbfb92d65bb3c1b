"""Which knowledge bases a request sees, and which of their chunks (contract 10.2).

These are the steps of the decision procedure, in its order, for a knowledge base of the caller; it fails closed. A
decision says why, in words without names or content, and which log line it causes.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum

from memd.domain.types import PeerScopePolicy
from memd.domain.visibility.channels import is_same_main, main_agent_of, main_scope_of, prefix_of, present, suffix_of
from memd.domain.visibility.rules import ChannelScope, ScopeRequest, VisibilityRules

EVERY_AGENT = "*"


class SelectedBy(Enum):
    """How a request selects a knowledge base: a recall that names none, a recall that names it, or `/query`."""

    RECALL = "recall"
    NAMED = "named"
    QUERY = "query"


class ChunkRule(StrEnum):
    """Which chunks of a visible knowledge base are visible."""

    OPEN = "open"
    SHARED = "shared"
    OWN = "own"
    ALL = "all"


class HiddenReason(StrEnum):
    """Why a knowledge base gave nothing (`retrieval.hidden`, contract 6.2)."""

    ARCHIVED = "archived"
    AGENT_GATE = "agent_gate"
    DANGLING = "dangling"
    NO_CHANNEL = "no_channel"
    PEER_SCOPE = "peer_scope"
    EMPTY = "empty"
    PEER_CHUNKS = "peer_chunks"


class PeerBlock(StrEnum):
    """The reason in the log line `mc.metric.kb-peer-block` (contract 15)."""

    DANGLING = "dangling"
    NO_CHANNEL_CONCRETE_SCOPE = "no-channel-concrete-scope"
    NO_CHANNEL_STRICT = "no-channel-strict"
    BARE_PEER_CAPABLE = "bare-peer-capable"
    PEER_SCOPE_MISMATCH = "peer-scope-mismatch"


@dataclass(frozen=True, slots=True)
class KnowledgeBaseView:
    """The part of a knowledge base that decides who sees it."""

    archived: bool
    scope: str | None
    policy: PeerScopePolicy
    agent_ids: tuple[str, ...]

    @property
    def peer_scope(self) -> str | None:
        """The scope, unless blank."""
        return present(self.scope)

    @property
    def permissive(self) -> bool:
        """Whether the policy shares chunks between peers."""
        return self.policy is PeerScopePolicy.PERMISSIVE


@dataclass(frozen=True, slots=True)
class KbDecision:
    """The answer for one knowledge base: a chunk rule when it is visible, else the reasons that hide it."""

    chunk_rule: ChunkRule | None
    why: str
    hidden_reason: HiddenReason | None = None
    block_metric_reason: PeerBlock | None = None

    @property
    def visible(self) -> bool:
        """Whether chunks may be returned at all."""
        return self.chunk_rule is not None


@dataclass(frozen=True, slots=True)
class ChunkScope(ChannelScope):
    """The visible chunks of one knowledge base; rendered as `ChannelScope` says. `rule` is None when it is hidden."""

    rule: ChunkRule | None = None


_ARCHIVED = KbDecision(None, "it is archived", HiddenReason.ARCHIVED)
_DANGLING = KbDecision(None, "the request channel ends in a colon", HiddenReason.DANGLING, PeerBlock.DANGLING)
_AGENT_GATE = KbDecision(None, "the agent is not among its agents", HiddenReason.AGENT_GATE)
_OPEN = KbDecision(ChunkRule.OPEN, "no peer guards it")
_ALL = KbDecision(ChunkRule.ALL, "only agent ids restrict knowledge bases (visibility.kb_peer_strict is false)")
_SHARED_WITHOUT_PEER = KbDecision(ChunkRule.SHARED, "it is permissive and no peer is named")
_SHARED = KbDecision(ChunkRule.SHARED, "it is permissive")
_OWN_SCOPE = KbDecision(ChunkRule.OWN, "its scope is that of the peer")
_OWN_CHUNKS = KbDecision(ChunkRule.OWN, "its scope is that of no single peer")
_CONCRETE_SCOPE = KbDecision(
    None, "its scope is one peer's and no peer is named", HiddenReason.NO_CHANNEL, PeerBlock.NO_CHANNEL_CONCRETE_SCOPE
)
_STRICT = KbDecision(None, "it is strict and no peer is named", HiddenReason.NO_CHANNEL, PeerBlock.NO_CHANNEL_STRICT)
_BARE = KbDecision(
    None, "it is strict and the channel names no single peer", HiddenReason.PEER_SCOPE, PeerBlock.BARE_PEER_CAPABLE
)
_MISMATCH = KbDecision(
    None, "it is strict and its scope is another one", HiddenReason.PEER_SCOPE, PeerBlock.PEER_SCOPE_MISMATCH
)


def kb_decision(
    kb: KnowledgeBaseView, request: ScopeRequest, selected_by: SelectedBy, rules: VisibilityRules
) -> KbDecision:
    """Steps 2 to 14 for one knowledge base of the caller."""
    if kb.archived:
        return _ARCHIVED
    if request.is_dangling:
        return _DANGLING
    if _is_broad(kb):
        return _peer_decision(kb, request.q, request.agent, selected_by, rules)
    agent = _passed_agent(kb, request, selected_by, rules)
    if agent is None:
        return _AGENT_GATE
    return _peer_decision(kb, request.q, agent, selected_by, rules)


def kb_listed(kb: KnowledgeBaseView, agent_id: str | None, scope: str | None, rules: VisibilityRules) -> bool:
    """Whether the list of knowledge bases shows it (contract 8.1).

    The archived state is not considered here: the caller's `includeInactive` decides that. With `scope` alone the agent
    gate is skipped, and a knowledge base that no peer guards is listed when its scope is absent or equal.
    """
    request = ScopeRequest(channel=scope, agent_id=agent_id)
    q, agent = request.q, request.agent
    if q is None and agent is None:
        return True
    if request.is_dangling:
        return False
    if agent is None and not _is_guarded(kb, q, None, rules):
        return kb.peer_scope in {None, q}
    if agent is None or _is_broad(kb) or agent in kb.agent_ids:
        return _peer_decision(kb, q, agent, SelectedBy.RECALL, rules).visible
    return False


def _is_broad(kb: KnowledgeBaseView) -> bool:
    return not kb.agent_ids or EVERY_AGENT in kb.agent_ids


def _passed_agent(
    kb: KnowledgeBaseView, request: ScopeRequest, selected_by: SelectedBy, rules: VisibilityRules
) -> str | None:
    """The agent as whom the request passes the gate of a knowledge base with members; None when it does not."""
    if request.agent is not None:
        return request.agent if request.agent in kb.agent_ids else None
    q = request.q
    tried = (rules.default_agent,) if q is None else (prefix_of(q), main_agent_of(q))
    if selected_by is not SelectedBy.RECALL:
        tried = (*tried, rules.default_agent)
    passed = next((agent for agent in tried if agent in kb.agent_ids), None)
    if passed is None and selected_by is not SelectedBy.RECALL and kb.permissive:
        return kb.agent_ids[0]
    return passed


def _is_guarded(kb: KnowledgeBaseView, q: str | None, agent: str | None, rules: VisibilityRules) -> bool:
    """Step 8: whether the peer rules hold."""
    if not rules.kb_peer_strict:
        return False
    if rules.is_peer_capable(kb.peer_scope):
        return True
    peers = any(map(rules.is_peer_capable, kb.agent_ids))
    return peers and (rules.is_peer_capable(q) or rules.is_peer_capable(agent))


def _peer_decision(
    kb: KnowledgeBaseView, q: str | None, agent: str | None, selected_by: SelectedBy, rules: VisibilityRules
) -> KbDecision:
    """Steps 8 to 14, after the agent gate."""
    if not _is_guarded(kb, q, agent, rules):
        return _OPEN if rules.kb_peer_strict else _ALL
    if q is None:
        return _decision_without_peer(kb, selected_by, rules)
    return _SHARED if kb.permissive else _strict_decision(kb.peer_scope, q, rules)


def _decision_without_peer(kb: KnowledgeBaseView, selected_by: SelectedBy, rules: VisibilityRules) -> KbDecision:
    """Steps 9 to 11: the request names no peer."""
    concrete = kb.peer_scope is not None and rules.is_concrete(kb.peer_scope)
    if concrete and not (kb.permissive and selected_by is SelectedBy.QUERY):
        return _CONCRETE_SCOPE
    return _SHARED_WITHOUT_PEER if kb.permissive else _STRICT


def _strict_decision(scope: str | None, q: str, rules: VisibilityRules) -> KbDecision:
    """Steps 12 to 14: a guarded, strict knowledge base and a named channel."""
    if rules.is_bare(q):
        return _BARE
    if not rules.is_one_peer(q):
        return _MISMATCH
    if scope is not None and (scope in {q, suffix_of(q)} or is_same_main(scope, q)):
        return _OWN_SCOPE
    if not rules.is_peer_capable(scope) or scope == prefix_of(q):
        return _OWN_CHUNKS
    return _MISMATCH


def chunk_scope(
    kb: KnowledgeBaseView, request: ScopeRequest, decision: KbDecision, rules: VisibilityRules
) -> ChunkScope:
    """The chunks that a decision lets through: absent channels, the scope's own, the request's own ("mine").

    The rule `open` adds every channel that is not peer-capable; group channels are not guarded here.
    """
    if decision.chunk_rule is None:
        return ChunkScope()
    if decision.chunk_rule is ChunkRule.ALL:
        return ChunkScope(everything=True, rule=ChunkRule.ALL)
    kept = (kb.peer_scope, *_mine(request.q, rules))
    return ChunkScope(
        absent=True,
        exact=tuple(dict.fromkeys(channel for channel in kept if channel is not None)),
        all_but=rules.peer_regex if decision.chunk_rule is ChunkRule.OPEN else None,
        rule=decision.chunk_rule,
    )


def _mine(q: str | None, rules: VisibilityRules) -> tuple[str | None, ...]:
    """The chunk channels that are the request's own: Q, the suffix of a peer's Q, and the main scope Q belongs to."""
    if q is None or rules.is_bare(q):
        return ()
    return q, suffix_of(q) if rules.is_one_peer(q) else None, main_scope_of(q)
