"""The sentence forms of facts: who lives where, who works for whom, what is whose, what is due when (English)."""

import re
from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.facts.named_dates import DATE
from memd.domain.facts.roles import ROLE_FORMS
from memd.domain.facts.verbs import ADVERB, DAY, SUBJECT, Form

_STOP: Final = r"(?<!\bdr)(?<!\bprof)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bst)\.(?![\w@/])"
"""A full stop, but not that of `Dr. Falk` and `St. Mary's`."""
END: Final = re.compile(
    rf"[;!?()]|{_STOP}|[:,](?![\w@/])|\s+(?:and|but|because|since|until|till|after|before|as\s+of|with|so|while|when|where|who|which|that|"
    r"instead|again|once\s+(?:more|again)|now|today|anymore|any\s+more|these\s+days|from\s+now|starting|"
    r"this\s+(?:week|month|year))\b",
    re.IGNORECASE,
)
LISTS: Final = frozenset({"allergy", "language"})
"""Attributes whose value is read as a whole: half a list of allergies is worse than none."""
LIST_END: Final = re.compile(
    rf"[;!?()]|{_STOP}|:(?![\w@/])|,?\s+(?:because|since|until|till|after|before|so|while|when|where|who|which|that|now|"
    r"(?:and|but)\s+(?:they|he|she|it|their|lives?|works?|prefers?|likes?|loves?|uses?|has|is|does))\b",
    re.IGNORECASE,
)
_NOT_SUBJECTS_LIST: Final = """
    let let's let’s i we you he she it they me us him her them this that these those there what who which where when why how if
    since after before once while although though because until unless whenever someone somebody everyone everybody
    nobody everything something nothing as at by during from in on
"""
NOT_SUBJECTS: Final = frozenset(_NOT_SUBJECTS_LIST.split())
DIGIT: Final = re.compile(r"\d")
_NOT_LAST_LIST: Final = """
    was were been be is are got to not never will would should could must can and but or they he she it we who which
    that always never
"""
NOT_LAST: Final = frozenset(_NOT_LAST_LIST.split())
"""Words that end no noun phrase: "the project was" moved to production and lives nowhere; nor "Ann wants to" use it."""
ORDINAL_OR_THOUSANDS: Final = re.compile(r"(?<=\d)(?:(?:st|nd|rd|th)\b|,(?=\d{3}\b))", re.IGNORECASE)
DETERMINERS: Final = re.compile(r"^(?:the|a|an|our|my|your|his|her|its|their)\s+", re.IGNORECASE)
WHEN: Final = re.compile(
    rf"\s+(?:(?:in\s+the\s+week\s+of|on\s+the\s+(?:weekend|night|morning|evening|afternoon)\s+of|in|on|by|during|from|around)"
    rf"\s+{DATE}|yesterday|tomorrow|tonight|"
    rf"(?:last|next)\s+(?:night|week|month|year|spring|summer|autumn|fall|winter|{WEEKDAY}|{MONTH})|"
    r"(?:an?|one|two|three|four|five|six|\d+)\s+(?:day|week|month|year)s?\s+ago)$",
    re.IGNORECASE,
)
"""When a value began, at its end: no part of it."""
MAX_WORDS, MAX_LISTED = 6, 12
"""Words of a value, and of one that is a list."""
_SOMEBODY: Final = r"^(?!(?:if|once|when|should)\b)(?:(?!(?:not|never|wish|would|should|could|might|want|wanted|thought)\b|\w+n['’]t\b)[^\W\d_][\w'’]*\s+){1,5}?"
_THING: Final = r"(?P<subject>(?:the|our|my|their|all)\s+(?!team\b)[^.,;:!?()]{1,60}?)"
_TECHNOLOGY: Final = rf"(?!{DAY})(?P<value>(?-i:[A-Z])\S*"
_SWITCHED: Final = (
    # "we migrated the billing service from MySQL to Postgres", "we replaced Jenkins with GitHub Actions in our CI"
    rf"{_SOMEBODY}(?:migrated|ported)\s+{_THING}(?:\s+from\s+(?P<old>[^.,;]{{1,30}}?))?\s+to\s+{_TECHNOLOGY}.*)",
    rf"{_SOMEBODY}replaced\s+(?P<old>[^.,;]{{1,40}}?)\s+(?:with|by)\s+{_TECHNOLOGY}.{{0,40}}?)\s+in\s+{_THING}(?=\W*$)",
)
_STARTED_AT: Final = rf"^(?P<subject>the\s+user){ADVERB}\s+started\s+at\s+(?!{DAY})(?P<value>(?-i:[A-Z])\S*.*)"
"""`I started at Acme`; what else starts somewhere has no employer."""
SWITCHED_FROM: Final = re.compile(r"(?P<new>.+?)\s+(?:away\s+)?from\s+(?P<old>\S.*)", re.IGNORECASE)
"""A value with what it replaces: `switched to Zed from Helix`."""
FORMS: Final = (
    Form("employer", True, False, re.compile(_STARTED_AT, re.IGNORECASE)),
    *(Form("uses", True, False, re.compile(form, re.IGNORECASE)) for form in _SWITCHED),
    *(Form("role", denied, denied, re.compile(form, re.IGNORECASE)) for denied, form in ROLE_FORMS),
)
_IS: Final = (
    r"(?P<verb>is\s+now|is\s+no\s+longer|is\s+not|is|was\s+changed\s+to|(?:has\s+)?changed\s+to"
    r"|(?:was|were|has\s+been|got)\s+(?:raised|increased|lowered|reduced|cut|bumped|extended|moved|pushed|rescheduled|postponed)"
    r"(?:\s+from\s+[^.;]{1,40}?)?\s+(?:to|until))"
)
_ATTRIBUTE: Final = r"(?P<attribute>[a-z][\w -]{1,30}?)"
_RELATIVES: Final = (
    "wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|boss|manager|mother|father|mom|mum|dad|son|daughter|brother|sister"
    "|friend|colleague|cat|dog"
)
RELATIVE: Final = re.compile(
    r"^(?P<subject>[^\W\d_](?:(?!\s(?:and|but)\s+(?:the\s+user|my|our)\b)[^.,;:!?()]){0,60}?)['’]s\s+(?:(?:older|younger|little|big|best|new)\s+)?"
    rf"(?P<attribute>{_RELATIVES})\s+"
    r"(?-i:(?P<value>(?:Dr|Prof|Mrs?|Ms)\.? [^\W\d_a-z][\w-]+(?: [^\W\d_a-z][\w-]+)?|(?!(?:Dr|Prof|Mrs?|Ms)\b)[^\W\d_a-z][^\W\d_]+))\b(?!['’]s)"
    r"(?!\s+(?:has\s+|was\s+)?(?:retired|left|quit|resigned|died|fired|replaced)\b)",
    re.IGNORECASE,
)
"""`Ana's wife Marta will come` names the wife."""
ALSO_THEIRS: Final = re.compile(
    r"^(?P<subject>[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+){0,2}) (?:joined|works (?:at|for)) (?:(?! (?:with|and|to)\b)[^;])*;"
    r" (?:his|her|their) (?P<rest>(?:manager|boss|mentor|team lead|desk|email|phone number) is \S.*)"
)
"""`Sven joined Acme in May; his manager is Maya`."""
_OTHER_PERSON: Final = rf"(?:{_RELATIVES}|parent|kid|child(?:ren)?|sibling|neighbou?r|customer|client|guest|patient|m[ae]n|wom[ae]n|boy|girl|baby|person|doctor|landlord|landlady|teacher|says?|said|thinks?|told|asked|if|whether)s?"
HE_OR_SHE: Final = re.compile(
    r"^(?P<subject>(?!(?:The|An?|Our|My|We|I|If|This|That|It|He|She|They)\b)[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)?)"
    rf"(?P<first>(?: (?:(?:in|at|since|until|(?<=moved )to|(?<=moved )from|(?<=moved out )of) [A-Z])?(?!{_OTHER_PERSON}\b)[^\sA-Z;:.!?]+)+)"
    r"(?:;| (?:and|but)) (?:s?he) (?P<rest>\S.*)"
)
"""`Jonas eats fish; he is no longer vegetarian`, where the first clause names nobody else."""
RAISED: Final = re.compile(
    rf"^(?P<subject>(?-i:The user|(?!(?:The|I|We)\b)[A-Z][\w-]+(?: [A-Z][\w-]+){{0,2}}))(?:\s+(?:has|have|had|just|also|recently|now|finally))*\s+"
    r"(?:raised|increased|lowered|reduced|cut|changed|moved|pushed|extended|postponed)\s+(?:his|her|their|its|my|our)\s+(?P<thing>[a-z][\w -]{1,30}?)"
    rf"(?:\s+from\s+[^.;]{{1,40}}?)?\s+to\s+(?P<value>(?:[€$£]?\d|{WEEKDAY}|{MONTH}).*)",
    re.IGNORECASE,
)
"""`Ana raised her price to 11 euros`."""
NEW_THING: Final = re.compile(
    r"^(?P<subject>(?-i:The user|[A-Z][\w-]+)) (?:(?:has|have|just|now|recently|finally) )*(?:got|gotten|has|have) a new "
    r"(?P<thing>(?:[a-z]+ )?(?:number|address|e-?mail|plate)|phone|car|employer|manager|boss)(?::|,? (?:it is|it['’]s|which is)) (?P<value>\S.*)",
    re.IGNORECASE,
)
"""`Ana got a new phone number: 555-8890`."""
FIRST_PERSON: Final = re.compile(
    r"(?:(?:I|We)\s+(?P<adverb>(?:also|now|currently|still|just|recently|no\s+longer)\s+)?(?P<verb>[a-z]+(?:['’]t)?)\b|(?P<owned>(?:My|Our)\b)|I['’]m\b|We['’]re\b)"
)
"""The first person at the beginning of a sentence."""
NAMED: Final = re.compile(
    r"^(?P<subject>the user) is (?-i:(?P<value>[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)?))(?=[,.(]| and\b|$)", re.IGNORECASE
)
_ALWAYS: Final = r"(?:always|usually|often|also|still|now|currently|only|just|really|mostly)"
_PERSON: Final = rf"(?:{_RELATIVES})s?|parents?|kids?|child(?:ren)?|siblings?|neighbou?rs?|in-laws|family|team"
CONTINUED: Final = re.compile(
    rf"^(?P<subject>(?-i:The user|(?!The\b)[A-Z][^\W\d_]+))(?:(?<=The user)['’]s(?! (?:\w+ )?(?:{_PERSON})\b))?(?!['’]s)\b.*?(?:,| and| but)\s+(?:and\s+)?they\s+(?:{_ALWAYS}\s+)?"
    rf"(?P<verb>(?!(?:{_ALWAYS}|never|not|no|costs?|weighs?|arrived?|contain)\b)[a-z]+)\s+",
    re.IGNORECASE,
)
"""A second clause about the same subject, as extraction words it: `The user lives in Bonn and they prefer tea`."""
JOB: Final = re.compile(
    rf"^{SUBJECT}{ADVERB}\s+works?\s+as\s+(?P<role>[^.,;()]{{2,60}}?)\s+(?:at|for)\s+(?P<employer>.+?)(?:\s+in\s+(?-i:[A-Z]).*)?$",
    re.IGNORECASE,
)
_CALLED: Final = r"(?:(?:called|named)\s+(?-i:(?=[A-ZÀ-Þ])))?"
OWNED: Final = (
    re.compile(
        rf"^(?P<subject>[^\W\d_][^.,;:!?()]{{0,60}}?)['’]s\s+{_ATTRIBUTE}\s+{_IS}\s+{_CALLED}(?P<value>\S.*)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^the\s+{_ATTRIBUTE}\s+of\s+(?P<subject>[^.,;:!?()]{{1,60}}?)\s+{_IS}\s+{_CALLED}(?P<value>\S.*)",
        re.IGNORECASE,
    ),
)


