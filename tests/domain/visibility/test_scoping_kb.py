"""Contract 8.1, 10.2 and 15: the sentences on knowledge bases that the truth table leaves out."""

import pytest

from memd.domain.types import PeerScopePolicy
from memd.domain.visibility.scoping import (
    ChunkRule,
    HiddenReason,
    KnowledgeBaseView,
    PeerBlock,
    ScopeRequest,
    SelectedBy,
    VisibilityRules,
    kb_decision,
    kb_listed,
    visible_scopes,
)

RULES = VisibilityRules()
STRICT, PERMISSIVE = PeerScopePolicy.STRICT, PeerScopePolicy.PERMISSIVE


def request(q=None, agent=None, **fields):
    return ScopeRequest(channel=q, agent_id=agent, **fields)


def base(scope=None, policy=STRICT, *agents, archived=False):
    return KnowledgeBaseView(archived=archived, scope=scope, policy=policy, agent_ids=agents)


# agent gate


@pytest.mark.parametrize(
    ("agents", "q", "agent", "way", "visible"),
    [
        (("a1",), "team:main-a1", None, SelectedBy.RECALL, True),
        (("team",), "team:main-a1", None, SelectedBy.RECALL, True),
        (("a1",), "team:main-a2", None, SelectedBy.RECALL, False),
        (("a1",), "a1", None, SelectedBy.RECALL, True),
        (("A1",), "a1", None, SelectedBy.RECALL, False),
        (("main",), "slack:5", None, SelectedBy.RECALL, False),
        (("main",), "slack:5", None, SelectedBy.NAMED, True),
        (("main",), "slack:5", None, SelectedBy.QUERY, True),
        (("main",), "slack:5", "writer", SelectedBy.NAMED, False),
        (("writer", "*"), "slack:5", "editor", SelectedBy.RECALL, True),
    ],
)
def test_the_agents_that_are_tried(agents, q, agent, way, visible):
    decision = kb_decision(base(None, STRICT, *agents), request(q, agent), way, RULES)
    assert decision.visible == visible
    assert decision.hidden_reason == (None if visible else HiddenReason.AGENT_GATE)


def test_a_given_agent_that_is_no_member_is_hidden_from_a_named_permissive_base():
    decision = kb_decision(base(None, PERMISSIVE, "writer"), request(agent="editor"), SelectedBy.QUERY, RULES)
    assert decision.hidden_reason is HiddenReason.AGENT_GATE


def test_the_prefix_is_tried_before_the_agent_of_main():
    kb = base(None, STRICT, "peer-a", "team")
    assert kb_decision(kb, request("team:main-peer-a"), SelectedBy.RECALL, RULES).chunk_rule is ChunkRule.OPEN
    assert not kb_decision(kb, request("other:main-peer-a"), SelectedBy.RECALL, RULES).visible


def test_the_default_agent_is_a_setting():
    rules = VisibilityRules(default_agent="home")
    assert kb_decision(base(None, STRICT, "home"), request(), SelectedBy.RECALL, rules).visible
    assert not kb_decision(base(None, STRICT, "main"), request(), SelectedBy.RECALL, rules).visible


# peer steps


@pytest.mark.parametrize(
    ("kb", "asked", "way", "hidden", "metric"),
    [
        (base("peer-coach:7", archived=True), request("x:"), SelectedBy.QUERY, HiddenReason.ARCHIVED, None),
        (base(), request("slack:"), SelectedBy.RECALL, HiddenReason.DANGLING, PeerBlock.DANGLING),
        (base(None, STRICT, "writer"), request(agent="a"), SelectedBy.RECALL, HiddenReason.AGENT_GATE, None),
        (base("peer-a:7"), request(), SelectedBy.QUERY, HiddenReason.NO_CHANNEL, PeerBlock.NO_CHANNEL_CONCRETE_SCOPE),
        (
            base("peer-a:7", PERMISSIVE),
            request(),
            SelectedBy.NAMED,
            HiddenReason.NO_CHANNEL,
            PeerBlock.NO_CHANNEL_CONCRETE_SCOPE,
        ),
        (base("peer-a:main"), request(), SelectedBy.QUERY, HiddenReason.NO_CHANNEL, PeerBlock.NO_CHANNEL_STRICT),
        (base("peer-a"), request(), SelectedBy.RECALL, HiddenReason.NO_CHANNEL, PeerBlock.NO_CHANNEL_STRICT),
        (base("peer-a:7"), request("peer-a"), SelectedBy.RECALL, HiddenReason.PEER_SCOPE, PeerBlock.BARE_PEER_CAPABLE),
        (
            base("peer-a:7"),
            request("peer-a:8"),
            SelectedBy.RECALL,
            HiddenReason.PEER_SCOPE,
            PeerBlock.PEER_SCOPE_MISMATCH,
        ),
        (
            base("peer-a:7"),
            request("slack:7"),
            SelectedBy.RECALL,
            HiddenReason.PEER_SCOPE,
            PeerBlock.PEER_SCOPE_MISMATCH,
        ),
        (
            base("peer-a"),
            request("peer-b:7"),
            SelectedBy.RECALL,
            HiddenReason.PEER_SCOPE,
            PeerBlock.PEER_SCOPE_MISMATCH,
        ),
        (
            base("Peer-a"),
            request("peer-a:7"),
            SelectedBy.RECALL,
            HiddenReason.PEER_SCOPE,
            PeerBlock.PEER_SCOPE_MISMATCH,
        ),
    ],
)
def test_a_hidden_base_says_why(kb, asked, way, hidden, metric):
    decision = kb_decision(kb, asked, way, RULES)
    assert (decision.visible, decision.hidden_reason, decision.block_metric_reason) == (False, hidden, metric)
    assert decision.why


