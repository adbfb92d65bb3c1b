"""Statements of a user about others: a named person, or a thing, has changed or is about to change (contract 11.6).

"Tomas found a job at the library", "Amara Diallo takes over the design", "Legal says the project is now called Beluga". The
patterns are English and read one sentence, from its beginning.
"""

import re
from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.distilling.tenses import APPOINTMENT
from memd.domain.text.alternatives import any_of, either
from memd.domain.text.names import COMMON_WORDS, proper_names

_NAME: Final = r"(?:(?:Dr|Prof|Mrs|Mr|Ms)\.? )?(?-i:[A-ZÀ-ÖØ-Þ][\w'’-]+)(?: (?:(?:van|von|de|der|del|la|&) )?(?-i:[A-ZÀ-ÖØ-Þ][\w'’-]+)){0,2}"
_NAMES: Final = rf"(?P<name>{_NAME}(?:(?:,| and) {_NAME}){{0,2}})(?:,? (?:my|our|the) [\w ]{{2,30}},)?"
_ADVERBS: Final = rf"(?: {any_of('also just now finally recently already officially never always probably still')})*"
_AUXILIARY: Final = any_of("has have is are was were will had_to has_to is_going_to wants_to decided_to plans_to got")
_MOVING: Final = either(
    r"mov(?:es?|ed|ing)(?= (?:to|in|out|from|back|house|away)\b)",
    r"mov(?:es?|ed|ing)(?= (?:it|the|our|his|her|their)\b)",
)
_WHERE_WORK_IS: Final = r"(?:at|as|in|on|with|work\w*|school|university|training|a new|her|his|their)"
_CAREER: Final = either(
    any_of(
        r"""
        left leav(?:es?|ing) quits? resign\w* retir\w+ join(?:s|ed|ing)? promoted hired fired laid_off
        replac(?:es?|ed|ing) succeed(?:s|ed|ing)? tak(?:es?|ing)_over took_over step(?:s|ped|ping)?_(?:down|in|back|up)
        report(?:s|ed|ing)?_to responsible_for in_charge_of becomes? became
        chang(?:es?|ed|ing)_(?:jobs?|teams?|schools?|roles?|to) switch(?:es|ed|ing)?_(?:to|jobs?|teams?|schools?|companies|majors?)
        leads? led heads? owns? runs?_the on_(?:parental_|maternity_|paternity_|sick_)?leave on_(?:vacation|holiday)
        """
    ),
    rf"start(?:s|ed|ing)?(?= {_WHERE_WORK_IS}\b)",
    r"begin(?:s|ning)?(?= (?:at|as|in|on|with|her|his|their)\b)",
    r"began(?= (?:at|as|in|on|with)\b)",
    r"return(?:s|ed|ing)?(?= (?:to|from|on|in)\b)",
)
_LIFE: Final = any_of(
    r"""
    graduat\w+ engaged married divorced marr(?:y|ies|ying) gave_birth expecting pregnant died passed_away broke_up
    turn(?:s|ed)_\d+ hates? loves? likes? dislikes?
    """
)
_PLAN: Final = any_of(r"postpon\w+ reschedul\w+ call(?:s|ed|ing)?_off cancel\w* no_longer renewed upgraded downgraded")
_ACQUIRED: Final = any_of(
    """
    job position role offer promotion flat apartment house place room car dog cat puppy baby contract scholarship internship
    apprenticeship company shop restaurant studio surgery accident
    """
)
_GETS: Final = any_of("found find got gets? has bought buys? sold lost rented accepted signed opened won")
_CANNOT: Final = r"(?:can't|cannot|doesn't|does not|won't)"
_DEED: Final = (
    rf"(?:(?:{_AUXILIARY} ){{0,2}}"
    + either(
        _CAREER,
        _PLAN,
        _MOVING,
        _LIFE,
        rf"{_GETS} (?:an?|the|his|her|their|a new|another) (?:[\w'’-]+ ){{0,3}}?{_ACQUIRED}",
        r"(?:paid|pays|extended|raised|lowered|plays|trains)(?= [^.;]{0,80}?(?:\d|(?-i:[A-Z])))",
        r"cut(?= [^.;]{1,60} (?:from|to|by) )",
        r"(?:hasn't|haven't|has not|have not) (?:yet )?(?:paid|renewed|signed|confirmed|agreed|replied|arrived)",
        r"will be (?:my|our|the) (?:\w+ ){0,2}\w+",
        rf"{_CANNOT} (?:eat|drink|like|want|come|join|work|travel|drive|attend|supervise|teach)",
    )
    + r"\b)"
)
_CHANGED: Final = re.compile(rf"{_NAMES}(?:{_ADVERBS}|'s| who)? {_DEED}", re.IGNORECASE)
_NAMED_ANEW: Final = re.compile(
    r"\b(?:is|are|will be|was|were|has been|have been|got) (?:now |going to be )*(?:called|named|renamed(?: to)?)\b|\b(?:is|are) now (?:the|our|an?|in|on|at)\b",
    re.IGNORECASE,
)
_AUTHORITY: Final = any_of(
    "team board client customer boss manager management doctor bank landlord office school lawyer dentist"
)
_SAYS: Final = re.compile(
    rf"(?:{_NAME}|(?:the|our|my) (?:\w+ ){{0,2}}?{_AUTHORITY})"
    r" (?:says?|said|told (?:me|us)|decided|confirmed|announced|insists?|wants?|asked|agreed)\b"
    r"(?! (?:hi|hello|thanks|yes|no|that's|bye)\b)",
    re.IGNORECASE,
)
_DEFINITE: Final = re.compile(
    r"\d|\b(?:now|no longer|from now on|instead|must|can't|cannot|not allowed|have to)\b", re.IGNORECASE
)
_OTHER_MEANING: Final = re.compile(
    r"\b(?:left|leaves) out\b|\breturns? (?:an?|the|none|null|nothing|true|false)\b|\bmoves? on\b", re.IGNORECASE
)
_MIN_NAMES: Final = 2
_THING: Final = (
    r"(?!(?:it|that|this|these|those|them|you|your|one|an? (?:\w+ )?(?:error|problem|issue|bug|question))\b)\w"
)
_WILL: Final = (
    either(
        r"move(?= (?:to|in|into|out|back|from|house|away)\b)",
        "join",
        r"start(?= (?:at|as|in|working|work|school|university|training|a new|my|our)\b)",
        any_of(
            """
            spend marry get_(?:married|divorced|engaged) retire study quit leave become graduate take_over report_to travel
            fly celebrate live
            """
        ),
        r"work(?= (?:at|for|from|in)\b)",
        "adopt",
        "host",
        "be (?:based|living|working|studying)",
    )
    + r"\b"
)
_NOT_FOR_GOOD: Final = any_of("terminal shell session editor app program browser game")
_GAVE_UP: Final = r"(?:cut out|cut (?:down|back) on|given up|gave up|gone off)(?! (?:the|on|trying)\b)"
_DONE: Final = either(
    "sold",
    _GAVE_UP,
    rf"quit(?! (?:the|my) {_NOT_FOR_GOOD}\b)",
    any_of(r"swapped broke_up_with split_up_with broke(?=_my\b) hurt(?=_my\b) migrate[sd]? draw paint knit sew tutor"),
)
_HAPPENED: Final = any_of(
    r"promoted hired fired(?!_up\b) laid_off made_redundant diagnosed elected transferred evicted"
)
_OWN: Final = re.compile(
    either(
        rf"(?:i|we)(?:'ve| have)?{_ADVERBS} {_DONE} {_THING}",
        rf"(?:i|we)(?: was| were| got| have been|'ve been){_ADVERBS} {_HAPPENED}\b",
        rf"(?P<ahead>(?:i|we)(?:'ll| will| shall){_ADVERBS} {_WILL}(?! (?:it|that|this|these|those|them|you)\b))",
    ),
    re.IGNORECASE,
)
_BACK: Final = re.compile(
    rf"(?:i|we)(?:'m|'re| am| are){_ADVERBS} back "
    + either(
        r"(?:at|with|on) (?!(?:Windows|Mac|Linux|Earth)\b)(?-i:[A-Z])[\w.&-]*(?!['’\w])",
        r"to (?!(?:trying|getting|looking|seeing|debugging|square)\b)[a-z]+ing \w",
    ),
    re.IGNORECASE,
)
"""What is as it was before: `I'm back at Siemens`, `We're back to shipping on Fridays`."""
_NOT_ANY_MORE: Final = re.compile(
    rf"(?:i|we)(?:'m|'re| am| are) not (?:going to )?[a-z]+ {_THING}.*\b(?:after all|any ?more|any longer)\b",
    re.IGNORECASE,
)
_PARTED: Final = re.compile(
    rf"(?:{_NAME}|my (?:\w+ )?\w+) and (?:i|me)(?:'ve)? (?:(?:have|just|recently|finally|are|got|are getting|have decided to) )*"
    r"(?:(?:broke|broken|split|break) up|divorced?|separated|engaged|married)\b",
    re.IGNORECASE,
)
_EVENT: Final = any_of(
    """
    trip wedding party release launch meeting appointment flight holiday vacation concert off-?site workshop conference
    dinner lunch visit deal sale merger move interview exam game match retreat event
    """
)
_OFF: Final = re.compile(
    r"(?:the|our|my) (?:[\w'’-]+ ){1,8}?"
    + either(
        r"fell through\b",
        r"(?:is|was|has been|got) called off\b",
    )
    + rf"|(?:the|our|my) (?:[\w'’-]+ ){{0,3}}?{_EVENT} (?:[\w'’-]+ ){{0,5}}?(?:(?:is|was|has been|got) (?:cancell?ed|off)(?=\W*\Z|[,;:]| (?:because|due)\b)"
    r"|(?:isn't|is not) happening|won't happen)",
    re.IGNORECASE,
)
"""A plan that came to nothing: `The flat fell through`, `The offsite on 3 May is off`."""
_NOT_IN_ROLE: Final = re.compile(
    rf"{_NAMES} (?:isn't|is not) (?:my|our|the) (?:[\w-]+ ){{0,3}}?[\w-]+ (?:any ?more|any longer|after all)\b",
    re.IGNORECASE,
)
_SEASON: Final = "(?:week|weekend|month|year|spring|summer|autumn|fall|winter)"
_AHEAD: Final = (
    either(
        "tomorrow",
        rf"next (?:{_SEASON}|{WEEKDAY}|{MONTH})",
        rf"(?:on|this|by) (?:the )?(?:{WEEKDAY}|weekend|\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}} {MONTH}|{MONTH})",
        rf"in {MONTH}",
    )
    + r"\b"
)
_TROUBLE: Final = r"(?:[\w-]+ ){0,3}?(?:trouble|errors?|problems?|issues?|warnings?|failures?|questions?)"
_ARRANGED: Final = re.compile(
    rf"(?:i|we)(?:'m|'re| am| are){_ADVERBS} (?!(?:having|getting|seeing) {_TROUBLE}\b)"
    rf"(?!(?:thinking|wondering|asking|talking|saying|looking)\b)[a-z]+ing {_THING}[^.;]*?\b{_AHEAD}",
    re.IGNORECASE,
)
"""What the user does on a day to come: `I'm seeing my cardiologist on Monday`."""
_APPOINTMENT: Final = re.compile(
    rf"{APPOINTMENT} {_AHEAD}(?: at \d[\d:.]*(?: ?[ap]m)?| \d[\d:.]*(?: ?[ap]m))?(?:,.*)?\Z", re.IGNORECASE
)
"""An appointment without a verb: `dentist on friday at 3`."""
_DATED: Final = re.compile(rf"\d|\b(?:tomorrow|next|every|{MONTH})\b", re.IGNORECASE)
_AIMS: Final = re.compile(
    r"(?:i|we)(?:'m|'re| am| are) trying to "
    + either(
        any_of(
            """
            save lose quit give_up cut_(?:down|back) eat_(?:less|more|health) drink_(?:less|more) get_pregnant conceive gain
            """
        ),
        r"learn (?!(?:how|about|what|why|it|this|that)\b)\w",
    ),
    re.IGNORECASE,
)
"""What takes the user longer than a task: `I'm trying to save 300 a month`."""
_WORKS: Final = any_of(
    """
    load show start respond render connect build pass print return appear sync install update launch boot display find
    accept match parse
    """
)
"""What programs do: `The site doesn't load any more` is about the task at hand."""
_STOPPED: Final = re.compile(
    rf"(?:{_NAMES}|(?:the|our|my) (?:[\w-]+ ){{0,2}}[\w-]+)"
    r" (?:doesn't|does not|don't|do not|isn't|is not|aren't|are not|won't|will not) "
    rf"(?!{_WORKS}\b)\w",
    re.IGNORECASE,
)
_NO_LONGER_DOES: Final = re.compile(
    rf"{_NAMES} (?:doesn't|does not|no longer) "
    + any_of("play work live eat drink smoke study teach train coach practi[cs]e date attend go_to speak drive")
    + r"s?\b",
    re.IGNORECASE,
)
"""What only people do: `Leo doesn't play the violin any more`."""
_REGULAR: Final = re.compile(rf"\b(?:\d{{1,2}}[:.]\d\d|{WEEKDAY}s?|{MONTH}|weekends?|weekdays)\b", re.IGNORECASE)
_ENDED: Final = re.compile(r"\b(?:no longer|any ?more|any longer)\b", re.IGNORECASE)


