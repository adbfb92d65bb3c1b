"""What the rules of the content policy need beyond patterns: check digits, issuers, neighbours in Unicode.

A check is given the match of the rule's pattern and answers whether it is what the rule looks for. Check digits come
from python-stdnum.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType

from stdnum import iban, isbn, luhn

from memd.domain.content_policy import Check

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

_JOINING = re.compile(
    "[\u0600-\u07ff\u0840-\u085f\u0860-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1aaf\u1b00-\u1c7f\ua840-\ua87f"
    "\ua8e0-\ua8ff\ua980-\uaaff\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010aff\U00010d00-\U00010d3f\U00011000-\U00011fff\U0001e900-\U0001e95f]"
)
"""Letters and signs of scripts whose spelling uses the zero-width joiner and non-joiner."""
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf]")
"""Thai, Lao, Tibetan, Myanmar, Khmer and kin: written without spaces, words parted by the zero-width space."""
_EMOJI = re.compile(
    "[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\ufe0f\U0001f000-\U0001faff]"
)
_FLAG_TAGS = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_FLAG_BASE = "\U0001f3f4"
_RTL_REACH = 16
_PLACEHOLDER = re.compile(r"(?i)x{6}|\*{3}|\.{3}|0{12}|your|placeholder")


def invisible_unicode(match: re.Match[str]) -> bool:
    """Whether the invisible character or run is out of place.

    In place are joiners in emoji and in scripts that need them, spaces of no width in scripts without spaces, marks of
    direction beside right-to-left letters, a leading BOM, and the tags of a regional flag.
    """
    allowed = _ALLOWED.get(match[0][0], _ends_flag)
    return not allowed(match)


def _neighbours(match: re.Match[str]) -> tuple[str, str]:
    text, start, end = match.string, match.start(), match.end()
    return text[max(0, start - 1) : start], text[end : end + 1]


def _joins_script(match: re.Match[str]) -> bool:
    before, after = _neighbours(match)
    return bool(_JOINING.match(before) or _JOINING.match(after))


def _joins_anything(match: re.Match[str]) -> bool:
    before, after = _neighbours(match)
    in_emoji = bool(_EMOJI.match(before)) and (not after or bool(_EMOJI.match(after)))
    return in_emoji or _joins_script(match)


def _parts_words(match: re.Match[str]) -> bool:
    before, after = _neighbours(match)
    return bool(_UNSPACED.match(before) or _UNSPACED.match(after))


def _in_right_to_left(match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    around = text[max(0, start - _RTL_REACH) : match.end() + _RTL_REACH]
    return any(unicodedata.bidirectional(char) in {"R", "AL"} for char in around if char not in _MARKS)


def _opens_text(match: re.Match[str]) -> bool:
    return match.start() == 0


def _ends_flag(match: re.Match[str]) -> bool:
    before, _ = _neighbours(match)
    return before == _FLAG_BASE and _FLAG_TAGS.fullmatch(match[0]) is not None


_MARKS = "\u061c\u200e\u200f"
_ALLOWED: Mapping[str, Callable[[re.Match[str]], bool]] = MappingProxyType(
    {
        "\u200b": _parts_words,
        "\u200c": _joins_script,
        "\u200d": _joins_anything,
        "\u180e": _joins_script,
        "\ufeff": _opens_text,
        **dict.fromkeys(_MARKS, _in_right_to_left),
    }
)


def base64_run(match: re.Match[str]) -> bool:
    """Whether the lines hold 500 base64 characters, on one or, of mixed classes, wrapped; a public PEM block is spared."""
    if match[0].startswith("-----BEGIN"):
        return False
    lines = match[0].split()
    if any(len(run) >= BASE64_RUN for line in lines for run in re.split("[_-]", line)):
        return True
    joined = "".join(lines)
    return len(joined) >= BASE64_RUN and all(re.search(kind, joined) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def payment_card(match: re.Match[str]) -> bool:
    """Whether the digits have an issuer's prefix and length and a true Luhn digit."""
    digits = re.sub("[^0-9]", "", match[0] + match[1])
    known = any(len(digits) in lengths and first <= digits[: len(first)] <= last for first, last, lengths in _ISSUERS)
    return known and luhn.is_valid(digits)


def iban_number(match: re.Match[str]) -> bool:
    """Whether the groups, up to one of their ends, are an IBAN: country's form and mod-97 = 1."""
    number = match.string[match.start() - 2 : match.end()].upper()
    for group in re.split("[ -]", match[1]):
        number += group.upper()
        if len(number) >= 15 and iban.is_valid(number, check_country=False):
            return True
    return False


def isbn_number(match: re.Match[str]) -> bool:
    """Whether the digits are a valid ISBN-10 or ISBN-13."""
    return isbn.is_valid(match[1])


def real_token(match: re.Match[str]) -> bool:
    """Whether the token is more than a placeholder such as `sk-xxxxxxxx` or `YOUR_TOKEN_HERE`."""
    return not _PLACEHOLDER.search(match[0])


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "base64_run": base64_run,
        "iban": iban_number,
        "invisible_unicode": invisible_unicode,
        "isbn": isbn_number,
        "payment_card": payment_card,
        "real_token": real_token,
    }
)
"""The checks a rule can name."""