ROLES: Final = f"{_RELATIVES}|supervisor|mentor|team lead|landlord|landlady|dentist|doctor|accountant|lawyer|therapist|trainer|teacher"
"""Whom somebody may have: a sister, a manager, a dentist."""
MINE: Final = re.compile(
    r"^(?-i:(?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)?)) (?:is|has been) (?P<now>now )?(?:my|our) ", re.IGNORECASE
)
HOLDER: Final = re.compile(
    r"^(?-i:(?P<value>[A-Z][\w-]+(?: [A-Z][\w-]+)?)) (?:is|has been) (?P<now>now )?(?P<subject>[^\W\d_][^.,;:!?()]{0,40}?)['’]s (?P<new>new )?"
    rf"(?:(?:older|younger|little|big|best|good|old(?= friend\b)) )?(?P<attribute>{ROLES})\b(?!['’]s)(?=\W*$|[,;]| (?P<again>again)\b| (?:and|since|now|from)\b)",
    re.IGNORECASE,
)
"""`Sofia is Ana's new manager`; `MINE` is the beginning of `Lena is my sister`."""
NEW: Final = re.compile(r"^(?:new|current|present)-(?=\w)")
ROLE_AFTER: Final = re.compile(r"\s+as\s+.*", re.IGNORECASE)
"""Words that follow an employer, a manager or a tool: `works at Acme as head of sales`, `uses Helix as an editor`."""
AFTER_PLACE: Final = re.compile(
    r"\s+(?:for\s+(?:an?|the|his|her|their|my|our|work|love|family|good|university|college|school)\b|from\s+(?-i:[A-Z])).*",
    re.IGNORECASE,
)
"""What may follow a place of residence: a reason, or the previous place (`moved to Rome from Oslo`)."""
ASIDE: Final = re.compile(
    r",?\s+(?:by\s+the\s+way|btw|fyi|too|as\s+well|though|actually|i\s+think|you\s+know)$", re.IGNORECASE
)
PLACES: Final = re.compile(
    r"^(?:[\w-]+\s+){0,2}?(?:office|offices|headquarters|hq|shop|store|branch|warehouse|studio|lab|depot|canteen)\b(?!['’])",
    re.IGNORECASE,
)
"""Subjects that are somewhere, and live nowhere."""

STATE: Final = re.compile(
    r"(?:valid|invalid|expired|fine|good|ok|okay|great|happy|sad|sick|ill|tired|busy|late|ready|here|there|away|gone|back|important|broken|down|nice|bad"
    r"|amazing|awesome|so|very|really|too|pretty)\b",
    re.IGNORECASE,
)
"""Predicates that describe and do not identify: `Ana's manager is fine with it` names no manager."""
