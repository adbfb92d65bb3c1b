"""Contract section 10 against a second, independent reading of it, on generated requests and rows."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.domain.types import PeerScopePolicy
from memd.domain.visibility.channels import is_group
from memd.domain.visibility.scoping import (
    HiddenReason,
    KnowledgeBaseView,
    PeerBlock,
    ScopeRequest,
    SelectedBy,
    VisibilityRules,
    kb_listed,
    visible_scopes,
)
from tests.domain.visibility import second_reading as second
from tests.support.scopes import shows

HEADS = [
    "peer-coach",
    "PEER-Team",
    "peer-team",
    "peer-",
    "life-coach",
    "Life-COACH",
    "slack",
    "Slack",
    "main",
    "writer",
]
TAILS = [
    "",
    "7",
    "8",
    "main",
    "main-",
    "main-a1",
    "main-writer",
    "MAIN",
    "group",
    "GROUP",
    "alice",
    "peer-coach",
    "٣",
    "²",
]
AGENTS = ["main", "writer", "a1", "peer-coach", "life-coach", "peer-team", "slack", "PEER-x"]
WAYS = {"r": SelectedBy.RECALL, "n": SelectedBy.NAMED, "q": SelectedBy.QUERY}

heads = st.sampled_from([*HEADS, "peer", "coach", "", "group"])
tails = st.sampled_from(TAILS)
texts = st.text(st.sampled_from(":*?-.[]\\\nAaPpKkſK éÉß") | st.characters(exclude_categories=["Cs"]), max_size=8)
channels = st.one_of(
    st.builds(lambda head, tail: f"{head}:{tail}", st.sampled_from(HEADS), tails),
    heads,
    st.builds(lambda head, middle, tail: f"{head}:{middle}:{tail}", heads, tails, tails),
    texts,
).filter(lambda channel: channel.strip())
maybe_channels = st.none() | channels
asked = maybe_channels | st.sampled_from(["", "  "])
agents = st.none() | st.sampled_from([*AGENTS, " "]) | channels
sessions = st.sampled_from([None, "s1", "s2", " "])
peer_scopes = st.none() | asked
pattern_sets = st.sampled_from([("peer-*", "*-coach"), (), ("slack", "Peer-?*"), ("*",), ("peer-coach", "É*")])
defaults = st.sampled_from(["main", "a1"])
ways = st.sampled_from("rnq")
bools = st.booleans()
one_in_eight = st.integers(0, 7).map(lambda number: number == 0)
four_in_five = st.integers(0, 4).map(lambda number: number > 0)
places = st.integers(0, 1_000)
member_lists = st.lists(st.sampled_from([*AGENTS, "*"]), max_size=3, unique=True).map(tuple)


def related(channel):
    """A channel, and those that the rules derive from it, so that matches are as common as misses."""
    head, _, tail = channel.rpartition(":")
    near = [
        channel,
        channel.partition(":")[0],
        tail,
        f"{head}:main",
        f"{head}:main-a1",
        f"{channel}-a1",
        channel.upper(),
    ]
    return [name for name in near if name.strip()]


def one_of_these(draw, names):
    """Without a strategy made for each draw, which takes longer than drawing."""
    return names[draw(places) % len(names)]


@st.composite
def questions(draw):
    """Rules, a request in both readings, and a stored channel that often has to do with it."""
    patterns = draw(pattern_sets)
    settings_ = {"kb_peer_strict": draw(four_in_five), "default_agent": draw(defaults)}
    fields = {
        "channel": draw(asked),
        "agent_id": draw(agents),
        "peer_scope": draw(peer_scopes),
        "all_channels": draw(bools),
    }
    near = [name for text in (fields["channel"], fields["peer_scope"]) if text for name in related(text)]
    stored = one_of_these(draw, near) if near and draw(bools) else draw(maybe_channels)
    return (
        VisibilityRules(peer_capable=patterns, **settings_),
        second.World(patterns, **settings_),
        fields,
        stored,
    )


@settings(max_examples=700)
@given(questions(), sessions, sessions)
def test_memories_and_messages_agree_with_the_second_reading(question, asked_session, session):
    rules, world, fields, stored = question
    scopes = visible_scopes(ScopeRequest(**fields), rules, asked_session)
    asker = second.Asker(**fields, session_key=asked_session)
    assert scopes.memory.admits(stored) == second.memory_seen(world, asker, stored)
    assert shows(scopes.messages, stored, session) == second.message_seen(world, asker, stored, session)
    assert shows(scopes.message_lane, stored, session) == second.lane_seen(world, asker, stored, session)


@pytest.mark.slow
@settings(max_examples=1200)
@given(questions(), st.data())
def test_knowledge_bases_agree_with_the_second_reading(question, data):
    rules, world, fields, stored = question
    way = data.draw(ways)
    archived = data.draw(one_in_eight)
    scope = stored if data.draw(bools) else data.draw(maybe_channels)
    permissive = data.draw(bools)
    members = data.draw(member_lists)
    policy = PeerScopePolicy.PERMISSIVE if permissive else PeerScopePolicy.STRICT
    view = KnowledgeBaseView(archived=archived, scope=scope, policy=policy, agent_ids=members)

    scopes = visible_scopes(ScopeRequest(**fields), rules)
    decision = scopes.kb(view, WAYS[way])
    asker = second.Asker(**fields, way=way)
    expected = second.kb_answer(world, asker, archived, scope, permissive, members)
    if isinstance(expected, str):
        assert decision.chunk_rule == expected
    else:
        hidden, metric = expected
        assert not decision.visible
        assert (decision.hidden_reason, decision.block_metric_reason) == (
            HiddenReason(hidden),
            metric and PeerBlock(metric),
        )
    near = [stored, scope, *(name for text in (asker.q, scope) if text for name in related(text))]
    for channel in (None, one_of_these(data.draw, near), "peer-coach:99", "slack:88"):
        kept = isinstance(expected, str) and second.chunk_kept(world, asker, expected, scope, channel)
        assert scopes.chunks(view, decision).admits(channel) == kept


@settings(max_examples=400)
@given(questions(), member_lists, st.booleans(), st.data())
def test_the_list_of_knowledge_bases_agrees_with_the_second_reading(question, members, permissive, data):
    rules, world, fields, stored = question
    scope = stored if data.draw(bools) else data.draw(maybe_channels)
    policy = PeerScopePolicy.PERMISSIVE if permissive else PeerScopePolicy.STRICT
    view = KnowledgeBaseView(archived=False, scope=scope, policy=policy, agent_ids=members)
    shown = kb_listed(view, fields["agent_id"], fields["channel"], rules)
    assert shown == second.listed(world, fields["agent_id"], fields["channel"], scope, permissive, members)


patterns = st.lists(texts.filter(lambda text: text.strip() and ":" not in text), max_size=3).map(tuple)


@settings(max_examples=300)
@given(st.just(("peer-*", "*-coach")) | patterns, channels)
def test_the_guarded_expression_matches_exactly_peer_capable_and_group_channels(peer_capable, channel):
    rules = VisibilityRules(peer_capable=peer_capable)
    expected = rules.is_peer_capable(channel) or is_group(channel)
    assert (re.search(rules.guarded_regex, channel) is not None) == expected


@settings(max_examples=200)
@given(channels)
def test_peer_capable_is_what_the_patterns_say(channel):
    assert VisibilityRules().is_peer_capable(channel) == second.World().peer_capable(channel)


@settings(max_examples=100)
@given(st.sampled_from(["peer-coach:7", "PEER-x:main-a1", "life-coach:main"]), agents, st.booleans(), maybe_channels)
def test_a_peer_sees_no_memory_and_no_message_but_its_own(q, agent, all_channels, stored):
    scopes = visible_scopes(ScopeRequest(channel=q, agent_id=agent, all_channels=all_channels), VisibilityRules())
    assert scopes.memory.admits(stored) == (stored == q)
    assert shows(scopes.messages, stored, None) == (stored == q)
