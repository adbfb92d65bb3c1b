"""The inputs and results of visibility decisions (contract 10.1).

`VisibilityRules` are the settings, `ScopeRequest` is what one request says about itself, and a `ChannelScope` is a
set of channels that a store renders to SQL without knowing either. The regular expressions given to the
database are the very ones that the predicates here use, with both cases of each letter spelled out, so that Python
and every database locale agree.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memd.domain.visibility.channels import is_dangling, is_main, present, suffix_of

_GROUP = r":[gG][rR][oO][uU][pP](?::|\Z)"
_NEVER = r"\Z."


def _either_case(char: str) -> str:
    cases = sorted({case for case in (char, char.lower(), char.upper()) if len(case) == 1})
    return f"[{''.join(cases)}]" if len(cases) > 1 else re.escape(char)


def _glob(pattern: str) -> str:
    wild = {"*": "[^:]*", "?": "[^:]"}
    return "".join(wild[char] if char in wild else _either_case(char) for char in pattern)


@lru_cache(maxsize=32)
def _peer_regex(patterns: tuple[str, ...]) -> str:
    return rf"\A(?:{'|'.join(map(_glob, patterns))})(?::|\Z)" if patterns else _NEVER


@dataclass(frozen=True, slots=True)
class VisibilityRules:
    """The settings of visibility.

    `peer_capable`: patterns of prefixes that belong to peers; `*` is any text, `?` any one character, case-blind.
    `kb_peer_strict`: false restricts knowledge bases by agent ids only. `default_agent`: who asks without agent and channel.
    A pattern that is blank or holds `:` can match no prefix and raises ValueError.
    """

    peer_capable: tuple[str, ...] = ("peer-*", "*-coach")
    kb_peer_strict: bool = True
    default_agent: str = "main"

    def __post_init__(self) -> None:
        for pattern in self.peer_capable:
            if ":" in pattern or present(pattern) is None:
                raise ValueError(f"A peer-capable pattern is text without a colon: {pattern!r}")

    @property
    def peer_regex(self) -> str:
        """Matches (`re.search`, Postgres `~`) exactly the peer-capable channels."""
        return _peer_regex(self.peer_capable)

    @property
    def guarded_regex(self) -> str:
        """Matches (`re.search`, Postgres `~`) exactly the channels that are peer-capable or group channels."""
        return f"{self.peer_regex}|{_GROUP}"

    def is_peer_capable(self, channel: str | None) -> bool:
        """Whether the prefix, or the whole string without `:`, matches a pattern; an absent channel does not."""
        return channel is not None and re.search(self.peer_regex, channel) is not None

    def is_bare(self, channel: str) -> bool:
        """Whether the channel is peer-capable and has no `:`."""
        return ":" not in channel and self.is_peer_capable(channel)

    def is_one_peer(self, channel: str) -> bool:
        """Whether the channel is peer-capable with a suffix that is not empty."""
        return bool(suffix_of(channel)) and self.is_peer_capable(channel)

    def is_concrete(self, channel: str) -> bool:
        """Whether the channel is peer-capable with a suffix that is neither empty nor main."""
        return self.is_one_peer(channel) and not is_main(channel)


@dataclass(frozen=True, slots=True)
class ScopeRequest:
    """The caller as the request names it; blank counts as absent."""

    channel: str | None
    agent_id: str | None
    peer_scope: str | None = None
    all_channels: bool = False

    @property
    def q(self) -> str | None:
        """The request channel Q: peerScope when given, else channel."""
        return present(self.peer_scope) or present(self.channel)

    @property
    def agent(self) -> str | None:
        """The agentId, unless blank."""
        return present(self.agent_id)

    @property
    def is_dangling(self) -> bool:
        """Whether Q ends in `:`; such a request sees nothing."""
        return self.q is not None and is_dangling(self.q)


@dataclass(frozen=True, slots=True)
class ChannelScope:
    r"""A set of stored channels, ready for SQL.

    With `everything` the condition is true. Otherwise it is the OR of one term per field that is set, and false when
    none is (`nothing`):

    - `absent`: `channel IS NULL`
    - `exact`: `channel = ANY(exact)`, byte for byte
    - `all_but`: `channel !~ all_but`; the regular expression is case-sensitive, uses `\A` and `\Z` and means the same
      to Python's `re.search`; a channel that is NULL is not in this term

    Stored channels are never blank: a blank one is written as absent.
    """

    everything: bool = False
    absent: bool = False
    exact: tuple[str, ...] = ()
    all_but: str | None = None

    @property
    def nothing(self) -> bool:
        """Whether no row at all is in the set, so that a store need not ask the database."""
        return not (self.everything or self.absent or self.exact or self.all_but is not None)

    def admits(self, channel: str | None) -> bool:
        """Whether a row with this stored channel is in the set."""
        if self.everything:
            return True
        if channel is None:
            return self.absent
        return channel in self.exact or (self.all_but is not None and re.search(self.all_but, channel) is None)
