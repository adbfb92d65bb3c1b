"""Statements of a user about others: a named person, or a thing, has changed or is about to change (contract 11.6).

"Tomas found a job at the library", "Amara Diallo takes over the design", "Legal says the project is now called Beluga". The
patterns are English and read one sentence, from its beginning.
"""

import re
from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.distilling.tenses import APPOINTMENT
from memd.domain.text.names import COMMON_WORDS, proper_names

_NAME: Final = r"(?:(?:Dr|Prof|Mrs|Mr|Ms)\.? )?(?-i:[A-ZÀ-ÖØ-Þ][\w'’-]+)(?: (?:(?:van|von|de|der|del|la|&) )?(?-i:[A-ZÀ-ÖØ-Þ][\w'’-]+)){0,2}"
_NAMES: Final = rf"(?P<name>{_NAME}(?:(?:,| and) {_NAME}){{0,2}})(?:,? (?:my|our|the) [\w ]{{2,30}},)?"
_ADVERBS: Final = r"(?: (?:also|just|now|finally|recently|already|officially|never|always|probably|still))*"
_DETERMINED: Final = r"(?:an?|the|his|her|their|a new|another) (?:[\w'’-]+ ){0,3}?"
_DEED: Final = (
    rf"(?:(?:has |have |is |are |was |were |will |had to |has to |is going to |wants to |decided to |plans to |got ){{0,2}}"
    r"(?:left|leav(?:es?|ing)|quits?|resign\w*|retir\w+|join(?:s|ed|ing)?|promoted|hired|fired|laid off|replac(?:es?|ed|ing)|succeed(?:s|ed|ing)?"
    r"|tak(?:es?|ing) over|took over|step(?:s|ped|ping)? (?:down|in|back|up)|postpon\w+|reschedul\w+|call(?:s|ed|ing)? off|cancel\w*|mov(?:es?|ed|ing)"
    r"(?= (?:to|in|out|from|back|house|away)\b)|start(?:s|ed|ing)?(?= (?:at|as|in|on|with|work\w*|school|university|training|a new|her|his|their)\b)"
    r"|mov(?:es?|ed|ing)(?= (?:it|the|our|his|her|their)\b)|begin(?:s|ning)?(?= (?:at|as|in|on|with|her|his|their)\b)|began(?= (?:at|as|in|on|with)\b)|return(?:s|ed|ing)?(?= (?:to|from|on|in)\b)"
    r"|graduat\w+|engaged|married|divorced|marr(?:y|ies|ying)|gave birth|expecting|pregnant|died|passed away|broke up|turn(?:s|ed) \d+|report(?:s|ed|ing)? to"
    r"|responsible for|in charge of|no longer|becomes?|became|chang(?:es?|ed|ing) (?:jobs?|teams?|schools?|roles?|to)|switch(?:es|ed|ing)? (?:to|jobs?|teams?)"
    rf"|(?:found|find|got|gets?|has|bought|buys?|sold|lost|rented|accepted|signed|opened|won) {_DETERMINED}(?:job|position|role|offer|promotion"
    r"|flat|apartment|house|place|room|car|dog|cat|puppy|baby|contract|scholarship|internship|apprenticeship|company|shop|restaurant|studio|surgery|accident)"
    r"|renewed|upgraded|downgraded|(?:paid|pays|extended|raised|lowered|plays|trains)(?= [^.;]{0,80}?(?:\d|(?-i:[A-Z])))|cut(?= [^.;]{1,60} (?:from|to|by) )"
    r"|(?:hasn't|haven't|has not|have not) (?:yet )?(?:paid|renewed|signed|confirmed|agreed|replied|arrived)"
    r"|will be (?:my|our|the) (?:\w+ ){0,2}\w+"
    r"|on (?:parental |maternity |paternity |sick )?leave|on (?:vacation|holiday)|leads?|led|heads?|owns?|runs? the|hates?|loves?|likes?|dislikes?"
    r"|(?:can't|cannot|doesn't|does not|won't) (?:eat|drink|like|want|come|join|work|travel|drive|attend|supervise|teach))\b)"
)
_CHANGED: Final = re.compile(rf"{_NAMES}(?:{_ADVERBS}|'s| who)? {_DEED}", re.IGNORECASE)
_NAMED_ANEW: Final = re.compile(
    r"\b(?:is|are|will be|was|were|has been|have been|got) (?:now |going to be )*(?:called|named|renamed(?: to)?)\b|\b(?:is|are) now (?:the|our|an?|in|on|at)\b",
    re.IGNORECASE,
)
_SAYS: Final = re.compile(
    rf"(?:{_NAME}|(?:the|our|my) (?:\w+ ){{0,2}}?(?:team|board|client|customer|boss|manager|management|doctor|bank|landlord|office|school"
    r"|lawyer|dentist)) (?:says?|said|told (?:me|us)|decided|confirmed|announced|insists?|wants?|asked|agreed)\b(?! (?:hi|hello|thanks|yes|no|that's|bye)\b)",
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
    r"(?!(?:it|that|this|these|those|them|you|your|one|an? (?:\w+ )?(?:error|problem|issue|bug|question))\b)[\w\d]"
)
_WILL: Final = (
    r"(?:move(?= (?:to|in|into|out|back|from|house|away)\b)|join|start(?= (?:at|as|in|working|work|school|university|training|a new|my|our)\b)"
    r"|spend|marry|get (?:married|divorced|engaged)|retire|study|quit|leave|become|graduate|take over|report to|travel|fly|celebrate|live"
    r"|work(?= (?:at|for|from|in)\b)|adopt|host|be (?:based|living|working|studying))\b"
)
_OWN: Final = re.compile(
    rf"(?:i|we)(?:'ve| have)?{_ADVERBS} (?:sold|(?:cut out|cut (?:down|back) on|given up|gave up|gone off)(?! (?:the|on|trying)\b)|quit(?! (?:the|my) (?:terminal|shell|session|editor|app|program|browser|game)\b)|swapped|broke up with|split up with|broke(?= my\b)|hurt(?= my\b)|migrate[sd]?|draw|paint|knit|sew|tutor) {_THING}"
    rf"|(?:i|we)(?: was| were| got| have been|'ve been){_ADVERBS} (?:promoted|hired|fired(?! up\b)|laid off|made redundant|diagnosed|elected|transferred|evicted)\b"
    rf"|(?P<ahead>(?:i|we)(?:'ll| will| shall){_ADVERBS} {_WILL}(?! (?:it|that|this|these|those|them|you)\b))",
    re.IGNORECASE,
)
_AHEAD: Final = (
    rf"(?:tomorrow|next (?:week|weekend|month|year|spring|summer|autumn|fall|winter|{WEEKDAY}|{MONTH})|(?:on|this|by) (?:the )?(?:{WEEKDAY}|weekend|\d{{1,2}}(?:st|nd|rd|th)"
    rf"|\d{{1,2}} {MONTH}|{MONTH})|in {MONTH})\b"
)
_ARRANGED: Final = re.compile(
    rf"(?:i|we)(?:'m|'re| am| are){_ADVERBS} (?!(?:having|getting|seeing) (?:[\w-]+ ){{0,3}}?(?:trouble|errors?|problems?|issues?|warnings?|failures?|questions?)\b)"
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
    r"(?:i|we)(?:'m|'re| am| are) trying to (?:save|lose|quit|give up|cut (?:down|back)|eat (?:less|more|health)|drink (?:less|more)|get pregnant|conceive|gain"
    r"|learn (?!(?:how|about|what|why|it|this|that)\b)\w)",
    re.IGNORECASE,
)
"""What takes the user longer than a task: `I'm trying to save 300 a month`."""
_STOPPED: Final = re.compile(
    rf"(?:{_NAMES}|(?:the|our|my) (?:[\w-]+ ){{0,2}}[\w-]+) (?:doesn't|does not|don't|do not|isn't|is not|aren't|are not|won't|will not) "
    r"(?!(?:load|show|start|respond|render|connect|build|pass|print|return|appear|sync|install|update|launch|boot|display|find|accept|match|parse)\b)\w",
    re.IGNORECASE,
)
_REGULAR: Final = re.compile(rf"\b(?:\d{{1,2}}[:.]\d\d|{WEEKDAY}s?|{MONTH}|weekends?|weekdays)\b", re.IGNORECASE)
_ENDED: Final = re.compile(r"\b(?:no longer|any ?more|any longer)\b", re.IGNORECASE)


def states_own_change(sentence: str) -> bool:
    """Whether the user says what they did or will do that lasts: `We sold the car`, `I'll join the data team in March`.

    So do appointments: `I'm seeing my cardiologist on Monday`, `dentist on friday at 3`.
    """
    if any(form.match(sentence) for form in (_ARRANGED, _APPOINTMENT, _AIMS)):
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
    if changed and changed["name"].split()[0].lower().split("'")[0] not in COMMON_WORDS:
        return True
    if ends_something(sentence) and _STOPPED.match(sentence) and _REGULAR.search(sentence):
        return True
    names = proper_names(sentence)
    if _NAMED_ANEW.search(sentence) and names:
        return True
    return bool(_SAYS.match(sentence)) and (len(names) >= _MIN_NAMES or bool(_DEFINITE.search(sentence)))
