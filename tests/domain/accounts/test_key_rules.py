"""Contract 17.7: what one key may do with another."""

from collections.abc import ItemsView
from ipaddress import IPv4Network, ip_network
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.accounts.key_rules import Grant, address_allowed, descendants, earliest, networks_of
from memd.domain.types import KeyScope

R, W, A, K, X = KeyScope
GRANTS = st.builds(
    Grant,
    st.frozensets(st.sampled_from(KeyScope)),
    st.none() | st.integers(1, 4),
    st.lists(st.sampled_from(networks_of(["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "::/0", "2001:db8::/32"]))).map(
        tuple
    ),
)


def grant(*scopes: KeyScope, ends_at: int | None = None, networks: str = "") -> Grant:
    return Grant(frozenset(scopes), ends_at, networks_of(networks.split()))


@pytest.mark.parametrize(
    ("own", "other", "outranks", "covers"),
    [
        (grant(R, W), grant(R, W), True, True),
        (grant(R, W), grant(R), True, True),
        (grant(R), grant(R, W), False, False),
        (grant(R, A), grant(R, X), True, True),
        (grant(R, W), grant(R, X), False, False),
        (grant(R, ends_at=5), grant(R, ends_at=5), True, True),
        (grant(R, ends_at=5), grant(R, ends_at=6), False, False),
        (grant(R, ends_at=5), grant(R), False, False),
        (grant(R), grant(R, ends_at=5), True, True),
        (grant(R, networks="10.0.0.0/8"), grant(R), True, False),
        (grant(R, networks="10.0.0.0/8"), grant(R, networks="10.1.0.0/16"), True, True),
        (grant(R, networks="10.0.0.0/8"), grant(R, networks="10.1.0.0/16 11.0.0.1"), True, False),
        (grant(R, networks="10.0.0.0/8"), grant(R, networks="::ffff:10.0.0.0/104"), True, False),
        (grant(R), grant(R, networks="::1"), True, True),
    ],
)
def test_rights_beyond_ones_own(own: Grant, other: Grant, outranks: bool, covers: bool) -> None:
    assert (own.outranks(other), own.covers(other)) == (outranks, covers)


@given(GRANTS, GRANTS, GRANTS)
def test_what_a_covered_key_covers_is_covered(first: Grant, second: Grant, third: Grant) -> None:
    assert first.covers(first)
    if first.covers(second) and second.covers(third):
        assert first.covers(third)


@given(GRANTS, GRANTS, st.sampled_from(["10.1.2.3", "10.1.9.9", "10.9.9.9", "192.0.2.1", "2001:db8::1", "2a00::1"]))
def test_no_address_is_gained(own: Grant, other: Grant, address: str) -> None:
    if own.covers(other) and address_allowed(address, other.networks):
        assert address_allowed(address, own.networks)


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("10.1.2.3", True),
        ("::ffff:10.1.2.3", True),
        ("11.0.0.1", False),
        ("2001:db8::5", True),
        ("2001:db9::5", False),
        ("unknown", False),
        ("", False),
        (None, False),
    ],
)
def test_addresses(address: str | None, allowed: bool) -> None:
    assert address_allowed(address, networks_of(["10.0.0.0/8", "2001:db8::/32"])) is allowed
    assert address_allowed(address, ())


def test_single_addresses_are_networks_and_host_bits_are_refused() -> None:
    assert networks_of(["10.0.0.5"]) == (IPv4Network("10.0.0.5/32"),)
    assert networks_of(["::1"]) == (ip_network("::1/128"),)
    with pytest.raises(ValueError, match="host bits"):
        networks_of(["10.0.0.5/8"])


def test_the_earliest_end() -> None:
    assert earliest(None, 5, 3) == 3
    assert earliest(None, None) is None


def test_descendants_end_in_a_cycle_too() -> None:
    first, child, grandchild, other, loop = (UUID(int=number) for number in range(5))
    makers = {first: None, child: first, grandchild: child, other: None, loop: other}
    assert descendants(first, makers) == [child, grandchild]
    assert descendants(grandchild, makers) == []
    assert descendants(other, {other: loop, loop: other}) == [loop]


class CountedMakers(dict[UUID, UUID | None]):
    """Makers of keys, with how often they were read from the first to the last."""

    def __init__(self, count: int) -> None:
        """As many keys, each made with the one before."""
        super().__init__({UUID(int=number): UUID(int=number - 1) if number else None for number in range(count)})
        self.readings = 0

    def items(self) -> ItemsView[UUID, UUID | None]:  # type: ignore[override]
        """Count the reading."""
        self.readings += 1
        return ItemsView(self)


def test_a_line_of_keys_is_read_once() -> None:
    makers = CountedMakers(5_000)
    assert descendants(UUID(int=0), makers) == list(makers)[1:]
    assert makers.readings == 1
