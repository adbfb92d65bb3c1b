"""The forms of addresses in settings, checked before anything starts."""

from ipaddress import ip_address
from typing import Annotated

from pydantic import AfterValidator
from pydantic_settings import NoDecode


def _web_address(value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise ValueError("the address begins with http:// or https://, such as https://memory.example.com")
    return value


def _ip_address(value: str) -> str:
    try:
        return str(ip_address(value))
    except ValueError:
        raise ValueError(f"{value} is not an IP address; names and networks are not supported") from None


WebAddress = Annotated[str, AfterValidator(_web_address)]
"""An address for people and clients, with its scheme."""

IpAddresses = Annotated[list[Annotated[str, AfterValidator(_ip_address)]], NoDecode]
"""IPv4 and IPv6 addresses in their shortest form, as connections show them; separated by commas in the environment."""
