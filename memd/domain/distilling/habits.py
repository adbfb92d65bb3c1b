"""Standing instructions and habits of a user (contract 11.6).

"Don't use emojis" and "Never push without asking" apply to every answer, "Don't translate this" to one. The patterns are
English and match from the start of a sentence.
"""

import re
from typing import Final

from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.distilling.coding_rules import GENERALLY, is_coding_rule
from memd.domain.text.alternatives import any_of, either

MAX_READ: Final = 200
"""Characters of a sentence that are read; longer ones are not instructions."""
_POLITE: Final = (
    rf"{GENERALLY}(?:please |(?:and |so )?i(?:'d| would) (?:like|prefer|want) you (?:to )?(?=always|never|only|not)"
    r"|i want you to (?=always|never|only|not))?"
)
_STYLE: Final = r"(?:(?:any|so many|too many|all those|these|those|more|smileys? (?:and|or)) )?" + any_of(
    r"""
        emojis? emoticons smileys bullet_points? bullets markdown exclamation_marks? (?:em|en)[_-]?dashes semicolons
        headings? jargon slang abbreviations acronyms swear_words filler_words flattery disclaimers small_talk
        contractions passive_voice anglicisms
        """
)
_UNITS: Final = (
    r"(?:the )?(?:metric|imperial|si|british|american|uk|us|24[- ]hour|12[- ]hour|iso|euro(?:pean)?)"
    r" (?:units?|system|measurements|spelling|english|clock|times?(?: format)?|dates?(?: format)?)"
)
_MEASURED: Final = (
    r"(?:temps|temperatures|distances|weights|lengths|heights|speeds|measurements|amounts|prices|sizes|times) in "
    + any_of("""
    celsius fahrenheit kelvin km kilomet(?:er|re)s miles kg kilos? pounds grams ounces litres liters cups met(?:er|re)s
    feet inches metric imperial euros? dollars francs utc (?:my|local)_time
    """)
)
_ANSWERS: Final = (
    r"(?:(?:all|your|any|every|each) (?:of )?(?:your )?"
    r"(?:answers?|repl(?:y|ies)|responses?|messages?|summar(?:y|ies)|e-?mails?|texts?))"
)
LANGUAGE: Final = any_of(
    """
    english german french spanish italian portuguese dutch polish russian ukrainian turkish arabic hindi chinese
    japanese korean swedish danish norwegian finnish czech greek hungarian romanian
    """
)
_PLACE: Final = any_of("project repo(?:sitory)? codebase docs documentation")
_END: Final = (
    r"(?:,? "
    + either(
        "everywhere",
        rf"in (?:this|the|our) {_PLACE}",
        any_of(
            r"""
            with_me for_me please at_all ever(?:_again)? any_?more any_longer again in_general by_default from_now_on
            """
        ),
        rf"in (?:{_ANSWERS}|the (?:answers|replies)|everything(?: (?:that )?you (?:write|send|say))?)",
        r"when(?:ever)? (?:you(?:'re| are)? )?(?:writ|reply|answer|respond|talk|speak)(?:e|ing)?(?: (?:to|for|with) me)?",
    )
    + r")*\W*\Z"
)
_WORK: Final = any_of(
    """
    writ creat generat explain summari[sz] translat review refactor draft suggest quot cit reply answer respond commit
    test document design chang add updat modify edit touch renam delet mak push merg deploy releas fix introduc
    """
)
_HAPPENS: Final = any_of(
    """
    is are was were will can could would should has have had gets? got goes comes? says? returns? crash(?:es)? fails?
    breaks? blocks? hangs? freezes? dies stops? throws? takes works?
    """
)
"""After a noun: `nginx returns 502` is what happens on the occasion, not what to do."""
_NO_DEED: Final = any_of(
    rf"""
    i you we it they he she there this that these those the an? my our your what how why is are do does can could would
    will (?:some|any|every|no)(?:one|body|thing) people maybe perhaps great good fine nice cool perfect ok okay thanks?
    sorry not \w*[^\Ws]s \w+_{_HAPPENS}
    """
)
_EVERY_TIME: Final = any_of("whenever every_time each_time any_time")
_CHANGED: Final = any_of("change update edit modify add touch rename delete release deploy")
_WHEN: Final = any_of("when whenever every_time each_time any_time if")
_SENT: Final = any_of("ask send shar past mention giv say typ writ")
_AT_HAND: Final = any_of("the this that these those it them an?_(?:test|reply|answer) my back")
_MATTER: Final = r"[\w' /.+#\"“”-]"
_THEN: Final = rf"(?!{_NO_DEED}\b)(?-i:[a-z])[a-z]*\b"
_ON_OCCASION: Final = either(
    rf"{_EVERY_TIME} you {_CHANGED} the {_MATTER}{{2,60}}, (?:please )?(?:also )?{_THEN}",
    rf"{_WHEN} (?:you(?:'re| are)? {_WORK}(?:e|ing|s)?|i(?:'m| am)? {_SENT}(?:e|ing|s)?)\b(?! {_AT_HAND}\b){_MATTER}{{0,60}}, "
    rf"(?:then )?(?:please )?(?:(?:always|never|only|don't|do not|make sure to) )?{_THEN}",
)
"""A rule for an occasion that comes again: `Whenever you write Python, use type hints`."""
_FOUND: Final = any_of(
    """
    errors? failures? warnings? bugs? issues? problems? changes? differences? updates? results? match(?:es)? entry
    entries answers? news luck sign trace data mention
    """
)
"""Things reported as absent: `No errors in any log` is no rule, `No onions in any recipe` is one."""
_CAPITALISED: Final = r"(?-i:[A-ZÀ-Þ])[\w'-]+"
_PROPER_NAME: Final = rf"{_CAPITALISED}(?: {_CAPITALISED})?"
_NO_PERMISSION: Final = any_of(
    """
    make_it come do see hear help judge fix solve understand explain render handle know say tell imagine
    """
)
"""After `can`: `Only Ann can fix it` says what she is able to do, `Only Ann can deploy` what she is allowed to."""
_NO_CHORE: Final = any_of(
    r"""
    i we you it they he she this that what how why when remind wake tell give show send hate love like need want enjoy
    miss dread see hear feel know get got have lose forget \w*[^\Ws]s
    """
)
_FOR_NOW: Final = any_of("back now later today tomorrow again if when at on before after until tonight for")
_NO_NAME: Final = any_of(
    """
    a an the at in on if when asap back later again now today tonight tomorrow soon maybe crazy old stupid any\\w* names
    out up by for
    """
)
_INSTRUCTION: Final = re.compile(
    _POLITE
    + either(
        r"(?:(?:don't|do not|never) (?:use|add|include|put|write|send)"
        rf"|(?:stop|avoid|no more|no)(?: (?:using|adding|sending|writing))?) {_STYLE}{_END}",
        rf"(?:always )?use {_UNITS}{_END}",
        rf"(?:always )?(?:give me|show me|tell me|use|show|write) {_MEASURED}\b(?: please)?(?:, (?:i|we)\b.{{2,60}}|{_END})",
        r"(?:don't|do not|never) (?:ever )?(?:mention|bring up|talk about|ask (?:me )?about|joke about) (?:my|our) "
        rf"(?!(?:question|answer|last|code)\b)(?:[\w'-]+ ?){{1,3}}(?: please| ever| again| any ?more)*(?:, (?:i|we|he|she|they|it)\b.{{2,80}}|{_END})",
        rf"(?:always |only )(?:answer|reply|respond|write|talk|speak)(?: to me)? in {LANGUAGE}{_END}",
        r"keep (?:all )?(?:your |the )?(?:answers|replies|responses) (?!as )(?:\w+(?: and \w+)?"
        r"|(?:under|below|within|(?:to|at) (?:at most|under|about)|shorter than|to) (?:\w+ ){1,2}"
        r"(?:words|sentences|lines|paragraphs?|characters))(?: please)?\W*\Z",
        r"(?:ask|check with|consult) me (?:first )?before (?:you [a-z]+|[a-z]+ing) "
        r"(?!(?:this|it|that|them|these|those|the|my|your|back|again)\b)[\w' -]{2,60}\W*\Z",
        r"(?:your )?(?:answers|replies|responses) (?:should|must) (?:always |never )?(?:be|stay|have|contain|use|include) "
        r"(?!\d|(?:the|that|this) (?:same|first|second|last)\b)[\w' -]{2,60}\W*\Z",
        rf"stop (?:apologi[sz]ing|flattering me|praising me|repeating yourself|explaining the obvious){_END}",
        _ON_OCCASION,
        rf"no (?!(?:more|longer|way|idea|one|need|chance|point|place|time|such|{_FOUND})\b)[\w' -]{{2,40}} in "
        r"(?:(?:any|all) (?:\w+ ?){1,3}|(?:my|our|the|your) (?:\w+ ){1,3}please)\W*\Z",
        r"you (?:can|may) (?:be|speak|talk|write)"
        r" (?!(?:right|sure|my|about|the|it|this|that|an? (?!bit|little))\b)[\w ]{2,30}(?:to|with) me\W*\Z",
        rf"only {_PROPER_NAME}(?: (?:and|or) {_CAPITALISED})?"
        rf" (?:may|is allowed to|should|can(?! {_NO_PERMISSION}\b)) [a-z]+ ",
        rf"(?!{_NO_CHORE}\b)[a-z]+ (?:the|our|all|my) [\w' /-]{{2,50}} (?:every|each) (?:other )?(?:day|night|morning"
        r"|evening|week|month|quarter|year|release|sprint|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\W*\Z",
        rf"(?:(?:you can|just) )?call me (?:{_PROPER_NAME}|(?!{_NO_NAME}\b)(?-i:[a-z]{{2,15}}))"
        r"(?: please)?(?:, (?:nobody|no one|everyone|everybody|not|my friends)\b[\w' -]{2,40})?\W*\Z",
        rf"(?:don't|do not|stop) (?:call|calling|address|addressing) me (?!{_FOR_NOW}\b)[\w' -]{{2,30}}\W*\Z",
        r"(?:don't|do not|never) (?!forget|worry|hesitate)[a-z]+"
        r" (?!this\b|it\b|that\b|them\b|these\b|those\b|anything (?:here|in this))[\w' /.-]{2,60}"
        r" (?:without (?:first )?(?:asking|telling|consulting|checking with|informing|confirming with"
        r"|my (?:\w+ )?(?:approval|permission|consent|ok|okay|confirmation|review))"
        r"|unless i (?:ask|say|tell|approve|confirm|agree))\b",
        r"(?:use|write|add|include|give|show|cite|mention|call|explain|avoid)"
        rf" (?!(?:this|it|that|them|these|those)\b)[\w' -]{{2,60}} in {_ANSWERS}\W*\Z",
    ),
    re.IGNORECASE,
)
_IMPERATIVE: Final = re.compile(
    rf"{GENERALLY}(?:please )?(?:always|never|do not|don't|only ever|avoid)\b", re.IGNORECASE
)
_WANTED_ALWAYS: Final = re.compile(
    r"(?:i|we) always (?:want|need|expect) (?!(?:it|this|that|them|these|those|to|you)\b)\w", re.IGNORECASE
)
"""A wish for every answer: `I always want type hints in Python`."""
_ASKED_ALWAYS: Final = re.compile(
    r"i(?:(?:'d| would) (?:like|prefer|want)|(?:'d| would)? ?want) you to (?:always|never|only ever)\b", re.IGNORECASE
)
_LASTING: Final = re.compile(
    r"\b"
    + either(
        any_of("always never only ever any_?more any_longer in_general by_default from_now_on without unless me"),
        "in this (?:repo(?:sitory)?|project|codebase)",
        rf"in {_ANSWERS}",
        "your (?:answers|replies|responses)",
    )
    + r"\b",
    re.IGNORECASE,
)
_OFTEN: Final = any_of(
    "usually normally typically always often mostly generally rarely never sometimes almost_always hardly_ever"
)
_HOUR: Final = any_of(r"breakfast lunch dinner work school bed(?:time)? noon midnight night sunrise sunset \d")
_TIME: Final = (
    either(
        rf"(?:before|after|during|at|around|until|by) {_HOUR}",
        "in the (?:mornings?|afternoons?|evenings?)",
        rf"on (?:weekdays|weekends|{WEEKDAY}s?)",
        "at (?:the )?weekends?",
        rf"every (?:other )?(?:day|night|morning|evening|week|weekend|month|year|summer|winter|{WEEKDAY})",
        "(?:once|twice|three times) an? (?:day|week|month|year)",
        "for (?:breakfast|lunch|dinner)",
    )
    + r"\b"
)
_DEED: Final = (
    r"(?!(?:get|see|find|have|think|forget|need|want|use|ask) (?:an? |the |some )?(?:errors?|warnings?|it|this|that)\b)"
    r"[a-z]{2,}\b"
)
_NO_HABIT: Final = any_of(
    r"""
    had was were got get see did went have need want will would could can should might may must am are think know keep
    tried call go(?!_(?:to|for|on|by|out|\w+ing)\b) do (?!feed)\w+ed
    """
)
_PERIOD: Final = any_of("day night morning evening week weekend month year summer winter")
_REGULARLY: Final = either(
    rf"every (?:other |single )?(?:{_PERIOD}|{WEEKDAY})",
    r"(?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)",
    rf"on (?:weekdays|weekends|{WEEKDAY}s)",
)
_EACH_TIME: Final = either(
    "(?:most|some) (?:days|mornings|evenings|nights|weekends)",
    rf"(?:every|each) (?:other )?(?:{_PERIOD}|{WEEKDAY})",
    "on (?:weekdays|weekends)",
)
_ONCE: Final = any_of("had was were got get see did went have_to need want will would could")
_HABIT: Final = re.compile(
    either(
        rf"(?:i|we) (?!{_NO_HABIT}\b){_DEED}(?! (?:it|this|that|you)\b)[\w' -]{{0,80}}? {_REGULARLY}\b",
        rf"(?:i|we) {_OFTEN} {_DEED}[\w,' -]{{0,80}}? {_TIME}",
        rf"(?:i|we) (?:(?:also|now|still) )?go [a-z]+ing\b[\w,' -]{{0,80}}? {_TIME}",
        rf"{_EACH_TIME},? (?:i|we) (?!{_ONCE})[a-z]{{2,}}\b(?! (?:it|this|that)\b)",
    ),
    re.IGNORECASE,
)


def is_standing_instruction(sentence: str) -> bool:
    """Whether a sentence is an instruction for every answer or action: `Don't use emojis`."""
    if len(sentence) > MAX_READ:
        return False
    return bool(
        _INSTRUCTION.match(sentence) or _ASKED_ALWAYS.match(sentence) or _WANTED_ALWAYS.match(sentence)
    ) or is_coding_rule(sentence)


def is_imperative(sentence: str) -> bool:
    """Whether a rule is an imperative: `Never push to main` is one, `We must never push to main` is not."""
    return is_standing_instruction(sentence) or bool(_IMPERATIVE.match(sentence))


def is_lasting(sentence: str) -> bool:
    """Whether an instruction outlasts the request in the same message: `Never use emojis` does, `No emojis!` does not."""
    return bool(_LASTING.search(sentence[:MAX_READ]))


def is_habit(sentence: str) -> bool:
    """Whether a sentence says what its author does regularly: `I usually go for a run before breakfast`."""
    return len(sentence) <= MAX_READ and bool(_HABIT.match(sentence))
