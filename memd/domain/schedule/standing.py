"""Standing questions: their schedules, what changed between two answers, and signatures of webhooks (contract 17.8)."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple

from memd.domain.schedule.timetable import Daily, Every, When, parse_when

MIN_INTERVAL_S: Final = 300
MAX_INTERVAL_S: Final = 7 * 86_400
_EVERY: Final = re.compile(r"every\s+([1-9]\d{0,5})\s*([smhd])", re.ASCII)
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_TRANSLATED: Final = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "::/96", "::ffff:0:0:0/96")))
"""IPv6 ranges that stand for an IPv4 address: NAT64, 6to4, IPv4-compatible and IPv4-translated addresses."""
_UNICAST: Final = ip_network("2000::/3")
"""The only IPv6 range from which public addresses are given out."""
_SPECIAL: Final = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")))
"""Special-purpose ranges (RFC 6890, 7526, 9637) that `is_global` does not know in every version of Python."""


def parse_schedule(text: str) -> When:
    """`every 15m`, `every 6h`, a number of seconds, or a time of day `HH:MM` (UTC); ValueError for anything else.

    An interval is 5 minutes to 7 days long.
    """
    given = _EVERY.fullmatch(text.strip().lower())
    when = Every(int(given[1]) * _SECONDS[given[2]]) if given else parse_when(text)
    if not isinstance(when, Daily) and not MIN_INTERVAL_S <= when.seconds <= MAX_INTERVAL_S:
        raise ValueError(f"Shorter than 5 minutes or longer than 7 days: {text!r}")
    return when


class AnswerChange(NamedTuple):
    """The ids of the rows that entered an answer, left it, or have another text there."""

    added: list[str]
    removed: list[str]
    changed: list[str]

    @property
    def is_empty(self) -> bool:
        """Whether both answers are the same."""
        return not any(self)


def by_id(lines: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The lines of each id, sorted: one memory may have several facts in an answer."""
    found: dict[str, list[str]] = {}
    for wire_id, line in lines:
        found.setdefault(wire_id, []).append(line)
    return {wire_id: sorted(each) for wire_id, each in found.items()}


def difference(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> AnswerChange:
    """The change from one answer (`by_id`) to the next; the order of the rows does not count."""
    return AnswerChange(
        added=[wire_id for wire_id in after if wire_id not in before],
        removed=[wire_id for wire_id in before if wire_id not in after],
        changed=[wire_id for wire_id in after if wire_id in before and before[wire_id] != after[wire_id]],
    )


def signature(secret: str, timestamp_s: int, body: bytes) -> str:
    """The header of a signed delivery: `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>" in hex>`."""
    digest = hmac.new(secret.encode(), f"{timestamp_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp_s},v1={digest}"


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet: not loopback, private, link-local, multicast or translated."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if ip not in _UNICAST or ip.teredo is not None or any(ip in network for network in _TRANSLATED):
            return False
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _SPECIAL)
