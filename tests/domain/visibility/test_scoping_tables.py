"""Contract 10.2, 10.3 and 10.4: every row of the three truth tables."""

import pytest

from memd.domain.types import PeerScopePolicy
from memd.domain.visibility.scoping import (
    KnowledgeBaseView,
    ScopeRequest,
    SelectedBy,
    VisibilityRules,
    memory_scope,
    message_scope,
    visible_scopes,
)
from tests.domain.visibility.visibility_tables import KNOWLEDGE_BASES, MEMORIES, MESSAGES
from tests.support.scopes import shows

WAYS = {"r": SelectedBy.RECALL, "n": SelectedBy.NAMED, "q": SelectedBy.QUERY}
POLICIES = {"str": PeerScopePolicy.STRICT, "perm": PeerScopePolicy.PERMISSIVE}


def rows(table):
    return [pytest.param(*row[1:], id=f"row {row[0]}") for row in table]


def absent(text):
    return None if text == "-" else text


def test_no_row_is_missing():
    assert [[row[0] for row in table] for table in (KNOWLEDGE_BASES, MEMORIES, MESSAGES)] == [
        list(range(1, 43)),
        list(range(1, 41)),
        list(range(1, 33)),
    ]


@pytest.mark.parametrize(("base", "asked", "returned"), rows(KNOWLEDGE_BASES))
def test_knowledge_base(base, asked, returned):
    scope, policy, agents = base.split(" / ")
    agent, q, how = asked.split(" / ")
    way, *switches = how.split()
    view = KnowledgeBaseView(
        archived="archived" in switches,
        scope=absent(scope),
        policy=POLICIES[policy],
        agent_ids=() if agents == "-" else tuple(agents.split(",")),
    )
    scopes = visible_scopes(
        ScopeRequest(channel=absent(q), agent_id=absent(agent)),
        VisibilityRules(kb_peer_strict="strict-off" not in switches),
    )
    decision = scopes.kb(view, WAYS[way])
    chunks = {"N": None, "O": "peer-coach:99", "S": "slack:88"}
    chunks |= {} if view.scope is None else {"P": view.scope}
    chunks |= {} if absent(q) is None else {"X": q}
    kept = {name for name, channel in chunks.items() if scopes.chunks(view, decision).admits(channel)}
    assert decision.visible == (returned != "hidden")
    assert kept == (set() if returned == "hidden" else set(returned.split()))


@pytest.mark.parametrize(("q", "channel", "seen"), rows(MEMORIES))
def test_memory(q, channel, seen):
    scope = memory_scope(ScopeRequest(channel=q, agent_id=None), VisibilityRules())
    assert scope.admits(channel) == seen


@pytest.mark.parametrize(("q", "asked_session", "channel", "session", "seen"), rows(MESSAGES))
def test_message(q, asked_session, channel, session, seen):
    scope = message_scope(ScopeRequest(channel=q, agent_id=None), asked_session, VisibilityRules())
    assert shows(scope, channel, session) == seen
