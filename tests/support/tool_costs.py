"""The data and questions for counting the tokens of memd's tools in an agent."""

from collections.abc import Iterator
from typing import Any, Final

Json = dict[str, Any]
CALLS: Final[dict[str, Json]] = {
    "capture": {"title": "One more", "content": "The office moves to Lisbon in May."},
    "recall": {"query": "which release ships on Thursday?", "limit": 12},
    "search_messages": {"query": "two more days before it can ship", "channel": "desk"},
    "wake": {"channel": "desk"},
    "context": {"query": "when does the release of billing ship?"},
}
BUDGETS: Final = {
    "capture": 60,
    "recall": 1_100,
    "search_messages": 900,
    "wake": 800,
    "context": 525,
    "definitions": 2_200,
}
WRAPPING: Final = 40
"""Tokens that an agent itself puts around an answer at most."""
_SUBJECTS: Final = ("billing", "search", "checkout", "invoicing", "mobile")


def memories() -> Iterator[Json]:
    """Fifteen long memories."""
    for number in range(15):
        subject = _SUBJECTS[number % 5]
        content = f"Decision {number} about the release of {subject}: " + f"the {subject} team ships on Thursday. " * 8
        yield {"title": f"Release of {subject}, part {number}", "content": content, "category": "decision"}


def turns() -> Iterator[Json]:
    """Twenty messages."""
    for number in range(10):
        text = f"About release {number}: " + f"{_SUBJECTS[number % 5]} needs two more days before it can ship. " * 6
        turn = {"sessionKey": "s1", "channel": "desk", "turnId": f"t{number}", "userMessage": text}
        yield turn | {"assistantMessage": f"Noted. {text}"}


def over_budget(tokens: dict[str, int]) -> dict[str, int]:
    """The tools whose answers cost more than their budget."""
    return {name: number for name, number in tokens.items() if number > BUDGETS[name] + WRAPPING}
