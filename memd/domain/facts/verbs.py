"""The sentence forms of facts that a verb after the subject tells: "lives in", "works for", "uses"."""

import re
from typing import Final, NamedTuple

from memd.domain.dates.months import MONTHS
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.facts.roles import NO_MANAGER
from memd.domain.text.alternatives import either

SUBJECT: Final = r"(?P<subject>[^\W\d_][^.,;:!?()]{0,60}?)"
ADVERB: Final = r"(?:\s+(?:currently|still|also|already|really|absolutely|officially|recently|just|has|have|had|will))*"
DAY: Final = rf"(?:the\s+)?(?:\d|(?:next\s+)?{WEEKDAY}|{either(*MONTHS)}\b)"
_DIET: Final = r"(?:\s+an?)?(?=\s+(?:vegetarian|vegan|pescatarian|lactose[- ]intolerant|diabetic)\b)"
_VERBS: Final = (
    # attribute, whether the words say that something changed, whether they deny the value
    ("residence", False, False, r"(?:lives?|resides?|is\s+(?:based|living))\s+in"),
    (
        "residence",
        True,
        False,
        r"(?:now\s+lives?\s+in|(?:moved|relocated)(?:\s+back)?(?:\s+from\s+[^.,;]{1,30}?)?\s+to)",
    ),
    ("residence", True, True, r"(?:no\s+longer\s+lives?|does\s+not\s+live|doesn['’]t\s+live|used\s+to\s+live)\s+in"),
    ("employer", False, False, r"(?:works?\s+(?:at|for)|is\s+employed\s+(?:at|by))"),
    ("employer", True, False, r"(?:now\s+works?\s+(?:at|for)|(?:re)?joined)"),
    (
        "employer",
        True,
        False,
        r"is\s+back\s+at(?!\s+(?:home|work|school|university|college|the|an?|my|our|his|her|their|it|full|square|least|that|this)\b|\s+\d)",
    ),
    (
        "employer",
        True,
        True,
        r"(?:no\s+longer\s+works?|does\s+not\s+work|doesn['’]t\s+work|used\s+to\s+work)\s+(?:at|for)",
    ),
    (
        "employer",
        True,
        False,
        r"(?:has\s+)?(?:started|got|taken|took|found|landed|accepted)\s+(?:an?|their|his|her)\s+(?:new\s+)?(?:job|position)\s+(?:at|with)",
    ),
    (
        "employer",
        True,
        True,
        r"(?:has\s+)?(?:(?:lost|quit|left)\s+(?:their|his|her)\s+(?:job|position)\s+(?:at|with)|resigned\s+from(?!\s+(?:an?|his|her|their|my|our|(?:the\s+)?(?:board|committee|team|council|post|position|job))\b)|was\s+(?:fired|laid\s+off)\s+(?:from|by))",
    ),
    (
        "employer",
        True,
        True,
        r"left(?!\s+(?:the|an?|my|our|his|her|their|for|at|in|on|by|from|to|early|late|home|work|school|out|behind|town|it|me|no)\b|\s+\d)",
    ),
    ("employer", True, False, r"(?:has\s+)?started\s+working\s+(?:at|for|with)"),
    ("employer", False, False, r"has\s+(?:been\s+working|worked)\s+(?:at|for)(?=[^.;]*\bsince\b)"),
    ("called", False, False, r"is\s+(?:called|named)"),
    ("called", True, False, r"(?:is\s+now\s+(?:called|named)|(?:was|has\s+been|is\s+being)\s+renamed(?:\s+to)?)"),
    ("role", False, False, r"works?\s+as"),
    ("role", True, False, r"(?:was\s+promoted\s+to|now\s+works?\s+as)"),
    ("manager", False, False, rf"reports?\s+to{NO_MANAGER}"),
    ("manager", True, False, rf"now\s+reports?\s+to{NO_MANAGER}"),
    ("owner", False, False, r"(?:is|are)\s+(?:owned|maintained)\s+by"),
    ("owner", True, False, r"(?:is|are)\s+now\s+(?:owned|maintained)\s+by"),
    ("spouse", False, False, r"is\s+married\s+to"),
    ("date", False, False, r"(?:is|are)\s+(?:scheduled\s+(?:for|on)|due(?:\s+(?:on|by))?|planned\s+for)"),
    ("date", True, False, r"(?:(?:was|were|been|is)\s+)?(?:now\s+scheduled\s+for|(?:re-?scheduled|postponed)\s+to)"),
    ("date", True, False, rf"(?:(?:was|were|been|is)\s+)?moved(?:\s+back)?\s+to(?=\s+{DAY})"),
    ("price", False, False, r"(?:costs?|(?:is|are)\s+priced\s+at)"),
    ("price", True, False, r"now\s+costs?"),
    ("allergy", False, False, r"(?:is|are)\s+allergic\s+to"),
    ("allergy", True, True, r"(?:is|are)\s+(?:no\s+longer|not)\s+allergic\s+to"),
    ("diet", False, False, rf"(?:is|are){_DIET}"),
    ("diet", True, False, rf"(?:(?:is|are)\s+now|became|turned){_DIET}"),
    ("diet", True, True, rf"(?:is|are)\s+(?:no\s+longer|not){_DIET}"),
    ("language", False, False, r"speaks"),
    ("preference", False, False, r"prefers"),
    ("likes", False, False, r"(?:likes|loves|enjoys|is\s+fond\s+of|is\s+a\s+(?:big\s+|huge\s+)?fan\s+of)"),
    ("dislikes", False, False, r"(?:dislikes|hates|can['’]t\s+stand|doesn['’]t\s+like|does\s+not\s+like)"),
    ("uses", False, False, r"uses?"),
    (
        "uses",
        True,
        False,
        r"(?:now\s+uses?|(?:switched|(?:(?:was|been)\s+)?migrated)(?:\s+back)?(?:\s+from\s+(?P<old>[^.,;]{1,30}?))?\s+to)",
    ),
    ("uses", True, True, r"(?:no\s+longer\s+uses?|does\s+not\s+use|doesn['’]t\s+use|used\s+to\s+use)"),
)


class Form(NamedTuple):
    """A sentence that matches `pattern` states the attribute; `changed`: it says that it is new, `denied`: that it is not so."""

    attribute: str
    changed: bool
    denied: bool
    pattern: re.Pattern[str]


_VERB: Final = re.compile(rf"\s(?:{'|'.join(words for *_, words in _VERBS)})\s")
_VERB_FORMS: Final = tuple(
    Form(
        attribute,
        changed,
        denied,
        re.compile(rf"^{SUBJECT}{ADVERB}\s+{words}\s+(?P<value>\S.*)", re.IGNORECASE),
    )
    for attribute, changed, denied, words in _VERBS
)


def verb_forms(sentence: str) -> tuple[Form, ...]:
    """The forms that may match a sentence; empty if it contains none of their verbs.

    One search of the case-folded text decides: ignoring case would take twice as long.
    """
    return _VERB_FORMS if _VERB.search(sentence.casefold()) else ()
