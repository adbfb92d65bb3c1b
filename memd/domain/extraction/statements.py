"""Chooses the sentences of a conversation between people that are worth a memory (contract 11.6).

Sentences are scored by a linear model (`weights`), and a message as all of its sentences together. Of a message that is
worth it, the best sentence becomes a statement, and so does every other one with a sufficient score. What points back
to the statement before ("It was rich and creamy"), and what its speaker says next without being worth a statement, may
add a detail to it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Final

from memd.domain.distilling.features import Features, SentenceContext, content_words, features, plain
from memd.domain.distilling.weights import BIAS, WEIGHTS
from memd.domain.extraction.conversation_windows import ConversationWindow
from memd.domain.extraction.cues import Reading, Voice, read_sentence
from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.text.sentences import is_question, sentences
from memd.domain.types import Category

# Scores are logarithms of odds. Chosen with each conversation of the development data left out in turn.
KEEP_MESSAGE: Final = 0.38
KEEP_SENTENCE: Final = 1.5
KEEP_REMARK: Final = 0.6
KEEP_DETAIL: Final = -1.8
ANTECEDENT: Final = 0.3
"""Added to `KEEP_MESSAGE` when the best sentence of a message refers back to something that is not known."""
MAX_CHARACTERS: Final = 175
"""Characters of the words said, in one statement; names and a date are added."""
NEAR: Final = 2
"""Messages between a statement and further words of its speaker that may be a detail of it."""
RECENT: Final = 6
KNOWLEDGE: Final = frozenset({Category.DECISION, Category.RULE, Category.WORKFLOW})
"""Working knowledge, which is rare in the conversations that the weights were learned from: its cues are enough."""
_FIRM: Final = (frozenset({"I begins", "definite deed"}), frozenset({"profile"}), frozenset({"my people begin"}))
"""Features that are enough, however short the sentence is: "I moved to Graz", "I'm allergic to nuts", "My sister left"."""
_SPEECH_ACTS: Final = frozenset({"greeting", "glad for you", "wish", "thanks"})
"""Features of sentences that are never statements, regardless of their score."""
_REACTIONS: Final = frozenset({"praise", "reaction", "you", "speaker named"})
"""Features of words about what the listener said, which are not details of the speaker's own statement."""
_OF_SPEAKER: Final = frozenset({"I or we", "my", "me"})
_UNREAL: Final = re.compile(
    r"^(?:if|maybe|perhaps)\b|^(?:whenever|when|while|since|after|before|because|cause)\b[^,]*$|\b(?:i wish|i would have|what if|would(?:n't)? (?:you|it)|could you|can you|must (?:be|have|feel))\b",
    re.IGNORECASE,
)
_POINTS_BACK: Final = re.compile(
    r"(?:(?:and|but|so|plus|also)[, ]+)?(?:it|it's|they|they're|she|he|she's|he's|this|these|those|that|that's|there's)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence with its place in the window and in its message, its score, and what its cues say."""

    position: int
    order: int
    sentence: str
    score: float
    reading: Reading | None
    usable: bool
    reacts: bool

    @property
    def points_back(self) -> bool:
        """Whether it begins with a pronoun for something said before."""
        return bool(_POINTS_BACK.match(plain(self.sentence)))


Statement = list[ScoredSentence]
"""Sentences of one speaker about one thing: the first is the statement, the others are details."""


def statements(window: ConversationWindow, readable: Sequence[bool]) -> list[Statement]:
    """The statements of the `readable` messages, whose speakers have names, in order of time."""
    found: list[Statement] = []
    latest: dict[str, Statement] = {}
    for position, message in enumerate(window.messages):
        speaker = message.speaker
        if speaker is None or not readable[position]:
            continue
        before = latest.get(speaker)
        near = before if before and position - before[-1].position <= NEAR else None
        made = _of_message(list(_scored(window, position)), near)
        if made:
            found += made
            latest[speaker] = made[-1]
    return found


def sentences_of(window: ConversationWindow, position: int) -> Iterator[tuple[int, str, Features]]:
    """The sentences of a message that are not questions, with their places and features."""
    message = window.messages[position]
    before = window.messages[max(0, position - RECENT) : position]
    parts = sentences(message.content)
    message_context = SentenceContext(
        first=False,
        last=False,
        message_characters=len(message.content),
        message_asks=any(map(is_question, parts)),
        answers=bool(before) and before[-1].speaker != message.speaker and "?" in before[-1].content,
        previous=content_words(before[-1].content) if before else frozenset(),
        recent=frozenset[str]().union(*(content_words(one.content) for one in before)),
        speakers=frozenset(one.speaker for one in window.messages if one.speaker),
    )
    for order, sentence in enumerate(parts):
        if not is_question(sentence):
            context = replace(message_context, first=order == 0, last=order == len(parts) - 1)
            yield order, sentence, features(sentence, context)


def _scored(window: ConversationWindow, position: int) -> Iterator[ScoredSentence]:
    for order, sentence, found in sentences_of(window, position):
        text = plain(sentence)
        usable = not (
            _SPEECH_ACTS & found.keys()
            or _UNREAL.search(text)
            or ("you begins" in found and not _OF_SPEAKER & found.keys())
            or contains_secret(sentence)
        )
        reading = read_sentence(text, Voice.PERSON)
        score = BIAS + sum(WEIGHTS.get(name, 0.0) * value for name, value in found.items())
        if usable and (any(map(found.keys().__ge__, _FIRM)) or _is_knowledge(reading, found)):
            score = max(score, KEEP_SENTENCE)
        yield ScoredSentence(position, order, sentence, score, reading, usable, bool(_REACTIONS & found.keys()))


def _is_knowledge(reading: Reading | None, found: Features) -> bool:
    return reading is not None and reading.category in KNOWLEDGE and reading.distinct and "exclamation" not in found


def _of_message(scored: Sequence[ScoredSentence], before: Statement | None) -> list[Statement]:
    """The new statements of a message; what belongs to the one before is added to that."""
    usable = [one for one in scored if one.usable]
    total = log(sum(exp(one.score) for one in scored)) if usable else KEEP_DETAIL - 1
    if total < KEEP_DETAIL:
        return []
    groups = _groups(usable, KEEP_SENTENCE if total >= KEEP_MESSAGE else float("inf"))
    weak = total < KEEP_MESSAGE
    if before and (weak or groups[0][0].points_back) and not groups[0][0].reacts and _fits(before, groups[0]):
        before += groups.pop(0)
    if groups and groups[0][0].points_back and total < KEEP_MESSAGE + ANTECEDENT:
        groups.pop(0)
    return [] if weak else groups


def _groups(scored: Sequence[ScoredSentence], threshold: float) -> list[Statement]:
    """The best sentence and those that score `threshold`, each with the following sentence that refers back to it."""
    best = max(scored, key=lambda one: one.score)
    by_order = {one.order: one for one in scored}
    groups: list[Statement] = []
    for one in scored:
        follows = groups and groups[-1][-1].order == one.order - 1 and one.points_back and _fits(groups[-1], [one])
        if follows and one.score >= KEEP_REMARK:
            groups[-1].append(one)
        elif one is best or one.score >= threshold:
            back = by_order.get(one.order - 1) if one.points_back else None
            fits = back is not None and back.score >= KEEP_DETAIL and _fits([back], [one])
            new = fits and not (groups and groups[-1][-1] is back)
            groups.append([back, one] if back is not None and new else [one])
    return groups


def _fits(statement: Statement, more: Statement) -> bool:
    return sum(len(one.sentence) for one in (*statement, *more)) <= MAX_CHARACTERS
