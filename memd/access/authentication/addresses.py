"""The rate-limit bucket of a client address."""

from ipaddress import IPv6Address, ip_address
from typing import Final

NETWORK_BITS: Final = 64
"""The length of the prefix that a provider gives to one customer, who can choose among 2^64 addresses."""


def address_block(address: str) -> str:
    """The rate-limit bucket of an address: itself for IPv4, its /64 for IPv6, anything else unchanged."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    host_bits = 128 - NETWORK_BITS
    return f"{IPv6Address(int(parsed) >> host_bits << host_bits)}/{NETWORK_BITS}"
