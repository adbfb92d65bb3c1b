"""Turns a short answer to a question about the user into a full statement in the first person (contract 11.6).

"Europe/Vienna" after "What is your time zone?" becomes `My time zone is Europe/Vienna`. The patterns are English; an answer
that is a sentence of its own, or none, is left.
"""

import re
from collections.abc import Callable
from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.distilling.values import NUMBER_WORD

MAX_WORDS: Final = 12
"""Words of an answer that may be the rest of a question."""
_MAX_QUESTION: Final = 120
_WHAT: Final = r"[a-z](?:[\w/-]|'s(?= )| (?!(?:and|or|if|so|because|that)\b)){1,40}?"
_NO_ANSWER: Final = re.compile(
    r"(?:i|im|ive|its|dont|i'\w+|we|we'\w+|my|our|it|it's|that|that's|this|there|you|he|she|they|not|don't|none|nothing|no|yes|yeah|yep|nope|sure|maybe|depends|why"
    r"|what|which|how|who|when|where|skip|later|unsure|unknown|idk|n/a|same|any|either|both|whatever|let|let's|please|ok|okay|thanks?|hm+|well|sorry|actually|oops|oh|ah"
    r"|the (?:first|second|third|last|latter|former|other)|but|and|or|so|though|although|because|guess|good|great|nice|cool|stop|tell|show|give|make|never mind)\b",
    re.IGNORECASE,
)
_AFFIRMED: Final = re.compile(
    r"(?:yes|yeah|yep|yup|correct|exactly|right|indeed)(?: (?:please|i am|i do|we do|we are))?\b[,.! ]*", re.IGNORECASE
)
_DENIED: Final = re.compile(
    r"(?:no|nope|nah)(?:,? (?:i'm not|i am not|i don't|i do not|we don't|never))?\W*\Z", re.IGNORECASE
)
_PREPOSITION: Final = re.compile(
    r"(?:(?:just|right|somewhere) )?(?:in|at|on|for|near|from|by|around|between|since|until|outside|close to|next to|north|south|east|west)\b",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    rf"\d|\b{WEEKDAY}\b|\b(?:{MONTH}|today|tomorrow|tonight|next|noon|midnight|spring|summer|autumn|winter)\b",
    re.IGNORECASE,
)
_JOKES: Final = re.compile(r"\b(?:(?:ha){2,}|lol|just kidding)\b", re.IGNORECASE)
_WEEKDAY: Final = re.compile(rf"(?:(?:this|next) )?{WEEKDAY}\b", re.IGNORECASE)
_SMALL: Final = re.compile(
    rf"(?:in|at|on|for|near|from|by|around|between|since|until|about|over|under|just|right|somewhere|outside|close|next|an?|the|some|one|{NUMBER_WORD}|mostly|usually)\b",
    re.IGNORECASE,
)
"""Words that begin no name; they lose their capital."""
_TALK: Final = """
    favourite favorite preference step question opinion answer guess error message problem issue choice input output query code
    thoughts plan character hero player
"""
_OF_THE_TALK: Final = frozenset(_TALK.split())
"""Nouns that ask about the conversation itself, or a game, not for a lasting fact about the user."""
_CALL_ME: Final = re.compile(r"(?:please |just )?call me ", re.IGNORECASE)
_OF_ONESELF: Final = re.compile(
    r"(?:food |known )?(?:allergies|intolerances)|dietary \w+|(?:health|medical|physical) \w+|injuries|disabilities|pets|hobbies|kids|children|siblings",
    re.IGNORECASE,
)
"""What a list of things answers without a `yes`: `Any allergies?` `Shrimp and kiwi`."""
_LISTED: Final = re.compile(
    r"(?P<list>(?!(?:[\w'’-]+,? )*?(?:is|are|was|were|do|does|did|can|could|will|would|should|sounds|looks|works|please|asking|kidding)\b)[\w'’-]+(?:,? [\w'’-]+){0,7}?)"
    r"(?:,? (?:unfortunately|sadly|i'm afraid|i think))?",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    rf"(?:about |around |over |under )?(?:\d[\d.,]*|one|{NUMBER_WORD})\b",
    re.IGNORECASE,
)


def _first_word(answer: str) -> str:
    return answer.split(maxsplit=1)[0].strip(",.;:").lower()


def _mine(match: re.Match[str], answer: str) -> str | None:
    words = match["what"].lower().split()
    if not _OF_THE_TALK.isdisjoint({words[0].removesuffix("'s"), words[-1]}):
        return None
    if called := _CALL_ME.match(answer):
        answer = answer[called.end() :]
    verb = "are" if re.search(r"\b(?:are|'re)\b", match["be"]) else "is"
    called = " called" if match.groupdict().get("called") else ""
    return f"My {match['what']} {verb}{called} {answer}"


def _time_of(match: re.Match[str], answer: str) -> str | None:
    if not _TIME.search(answer):
        return None
    whose, what = match["whose"].lower(), match["what"]
    return f"{'My' if whose == 'your' else 'The'} {what} {match['be'].strip() or 'is'} {answer}"


def _place(match: re.Match[str], answer: str) -> str | None:
    before = "" if _PREPOSITION.match(answer) else "in " if match["does"].lower() == "live" else "at "
    return f"I {match['does']} {before}{answer}"


def _what_of_mine(match: re.Match[str], answer: str) -> str | None:
    verb = "are" if match["what"].endswith("s") else "is"
    return f"The {match['what']} I {match['does']} {verb} {answer}"


