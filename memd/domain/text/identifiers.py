"""Names that hold a first person and that no rewriting may change: `us-east-2`, `/home/me`, `@us`, `My Chemical Romance`."""

from collections.abc import Sequence
from typing import Final

_TITLED: Final = frozenset({"My", "Our", "We", "Me", "Us"})
_FIRST_PERSON: Final = r"(?:i|me|my|mine|we|us|our|ours)"
IDENTIFIER: Final = (
    r"`[^`\n]{1,200}`"
    r"|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})*"
    r"|(?:https?://|www\.)[^\s<>\"]+(?<![.,;:!?)])"
    r"|[^\W_]{1,64}(?:_[^\W_]{1,64})+(?:[./:-]\w{1,64})*"
    rf"|\b{_FIRST_PERSON}(?![-/]{_FIRST_PERSON}\b)(?:[-./:][^\W_]{{1,64}})+"
    r"|(?=[\w-]{0,64}[.\d-])[^\W_][\w.-]{0,128}(?:/[\w.-]{1,64})+"
    rf"|[^\W_]{{1,64}}\.(?:me|us)\b(?!')"
    rf"|(?<![\w/\\])(?:[@#$]|~/|\.{{1,2}}/|/(?!{_FIRST_PERSON}\b(?!/)))\w[\w.~/-]{{0,128}}"
    r"|\b[a-z]:\\[^\s\"<>|]{1,128}"
)
"""A pattern, to be used with `re.IGNORECASE`; a hyphen or a slash alone joins only what begins with a first person, as in
`our-team`: `home-my mother` misses a blank, and `me/my wife` and `me /my wife` are words."""


def in_names(tokens: Sequence[str]) -> set[int]:
    """The places of first persons that belong to names: of the country (`US`, `the us`), and of titles (`My Brilliant Friend`).

    No title is looked for in a sentence that has no word without a capital.
    """
    words = [index for index, token in enumerate(tokens) if token[:1].isalpha()]
    some_small = any(tokens[index][0].islower() for index in words)
    found = {index for index in words if tokens[index] == "US" and any(token.islower() for token in tokens)}
    for before, index, after in zip([0, *words], words, [*words[1:], 0], strict=False):
        word = tokens[index]
        if word.lower() == "us" and tokens[before].lower() == "the":
            found.add(index)
        is_led = before > 0 and _is_capitalised(tokens[before])
        is_followed = after > index and _is_capitalised(tokens[after])
        is_title = (word in _TITLED and (is_led or is_followed)) or (word == "I" and is_led and is_followed)
        if index > words[0] and some_small and is_title:
            found.add(index)
    return found


def _is_capitalised(token: str) -> bool:
    """Whether a word is written with a capital as in a title, which `I` and `I'm` have anywhere."""
    return token[:1].isupper() and token.split("'", maxsplit=1)[0] != "I"
