"""Contract 1.1 rule 7, 6.2, 10.1, 10.3 and 10.4: the sentences on visibility that the truth tables leave out."""

import pytest

from memd.domain.types import PeerScopePolicy
from memd.domain.visibility.scoping import (
    ChannelScope,
    ChunkRule,
    HiddenReason,
    KnowledgeBaseView,
    ScopeRequest,
    SelectedBy,
    VisibilityRules,
    kb_decision,
    memory_scope,
    message_scope,
    visible_scopes,
)
from tests.support.scopes import shows

RULES = VisibilityRules()
STRICT = PeerScopePolicy.STRICT


def request(q=None, agent=None, **fields):
    return ScopeRequest(channel=q, agent_id=agent, **fields)


def base(scope=None, policy=STRICT, *agents, archived=False):
    return KnowledgeBaseView(archived=archived, scope=scope, policy=policy, agent_ids=agents)


# Q


@pytest.mark.parametrize(
    ("channel", "peer_scope", "q"),
    [
        ("slack", None, "slack"),
        ("slack", "peer-coach:7", "peer-coach:7"),
        (None, "peer-coach:7", "peer-coach:7"),
        ("slack", " \t", "slack"),
        ("  ", None, None),
        ("", "", None),
        (" slack ", None, " slack "),
    ],
)
def test_q_is_peer_scope_when_given_else_channel_and_blank_is_none(channel, peer_scope, q):
    assert request(channel, peer_scope=peer_scope).q == q


def test_peer_scope_replaces_the_channel_in_every_test():
    scopes = visible_scopes(request("slack", peer_scope="peer-coach:7"), RULES)
    assert scopes.memory.exact == scopes.messages.exact == ("peer-coach:7",)
    assert scopes.kb(base("peer-coach:7", STRICT, "peer-coach"), SelectedBy.RECALL).chunk_rule is ChunkRule.OWN


def test_a_blank_session_key_or_agent_id_counts_as_absent():
    assert shows(message_scope(request("slack"), " ", RULES), "slack", "s1")
    assert kb_decision(base(None, STRICT, "main"), request(agent=" "), SelectedBy.RECALL, RULES).visible


# ordinary memories and messages without a channel


@pytest.mark.parametrize("agent", ["peer-coach", "Life-Coach", "peer-coach:7"])
@pytest.mark.parametrize("all_channels", [False, True])
def test_a_peer_capable_agent_without_a_channel_sees_nothing(agent, all_channels):
    scopes = visible_scopes(request(agent=agent, all_channels=all_channels), RULES)
    assert scopes.memory.nothing
    assert scopes.messages.nothing
    assert scopes.message_lane.nothing


@pytest.mark.parametrize("agent", [None, "main", "coach"])
def test_all_channels_is_the_owners_view(agent):
    scopes = visible_scopes(request(agent=agent, all_channels=True), RULES)
    assert all(scopes.memory.admits(channel) for channel in (None, "slack", "peer-coach:7", "discord:group:1"))
    assert all(shows(scopes.messages, channel, "s1") for channel in (None, "slack", "peer-coach:7", "discord:group:1"))


@pytest.mark.parametrize("q", ["slack:alice", "peer-coach:7", "peer-coach", "peer-coach:"])
def test_all_channels_changes_nothing_when_a_channel_is_named(q):
    assert visible_scopes(request(q, all_channels=True), RULES).memory == memory_scope(request(q), RULES)
    assert visible_scopes(request(q, all_channels=True), RULES).messages == message_scope(request(q), None, RULES)


def test_all_channels_keeps_to_the_session_that_is_named():
    scope = message_scope(request(all_channels=True), "s1", RULES)
    assert shows(scope, "peer-coach:7", "s1")
    assert not shows(scope, "peer-coach:7", "s2")
    assert not shows(scope, "peer-coach:7", None)


def test_all_channels_opens_no_guarded_knowledge_base():
    decision = kb_decision(base("peer-coach:7"), request(all_channels=True), SelectedBy.RECALL, RULES)
    assert decision.hidden_reason is HiddenReason.NO_CHANNEL


def test_a_bare_peer_capable_channel_reads_its_messages_but_recall_matches_none():
    scopes = visible_scopes(request("peer-coach"), RULES)
    assert shows(scopes.messages, "peer-coach", "s1")
    assert scopes.message_lane.nothing


@pytest.mark.parametrize("q", [None, "slack", "peer-coach:7"])
def test_recall_matches_the_messages_of_every_other_channel(q):
    scopes = visible_scopes(request(q), RULES)
    assert scopes.message_lane == scopes.messages


@pytest.mark.parametrize("q", ["slack:", ":", "discord:group:", "peer-coach:7:"])
def test_a_dangling_channel_sees_nothing(q):
    scopes = visible_scopes(request(q), RULES)
    assert scopes.memory.nothing
    assert scopes.messages.nothing
    assert not scopes.memory.admits(q)
    assert scopes.kb(base(), SelectedBy.QUERY).hidden_reason is HiddenReason.DANGLING


def test_prefix_is_before_the_first_colon_and_suffix_after_the_last():
    scope = memory_scope(request("a:b:c"), RULES)
    assert [name for name in ("a", "b", "c", "a:b", "b:c") if scope.admits(name)] == ["a", "c"]


def test_a_group_of_peers_is_a_group():
    assert memory_scope(request("peer-coach:group:main"), RULES).exact == ("peer-coach:group:main",)


def test_group_as_the_first_segment_is_no_group():
    assert memory_scope(request(), RULES).admits("group:1")


# rules and the form for SQL


@pytest.mark.parametrize("pattern", ["", "  ", "peer:x"])
def test_a_pattern_that_could_guard_nothing_is_refused(pattern):
    with pytest.raises(ValueError, match="peer-capable pattern"):
        VisibilityRules(peer_capable=("peer-*", pattern))


@pytest.mark.parametrize(
    ("patterns", "channel", "capable"),
    [
        (("peer-*",), "PEER-:7", True),
        (("peer-*",), "xpeer-a", False),
        (("*-coach",), "a-coach-b:1", False),
        (("team-?",), "team-1:x", True),
        (("team-?",), "team-12:x", False),
        (("a.b",), "axb", False),
        (("É*",), "école:1", True),
        ((), "peer-coach:7", False),
        (("peer-*",), "peer-a\n", True),
        (("peer",), "peer\n", False),
    ],
)
def test_patterns(patterns, channel, capable):
    assert VisibilityRules(peer_capable=patterns).is_peer_capable(channel) == capable


def test_an_absent_channel_is_admitted_by_its_own_field_only():
    assert not ChannelScope(exact=("slack",), all_but="x").admits(None)
    assert ChannelScope(absent=True).admits(None)
    assert not ChannelScope(absent=True).nothing
    assert ChannelScope().nothing
