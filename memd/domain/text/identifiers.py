"""Names of things in code and on the network, which no rewriting may change: `us-east-2`, `me@example.org`, `my_utils`."""

from typing import Final

_FIRST_PERSON: Final = r"(?:i|me|my|mine|we|us|our|ours)"
IDENTIFIER: Final = (
    r"`[^`\n]{1,200}`"
    r"|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})*"
    r"|(?:https?://|www\.)[^\s<>\"]+(?<![.,;:!?)])"
    r"|[^\W_]{1,64}(?:_[^\W_]{1,64})+(?:[./:-]\w{1,64})*"
    rf"|\b{_FIRST_PERSON}(?![-/]{_FIRST_PERSON}\b)(?:[-./:][^\W_]{{1,64}})+"
    r"|(?=[\w-]{0,64}[.\d-])[^\W_][\w.-]{0,128}(?:/[\w.-]{1,64})+"
    rf"|[^\W_]{{1,64}}\.(?:me|us)\b(?!')"
)
"""A pattern, to be used with `re.IGNORECASE`; a hyphen or a slash alone joins only what begins with a first person, as in
`our-team`: `home-my mother` misses a blank, and `me/my wife` are two words."""
