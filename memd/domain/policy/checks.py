"""Checks of the content policy beyond patterns: check digits, issuers, neighbours in Unicode.

A check is given the match of the rule's pattern and answers whether it is what the rule looks for. Check digits come
from python-stdnum.
"""

import base64
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, cast

from stdnum import iban, isbn, luhn

from memctl.wire.invisible import open_bidi
from memd.domain.policy.content_policy import Check

BASE64_RUN = 500
"""Characters of an encoded payload (contract 12)."""

_ISSUERS = (
    # first and last prefix, lengths in use
    ("4", "4", (13, 16, 19)),  # Visa
    ("51", "55", (16,)),  # Mastercard
    ("2221", "2720", (16,)),  # Mastercard
    ("34", "34", (15,)),  # American Express
    ("37", "37", (15,)),  # American Express
    ("300", "305", (14, 16)),  # Diners Club
    ("3095", "3095", (14, 16)),  # Diners Club
    ("36", "36", (14, 16, 19)),  # Diners Club
    ("38", "39", (14, 16)),  # Diners Club
    ("3528", "3589", (16, 19)),  # JCB
    ("6011", "6011", (16, 19)),  # Discover
    ("644", "649", (16, 19)),  # Discover
    ("65", "65", (16, 19)),  # Discover
    ("62", "62", (16, 19)),  # UnionPay
    ("5018", "5018", (13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("5020", "5020", (13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("5038", "5038", (13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("5893", "5893", (13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("6304", "6304", (13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("6759", "6763", (13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("67", "67", (16, 19)),  # Maestro
    ("2200", "2204", (16, 17, 18, 19)),  # Mir
    ("60", "60", (16,)),  # RuPay
    ("81", "82", (16,)),  # RuPay
    ("9792", "9792", (16,)),  # Troy
)

_PEM_IN_BASE64 = base64.b64encode(b"-----BEGIN CERTIFICATE-----").decode()[:36]
_ROW_OF_NUMBERS = re.compile(r"(?:[ -][0-9]{4}){3}(?![0-9])")
_INTRODUCTION = 60
_IMAGE_ADDRESS = re.compile(r"data:image/[a-z0-9.+-]{2,20};base64,\Z")
_IMAGES = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "AAABAA")
_KEY_MATERIAL = re.compile(r"(?i)modulus|exponent|fingerprint|pub(?:lic )?key")
_HEX = re.compile("[0-9a-f]+|[0-9A-F]+")
_FLAG_TAGS = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_FLAG_BASE = "\U0001f3f4"
_OPENERS = "\u202a\u202b\u2066\u2067\u2068"
_OMISSION = re.compile(r"(?i)(?:\\[nr]|\s){0,8}(?:x{4}|\.{3}|\*{3}|<|\[|\{|your|example|base64|…)")
_PLACEHOLDER = re.compile(r"(?i)x{6}|\*{3}|\.{3}|0{12}|your|placeholder|example")
_EXAMPLE_HOST = re.compile(
    r"(?i)(?:^|[/.@])(?:[\w-]*(?:example|company)[\w-]*|test|invalid|host(?:name)?|server|domain)(?:\.[a-z]{2,6})?(?:[:/]|$)"
)
_OWN_HOSTS = frozenset({"localhost", "127.0.0.1", "0.0.0.0"})  # noqa: S104 - text to compare with
_SAMPLE_PASSWORD = re.compile(
    r"(?i)[$%{\[(].*|(?:my|your|the)?[_-]?(?:pass|pwd?|passwd|password|secret|token|key)\d{0,3}|[*.x]{2,}|changeme|placeholder|"
    r"tiger|postgres|root|admin|test|guest|user|foo|bar|abc|1?123\d{0,3}"
)


def invisible_unicode(match: re.Match[str]) -> bool:
    """Whether the character or run is a tag outside of a regional flag, an isolate left open, or always out of place."""
    first = match[0][0]
    if first in _OPENERS:
        return match.start() in _open_bidi(match.string)
    return not _ends_flag(match)


@lru_cache(maxsize=1)
def _open_bidi(text: str) -> set[int]:
    """As `open_bidi`, found once for all matches in a text."""
    return open_bidi(text)


def _ends_flag(match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    return text[max(0, start - 1) : start] == _FLAG_BASE and _FLAG_TAGS.fullmatch(match[0]) is not None


def base64_run(match: re.Match[str]) -> bool:
    """Whether the lines hold 500 base64 characters, on one or, of mixed classes, wrapped.

    Certificates, images in a data address, and numbers of a public key in hexadecimal are spared.
    """
    before = match.string[max(0, match.start() - _INTRODUCTION) : match.start()]
    if match[0].startswith(("-----BEGIN", _PEM_IN_BASE64)) or _is_image(match[0], before):
        return False
    if _KEY_MATERIAL.search(before) and _HEX.fullmatch(match[0]):
        return False
    lines = match[0].split()
    if any(len(run) >= BASE64_RUN for line in lines for run in re.split("[_-]", line)):
        return True
    joined = "".join(lines)
    return len(joined) >= BASE64_RUN and all(re.search(kind, joined) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def _is_image(run: str, before: str) -> bool:
    """Whether a run is in a `data:` URL of an image, and begins as such a file does."""
    return _IMAGE_ADDRESS.search(before) is not None and run.startswith(_IMAGES)


def payment_card(match: re.Match[str]) -> bool:
    """Whether the digits have an issuer's prefix and length and a true Luhn digit, and begin no row of numbers."""
    if _ROW_OF_NUMBERS.match(match.string, match.end()):
        return False
    digits = re.sub("[^0-9]", "", match[0] + match[1])
    known = any(len(digits) in lengths and first <= digits[: len(first)] <= last for first, last, lengths in _ISSUERS)
    return known and luhn.is_valid(digits)


def iban_number(match: re.Match[str]) -> bool:
    """Whether the groups, up to one of their ends, are an IBAN: country's form and mod-97 = 1."""
    number = match.string[match.start() - 2 : match.end()].upper()
    for group in re.split("[ -]", match[1]):
        number += group.upper()
        if len(number) >= 15 and _leaves_one(number) and iban.is_valid(number, check_country=False):
            return True
    return False


def _leaves_one(number: str) -> bool:
    """Whether the number modulo 97 is 1, read as ISO 7064 says: rules out nearly all at a tenth of the library's time."""
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def isbn_number(match: re.Match[str]) -> bool:
    """Whether the digits are a valid ISBN-10 or ISBN-13."""
    return isbn.is_valid(match[1])


def real_key(match: re.Match[str]) -> bool:
    """Whether the header of a private key is followed by anything else than the marks of an omission."""
    return _OMISSION.match(match.string, match.end()) is None


def real_token(match: re.Match[str]) -> bool:
    """Whether the token is more than a placeholder such as `sk-xxxxxxxx` or `YOUR_TOKEN_HERE`."""
    return not _PLACEHOLDER.search(match[0])


def live_jwt(match: re.Match[str]) -> bool:
    """Whether the payload of the token is JSON that names an issuer or an end, of no documentation's domain."""
    payload = match[1]
    try:
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, RecursionError):
        return False
    if not isinstance(claims, dict) or not {"iss", "exp"} & claims.keys():
        return False
    return not _EXAMPLE_HOST.search(str(cast("dict[str, Any]", claims).get("iss", "")))


def password_in_url(match: re.Match[str]) -> bool:
    """Whether the address holds a real password: no placeholder, variable or example."""
    user, password, host = match[1], match[2], match[3]
    if _EXAMPLE_HOST.search(host) or host in _OWN_HOSTS:
        return False
    return password != user and _SAMPLE_PASSWORD.fullmatch(password) is None


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "base64_run": base64_run,
        "iban": iban_number,
        "invisible_unicode": invisible_unicode,
        "isbn": isbn_number,
        "live_jwt": live_jwt,
        "password_in_url": password_in_url,
        "payment_card": payment_card,
        "real_key": real_key,
        "real_token": real_token,
    }
)
"""The checks a rule can name."""
