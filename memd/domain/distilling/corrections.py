"""Sentences by which speakers correct what they have just said: "No, I meant 16 July", "It's LH 132, not LH 123".

A correction names a value, and maybe the one that it replaces. Whether an earlier sentence has such a value is for
`replacing` to say. The patterns are English.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memd.domain.distilling.ages import AGE_END, AGE_OF
from memd.domain.distilling.correction import Correction
from memd.domain.distilling.features import content_words, plain
from memd.domain.distilling.habits import LANGUAGE
from memd.domain.distilling.openings import MARKS, split_openings
from memd.domain.distilling.restating import ADDS, actor_correction, name_correction, predicate_correction
from memd.domain.distilling.values import TITLES, Sort, Value, day_and_hour, values_in, whole_value
from memd.domain.text.sentences import is_question

MAX_CORRECTION: Final = 120
"""Characters of a correction; a longer sentence is not one."""
_MEANT: Final = re.compile(
    r"i (?:actually |really )?mean(?:t)?(?: to (?:say|write))?[,:]? |(?:it |that |this )?should(?: be| have been| read) ",
    re.IGNORECASE,
)
_EXPLAINS: Final = re.compile(r"i (?:actually |really )?mean\b", re.IGNORECASE)
"""Before a name this may say who is meant, rather than who was meant instead: "My sister moved. I mean Anna."."""
_MAKE: Final = re.compile(r"(?:please )?(?:make|change) (?:that|it|this) (?:to )?", re.IGNORECASE)
_IS: Final = re.compile(
    r"(?:its|thats) (?=(?:(?:at|on|in|from) )?(?:\d|[a-z]+day\b))|(?:it|that|this|(?:his|her|their|the) name)(?:'s|'ll be| is| was| will be)(?: actually| really)? |(?:it|that) (?:starts|ends|leaves|takes place|happens|costs) ",
    re.IGNORECASE,
)
_SPELLED: Final = re.compile(
    r"(?:[Ii]t|[Tt]hat|(?:[Tt]he|[Hh]er|[Hh]is|[Tt]heir) name|([^\W\d_a-zß-ÿ][^\W\d_]+))(?:'s| is)(?: actually| really)? (?:spelled|spelt|written)(?: as)? ",
)
_PRONOUN: Final = re.compile(r"(?:(he|she|they)|it)\b(?:'(?:s|re)\b)?", re.IGNORECASE)
_IT_IS: Final = re.compile(r"it(?:'s| is)\b", re.IGNORECASE)
_LETTER_BY_LETTER: Final = re.compile(r"\b\w-\w\b")
_SUBJECT: Final = re.compile(r"(?:the|my|our|his|her|their|its|i|we|he|she|they|it)\b", re.IGNORECASE)
_MAX_TAILS: Final = 5
_TAIL: Final = re.compile(
    r"(?:\s*[,;–—-]\s*|\s+)(?:instead|sorry|sry|actually|my (?:bad|mistake)|i mean|i meant|of course|though|please|thanks|typo|then"
    r"|i (?:mixed|messed) (?:it|that|them|those) up|i (?:got|had) (?:it|that) wrong|i misremembered|i confused (?:it|that|them))\Z",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(r"\s+(?:now|(?:because|since|due to|as of) .+)\Z", re.IGNORECASE)
"""Words that may follow any new value: `8:45 because of construction work`, `Ms. Abara since Monday`."""
_REMARK: Final = re.compile(r"\s*(?:,(?!\d)|[;–—])\s*+(?!(?:not|or|and|but|no|maybe|if)\b)[^?]+\Z", re.IGNORECASE)
"""Words that may follow an amount or a name with a title: `9,500 euros, finance cut it`."""
_AMOUNTS: Final = frozenset({Sort.NUMBER, Sort.CODE})
_INSTEAD_OF: Final = re.compile(r"(?<!\s)\s*+[,;(–—-]*+\s*+\b(?:and not|not|rather than|instead of)\s+", re.IGNORECASE)
_NOT_FIRST: Final = re.compile(r"not ([^,;–—]{1,60}?)(?:\s*[,;–—]+\s*(?:but |it's |it is )?|\s+but )", re.IGNORECASE)
_PREPOSITION: Final = re.compile(
    r"(?:at|on|in|to|from|for|by|until|till|since|before|after|about|with) ", re.IGNORECASE
)
_LABEL: Final = re.compile(r"(?!(?:not|only|just|about|over|under)\b)[a-z]{3,20} (?=\S{0,20}\d)")
_SINGLE_WORD: Final = re.compile(r"[^\W\d_]{2,30}")
_PREPOSITION_AT_END: Final = re.compile(rf"\b{_PREPOSITION.pattern}\Z", re.IGNORECASE)


def corrections(message_sentences: Sequence[str]) -> Iterator[tuple[int, Correction]]:
    """The corrections among the sentences of a message with their places; "Sorry!" before one belongs to it."""
    opening = ""
    for index, sentence in enumerate(message_sentences):
        if is_question(sentence) or len(sentence) > MAX_CORRECTION:
            opening = ""
            continue
        text = f"{opening}{plain(sentence).strip()}"
        found = read_correction(text)
        opening = f"{text.rstrip(MARKS)}, " if found is None and len(text) < MAX_CORRECTION and only_opens(text) else ""
        if found:
            yield index, found


def only_opens(sentence: str) -> bool:
    """Whether a sentence is nothing but what opens a correction: `Wait, that's wrong.`."""
    return len(sentence) <= MAX_CORRECTION and not split_openings(plain(sentence).strip())[0]


def read_correction(sentence: str) -> Correction | None:
    """The correction that a sentence makes; None if it makes none, or says more than that."""
    if len(sentence) > MAX_CORRECTION:
        return None
    text, kinds = split_openings(sentence)
    if spelled := _SPELLED.match(text):
        return _spelling(spelled)
    opened, body = bool(kinds & {"doubt", "fault"}), _without_tail(text)
    right = name_correction(body) or actor_correction(body, opened=opened) or _value_correction(sentence, text, kinds)
    if right and (right.old or not right.pronoun):
        return right
    predicate = predicate_correction(body, opened=opened, firm="fault" in kinds)
    return (
        replace(right, predicate=predicate.predicate)
        if right and predicate and right.before != "since"
        else predicate or right
    )


def _spelling(match: re.Match[str]) -> Correction | None:
    """How a name is spelled; None for "It's spelled R-u-n-a" and for words that are not a name."""
    body = _without_remark(_without_tail(match.string[match.end() :]), {Sort.NAME})
    new = whole_value(body)
    if new is None or new.sort is not Sort.NAME or _LETTER_BY_LETTER.search(body):
        return None
    return Correction(new, "", match[1] or "", frozenset(), firm=True, refuses=False, text=body, tentative=True)


class _Parts(NamedTuple):
    """The words of a correction of a value: `lead` names the form of `_LEADS` that it begins with, `match` are its words.

    `body` follows them; in it, `old` is replaced by `new`, which follows `subject` and the preposition `before`.
    """

    lead: str
    match: re.Match[str] | None
    kinds: set[str]
    body: str
    old: str
    subject: str
    before: str
    new: str


def _parts(text: str, kinds: set[str]) -> _Parts | None:
    """The parts of a sentence without its openings, of these kinds; None where nothing says that it corrects a value."""
    lead, match = next(((name, found) for name, form in _LEADS.items() if (found := form.match(text))), ("", None))
    body = _without_tail(text[match.end() :] if match else text)
    body = _without_remark(body, _AMOUNTS) if lead == "is" and kinds else body
    old, new = _old_and_new(body)
    if not (kinds or match or old):
        return None
    subject = "" if match else _subject(new, clear="fault" in kinds)
    new = new[len(subject) :]
    before = _PREPOSITION.match(new) or (_LABEL.match(new) if match else None)
    new = new[before.end() :] if before else new
    if lead == "age":
        new = AGE_END.sub("", new, count=1)
    elif not _pronoun(_PRONOUN.match(subject)):
        new = _without_since(new)
    return _Parts(lead, match, kinds, body, _bare(old), subject, before[0].strip().lower() if before else "", new)


def _value_correction(sentence: str, text: str, kinds: set[str]) -> Correction | None:
    """The correction of a value; `text` is the sentence without its openings, `kinds` the kinds of these openings."""
    parts = _parts(text, kinds)
    new, hour = _new(parts) if parts else (None, None)
    if parts is None or new is None:
        return None
    firm = _is_firm(parts, text, new)
    tentative = not (parts.match or parts.subject or firm) and new.sort is Sort.NAME
    if not (firm or "doubt" in kinds) or (tentative and not _may_correct(sentence, text, parts.new)):
        return None
    if parts.lead == "is" and not (firm or parts.before) and _tells_the_time(sentence, new):
        return None
    about = _PRONOUN.match(parts.subject)
    subject = content_words(parts.subject[about.end() :] if about else parts.subject)
    if parts.subject and (not subject or (not parts.old and ADDS.search(parts.subject))):
        return None
    return Correction(
        new=new,
        before=parts.before,
        old=parts.old,
        subject=subject,
        firm=firm,
        refuses=not firm and bool(_REFUSAL.match(sentence)),
        text=parts.match[0] + parts.body if parts.match and parts.lead == "age" else parts.body,
        hour=hour,
        pronoun=_pronoun(parts.match if parts.lead == "age" else about),
        tentative=tentative,
        equates=parts.lead == "is" and bool(parts.match and _IT_IS.match(parts.match[0])),
    )


def _is_firm(parts: _Parts, text: str, new: Value) -> bool:
    """Whether the words can only be a correction: they name the old value, or say that something is wrong or was meant."""
    if parts.old or "fault" in parts.kinds:
        return True
    if parts.lead == "meant":
        return new.sort is not Sort.NAME or bool(parts.kinds) or not _EXPLAINS.match(text)
    return parts.lead == "make" and _retimes(new, text, parts.kinds)


def _pronoun(about: re.Match[str] | None) -> str:
    """The pronoun that is the subject of a correction; blank without one."""
    return next((word.lower() for word in about.groups() if word), "") if about else ""


def _may_correct(sentence: str, text: str, name: str) -> bool:
    """Whether a name after an opening may be a correction: one with a title, or with a preposition after a mark.

    "Sorry, from Berlin" may be one; "Sorry, Joanna", "Sorry about Joanna" and "Sorry, in German please" are not.
    """
    if TITLES.match(name):
        return True
    opening = sentence.rstrip(MARKS)[: -len(text)].rstrip()
    asks = _IN_LANGUAGE.fullmatch(text) or sentence.rstrip(MARKS).lower().endswith("please")
    return opening[-1:] in set(MARKS) and bool(_PREPOSITION.match(text)) and not asks


def _tells_the_time(sentence: str, new: Value) -> bool:
    """Whether "Oh wait, it's 11 pm" is about the present moment."""
    return new.sort in {Sort.CLOCK, Sort.WEEKDAY, Sort.NEAR} and not _APOLOGY.match(sentence)


_LEADS: Final = {"meant": _MEANT, "make": _MAKE, "is": _IS, "age": AGE_OF}
_IN_LANGUAGE: Final = re.compile(rf"in {LANGUAGE}", re.IGNORECASE)
_APOLOGY: Final = re.compile(
    r"(?:\W*(?:oh|ah|wait|argh|ugh|hold on|hang on)\b)*\W*(?:no|nope|nah|sorry|sry|oops|whoops|actually|apologies|pardon)\b",
    re.IGNORECASE,
)
_REFUSAL: Final = re.compile(r"(?:oh,? )?(?:no|nope|nah)\b", re.IGNORECASE)


def _subject(words: str, *, clear: bool) -> str:
    """The words before the value that ends a longer correction, and before its preposition: `the budget is`, `Postgres`.

    Blank when they are not a subject, as in "Sorry to hear that, Joanna"; `clear`: the opening says that this is a
    correction.
    """
    starts = [value.start for value in values_in(words)]
    paired = len(starts) > 1 and day_and_hour(words[starts[-2] :])
    before = words[: starts[-2 if paired else -1]] if starts else ""
    if "," in before or not (clear or before[:1].isupper() or _SUBJECT.match(before)):
        return ""
    preposition = _PREPOSITION_AT_END.search(before)
    return before[: preposition.start()] if preposition else before


def _new(parts: _Parts) -> tuple[Value | None, Value | None]:
    """The value that holds, or a single word that replaces another, and its time of day if it is a day with one."""
    day, hour = (None if parts.old else day_and_hour(parts.new)) or (None, None)
    may_be_word = parts.lead not in {"is", "age"} and bool(parts.match or parts.kinds)
    return day or whole_value(parts.new) or (_word(parts.new, parts.old) if may_be_word else None), hour


def _word(new: str, old: str) -> Value | None:
    """The new word of `peanuts, not walnuts`, as a value; None unless both are single words with their own meaning."""
    plain_words = all(_SINGLE_WORD.fullmatch(one) and content_words(one) for one in (new, old))
    return Value(Sort.WORD, new, 0, len(new), "", "") if plain_words else None


def _without_tail(text: str) -> str:
    text = text.strip(MARKS)
    for _ in range(_MAX_TAILS):
        tail = _TAIL.search(text)
        if tail is None:
            break
        text = text[: tail.start()]
    return text.strip(MARKS)


def _without_remark(body: str, before_comma: Collection[Sort]) -> str:
    """The value without the reason or remark that follows it; the text unchanged where that leaves no value.

    `before_comma`: the sorts of value that may stand before a comma and a remark; names with a title always may.
    """
    since = _without_since(body)
    if since != body:
        return since
    value = _REMARK.sub("", body, count=1)
    found = whole_value(value) if value != body else None
    return value if found and (found.sort in before_comma or TITLES.match(value)) else body


def _without_since(body: str) -> str:
    """The value without `now` or the reason after it; the text unchanged where that leaves no value."""
    since = _SINCE.sub("", body, count=1)
    return since if whole_value(_bare(since)) else body


def _old_and_new(body: str) -> tuple[str, str]:
    """The words that are replaced, blank if they are not said, and those that replace them."""
    if first := _NOT_FIRST.match(body):
        return first[1], body[first.end() :]
    parts = _INSTEAD_OF.split(body, maxsplit=1)
    return (parts[1], parts[0]) if len(parts) > 1 and parts[0] else ("", body)


def _bare(words: str) -> str:
    """The words without a preposition and an article."""
    text = _PREPOSITION.sub("", words.strip(MARKS), count=1)
    return re.sub(r"\A(?:the|an?) ", "", text, flags=re.IGNORECASE)


def _retimes(new: Value, text: str, kinds: set[str]) -> bool:
    """Whether "make that …" is about something said rather than a request for an answer, such as "make it 500 words"."""
    return (
        new.sort in {Sort.CLOCK, Sort.DAY, Sort.WEEKDAY} or "doubt" in kinds or text.rstrip(MARKS).endswith(" instead")
    )
