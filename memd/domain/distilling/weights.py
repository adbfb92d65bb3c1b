"""The weight of each feature of a sentence: made by `python -m tests.bench.extraction_weights`, not by hand.

The sum, with `BIAS`, is the logarithm of the odds that the sentence states a fact. Features that are not in the table
have weight 0.
"""

from collections.abc import Mapping
from typing import Final

BIAS: Final = -2.63
WEIGHTS: Final[Mapping[str, float]] = {
    "I am doing": 0.20,
    "I begins": 0.35,
    "I did": 0.30,
    "I have done": 0.15,
    "I or we": 0.10,
    "answer": 0.55,
    "commas": 0.15,
    "content words": 0.55,
    "definite deed": 0.40,
    "echo": -0.15,
    "effect": -0.05,
    "exclamation": -0.15,
    "feeling": -0.15,
    "first": -0.05,
    "first answer": 0.25,
    "generality": -0.15,
    "glad for you": -0.05,
    "greeting": -0.15,
    "habit": 0.05,
    "hypothetical": -0.05,
    "it is": 0.15,
    "learned": 0.20,
    "liking": 0.10,
    "long words": 0.50,
    "me": 0.15,
    "message asks": 0.10,
    "message characters": -0.20,
    "my": 0.50,
    "name": 0.35,
    "negation": -0.15,
    "new words": 0.95,
    "number": 0.10,
    "opinion": -0.20,
    "people": 0.25,
    "picture": -0.05,
    "place": 0.15,
    "plan": -0.05,
    "points back": 0.05,
    "praise": -0.30,
    "reaction": -0.30,
    "reason": -0.25,
    "speaker named": -0.20,
    "thanks": -0.05,
    "time": 0.45,
    "turning point": 0.20,
    "wish": -0.20,
    "words": 0.30,
    "words < 4": -0.50,
    "words < 7": -0.85,
    "words >= 12": 0.30,
    "you": -0.35,
    "you begins": -0.05,
}
