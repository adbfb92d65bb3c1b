"""Characters without a glyph that plain text picks up on its way (contract 12, invisible_unicode): what stays, what goes.

Free of any import of memd, so that the length rules of the wire and the domain share one definition. The text rules of
bidirectional overrides and tags, which are refused instead, are the content policy's.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_JOINING: Final = re.compile(
    "[\u0600-\u07ff\u0840-\u085f\u0860-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1aaf\u1b00-\u1c7f\ua840-\ua87f"
    "\ua8e0-\ua8ff\ua980-\uaaff\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010aff\U00010d00-\U00010d3f\U00011000-\U00011fff\U0001e900-\U0001e95f]"
)
"""Letters and signs of scripts whose spelling uses the zero-width joiner and non-joiner."""
_UNSPACED_CLASS: Final = "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf]"
_UNSPACED: Final = re.compile(_UNSPACED_CLASS)
"""Thai, Lao, Tibetan, Myanmar, Khmer and kin: written without spaces, words separated by the zero-width space."""
_EMOJI: Final = re.compile(
    "[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\ufe0f\U0001f000-\U0001faff]"
)
_INVISIBLE: Final = "[\u00ad\u061c\u180e\u200b-\u200f\u2060\u206a-\u206f\ufeff]"
"""Soft hyphen, marks of direction, vowel separator, zero-width characters, word joiner, deprecated controls, BOM."""
_RUN: Final = re.compile(rf"(?!(?<={_UNSPACED_CLASS})\u200b(?!{_INVISIBLE})|\u200b(?={_UNSPACED_CLASS})){_INVISIBLE}+")
"""Runs to clean. A single zero-width space that is needed is skipped here: a text may have one after every word."""
_VISIBLE: Final = re.compile(r"[^\s\u00ad\u061c\u180e\u200b-\u200f\u202c\u2060\u2069\u206a-\u206f\ufeff]")
_MARKS: Final = frozenset("\u061c\u200e\u200f")
_RTL_REACH: Final = 16
_BIDI: Final = re.compile("[\n\u2029\u202a-\u202c\u2066-\u2069]")
_BIDI_SIGN: Final = re.compile("[\u202a-\u202c\u2066-\u2069]")
_OPENERS: Final = {"\u202a": "\u202c", "\u202b": "\u202c", "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}
"""Embeddings and isolates, each with the character that closes it."""


def without_invisible(text: str) -> str:
    """The text without invisible characters that are out of place.

    At most one of a run stays, and only where the text needs it: a joiner inside an emoji or a script that spells with
    it, a zero-width space in a script without spaces, a direction mark next to right-to-left letters. What closes no
    open embedding or isolate goes as well.
    """
    if text.isascii():
        return text
    return _RUN.sub(_kept, _without_stray_closers(text))


def has_visible(text: str) -> bool:
    """Whether `without_invisible` leaves more of the text than white space."""
    return _VISIBLE.search(text) is not None


def _kept(run: re.Match[str]) -> str:
    """The first character of a run that its neighbours need, or nothing."""
    text, found = run.string, run[0]
    reach = 1 if _MARKS.isdisjoint(found) else _RTL_REACH
    before, after = text[max(0, run.start() - reach) : run.start()], text[run.end() : run.end() + reach]
    return _first_needed(found if len(found) == 1 else "".join(dict.fromkeys(found)), before, after)


@lru_cache(maxsize=4096)
def _first_needed(chars: str, before: str, after: str) -> str:
    """The first of the distinct characters that is needed between these texts, or nothing."""
    return next((char for char in chars if _is_needed(char, before, after)), "")


def _is_needed(char: str, before: str, after: str) -> bool:
    if char in _MARKS:
        return _has_right_to_left(before) or _has_right_to_left(after)
    previous, following = before[-1:], after[:1]
    if char == "\u200b":
        return bool(_UNSPACED.match(previous) or _UNSPACED.match(following))
    if char not in "\u180e\u200c\u200d":
        return False
    if _JOINING.match(previous) or _JOINING.match(following):
        return True
    return char == "\u200d" and bool(_EMOJI.match(previous)) and (not following or bool(_EMOJI.match(following)))


def _has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in {"R", "AL"} for char in text if char not in _MARKS)


def _without_stray_closers(text: str) -> str:
    stray = _unbalanced(text)[1]
    return "".join(char for index, char in enumerate(text) if index not in stray) if stray else text


def open_bidi(text: str) -> set[int]:
    """The places of embeddings and isolates that are still open at the end of their line (UAX #9)."""
    return set() if text.isascii() else _unbalanced(text)[0]


def _unbalanced(text: str) -> tuple[set[int], set[int]]:
    """The places of openers without their closer in the same line, and of closers without an opener."""
    opened, stray = set[int](), set[int]()
    if _BIDI_SIGN.search(text) is None:
        return opened, stray
    stack: list[tuple[int, str]] = []
    for found in _BIDI.finditer(text):
        char, index = found[0], found.start()
        if char in _OPENERS:
            stack.append((index, _OPENERS[char]))
        elif char in "\n\u2029":
            opened |= {start for start, _ in stack}
            stack.clear()
        elif stack and stack[-1][1] == char:
            stack.pop()
        else:
            stray.add(index)
    return opened | {start for start, _ in stack}, stray
