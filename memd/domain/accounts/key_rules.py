"""Rights of one API key over another (contract 17.7): decisions on values."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias
from uuid import UUID

from memd.domain.types import KeyScope

DEVICE_KEY_DAYS: Final = 180
Network: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Grant:
    """The rights of a key: scopes, expiry (epoch ms; None = never), allowed addresses (empty = any)."""

    scopes: frozenset[KeyScope]
    ends_at: int | None = None
    networks: tuple[Network, ...] = ()

    def outranks(self, other: "Grant") -> bool:
        """Whether `other` has no scope beyond these and no later end: the condition for revoking it."""
        return other.scopes <= self.assignable and not _later(other.ends_at, self.ends_at)

    def covers(self, other: "Grant") -> bool:
        """Whether `other` has no right beyond these: the condition for making, changing and rotating it."""
        return self.outranks(other) and _within(other.networks, self.networks)

    @property
    def assignable(self) -> frozenset[KeyScope]:
        """The scopes that this key can pass on; `act_as` is given by keys with `admin`."""
        return self.scopes | {KeyScope.ACT_AS} if KeyScope.ADMIN in self.scopes else self.scopes


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks in CIDR form, or single addresses; `ValueError` for anything else, host bits included."""
    return tuple(ip_network(text) for text in texts)


def address_allowed(address: str | None, networks: tuple[Network, ...]) -> bool:
    """Whether a client at `address` may use a key of these networks; without networks any address may."""
    if not networks:
        return True
    try:
        client = ip_address(address or "")
    except ValueError:
        return False
    if isinstance(client, IPv6Address) and client.ipv4_mapped is not None:
        client = client.ipv4_mapped
    return any(client in network for network in networks)


def earliest(*ends: int | None) -> int | None:
    """The earliest of several expiries; None means no expiry."""
    return min((end for end in ends if end is not None), default=None)


def descendants(key_id: UUID, makers: Mapping[UUID, UUID | None]) -> list[UUID]:
    """The keys that were made by a key, by those, and so on; `makers` maps each key to the key that made it.

    Linear in the number of keys: a caller may make each of its keys with the one before.
    """
    made = defaultdict[UUID | None, list[UUID]](list)
    for key, maker in makers.items():
        made[maker].append(key)
    found, makers_left = {key_id: None}, deque([key_id])
    while makers_left:
        fresh = sorted(key for key in made[makers_left.popleft()] if key not in found)
        found.update(dict.fromkeys(fresh))
        makers_left.extend(fresh)
    return list(found)[1:]


def forgettable(ended: Iterable[UUID], makers: Mapping[UUID, UUID | None]) -> list[UUID]:
    """Those of the ended keys from which no live key descends; `makers` has the live keys too."""
    gone = frozenset(ended)
    needed = set[UUID]()
    for key in makers.keys() - gone:
        maker = makers[key]
        while maker is not None and maker not in needed:
            needed.add(maker)
            maker = makers.get(maker)
    return sorted(gone - needed)


def _later(end: int | None, limit: int | None) -> bool:
    return limit is not None and (end is None or end > limit)


def _within(inner: tuple[Network, ...], outer: tuple[Network, ...]) -> bool:
    if not outer:
        return True
    return bool(inner) and all(any(_part_of(each, whole) for whole in outer) for each in inner)


def _part_of(inner: Network, outer: Network) -> bool:
    """As `subnet_of`, which refuses to compare the two versions of IP."""
    if isinstance(inner, IPv4Network):
        return isinstance(outer, IPv4Network) and inner.subnet_of(outer)
    return isinstance(outer, IPv6Network) and inner.subnet_of(outer)
