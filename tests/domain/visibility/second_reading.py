"""Contract section 10 read a second time, sentence by sentence, one row at a time; shares nothing with memd."""

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass
class World:
    """The settings, and the words of 10.1."""

    patterns: tuple = ("peer-*", "*-coach")
    kb_peer_strict: bool = True
    default_agent: str = "main"

    def peer_capable(self, text):
        if text is None:
            return False
        prefix = text if ":" not in text else text[: text.index(":")]
        return any(fnmatchcase(prefix.lower(), pattern.lower()) for pattern in self.patterns)

    def bare(self, text):
        return self.peer_capable(text) and text.count(":") == 0

    def peer_with_suffix(self, text):
        return self.peer_capable(text) and text.count(":") > 0 and not text.endswith(":")

    def concrete(self, text):
        if not self.peer_with_suffix(text):
            return False
        return re.fullmatch(r"main(-.*)?", text.split(":")[-1], re.DOTALL) is None


def group(text):
    return text is not None and "group" in [part.lower() for part in text.split(":")][1:]


def same_main(scope, channel):
    if not scope.endswith(":main"):
        return False
    if channel == scope:
        return True
    start = scope + "-"
    return channel.startswith(start) and len(channel) > len(start) and ":" not in channel[len(start) :]


def blank_is_none(text):
    return None if text is None or text.strip() == "" else text


@dataclass
class Asker:
    """One request."""

    channel: str | None = None
    agent_id: str | None = None
    peer_scope: str | None = None
    all_channels: bool = False
    session_key: str | None = None
    way: str = "r"
    q: str | None = field(init=False)
    agent: str | None = field(init=False)

    def __post_init__(self):
        given = [text for text in map(blank_is_none, (self.peer_scope, self.channel)) if text is not None]
        self.q = given[0] if given else None
        self.agent = blank_is_none(self.agent_id)


def memory_seen(world, asker, c):
    """10.3, one row of the table after the other; the first row whose request channel fits answers."""
    q = asker.q or ""
    head, tail = q.split(":")[0], q.split(":")[-1]
    table = [
        (asker.q is None and world.peer_capable(asker.agent), False),
        (
            asker.q is None,
            asker.all_channels or c is None or (not world.peer_capable(c) and not group(c)),
        ),
        (q.endswith(":"), False),
        (group(q), c == q),
        (world.bare(q), False),
        (world.peer_with_suffix(q), c == q),
        (":" in q and all(letter.isdigit() for letter in tail), c == q),
        (":" in q, c in {q, None} or (c in {head, tail} and not world.peer_capable(c))),
        (True, c in {None, q}),
    ]
    return next(seen for fits, seen in table if fits)


def message_seen(world, asker, c, session):
    """10.4."""
    asked_session = blank_is_none(asker.session_key)
    if asked_session is not None and asked_session != session:
        return False
    if asker.q is not None:
        return c == asker.q and not asker.q.endswith(":")
    if world.peer_capable(asker.agent):
        return False
    if asker.all_channels:
        return True
    return not (world.peer_capable(c) or group(c))


def lane_seen(world, asker, c, session):
    """The messageMatches of recall."""
    return not world.bare(asker.q) and message_seen(world, asker, c, session)


def gate(world, asker, agent_ids, permissive):
    """Steps 4 to 7: (passed, as whom)."""
    if len(agent_ids) == 0 or "*" in agent_ids:
        return True, asker.agent
    if asker.agent is not None:
        return asker.agent in agent_ids, asker.agent
    candidates = candidate_agents(world, asker)
    members = [agent for agent in candidates if agent in agent_ids]
    if not members and permissive and asker.way in {"n", "q"}:
        members = [agent_ids[0]]
    return bool(members), members[0] if members else None


def candidate_agents(world, asker):
    """Steps 6 and 7: whom a request without agentId may be."""
    candidates = [world.default_agent]
    if asker.q is not None:
        of_main = re.search(r":main-([^:]+)\Z", asker.q)
        candidates = [asker.q.split(":")[0]] + ([of_main.group(1)] if of_main else [])
        if asker.way in {"n", "q"}:
            candidates.append(world.default_agent)
    return candidates


def peer_steps(world, asker, scope, permissive, agent_ids, passed_as):
    """Steps 8 to 14: the chunk rule, or why the base is hidden as (hidden reason, metric reason)."""
    q = asker.q or ""
    a_peer_asks = world.peer_capable(asker.q) or world.peer_capable(passed_as)
    guarded = world.peer_capable(scope) or (any(world.peer_capable(agent) for agent in agent_ids) and a_peer_asks)
    peer = world.peer_with_suffix(asker.q)
    answers = [
        (not world.kb_peer_strict, "all"),
        (not guarded, "open"),
        (
            asker.q is None and world.concrete(scope),
            "shared" if asker.way == "q" and permissive else ("no_channel", "no-channel-concrete-scope"),
        ),
        (asker.q is None and not permissive, ("no_channel", "no-channel-strict")),
        (permissive, "shared"),
        (peer and scope is not None and (q == scope or same_main(scope, q) or scope == q.split(":")[-1]), "own"),
        (peer and not world.peer_capable(scope), "own"),
        (peer and world.bare(scope) and q.startswith(f"{scope}:"), "own"),
        (world.bare(asker.q), ("peer_scope", "bare-peer-capable")),
        (True, ("peer_scope", "peer-scope-mismatch")),
    ]
    return next(answer for condition, answer in answers if condition)


def kb_answer(world, asker, archived, scope, permissive, agent_ids):
    """10.2 from step 2 on."""
    if archived:
        return ("archived", None)
    if asker.q is not None and asker.q.endswith(":"):
        return ("dangling", "dangling")
    passed, as_whom = gate(world, asker, agent_ids, permissive)
    if not passed:
        return ("agent_gate", None)
    return peer_steps(world, asker, scope, permissive, agent_ids, as_whom)


def chunk_kept(world, asker, rule, scope, c):
    """The chunk rules below the procedure."""
    if rule == "all" or c is None:
        return True
    if scope is not None and c == scope:
        return True
    if rule == "open" and not world.peer_capable(c):
        return True
    q = asker.q
    if q is None or world.bare(q):
        return False
    return c == q or (world.peer_with_suffix(q) and c == q.split(":")[-1]) or same_main(c, q)


def listed(world, agent_id, scope, kb_scope, permissive, agent_ids):
    """8.1."""
    asker = Asker(channel=scope, agent_id=agent_id)
    if asker.q is None and asker.agent is None:
        return True
    if asker.agent is not None:
        return isinstance(kb_answer(world, asker, False, kb_scope, permissive, agent_ids), str)
    if asker.q is not None and asker.q.endswith(":"):
        return False
    answer = peer_steps(world, asker, kb_scope, permissive, agent_ids, None)
    if answer in {"open", "all"}:
        return kb_scope is None or kb_scope == asker.q
    return isinstance(answer, str)
