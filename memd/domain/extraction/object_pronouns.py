"""Statements of users about something that only `it` or `them` names: `We want it under 6 minutes` (contract 11.6).

On its own such a sentence says nothing. It is read with the subject of the user's sentence before in place of the pronoun,
if that names one thing and nothing else, or it stays beside that sentence; otherwise it is not stored.
"""

import re
from collections.abc import Sequence
from typing import Final

from memd.domain.distilling.wording import bare
from memd.domain.extraction.conversation_windows import ConversationWindow
from memd.domain.extraction.earlier_messages import earlier_utterances, resolved_sentences
from memd.domain.text.alternatives import any_of
from memd.domain.text.names import proper_names
from memd.domain.text.other_people import KIN_AND_ROLES
from memd.domain.text.sentences import is_question

_MAX_SENTENCE: Final = 300
_SUBJECT: Final = r"(?:(?:[\w'-]+ ){1,5}and (?:i|me|we|others)|(?:i|me|we|us) and (?:[\w'-]+ ){0,5}[\w'-]+|i|we)"
_AUXILIARY: Final = any_of(
    """
    'd 'll 've 're 'm _would _will _have(?:_to)? _had(?:_to)? _has _must _can _could _should _are _am _need_to _needed_to
    _want_to _plan_to _would_like_to _going_to _don't _didn't _won't _can't _cannot _do _did _not
    """
)
_ADVERB: Final = any_of(
    "always usually often never also just already still now only both all mostly really recently finally"
)
_SETTING: Final = any_of(
    "find found like liked love loved hate hated enjoy make made makes think thought know knew believe guess hope say said feel felt"
)
"""Verbs after which `it` refers to no thing: `I find it hard to say no`, `I like it in Berlin`."""
_OPEN: Final = re.compile(
    rf"(?P<subject>{_SUBJECT})(?P<verb>(?:{_AUXILIARY})*(?: {_ADVERB})* (?!{_SETTING}\b)[a-z]+(?: (?:at|to|on|for|with|from|about))?)"
    rf" (?P<pronoun>it|them)\b(?! {any_of('when if that is was will would has had can could should to_be')}\b)"
    r"(?P<rest>(?:(?![,;]|:\s| and | but | because | since )[^?])*)\Z",
    re.IGNORECASE,
)
_THING: Final = re.compile(
    r"(?P<thing>(?:the|our|my) (?:[\w-]+ ){1,4}?)"
    + any_of("is are was were takes? took runs? ran costs? has have had needs? lives? expires? ends? starts?")
    + r"\b(?P<rest>[^;]*)\Z",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(r"\b(?:on|in|at|from|via|under) (?-i:[A-Z])[\w.-]*", re.IGNORECASE)
"""A place or a service, which is not what the sentence is about: `on Heroku`."""
_ANOTHER: Final = re.compile(r"\b(?:an?|the|our|my|this|that|these|those|its|their|and|or)\b", re.IGNORECASE)
_PEOPLE: Final = re.compile(rf"\b{any_of(KIN_AND_ROLES)}\b", re.IGNORECASE)


def has_open_object(sentence: str) -> bool:
    """Whether only a pronoun names what the one clause of the sentence is about: `I moved it to Hetzner on Monday`."""
    return len(sentence) <= _MAX_SENTENCE and _OPEN.match(bare(sentence)) is not None


def with_objects(window: ConversationWindow, position: int) -> dict[str, str]:
    """The sentences of a user's message that have an open object, each with the thing that it is, where that is clear."""
    return resolved_sentences(window, position, _named)


def _named(window: ConversationWindow, position: int, preceding: Sequence[str], sentence: str) -> str | None:
    match = _OPEN.match(sentence) if len(sentence) <= _MAX_SENTENCE else None
    before = next(earlier_utterances(window, position, preceding), None)
    if match is None or before is None:
        return None
    thing = _only_thing(bare(before[1]), several=match["pronoun"].lower() == "them")
    return f"{sentence[: match.start('pronoun')]}{thing}{match['rest']}" if thing else None


def _only_thing(sentence: str, *, several: bool) -> str | None:
    """The subject of a sentence that names no person, and nothing else besides: `the CI pipeline`."""
    match = _THING.match(sentence) if len(sentence) <= _MAX_SENTENCE and not is_question(sentence) else None
    if match is None:
        return None
    thing = match["thing"].strip()
    rest = _PLACE.sub("", match["rest"])
    is_alone = not (_ANOTHER.search(rest) or proper_names(rest) or _PEOPLE.search(thing))
    is_plural = thing.endswith("s") and not thing.endswith("ss")
    return f"{thing[0].lower()}{thing[1:]}" if is_alone and is_plural is several else None
