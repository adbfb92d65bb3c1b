"""Texts that try to make code slow: one shape each, for any length."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

Shape = Callable[[int], str]


def _of(piece: str) -> Shape:
    return lambda length: (piece * (length // len(piece) + 1))[:length]


def _words(length: int) -> str:
    """Prose: the ordinary case that all others are compared with."""
    return _of("The mill by the river was repaired in May after the flood had taken its wheel away. ")(length)


def _distinct_words(length: int) -> str:
    """Every word occurs once."""
    return " ".join(f"w{number:x}" for number in range(length // 6))[:length]


def _hexadecimal(length: int) -> str:
    """Lines of 64 hexadecimal digits that differ."""
    return "\n".join(hashlib.sha256(bytes([n % 256, n // 256])).hexdigest() for n in range(length // 65 + 1))[:length]


def _letters_of_all_planes(length: int) -> str:
    """Each character of another script than the one before."""
    return _of("aжאبकก中한ぁα")(length)


PROSE: Final = "prose"
SHAPES: Final[Mapping[str, Shape]] = {
    PROSE: _words,
    "distinct words": _distinct_words,
    "one letter": _of("a"),
    "underscores": _of("_"),
    "letters and underscores": _of("a_"),
    "hyphens": _of("-"),
    "letters and hyphens": _of("a-"),
    "letters and dots": _of("a."),
    "letters and apostrophes": _of("a'"),
    "slashes": _of("/a"),
    "mail addresses": _of("a@b."),
    "addresses": _of("http://a."),
    "logins in addresses": _of("a://b:c"),
    "digits": _of("1"),
    "digits and dots": _of("1."),
    "digits and commas": _of("1,2 "),
    "groups of four digits": _of("4111 "),
    "groups of digits and hyphens": _of("219-09-"),
    "IBAN heads": _of("DE89 "),
    "hexadecimal digits": _hexadecimal,
    "base64 lines": _of("QUJD" * 19 + "\n"),
    "base64 cut short": _of("QUJD" * 14 + " "),
    "certificates that do not end": _of("-----BEGIN CERTIFICATE-----\nAAAA\n"),
    "spaces": _of(" "),
    "line feeds": _of("\n"),
    "tabs and line feeds": _of("\t\n"),
    "quotes": _of("'"),
    "quoted letters": _of("'a' \"b\" "),
    "brackets": _of("[{(<"),
    "backslashes": _of("\\"),
    "upper case": _of("AB"),
    "combining marks": _of("\u0301"),
    "letters with many marks": _of("a" + "\u0301\u0316" * 20),
    "unsorted marks": _of("\u0301\u0327\u0316\u0345"),
    "marks of two planes": _of("\u0327\U0001d165\u0301"),
    "ligatures that expand": _of("\ufdfa"),
    "conjoining jamo": _of("\u1100\u1161\u11a8"),
    "emoji": _of("🏞️"),
    "joined emoji": _of("👩\u200d👩\u200d"),
    "zero-width spaces": _of("a\u200b"),
    "marks of direction": _of("a\u200e"),
    "open isolates": _of("\u2066a"),
    "closed isolates": _of("\u2066a\u2069"),
    "stray closers": _of("\u2069\u202c"),
    "tag characters": _of("\U000e0041"),
    "flags": _of("🏴\U000e0067\U000e0062"),
    "variation selectors": _of("a\ufe0f"),
    "Chinese": _of("水車は川のほとりに"),
    "Thai": _of("กังหันน้ำริมแม่น้ำ"),
    "scripts mixed": _letters_of_all_planes,
    "curl": _of("curl "),
    "curl with a variable": _of("curl $"),
    "curl with a brace": _of("curl {{ "),
    "curl with a file": _of("curl @"),
    "curl and a variable in two lines": _of("curl a b c\n$key "),
    "curl far from many variables": lambda length: "curl\n" + _of("$key ")(length - 5),
    "curl and at signs before files": lambda length: "curl\n" + _of("@" * 70 + ".env ")(length - 5),
    "curl with a back slash": _of("curl \\\n"),
    "wget and cut names": _of("wget @.en $tok"),
    "pipes of env": _of("env | "),
    "requests": _of("requests.post( "),
    "read and send": _of("read .env "),
    "send and read": _of("send .env "),
    "secret files": _of(".env credentials "),
    "orders to ignore": _of("ignore all previous "),
    "orders cut short": _of("please ignore your "),
    "system prompts": _of("system prompt "),
    "you are now": _of("\nyou are now a "),
    "act without": _of("act as if you had "),
    "pretend": _of("pretend to be "),
    "do not tell the user": _of("do not tell the user "),
    "hide from the user": _of("hide this "),
    "bearer": _of("bearer "),
    "bearer tokens cut short": _of("bearer abc123"),
    "passwords": _of("password: "),
    "password and quotes": _of("pwd='"),
    "tokens": _of("sk-a"),
    "token heads": _of("sk- AKIA ghp_ xoxb- "),
    "JSON Web Token heads": _of("eyJabcdefghijk."),
    "JSON Web Tokens cut short": _of("eyJ" + "a" * 4000 + "."),
    "keys of memd": _of("api_key " + "0" * 63 + " "),
    "passport numbers": _of("passport no. "),
    "tax numbers": _of("tax id 1 2 3 "),
    "how to make": _of("how to make a simple homemade "),
    "amounts": _of("10 g of "),
    "steps of a mixture": _of("mix 10 g of red phosphorus, heat. "),
    "malware": _of("how to build a botnet "),
    "break in": _of("how to get into "),
    "threats": _of("i will kill "),
    "calls to attack": _of("let us attack "),
    "self harm": _of("how to kill myself "),
    "copyright": _of("© 2024 all rights reserved "),
    "ISBN": _of("ISBN 978-3-16-148410-"),
    "fraud": _of("how to clone credit cards "),
    "dates": _of("yesterday at 10:30 "),
    "half dates": _of("in the last "),
    "capitalised words": _of("Anna Maria "),
    "sentences of one letter": _of("A. "),
    "questions": _of("? "),
    "headings": _of("# a\n"),
    "table cells": _of("| a "),
    "tags that nothing closes": _of("<a>"),
    "tags, each closed": _of("<a b>c</a>"),
}