def states_own_change(sentence: str) -> bool:
    """Whether the user says what they did or will do that lasts: `We sold the car`, `I'll join the data team in March`.

    So do appointments: `I'm seeing my cardiologist on Monday`, `dentist on friday at 3`, and what is as it was before, or
    is not so after all: `I'm back at Siemens`, `We're not getting the dog after all`.
    """
    if any(form.match(sentence) for form in (_ARRANGED, _APPOINTMENT, _AIMS, _BACK, _NOT_ANY_MORE, _PARTED)):
        return True
    own = _OWN.match(sentence)
    return bool(own) and (own["ahead"] is None or bool(_DATED.search(sentence) or proper_names(sentence)))


def ends_something(sentence: str) -> bool:
    """Whether the sentence says that something is no longer so: `I'm not a smoker any more`."""
    return _ENDED.search(sentence) is not None


def states_change(sentence: str) -> bool:
    """Whether the sentence says what somebody with a name did or will do, or how something is called now."""
    if _OTHER_MEANING.search(sentence):
        return False
    changed = _CHANGED.match(sentence)
    if _OFF.match(sentence) or _NOT_IN_ROLE.match(sentence):
        return True
    if changed and changed["name"].split()[0].lower().split("'")[0] not in COMMON_WORDS:
        return True
    if ends_something(sentence) and (
        _NO_LONGER_DOES.match(sentence) or (_STOPPED.match(sentence) and _REGULAR.search(sentence))
    ):
        return True
    names = proper_names(sentence)
    if _NAMED_ANEW.search(sentence) and names:
        return True
    return bool(_SAYS.match(sentence)) and (len(names) >= _MIN_NAMES or bool(_DEFINITE.search(sentence)))
