"""Short texts about a session: excerpts, the summary of the last session, an abridged snapshot.

Extractive: nothing is reworded, and equal messages give equal text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.lifecycle.salience import salience
from memd.domain.text.sentences import cut_words, first_words, is_question, sentences
from memd.domain.types import Category, MessageRole, Store

EXCERPT_MAX: Final = 160
SUMMARY_MAX: Final = 300
CHARACTERS_PER_TOKEN: Final = 4
SNAPSHOT_WHOLE_MAX: Final = 20
SNAPSHOT_END: Final = 10

_READ_MAX: Final = 4_000
"""Characters of one message that a summary reads."""
_TELLING_MIN: Final = 16
"""Characters under which a sentence ("OK.", "Hey there!") says nothing."""
_USER_WEIGHT: Final = 0.05
_OPENING_WEIGHT: Final = 0.2
_CLOSING_WEIGHT: Final = 0.05
_QUESTION_COST: Final = 0.1

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """A message as summary and briefing see it; the time is epoch milliseconds, the speaker who said it, if that is known."""

    timestamp: int
    role: MessageRole
    text: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class LastSession:
    """The last activity of a session (epoch ms), its length, and a summary of its topic (≤ 300 characters)."""

    last_active_at: int
    message_count: int
    summary: str


@dataclass(frozen=True, slots=True)
class AbridgedSnapshot(Generic[T]):
    """The messages of a snapshot that are shown, and how many are not."""

    messages: tuple[T, ...]
    message_count: int
    omitted_count: int


def excerpt(text: str, limit: int = EXCERPT_MAX) -> str:
    """The text on one line in at most `limit` characters, cut at a word end and closed with an ellipsis."""
    return cut_words(first_words(text, limit + 1), limit)


def abridge_snapshot(messages: Sequence[T]) -> AbridgedSnapshot[T]:
    """All messages of a snapshot up to 20; of a longer one the first ten and the last ten (contract 6.7)."""
    count = len(messages)
    if count <= SNAPSHOT_WHOLE_MAX:
        return AbridgedSnapshot(tuple(messages), count, 0)
    shown = (*messages[:SNAPSHOT_END], *messages[-SNAPSHOT_END:])
    return AbridgedSnapshot(shown, count, count - len(shown))


def last_session(stored: LastSession | None, recent: Sequence[SpokenMessage], message_count: int) -> LastSession | None:
    """The stored session, unless it has no summary or is older than the one the recent messages make (contract 7.1).

    The recent ones are the newest of the `message_count` messages of their session.
    """
    if not recent:
        return stored
    computed = LastSession(max(message.timestamp for message in recent), message_count, summarize(recent))
    if stored is None:
        return computed
    is_current = bool(stored.summary.strip()) and stored.last_active_at >= computed.last_active_at
    return stored if is_current or not computed.summary else computed


def summarize(messages: Iterable[SpokenMessage]) -> str:
    """The most salient sentences of a conversation, in their order, in at most 300 characters; empty without any text.

    A sentence is worth its salience (contract 11.5), more when the user says it, when it opens the talk or is in its
    last message, less when it asks. System messages are left out, and sentences that contain a secret. Without any
    telling sentence (nothing but code) the beginning of the last message is used.
    """
    spoken = [message for message in messages if message.role is not MessageRole.SYSTEM and message.text.strip()]
    scores: dict[str, float] = {}
    for message in spoken:
        for sentence in sentences(message.text[:_READ_MAX]):
            if len(sentence) >= _TELLING_MIN and not contains_secret(sentence):
                position_weight = _OPENING_WEIGHT * (not scores) + _CLOSING_WEIGHT * (message is spoken[-1])
                value = _worth(sentence, message.role) + position_weight
                scores[sentence] = max(value, scores.get(sentence, value))
    if not scores:
        last = next((message.text for message in reversed(spoken) if not contains_secret(message.text)), "")
        return excerpt(last, SUMMARY_MAX)
    return _best(scores)


def _worth(sentence: str, role: MessageRole) -> float:
    value = salience("", sentence, Category.CONVERSATION, Store.SENSORY, 0)
    return value + _USER_WEIGHT * (role is MessageRole.USER) - _QUESTION_COST * is_question(sentence)


def _best(scores: dict[str, float]) -> str:
    """As many sentences as fit, best first, returned in their original order; the best one is truncated if needed."""
    chosen: set[str] = set()
    room = SUMMARY_MAX
    for sentence in sorted(scores, key=lambda text: -scores[text]):
        if not chosen or len(sentence) < room:
            chosen.add(sentence)
            room -= len(sentence) + 1
    return cut_words(" ".join(sentence for sentence in scores if sentence in chosen), SUMMARY_MAX)