def _count(match: re.Match[str], answer: str) -> str | None:
    return f"I {match['does']} {answer} {match['what']}" if _NUMBER.fullmatch(answer) else None


def _age(_match: re.Match[str], answer: str) -> str | None:
    return f"I'm {answer}" if _NUMBER.match(answer) else None


def _one_of_two(match: re.Match[str], answer: str) -> str | None:
    choice = re.findall(r"[\w-]+", match["choice"].lower())
    does = "I'm" if match["does"].lower() == "are" else f"I {match['does']}"
    return f"{does} {answer}" if _first_word(answer) in choice else None


def _doing(match: re.Match[str], answer: str) -> str | None:
    return f"{'I' if match['be'] == 'do' else 'I am'} {match['does']} {answer}"


def _job(_match: re.Match[str], answer: str) -> str | None:
    return f"My job is {answer}"


def _where_of(match: re.Match[str], answer: str) -> str | None:
    return f"My {match['what']} is {_PREPOSITION.sub('', answer).strip()}"


_ABOUT_THE_USER: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], str | None]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (rf"(?:what|who)(?P<be>'s| is| are) your (?P<what>{_WHAT})(?P<called> called)?", _mine),
        (rf"what(?P<be>'s| is) the name of your (?P<what>{_WHAT})(?P<called>)", _mine),
        (rf"when(?:'s|(?P<be> is| are)) (?P<whose>the|your) (?P<what>{_WHAT})", _time_of),
        (r"where do you (?P<does>live|work|study)", _place),
        (rf"(?:which|what) {_WHAT} do you (?P<does>live|work|study) (?:in|at|for)", _place),
        (
            rf"(?:which|what) (?P<what>{_WHAT}) do you (?P<does>use|prefer|drive|play|speak|need|have|wear)",
            _what_of_mine,
        ),
        (rf"how many (?P<what>{_WHAT}) do you (?P<does>have|own|expect|manage|teach|employ)", _count),
        (r"how old are you", _age),
        (r"what(?P<be> are) your (?P<what>\w+ and \w+)(?P<called>)", _mine),
        (r"what (?P<be>are) you (?P<does>studying|learning|training for|allergic to|intolerant to)", _doing),
        (r"what (?P<be>do) you (?P<does>study|teach|like|enjoy|collect)(?: to \w+)?(?: best| most)?", _doing),
        (r"what do you do(?: for (?:a living|work))?", _job),
        (
            r"(?:which|what) (?P<what>time ?zone|country|city|town|state|industry|department|team|grade) are you (?:in|from|on|based in)",
            _where_of,
        ),
        (
            r"(?P<does>are) you (?P<choice>(?!(?:left|right|young|old|happy|sad|sure|ready|serious) )[\w-]{1,20} or [\w-]{1,20})",
            _one_of_two,
        ),
        (
            r"(?:do|would) you (?P<does>prefer|use|like|play|drive|drink) (?P<choice>[\w -]{1,40} or [\w -]{1,40})",
            _one_of_two,
        ),
    )
)
_YES_OR_NO: Final = re.compile(
    rf"(?P<be>are you) (?P<what>{_WHAT})"
    rf"|(?:do you (?P<does>have|use|eat|drink|own|speak|play|drive|smoke|like) |(?=any ))(?P<any>any )?"
    rf"(?!(?:an? (?:\w+ )?(?:minute|second|moment|sec|question|preference|link|screenshot|file|copy|sample|example|idea)"
    rf"|(?:more |other |further )?(?:questions?|ideas?|preferences?|thoughts|concerns|time|access|it|this|that|these|those|what|anything|something))\b)(?P<object>{_WHAT})",
    re.IGNORECASE,
)


def as_statement(question: str, answer: str) -> str | None:
    """The statement that an answer makes (given without its final mark); None if it states nothing or is a sentence of its own."""
    asked = question.strip().rstrip("?").strip()
    if len(asked) > _MAX_QUESTION or not answer or len(answer.split()) > MAX_WORDS or _JOKES.search(answer):
        return None
    if _SMALL.match(answer) or _first_word(answer) in asked.split():
        answer = answer[0].lower() + answer[1:]
    if _WEEKDAY.match(answer):
        answer = f"on {answer}"
    if match := _YES_OR_NO.fullmatch(asked):
        return _confirmed(match, answer)
    if _NO_ANSWER.match(answer):
        return None
    return next((make(match, answer) for pattern, make in _ABOUT_THE_USER if (match := pattern.fullmatch(asked))), None)


def _confirmed(match: re.Match[str], answer: str) -> str | None:
    """The statement made by `Yes, since 2015` or `No` to a question; None for a `no` that is followed by more words."""
    is_so, does, what = bool(match["be"]), match["does"] or "have", match["what"] or match["object"]
    if _DENIED.fullmatch(answer):
        return f"I'm not {what}" if is_so else f"I don't {does} {(match['any'] or '').lower()}{what}"
    yes = _AFFIRMED.match(answer)
    rest = answer[yes.end() :] if yes else ""
    if yes is None and not is_so and _OF_ONESELF.fullmatch(what) and not _NO_ANSWER.match(answer):
        listed = _LISTED.fullmatch(answer)
        return f"I {does} {what}: {listed['list']}" if listed else None
    if yes is None or _NO_ANSWER.match(rest):
        return None
    if rest and not _PREPOSITION.match(rest):
        return None if is_so else f"I {does} {what}: {rest}"
    be = "I've been" if rest.lower().startswith("since ") else "I'm"
    return f"{be if is_so else f'I {does}'} {what} {rest}".rstrip()
