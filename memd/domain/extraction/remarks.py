"""Remarks of a user about the talk or the task at hand, which are not statements: `I tried that already`.

The patterns are English.
"""

import re
from typing import Final

from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.extraction.stated_changes import ends_something
from memd.domain.text.alternatives import any_of, either
from memd.domain.text.names import proper_names

VALUE: Final = re.compile(
    rf"\d|(?<!\w)@[a-z]\w+|\b{WEEKDAY}s?\b|\b(?:january|february|march|april|june|july|august|september|october|november"
    r"|december)\b|\bweek(?:end|day)s\b|\b(?:hour|night|dai|week|month|quarter|year)ly\b|\b[\w-]+\.[a-z]{2,}\b|\b(?:noon|midnight)\b"
    r"|\b(?:every|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:\w+ )?(?:day|night|morning|evening|week|month|quarter|year|hour)s?\b",
    re.IGNORECASE,
)
"""A number, a day, an address or a time."""
ASKS_YES_OR_NO: Final = either(
    any_of("is are am was were should shall can could would will may might does did has")
    + r"(?:n't)? (?:i|we|you|it|they|he|she|there|this|that|these|those|my|our|the|any(?:one|body))\b",
    any_of("do have had don't haven't") + r" (?:i|we|you|they|these|those)\b",
)
"""The beginning of a question whose author may leave out the mark: `should i use tabs`, `is it ok to wait`."""
HYPOTHETICAL: Final = re.compile(
    r"hypothetically\b|if (?:i|we|you)\b.{0,60}?\b(?:had|was|were|could|won|got)\b|(?:let'?s |let us |i'll |just )?(?:suppose|suppos\w+|assum\w+|imagine|pretend"
    r"|say(?:ing)?|what if)(?: that)? (?:i|we|you|my|our|there)\b|(?:i|we) wish(?! to\b)(?!.*\bbut\b)"
    r"|(?:i|we)(?:'d| would)(?:'ve| have) (?:been|had|done|gone|liked|loved)\b(?!.*\bbut\b)"
    r"|if (?:i|we|my|our)\b.{0,80}?\b(?:i|we|he|she|they|it)(?:'ll|'d| will| would| might|ll)\b",
    re.IGNORECASE,
)
_NOISE: Final = re.compile(
    r"^(?:(?:ha){2,}|(?:he){2,}|lol|lmao|rofl)\b|\b(?:asdf[a-z]{2,}|qwer(?!ty\b)[a-z]{2,}|\w*(?:sdfgh|dfghj|fghjk|ghjkl|xcvbn|cvbnm)\w*|(?-i:[bcdfghjklmnpqrstvwxz]{8,}))\b",
    re.IGNORECASE,
)
"""Laughter, and what fingers or a cat make of a keyboard."""
_INVERTED: Final = re.compile(
    r"(?:i )?never (?:\w+ ){0,4}?(?:have|had|has|did|do|will|would|can|could|was|am|were) (?:i|we)\b", re.IGNORECASE
)
"""The beginning of a game, or an exclamation: `Never have I ever eaten snails`."""
_WEEKDAY_OR_HOUR: Final = rf"(?:{WEEKDAY}|\d{{1,2}}(?:[:.]\d\d)? ?[ap]m)"
_TELLS_TIME: Final = re.compile(
    rf"(?:(?:(?:oh|wait|hold on|hang on)[,!.… –—-]{{1,3}})+(?:it's|it is) (?:already |only )?{_WEEKDAY_OR_HOUR}(?: (?:today|now|already|again))?"
    rf"|(?:it's|it is) {_WEEKDAY_OR_HOUR} today|(?:(?:oh|wait|hold on|hang on)[,!.… –—-]{{1,3}})*today(?:'s| is) {_WEEKDAY_OR_HOUR})\W*\Z",
    re.IGNORECASE,
)
_UNMARKED_QUESTION: Final = re.compile(
    r"(?:and |so |but |ok |then )?(?:why|what|where|who|how|when|which \w+)(?:'s| (?:is|are|was|were|do|does|did|can|should|would|could|has|have|will|am))\b(?! (?:nice|good|great|clear|certain|important|more)\b)(?!.*,)"
    rf"|(?:and |so |but |ok |then )?{ASKS_YES_OR_NO}(?!.*[,;:.–—-] (?:(?:and|but|so|because|since) )?(?:i|my|we|our)\b)",
    re.IGNORECASE,
)
"""A question that its author ends without a mark: `why is it 5 seconds`."""
_TRIED: Final = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:just |already |also )?(?:ran|run|tried|restarted|tested|pressed|clicked|reloaded|checked|rebooted|reinstalled|rebuilt) (?:it|that|this|them)\b(?!.*[,;:] (?:and |but |so )?(?:i|my|we|our)\b)",
    re.IGNORECASE,
)
_MOOD: Final = re.compile(
    r"i(?:'m| am| feel)(?: (?:so|really|very|too|just|literally|kinda|a bit|totally|dead|getting|still|already))* (?:tired|bored|hungry|thirsty|exhausted|sleepy"
    r"|annoyed|frustrated|starving|freezing|sweating|dying|dead|done|lost|speechless|confused|like (?:(?:total|absolute|complete) )?(?:crap|shit|garbage|trash|hell|death))"
    r"(?: (?:of (?:boredom|laughter|hunger|curiosity)|laughing|here|now|rn|right now|today|tonight|again|already|lol|lmao|haha|omg|man))*\W*\Z",
    re.IGNORECASE,
)
"""How somebody feels at the moment: `I'm so tired today`."""
_OTHERS_WORDS: Final = re.compile(
    rf"my (?:[\w-]+ ){{1,2}}?(?:always )?(?:says|said|thinks|thought|claims|claimed|believes) (?!.*\b(?:i|we|me|us|my|our)\b)(?!.*(?:{VALUE.pattern}))(?!.*(?-i:\b[A-Z]))",
    re.IGNORECASE,
)
"""What somebody else says of the world: `my teacher says mitochondria are boring`, but not `my doctor says I need rest`."""
_LEAVES: Final = re.compile(
    r"(?:i|we)(?:'m|'re| am| are)(?: (?:just|now|off|gonna))* (?:going|off|heading)(?: (?:off|back))? "
    r"(?:to (?:bed|sleep|work|school|lunch|dinner)|home|out)(?: (?:now|soon|rn|then|for (?:lunch|today)|in a (?:bit|minute|sec)))*\W*\Z",
    re.IGNORECASE,
)
"""Where somebody is about to go: `going to bed`."""
_JOKE: Final = re.compile(r".*\b(?:i'm|just|only) (?:kidding|joking)\b(?! myself)", re.IGNORECASE | re.DOTALL)
_MATERIAL: Final = re.compile(
    r"(?:i|we)(?:'ve| have)(?: got)? (?:(?:a|an|the|this|some|two|these) )?(?:\w+ ){0,2}?(?:arrays?|data ?frames?|df|strings|string (?:that|like|with|called|and|[a-z]\b)|quer(?:y|ies)|loops?|dict(?:ionary)?"
    r"|(?:function|method|component|hook|class|endpoint) (?:that|which|to|called|with)|json|regex|variables?|tables? with|columns?|lists? of (?:numbers|strings|words|integers|ints|floats|dicts|tuples|objects|values|urls|ids))\b|my (?:function|loop|method|regex|query)\b",
    re.IGNORECASE,
)
"""What a request works on: `I have a list of numbers`."""
_TO_FORGET: Final = re.compile(
    r"(?:please |(?:can|could) you |i (?:want|need) you to |you (?:should|can|must) )*(?:forget|erase|unlearn|delete|remove)"
    r" (?:that (?:i|we|my|our)|what you|(?:everything|anything)(?! (?:in|from|under|before|after|older)\b)|all (?:you|that|about|my)|the fact|my|our|about)\b",
    re.IGNORECASE,
)
_REMARKS: Final = (
    HYPOTHETICAL,
    _INVERTED,
    _TELLS_TIME,
    _UNMARKED_QUESTION,
    _TRIED,
    _MOOD,
    _LEAVES,
    _OTHERS_WORDS,
    _JOKE,
    _MATERIAL,
    _TO_FORGET,
)
_DOES_NOT_WORK: Final = r"it (?:still |just |also |always )*(?:fails?|crash(?:es)?|hangs?|freezes?|breaks?)\b|nothing (?:happens|happened|works|changes|changed)\b"
_TROUBLE: Final = re.compile(
    r"\b(?:(?:errors?(?! (?:codes|handling|budgets?)\b)|takes (?:forever|ages)|exceptions?|traceback|bug|crash\w*|broken|confused|stuck|typo|undefined|wrong|weird|empty)\b"
    r"|(?:doesn't|don't|didn't|isn't|won't|not) (?:\w+ )?(?:work|compile|run|understand|know|see|get|think|mean|help|sure)\w*"
    r"|fails? (?:with|when|to)\b|(?:can't|cannot|couldn't) (?:log ?in|sign in|connect|install|upload|download|import|compile|reproduce|render)\b"
    r"|(?:screen|display|monitor|page|terminal|window) (?:just |suddenly )*(?:went|goes|is|turned|stays) (?:black|blank|dark|white)\b"
    rf"|this (?:code|file|function|test|answer|option|output|version)\b|you gave\b|your (?:answer|code|last|second)\b|{_DOES_NOT_WORK})",
    re.IGNORECASE,
)
_ERROR: Final = re.compile(
    r"\b(?:(?:get(?:ting)?|got|see(?:ing)?|saw) (?:an?|this|the|that|these|some|two|three|four|several|many|\d+) (?:[\w-]+ ){0,2}?(?:errors?|exceptions?|traceback|warnings?)\b"
    rf"|(?:i|we) (?:don't|do not) (?:know|understand|see|get) (?:what|how|why|where|when|who|which|if|whether)\b|{_DOES_NOT_WORK})",
    re.IGNORECASE,
)
_OF_THE_TASK: Final = re.compile(
    r"the (?:\w+ )?(?:functions?|methods?|responses?|files?|lists?|arrays?|outputs?|pages?|buttons?|lines?|rows?|columns?|cells?|values?|variables?|loops?|class"
    r"|strings?|results?|tests?|status|payload|tables?|index|keys?|modal|header|footer|icons?|fonts?|text|image|title|label|width|height|margin|padding"
    r"|patch|diff|commit|branch|log|stack ?trace|console|query|object|dict|json|html|css)"
    r" (?:(?:only|still|now|already|always) )?(?:is|are|was|were|has|have|shows?|says?|returns?|takes?|takes|needs|contains?|holds?)\b(?!.*\b(?:every|each|rotates?)\b)",
    re.IGNORECASE,
)
"""What is said of the thing at hand, true until it is changed: `The file is 300 lines long`."""
_EMPTY_DEED: Final = re.compile(
    r"let(?:'s| us) \w+(?: (?:with|to|for))? (?:it|that|this|them|these|those|the (?:first|second|third|last|latter|former|other))\b|(?:i|we) (?:need|want|have|ought) to \w+ (?:it|that|this|them)\b|(?:i|we)(?:'ve| have)? (?:\w+ )?\w+(?:ed|an|ied|id|ent|aw|ook)? (?:it|that|this|them|these|those)\W*\Z|\A(?!(?:please )?never \w+ (?!(?:it|that|this|them|him|her|so|there|here)\b))[\s\S]*\b(?:again|already)\W*\Z|\bthe same (?:result|problem|output|issue|thing)\b"
    r"|my \w+ (?:almost |just |also |already )?\w+(?:ed|id|ew|aw|ook) (?:it|that|this|them|these|those)\W*\Z"
    r"|\b(?:this|that|it|these|those|here) (?:is|are|was|were)\b|(?:i|we) (?:like|love|hate|enjoy|prefer) (?:it(?! when\b)|that|this|these|those|you|your|the)\b",
    re.IGNORECASE,
)


def is_remark(sentence: str) -> bool:
    """Whether a sentence is about the talk itself, such as `I tried that already`, about what is not so, or no sentence at all."""
    if _NOISE.search(sentence) or any(pattern.match(sentence) for pattern in _REMARKS):
        return True
    says = VALUE.search(sentence) or proper_names(sentence) or ends_something(sentence)
    return bool(_EMPTY_DEED.search(sentence)) and not says


def reports_trouble(sentence: str) -> bool:
    """Whether a sentence may be about something that does not work: `My build is broken`."""
    return _TROUBLE.search(sentence) is not None


def reports_error(sentence: str) -> bool:
    """Whether a sentence can only be about trouble with the task at hand: `I got an error`, but not `I had a car crash`."""
    return _ERROR.search(sentence) is not None


def is_about_the_task(sentence: str) -> bool:
    """Whether a sentence says something of the thing that is being worked on."""
    return _OF_THE_TASK.match(sentence) is not None
