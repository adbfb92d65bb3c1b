"""Sentences by which speakers correct what they have just said: "No, I meant 16 July", "It's LH 132, not LH 123".

A correction names a value, and maybe the one that it replaces. Whether an earlier sentence has such a value is for
`replacing` to say. The patterns are English.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from memd.domain.distilling.ages import AGE_END, AGE_OF
from memd.domain.distilling.correction import Correction
from memd.domain.distilling.features import content_words, plain
from memd.domain.distilling.habits import LANGUAGE
from memd.domain.distilling.restating import ADDS, actor_correction, name_correction, predicate_correction
from memd.domain.distilling.values import TITLES, Sort, Value, day_and_hour, values_in, whole_value
from memd.domain.text.sentences import is_question

MAX_CORRECTION: Final = 120
"""Characters of a correction; a longer sentence is not one."""
_MAX_OPENINGS: Final = 5
_INTERJECTION: Final = r"oh|ah|a+r+g+h*|ugh|damn|gosh|uh|um|hmm?|well|and|but|so|ok(?:ay)?|also|yes|yeah"
_DOUBT: Final = (
    r"(?:no|nope|nah|wait|hold on|hang on|sorry about that|pardon(?: me)?|excuse me)(?=\s*[,;:.!–—-]|\Z| (?:i|it|that|this|not|the|my|our|make|sorry|actually|wait|no)\b)"
    r"|sorry|oops|whoops|actually|apologies"
)
_FAULT: Final = (
    r"(?:that|this|it)(?:'s| is| was) (?:wrong|not right|incorrect|not correct|(?:an? |my )(?:mistake|typo|error))"
    r"|(?:small |quick |one )?correction|correcting myself|my (?:bad|mistake|fault)|i (?:misspoke|mistyped|was wrong|got (?:that|it) wrong"
    r"|made (?:a|an) (?:mistake|typo|error)|said (?:that|it) wrong)|typo|scratch that|not quite|(?:wrong|incorrect)(?=\s*[,;:.!–—-])|let me correct (?:that|myself)"
)
_OPENING: Final = re.compile(
    rf"(?:(?P<fault>{_FAULT})|(?P<doubt>{_DOUBT})|(?P<interjection>{_INTERJECTION}))(?:\s*[,;:.!–—-]+\s*|\s+|\Z)",
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    r"i (?:actually |really )?mean(?:t)?(?: to (?:say|write))?[,:]? |(?:it |that |this )?should(?: be| have been| read) ",
    re.IGNORECASE,
)
_EXPLAINS: Final = re.compile(r"i (?:actually |really )?mean\b", re.IGNORECASE)
"""Before a name this may say who is meant, rather than who was meant instead: "My sister moved. I mean Anna."."""
_MAKE: Final = re.compile(r"(?:please )?(?:make|change) (?:that|it|this) (?:to )?", re.IGNORECASE)
_IS: Final = re.compile(
    r"(?:it|that|this)(?:'s|'ll be| is| was| will be)(?: actually| really)? |(?:it|that) (?:starts|ends|leaves|takes place|happens|costs) ",
    re.IGNORECASE,
)
_SPELLED: Final = re.compile(
    r"(?:[Ii]t|[Tt]hat|(?:[Tt]he|[Hh]er|[Hh]is|[Tt]heir) name|([^\W\d_a-zß-ÿ][^\W\d_]+))(?:'s| is)(?: actually| really)? (?:spelled|spelt|written)(?: as)? ",
)
_PRONOUN: Final = re.compile(r"(?:(he|she|they)|it)\b(?:'(?:s|re)\b)?", re.IGNORECASE)
_IT_IS: Final = re.compile(r"it(?:'s| is)\b", re.IGNORECASE)
_LETTER_BY_LETTER: Final = re.compile(r"\b\w-\w\b")
_SUBJECT: Final = re.compile(r"(?:the|my|our|his|her|their|its|i|we|he|she|they|it)\b", re.IGNORECASE)
_TAIL: Final = re.compile(
    r"(?:\s*[,;–—-]\s*|\s+)(?:instead|sorry|actually|my (?:bad|mistake)|i mean|i meant|of course|though|please|thanks|typo|then"
    r"|i (?:mixed|messed) (?:it|that|them|those) up|i (?:got|had) (?:it|that) wrong|i misremembered|i confused (?:it|that|them))\Z",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(r"\s+(?:now|(?:because|since|due to|as of) .+)\Z", re.IGNORECASE)
"""Words that may follow any new value: `8:45 because of construction work`, `Ms. Abara since Monday`."""
_REMARK: Final = re.compile(r"\s*(?:,(?!\d)|[;–—])\s*(?!(?:not|or|and|but|no|maybe|if)\b)[^?]+\Z", re.IGNORECASE)
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
_MARKS: Final = " \t.!…,;:–—-()*"


def corrections(message_sentences: Sequence[str]) -> Iterator[tuple[int, Correction]]:
    """The corrections among the sentences of a message with their places; "Sorry!" before one belongs to it."""
    opening = ""
    for index, sentence in enumerate(message_sentences):
        if is_question(sentence) or len(sentence) > MAX_CORRECTION:
            opening = ""
            continue
        text = f"{opening}{plain(sentence).strip()}"
        found = read_correction(text)
        opening = (
            f"{text.rstrip(_MARKS)}, " if found is None and len(text) < MAX_CORRECTION and only_opens(text) else ""
        )
        if found:
            yield index, found


def only_opens(sentence: str) -> bool:
    """Whether a sentence is nothing but what opens a correction: `Wait, that's wrong.`."""
    return len(sentence) <= MAX_CORRECTION and not _split_openings(plain(sentence).strip())[0]


def read_correction(sentence: str) -> Correction | None:
    """The correction that a sentence makes; None if it makes none, or says more than that."""
    if len(sentence) > MAX_CORRECTION:
        return None
    text, kinds = _split_openings(sentence)
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
    """How a name is spelled; None for "It's spelled R-u-n-a" and for what is not a name."""
    body = _without_remark(_without_tail(match.string[match.end() :]), {Sort.NAME})
    new = whole_value(body)
    if new is None or new.sort is not Sort.NAME or _LETTER_BY_LETTER.search(body):
        return None
    return Correction(new, "", match[1] or "", frozenset(), firm=True, refuses=False, text=body, tentative=True)


def _value_correction(sentence: str, text: str, kinds: set[str]) -> Correction | None:
    """The correction of a value; `text` is the sentence without its openings, `kinds` the kinds of these openings."""
    name, match = next(((name, found) for name, form in _LEADS.items() if (found := form.match(text))), ("", None))
    body = _without_tail(text[match.end() :] if match else text)
    body = _without_remark(body, _AMOUNTS) if name == "is" and kinds else body
    old, right = _old_and_new(body)
    if not (kinds or match or old):
        return None
    old = _bare(old)
    subject = "" if match else _subject(right, clear="fault" in kinds)
    right = right[len(subject) :]
    before = _PREPOSITION.match(right) or (_LABEL.match(right) if match else None)
    right = right[before.end() :] if before else right
    right = AGE_END.sub("", right, count=1) if name == "age" else right
    new, hour = _new(right, old, words=name not in {"is", "age"} and bool(match or kinds))
    meant = name == "meant" and (new is None or new.sort is not Sort.NAME or bool(kinds) or not _EXPLAINS.match(text))
    firm = bool(old) or "fault" in kinds or meant or (name == "make" and _retimes(new, text, kinds))
    if name == "is" and not (firm or before) and _tells_the_time(sentence, new):
        return None
    tentative = not (match or subject or firm) and new is not None and new.sort is Sort.NAME
    if new is None or not (firm or "doubt" in kinds) or (tentative and not _may_correct(sentence, text, right)):
        return None
    about = _PRONOUN.match(subject)
    words = content_words(subject[about.end() :] if about else subject)
    if subject and (not words or (not old and ADDS.search(subject))):
        return None
    return Correction(
        new=new,
        before=before[0].strip().lower() if before else "",
        old=old,
        subject=words,
        firm=firm,
        refuses=not firm and bool(_REFUSAL.match(sentence)),
        text=match[0] + body if match and name == "age" else body,
        hour=hour,
        pronoun=_pronoun(match if name == "age" else about),
        tentative=tentative,
        equates=name == "is" and bool(match and _IT_IS.match(match[0])),
    )


def _pronoun(about: re.Match[str] | None) -> str:
    """The pronoun that is the subject of a correction; blank without one."""
    return next((word.lower() for word in about.groups() if word), "") if about else ""


def _may_correct(sentence: str, text: str, name: str) -> bool:
    """Whether a name after an opening may be a correction: one with a title, or with a preposition after a mark.

    "Sorry, from Berlin" may be one; "Sorry, Joanna", "Sorry about Joanna" and "Sorry, in German please" are not.
    """
    if TITLES.match(name):
        return True
    opening = sentence.rstrip(_MARKS)[: -len(text)].rstrip()
    asks = _IN_LANGUAGE.fullmatch(text) or sentence.rstrip(_MARKS).lower().endswith("please")
    return opening[-1:] in set(_MARKS) and bool(_PREPOSITION.match(text)) and not asks


def _tells_the_time(sentence: str, new: Value | None) -> bool:
    """Whether "Oh wait, it's 11 pm" is about the present moment."""
    timed = new is not None and new.sort in {Sort.CLOCK, Sort.WEEKDAY, Sort.NEAR}
    return timed and not _APOLOGY.match(sentence)


_LEADS: Final = {"meant": _MEANT, "make": _MAKE, "is": _IS, "age": AGE_OF}
_IN_LANGUAGE: Final = re.compile(rf"in {LANGUAGE}", re.IGNORECASE)
_APOLOGY: Final = re.compile(
    r"(?:\W*(?:oh|ah|wait|argh|ugh|hold on|hang on)\b)*\W*(?:no|nope|nah|sorry|oops|whoops|actually|apologies|pardon)\b",
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


def _new(right: str, old: str, *, words: bool) -> tuple[Value | None, Value | None]:
    """The value that holds, and its time of day if it is a day with one; `words`: any single word may be the value."""
    day, hour = (None if old else day_and_hour(right)) or (None, None)
    return day or whole_value(right) or (_word(right, old) if words else None), hour


def _word(new: str, old: str) -> Value | None:
    """The new word of `peanuts, not walnuts`, as a value; None unless both are single words with their own meaning."""
    plain_words = all(_SINGLE_WORD.fullmatch(one) and content_words(one) for one in (new, old))
    return Value(Sort.WORD, new, 0, len(new), "", "") if plain_words else None


def _split_openings(sentence: str) -> tuple[str, set[str]]:
    """The sentence without its openings, and their kinds."""
    text, kinds = sentence.strip(_MARKS), set[str]()
    for _ in range(_MAX_OPENINGS):
        opening = _OPENING.match(text)
        if opening is None:
            break
        kinds.add(str(opening.lastgroup))
        text = text[opening.end() :]
    return text, kinds


def _without_tail(text: str) -> str:
    text = text.strip(_MARKS)
    for _ in range(_MAX_OPENINGS):
        tail = _TAIL.search(text)
        if tail is None:
            break
        text = text[: tail.start()]
    return text.strip(_MARKS)


def _without_remark(body: str, before_comma: Collection[Sort]) -> str:
    """The value without the reason or remark that follows it; the text unchanged where that leaves no value.

    `before_comma`: the sorts of value that may stand before a comma and a remark; names with a title always may.
    """
    since = _SINCE.sub("", body, count=1)
    if since != body and whole_value(_bare(since)):
        return since
    value = _REMARK.sub("", body, count=1)
    found = whole_value(value) if value != body else None
    return value if found and (found.sort in before_comma or TITLES.match(value)) else body


def _old_and_new(body: str) -> tuple[str, str]:
    """The words that are replaced, blank if they are not said, and those that replace them."""
    if first := _NOT_FIRST.match(body):
        return first[1], body[first.end() :]
    parts = _INSTEAD_OF.split(body, maxsplit=1)
    return (parts[1], parts[0]) if len(parts) > 1 and parts[0] else ("", body)


def _bare(words: str) -> str:
    """The words without a preposition and an article."""
    text = _PREPOSITION.sub("", words.strip(_MARKS), count=1)
    return re.sub(r"\A(?:the|an?) ", "", text, flags=re.IGNORECASE)


def _retimes(new: Value | None, text: str, kinds: set[str]) -> bool:
    """Whether "make that …" is about something said rather than a request for an answer, such as "make it 500 words"."""
    timed = new is not None and new.sort in {Sort.CLOCK, Sort.DAY, Sort.WEEKDAY}
    return timed or "doubt" in kinds or text.rstrip(_MARKS).endswith(" instead")
