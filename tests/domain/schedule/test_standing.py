"""Schedules, changes of answers, signatures and public addresses (contract 17.8)."""

import hashlib
import hmac

import pytest

from memd.domain.schedule.standing import by_id, difference, is_public, parse_schedule, signature
from memd.domain.schedule.timetable import Daily, Every, When


@pytest.mark.rule("17.8 schedule")
@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("every 5m", Every(300)),
        ("every 1h", Every(3600)),
        ("Every  7 d", Every(7 * 86_400)),
        ("every 900s", Every(900)),
        ("900", Every(900)),
        ("07:30", Daily(7, 30)),
    ],
)
def test_schedules(text: str, when: When) -> None:
    assert parse_schedule(text) == when


@pytest.mark.rule("17.8 schedule")
@pytest.mark.parametrize(
    "text", ["", "hourly", "every 4m", "every 299s", "every 8d", "24:00", "every 0h", "every 1h x"]
)
def test_what_is_no_schedule(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_schedule(text)


@pytest.mark.rule("17.8 answer")
def test_a_change_does_not_count_the_order() -> None:
    before = by_id([("mem_a", "one"), ("mem_b", "two"), ("mem_c", "three"), ("mem_c", "four")])
    after = by_id([("mem_c", "four"), ("mem_c", "three"), ("mem_b", "TWO"), ("mem_d", "five")])
    change = difference(before, after)
    assert change == (["mem_d"], ["mem_a"], ["mem_b"])
    assert difference(after, dict(reversed(after.items()))).is_empty


@pytest.mark.rule("17.8 webhook")
def test_the_timestamp_is_signed() -> None:
    digest = hmac.new(b"secret", b"1700000000.{}", hashlib.sha256).hexdigest()
    assert signature("secret", 1_700_000_000, b"{}") == f"t=1700000000,v1={digest}"


@pytest.mark.rule("17.8 addresses")
@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.rule("17.8 addresses")
@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.1.2.3", "0.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::"),
        *("192.0.0.9", "192.88.99.1", "3fff::1", "5f00::1", "100::1", "4000::1"),
        *("2001:0:53aa:64c::1", "fec0::1", "::127.0.0.1", "::7f00:1"),
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)