@pytest.mark.parametrize("q", ["peer-a:7", "peer-b:peer-a"])
def test_a_bare_scope_is_visible_when_it_is_the_prefix_or_the_suffix_of_a_peer(q):
    assert kb_decision(base("peer-a"), request(q), SelectedBy.RECALL, RULES).chunk_rule is ChunkRule.OWN


@pytest.mark.parametrize(
    ("scope", "q", "visible"),
    [
        ("peer-t:main", "peer-t:main", True),
        ("peer-t:main", "peer-t:main-a1", True),
        ("peer-t:main", "peer-t:main-", False),
        ("peer-t:main", "peer-t:mainly", False),
        ("peer-t:main", "peer-u:main-a1", False),
        ("peer-t:main-a1", "peer-t:main", False),
        ("peer-t:main-a1", "peer-t:main-a2", False),
        ("peer-t:x:main", "peer-t:x:main-a1", True),
    ],
)
def test_same_main_is_the_main_scope_and_its_agents(scope, q, visible):
    assert kb_decision(base(scope), request(q), SelectedBy.RECALL, RULES).visible == visible


def test_strict_off_guards_nothing_but_still_refuses_a_dangling_channel():
    rules = VisibilityRules(kb_peer_strict=False)
    assert kb_decision(base("peer-a:7"), request(), SelectedBy.RECALL, rules).chunk_rule is ChunkRule.ALL
    assert (
        kb_decision(base("peer-a:7"), request("peer-a:"), SelectedBy.RECALL, rules).hidden_reason
        is HiddenReason.DANGLING
    )


# chunks


@pytest.mark.parametrize(
    ("q", "channel", "kept"),
    [
        ("peer-t:main-a1", "peer-t:main-a1", True),
        ("peer-t:main-a1", "peer-t:main", True),
        ("peer-t:main-a1", "main-a1", True),
        ("peer-t:main-a1", "peer-t:main-a2", False),
        ("peer-t:main", "peer-t:main-a1", False),
        ("peer-t:7", "7", True),
        ("peer-t:7", "peer-t:8", False),
        ("peer-t:7", "peer-t", False),
        ("peer-t:7", "slack:88", False),
        ("peer-t:7", "discord:group:1", False),
        ("peer-t", "peer-t", False),
        ("slack:7", "slack:7", True),
        ("slack:7", "7", False),
        (None, "slack", False),
    ],
)
def test_mine_of_a_shared_base(q, channel, kept):
    kb = base("peer-team:main", PERMISSIVE)
    scopes = visible_scopes(request(q), RULES)
    assert scopes.chunks(kb, scopes.kb(kb, SelectedBy.RECALL)).admits(channel) == kept


def test_an_open_base_keeps_group_channels():
    kb = base("slack:7")
    scopes = visible_scopes(request(), RULES)
    chunks = scopes.chunks(kb, scopes.kb(kb, SelectedBy.RECALL))
    assert [c for c in (None, "discord:group:1", "slack:7", "peer-a:8") if chunks.admits(c)] == [
        None,
        "discord:group:1",
        "slack:7",
    ]


def test_strict_off_filters_no_chunk():
    kb = base("peer-a:7")
    scopes = visible_scopes(request("peer-a:8"), VisibilityRules(kb_peer_strict=False))
    assert scopes.chunks(kb, scopes.kb(kb, SelectedBy.RECALL)).everything


# list of knowledge bases


@pytest.mark.parametrize(
    ("agent", "scope", "kb", "listed"),
    [
        (None, None, base("peer-a:7", STRICT, "peer-a", archived=True), True),
        (None, " ", base("peer-a:7"), True),
        (None, "docs", base("docs", STRICT, "writer"), True),
        (None, "docs", base(None, STRICT, "writer"), True),
        (None, "docs", base("other"), False),
        (None, "docs:", base(), False),
        ("a", "docs:", base(), False),
        (None, "peer-a:7", base("peer-a:7"), True),
        (None, "peer-a:8", base("peer-a:7"), False),
        (None, "peer-a:8", base("peer-a:7", PERMISSIVE), True),
        (None, "peer-a:8", base("other", STRICT, "peer-a"), True),
        ("writer", "docs", base("other", STRICT, "writer"), True),
        ("writer", None, base("other", STRICT, "writer"), True),
        ("editor", None, base(None, STRICT, "writer"), False),
        ("editor", None, base(), True),
        ("peer-a", None, base(None, STRICT, "peer-a"), False),
        ("writer", None, base(None, STRICT, "writer", archived=True), True),
    ],
)
def test_listing(agent, scope, kb, listed):
    assert kb_listed(kb, agent, scope, RULES) == listed
