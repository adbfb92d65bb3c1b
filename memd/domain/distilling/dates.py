"""Relative times to dates: `last Friday`, said on 8 May 2023, becomes `on 5 May 2023`."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memd.domain.dates.months import MONTH, month_number
from memd.domain.distilling.tenses import tense_at
from memd.domain.text.alternatives import either
from memd.domain.text.number_words import NUMBER_WORDS

_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HALF_A_YEAR: Final = 6
"""Months ahead up to which a month without a year, in a sentence without a tense, is the next one."""
_SEASONS: Final = {"winter": 2, "spring": 5, "summer": 8, "fall": 11, "autumn": 11}
"""The month in which each season ends."""
_MONTHS_OF_SEASON: Final = 3
_WEEKDAY: Final = r"(mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?"
_MONTH: Final = (
    r"(jan(?:uary)?|feb(?:ruary)?|march|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\b(?! \d|,? \d{4})"
)
_NEAR: Final = {
    "yesterday": -1,
    "tomorrow": 1,
    **dict.fromkeys(("day before yesterday", "the day before yesterday"), -2),
    **dict.fromkeys(("day after tomorrow", "the day after tomorrow"), 2),
}
_COUNT: Final = rf"(?:about |around |almost |over )?(\d{{1,3}}|an?|{'|'.join(NUMBER_WORDS)})"
_BEFORE: Final = r"(?:(from|of|since|until|till|by|for|about|like|during|before|after|than|'s) )?(?:on |in |at )?"
_RECURRING: Final = re.compile(
    r"\b(?:birthdays?|anniversar\w+|every|each|always|yearly|annual\w*|fiscal|born|holidays?)\b", re.IGNORECASE
)
"""A day of the year in such a sentence belongs to every year."""
_DAY_OF_YEAR: Final = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})"
    rf"|(?P<month_first>{MONTH}) (?P<day_second>\d{{1,2}})(?:st|nd|rd|th)?)\b(?!,? \d{{4}}|[:.]\d)",
    re.IGNORECASE,
)
_UP_TO: Final = frozenset({"by", "before", "until", "till"})
_OBLIGED: Final = re.compile(
    r"\b"
    + either(
        r"(?:i|we)(?:['’]ve)? (?:still |also |really )?"
        r"(?:need|(?:have|got)(?= (?:to|until|till|an?|the|my)\b)|must|should|want|will|promised|owe)",
        "(?:i|we)['’]ll",
        "i['’]m",
        "we['’]re",
        "remind me",
        "to-?do",
        "due",
        "deadline",
    )
    + r"\b",
    re.IGNORECASE,
)
"""Before `by Friday`: this week's; `Timesheets are sent by Friday` is about every week's."""
_EVERY_WEEK: Final = re.compile(
    r"\b(?:(?:every|each) (?:other )?(?:day|week|fortnight|month|quarter|sprint)"
    r"|always|never|usually|normally|daily|weekly|monthly)\b",
    re.IGNORECASE,
)
_FULL_DATE: Final = re.compile(rf"\b\d{{1,2}} {MONTH} \d{{4}}\b", re.IGNORECASE)
_END_OF_PHRASE: Final = (
    r"(?=\W*\Z|[,;.!?)]| (?:and|but|with|in|at|we|i|he|she|they|the|my|our|by|for|to|because|when|so)\b)"
)
_Dated = tuple[str, str]
"""The preposition and the time, e.g. `("on", "5 May 2023")`."""


def resolve_dates(sentence: str, spoken_on: date) -> tuple[str, bool]:
    """The sentence with dates for relative times and for days without a year, and whether it has a date."""
    recurring = bool(_RECURRING.search(sentence))
    if not (recurring or _FULL_DATE.search(sentence)):
        sentence = _DAY_OF_YEAR.sub(lambda match: _with_year(match, spoken_on), sentence)
    found = bool(_FULL_DATE.search(sentence))
    for pattern, read in _FORMS[: -1 if recurring else None]:

        def dated(match: re.Match[str], read: _Read = read) -> str:
            nonlocal found
            try:
                preposition, time = read(match, spoken_on)
            except (ValueError, OverflowError):
                return match[0]
            found = True
            return f"{match[1] or preposition} {time}"

        sentence = pattern.sub(dated, sentence)
    return sentence, found


def _with_year(match: re.Match[str], spoken_on: date) -> str:
    """The day with its year: the next one ahead, the last one in the past tense, else the nearest."""
    month = month_number(match["month"] or match["month_first"])
    number = int(match["day"] or match["day_second"])
    try:
        years = [date(year, month, number) for year in (spoken_on.year - 1, spoken_on.year, spoken_on.year + 1)]
    except ValueError:
        return match[0]
    tense = tense_at(match, match.start())
    if tense == "future":
        return day(next(one for one in years if one >= spoken_on))
    if tense == "past":
        return day(next(one for one in reversed(years) if one <= spoken_on))
    return day(min(years, key=lambda one: abs(one - spoken_on)))


def day(moment: date) -> str:
    """`8 May 2023`."""
    return f"{moment.day} {moment:%B} {moment.year}"


_SO_FAR: Final = re.compile(
    r"\b(?:ha(?:ve|s|d)(?:n't| not| never)|['’](?:ve|s|d) (?:not|never)"
    r"|(?:for|it's|is|was) (?:the|my|our|his|her|their) (?:first|best|worst|\w+est)\b)[^,;:.]*\Z",
    re.IGNORECASE,
)
"""Before a period that lasts until now."""
_Read = Callable[[re.Match[str], date], _Dated]


def _read_near_day(match: re.Match[str], spoken_on: date) -> _Dated:
    word, part = match[2].lower(), (match[3] or "").lower()
    moment = spoken_on + timedelta(days=_NEAR.get(word, 0))
    return ("on", day(moment)) if not part else ("on", f"the {part} of {day(moment)}")


def _read_part_of_day(match: re.Match[str], spoken_on: date) -> _Dated:
    phrase = match[2].lower()
    if phrase == "last night":
        return "on", f"the night of {day(spoken_on - timedelta(days=1))}"
    part = "evening" if phrase == "tonight" else phrase.split()[-1]
    return "on", f"the {part} of {day(spoken_on)}"


def _read_weekday(match: re.Match[str], spoken_on: date) -> _Dated:
    which, weekday = (match[2] or "").lower(), _WEEKDAYS.index(match[3][:3].lower())
    up_to = not which and (match[1] or "").lower() in _UP_TO
    if up_to and (_EVERY_WEEK.search(match.string) or not _OBLIGED.search(match.string[: match.start(3)])):
        raise ValueError(match[0])
    ahead = (weekday - spoken_on.weekday()) % 7 or 7
    ahead_of_now = up_to or (match[1] != "since" and tense_at(match, match.start(3)) != "past")
    later = which in {"next", "coming"} or (ahead_of_now and "last" not in which and "past" not in which)
    return "on", day(spoken_on + timedelta(days=ahead if later else ahead - 7 if ahead < 7 else -7))


def _read_unit(match: re.Match[str], spoken_on: date) -> _Dated:
    step = {"last": -1, "past": -1, "this past": -1, "this": 0, "next": 1, "coming": 1}[
        match[2].lower().removeprefix("the ")
    ]
    unit = match[3].lower()
    if unit == "week":
        return "in", f"the week of {day(spoken_on + timedelta(days=7 * step - spoken_on.weekday()))}"
    if unit == "weekend":
        return "on", _weekend(spoken_on, step)
    if unit == "month":
        return "in", _month(spoken_on, step)
    return "in", str(spoken_on.year + step)


def _weekend(spoken_on: date, step: int) -> str:
    """The weekend this many weeks ahead; on a weekend, the last one is the current one."""
    saturday = spoken_on + timedelta(
        days=7 * (step + (step < 0 and spoken_on.weekday() >= 5)) + 5 - spoken_on.weekday()
    )
    return f"the weekend of {day(saturday)}"


def _read_the_weekend(match: re.Match[str], spoken_on: date) -> _Dated:
    """`over the weekend`: the last one in the past tense, the next one in the future; else that of any week."""
    tense = tense_at(match, match.start(2))
    if tense not in {"past", "future"}:
        raise ValueError(match[0])
    return "on", _weekend(spoken_on, -1 if tense == "past" else 0)


def _read_weekends_ago(match: re.Match[str], spoken_on: date) -> _Dated:
    return "on", _weekend(spoken_on, -_count(match[2]))


def _read_before_last(match: re.Match[str], spoken_on: date) -> _Dated:
    if match[2].lower() == "weekend":
        return "on", _weekend(spoken_on, -2)
    return "in", f"the week of {day(spoken_on - timedelta(days=14 + spoken_on.weekday()))}"


def _read_season(match: re.Match[str], spoken_on: date) -> _Dated:
    which, season = match[2].lower(), match[3].lower()
    ends = _SEASONS[season]
    over = spoken_on.month > ends
    begun = over or (season != "winter" and spoken_on.month > ends - _MONTHS_OF_SEASON)
    year = spoken_on.year + (begun if which == "next" else (not over) * -1 if which == "last" else 0)
    return "in", f"{season} {year}"


def _read_ago(match: re.Match[str], spoken_on: date) -> _Dated:
    return _shifted(spoken_on, -_count(match[2]), match[3].lower())


def _read_ahead(match: re.Match[str], spoken_on: date) -> _Dated:
    """`is back in two weeks`; not a period up to now, as in "I haven't smoked in ten years" or "the first time in months"."""
    if _SO_FAR.search(match.string[: match.start()]) or tense_at(match, match.start()) == "past":
        raise ValueError(match[0])
    return _shifted(spoken_on, _count(match[2]), match[3].lower())


def _shifted(spoken_on: date, count: int, unit: str) -> _Dated:
    if unit == "day":
        return "on", day(spoken_on + timedelta(days=count))
    if unit == "week":
        return "around", day(spoken_on + timedelta(weeks=count))
    return (
        ("around", _month(spoken_on, count))
        if unit == "month"
        else ("around", str(date(spoken_on.year + count, 1, 1).year))
    )


def _read_month(match: re.Match[str], spoken_on: date) -> _Dated:
    which, month = match[2].lower(), month_number(match[3])
    tense = tense_at(match, match.start(3))
    ahead = tense in {"present", "future"} or (tense is None and (month - spoken_on.month) % 12 <= _HALF_A_YEAR)
    later = which == "next" or (which == "in" and ahead)
    year = spoken_on.year + (
        month < spoken_on.month
        if later
        else -(month >= spoken_on.month)
        if which == "last"
        else -(month > spoken_on.month)
    )
    name = f"{date(year, month, 1):%B} {year}"
    return ("since", name) if which == "since" else ("in", name)


def _read_from_month(match: re.Match[str], spoken_on: date) -> _Dated:
    """`takes over from January`; not "the invoice from March", whose month is left as it is."""
    if tense_at(match, match.start(3)) != "future":
        raise ValueError(match[0])
    month = month_number(match[3])
    return "from", f"{date(spoken_on.year + (month < spoken_on.month), month, 1):%B %Y}"


def _read_end(match: re.Match[str], spoken_on: date) -> _Dated:
    """`is leaving at the end of the year`; not something that happens at the end of every year."""
    if tense_at(match, match.start(3)) != "future":
        raise ValueError(match[0])
    return "in", _month(spoken_on, 0) if match[3].lower() == "month" else str(spoken_on.year)


def _month(spoken_on: date, step: int) -> str:
    month = spoken_on.year * 12 + spoken_on.month - 1 + step
    return f"{date(month // 12, month % 12 + 1, 1):%B %Y}"


def _count(word: str) -> int:
    if word.lower() in {"a", "an"}:
        return 1
    return int(word) if word.isdecimal() else NUMBER_WORDS.index(word.lower()) + 1


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{_BEFORE}{pattern}", re.IGNORECASE)


_DAY: Final = "(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|today|tomorrow"
_PREPOSITION: Final = either(*(rf"(?<={word} )" for word in ("on", "by", "before", "until", "till")))
_OTHER_DAY: Final = either(
    rf" (?:(?:morning|afternoon|evening|night)s|the \d|of\b|in (?:each|every|{MONTH})\b)",
    rf",? \(?(?:\d{{1,2}} {MONTH}|\d{{4}}-\d\d-)",
)
"""Behind a weekday that is not one of the days around: `on Friday mornings`, `Friday the 13th`, `Friday, 5 May`."""
_EVERY_YEAR: Final = r"['’]|,? \d| (?:of|before|when|we|i|he|she|they|party|sprint)\b"
"""Behind `end of the year`, where it is not only that of this year."""
_UNIT: Final = "(day|week|month|year)s?"
_FORMS: Final[tuple[tuple[re.Pattern[str], _Read], ...]] = (
    (_form(r"(last night|tonight|this (?:morning|afternoon|evening))\b"), _read_part_of_day),
    (_form(rf"({_DAY})(?: (morning|afternoon|evening|night))?\b(?!')"), _read_near_day),
    (_form(rf"{_COUNT} weekends? ago\b"), _read_weekends_ago),
    (_form(r"(?:the )?(week(?:end)?) before last\b"), _read_before_last),
    (re.compile(rf"\b()((?:over|at|on|during) the weekend)\b{_END_OF_PHRASE}", re.IGNORECASE), _read_the_weekend),
    (_form(rf"{_COUNT} {_UNIT} ago\b"), _read_ago),
    (_form(rf"(?<=\bin ){_COUNT} {_UNIT}(?:' time)?\b(?! (?:of|or|and|to))"), _read_ahead),
    (
        _form(rf"(?:(last|this past|next|this|coming) |{_PREPOSITION}(?=\w+day\b)){_WEEKDAY}\b(?!{_OTHER_DAY})"),
        _read_weekday,
    ),
    (_form(r"((?:the )?last|this past|this|next|(?:the )?coming) (week(?:end)?|month|year)\b(?!s| of)"), _read_unit),
    (_form(rf"(?<=\bend of )(the|this) (month|year)\b(?!{_EVERY_YEAR})"), _read_end),
    (_form(r"(last|this|next) (winter|spring|summer|fall|autumn)\b"), _read_season),
    (_form(rf"(from) {_MONTH}(?![,/–-]| (?:to|until|till|through|and|(?-i:[A-Z]))\b)"), _read_from_month),
    (_form(rf"(last|next|since|in) {_MONTH}"), _read_month),
)
