"""Remarks of a user about the talk or the task at hand, which are not statements: `I tried that already`.

The patterns are English.
"""

import re
from typing import Final

from memd.domain.dates.months import UNAMBIGUOUS_MONTHS
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.extraction.stated_changes import ends_something
from memd.domain.text.alternatives import any_of, either
from memd.domain.text.names import proper_names

_MONTH: Final = either(*UNAMBIGUOUS_MONTHS)
_NUMBER_OF_TIMES: Final = any_of("every two three four five six seven eight nine ten twelve")
_PART_OF_TIME: Final = any_of("day night morning evening week month quarter year hour")
VALUE: Final = re.compile(
    either(
        r"\d",
        r"(?<!\w)@[a-z]\w+",
        rf"\b{WEEKDAY}s?\b",
        rf"\b{_MONTH}\b",
        r"\bweek(?:end|day)s\b",
        rf"\b{any_of('hour night dai week month quarter year')}ly\b",
        r"(?<![\w-])-*\w[\w-]*\.[a-z]{2,}\b",
        r"\b(?:noon|midnight)\b",
        rf"\b{_NUMBER_OF_TIMES} (?:\w+ )?{_PART_OF_TIME}s?\b",
    ),
    re.IGNORECASE,
)
"""A number, a day, an address or a time."""
ASKS_YES_OR_NO: Final = either(
    any_of("is are am was were should shall can could would will may might does did has")
    + r"(?:n't)? (?:i|we|you|it|they|he|she|there|this|that|these|those|my|our|the|any(?:one|body))\b",
    any_of("do have had don't haven't") + r" (?:i|we|you|they|these|those)\b",
)
"""The beginning of a question whose author may leave out the mark: `should i use tabs`, `is it ok to wait`."""
_SUPPOSING: Final = any_of(r"suppose suppos\w+ assum\w+ imagine pretend say(?:ing)? what_if")
_FICTION: Final = any_of("novel story game film movie book play dream scenario role-?play campaign fantasy")
_WOULD: Final = any_of("'ll 'd _will _would _might ll")
HYPOTHETICAL: Final = re.compile(
    either(
        r"hypothetically\b",
        rf"in (?:this|the|my|our|a) (?:\w+ )?{_FICTION},? (?:i|we|my|our)\b(?! (?:made|wrote|written|read|learned))",
        r"as an? [\w -]{2,30}?,? i (?:want|need|can|should|would like)\b.*\bso that\b",
        rf"if (?:i|we|you)\b.{{0,60}}?\b{any_of('had was were could won got')}\b",
        rf"(?:let'?s |let us |i'll |just )?{_SUPPOSING}(?: that)? {any_of('i we you my our there')}\b",
        r"(?:i|we) wish(?! to\b)(?!.*\bbut\b)",
        rf"(?:i|we)(?:'d| would)(?:'ve| have) {any_of('been had done gone liked loved')}\b(?!.*\bbut\b)",
        rf"if (?:i|we|my|our)\b.{{0,80}}?\b{any_of('i we he she they it')}{_WOULD}\b",
    ),
    re.IGNORECASE,
)
_TYPED_BY_A_CAT: Final = any_of(
    r"""
    asdf[a-z]{2,} qwer(?!ty\b)[a-z]{2,} \w*(?:sdfgh|dfghj|fghjk|ghjkl|xcvbn|cvbnm)\w*
    (?-i:[bcdfghjklmnpqrstvwxz]{8,})
    """
)
_NOISE: Final = re.compile(
    either(rf"^{any_of('(?:ha){2,} (?:he){2,} lol lmao rofl')}\b", rf"\b{_TYPED_BY_A_CAT}\b"), re.IGNORECASE
)
"""Laughter, and what fingers or a cat make of a keyboard."""
_AUXILIARY: Final = any_of("have had has did do will would can could was am were")
_INVERTED: Final = re.compile(rf"(?:i )?never (?:\w+ ){{0,4}}?{_AUXILIARY} (?:i|we)\b", re.IGNORECASE)
"""The beginning of a game, or an exclamation: `Never have I ever eaten snails`."""
_WEEKDAY_OR_HOUR: Final = rf"(?:{WEEKDAY}|\d{{1,2}}(?:[:.]\d\d)? ?[ap]m)"
_STARTLED: Final = any_of("oh wait hold_on hang_on") + r"[,!.… –—-]{1,3}"
_TELLS_TIME: Final = re.compile(
    either(
        rf"(?:{_STARTLED})+(?:it's|it is) (?:already |only )?{_WEEKDAY_OR_HOUR}(?: (?:today|now|already|again))?",
        rf"(?:it's|it is) {_WEEKDAY_OR_HOUR} today",
        rf"(?:{_STARTLED})*today(?:'s| is) {_WEEKDAY_OR_HOUR}",
    )
    + r"\W*\Z",
    re.IGNORECASE,
)
_ASKING: Final = any_of(r"why what where who how when which_\w+")
_OF_QUESTIONS: Final = any_of("is are was were do does did can should would could has have will am")
_GOOD_TO_KNOW: Final = any_of("nice good great clear certain important more")
_GOES_ON_ABOUT_AUTHOR: Final = r".*[,;:.–—-] (?:(?:and|but|so|because|since) )?(?:i|my|we|our)\b"
_UNMARKED_QUESTION: Final = re.compile(
    either(
        rf"(?:and |so |but |ok |then )?{_ASKING}(?:'s| {_OF_QUESTIONS})\b(?! {_GOOD_TO_KNOW}\b)(?!.*,)",
        rf"(?:and |so |but |ok |then )?{ASKS_YES_OR_NO}(?!{_GOES_ON_ABOUT_AUTHOR})",
    ),
    re.IGNORECASE,
)
"""A question that its author ends without a mark: `why is it 5 seconds`."""
_TRIED: Final = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:just |already |also )?"
    + any_of(
        """
        ran run tried restarted tested pressed clicked reloaded checked rebooted reinstalled rebuilt
        """
    )
    + r" (?:it|that|this|them)\b(?!.*[,;:] (?:and |but |so )?(?:i|my|we|our)\b)",
    re.IGNORECASE,
)
_FEELING: Final = any_of(
    r"""
    tired bored hungry thirsty exhausted sleepy annoyed frustrated starving freezing sweating dying dead done lost
    speechless confused like_(?:(?:total|absolute|complete)_)?(?:crap|shit|garbage|trash|hell|death)
    """
)
_VERY: Final = any_of("so really very too just literally kinda a_bit totally dead getting still already")
_AT_THE_MOMENT: Final = any_of(
    """
    of_(?:boredom|laughter|hunger|curiosity) laughing here now rn right_now today tonight again already lol lmao haha
    omg man
    """
)
_MOOD: Final = re.compile(
    rf"i(?:'m| am| feel)(?: {_VERY})* {_FEELING}(?: {_AT_THE_MOMENT})*\W*\Z",
    re.IGNORECASE,
)
"""How somebody feels at the moment: `I'm so tired today`."""
_OTHERS_WORDS: Final = re.compile(
    rf"my (?:[\w-]+ ){{1,2}}?(?:always )?{any_of('says said thinks thought claims claimed believes')} "
    rf"(?!.*\b(?:i|we|me|us|my|our)\b)(?!.*{VALUE.pattern})(?!.*(?-i:\b[A-Z]))",
    re.IGNORECASE,
)
"""What somebody else says of the world: `my teacher says mitochondria are boring`, but not `my doctor says I need rest`."""
_LEAVES: Final = re.compile(
    r"(?:i|we)(?:'m|'re| am| are)(?: (?:just|now|off|gonna))* (?:going|off|heading)(?: (?:off|back))? "
    + any_of("to_(?:bed|sleep|work|school|lunch|dinner) home out")
    + r"(?: (?:now|soon|rn|then|for (?:lunch|today)|in a (?:bit|minute|sec)))*\W*\Z",
    re.IGNORECASE,
)
"""Where somebody is about to go: `going to bed`."""
_JOKE: Final = re.compile(r".*\b(?:i'm|just|only) (?:kidding|joking)\b(?! myself)", re.IGNORECASE | re.DOTALL)
_LISTED: Final = any_of("numbers strings words integers ints floats dicts tuples objects values urls ids")
_DATA: Final = any_of(
    rf"""
    arrays? data_?frames? df strings string_(?:that|like|with|called|and|[a-z]\b) quer(?:y|ies) loops? dict(?:ionary)?
    (?:function|method|component|hook|class|endpoint)_(?:that|which|to|called|with)
    json regex variables? tables?_with columns? lists?_of_{_LISTED}
    """
)
_MATERIAL: Final = re.compile(
    either(
        rf"(?:i|we)(?:'ve| have)(?: got)? (?:{any_of('a an the this some two these')} )?(?:\w+ ){{0,2}}?{_DATA}\b",
        rf"my {any_of('function loop method regex query')}\b",
    ),
    re.IGNORECASE,
)
"""What a request works on: `I have a list of numbers`."""
_ASKING_TO: Final = any_of("please_ (?:can|could)_you_ i_(?:want|need)_you_to_ you_(?:should|can|must)_")
_ALL_ABOUT_AUTHOR: Final = any_of(
    r"""
    that_(?:i|we|my|our) what_you
    (?:everything|anything)(?!_(?:in|from|under|before|after|older)\b)
    all_(?:you|that|about|my) the_fact my our about
    """
)
_TO_FORGET: Final = re.compile(
    rf"{_ASKING_TO}*{any_of('forget erase unlearn delete remove')} {_ALL_ABOUT_AUTHOR}\b", re.IGNORECASE
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
_IT: Final = any_of("it that this them these those")
_ONE_OF_THEM: Final = any_of("first second third last latter former other")
_NEVER_AGAIN: Final = rf"(?:please )?never \w+ (?!{any_of('it that this them him her so there here')}\b)"
_EMPTY_DEED: Final = re.compile(
    either(
        rf"let(?:'s| us) \w+(?: (?:with|to|for))? (?:it|that|this|them|these|those|the {_ONE_OF_THEM})\b",
        r"(?:i|we) (?:need|want|have|ought) to \w+ (?:it|that|this|them)\b",
        rf"(?:i|we)(?:'ve| have)? (?:\w+ )?\w+{any_of('ed an ied id ent aw ook')}? {_IT}\W*\Z",
        rf"(?:i|we)(?:'ve| have) been \w+ing (?:(?:with|on|at) )?{_IT}(?= (?:all|for|since)\b|\W*\Z)",
        rf"\A(?!{_NEVER_AGAIN})[\s\S]*\b(?:again|already)\W*\Z",
        rf"\bthe same {any_of('result problem output issue thing')}\b",
        rf"my \w+ (?:almost |just |also |already )?\w+{any_of('ed id ew aw ook')} {_IT}\W*\Z",
        r"\b(?:this|that|it|these|those|here) (?:is|are|was|were)\b",
        rf"(?:i|we) {any_of('like love hate enjoy prefer')} "
        r"(?:it(?! when\b)|that|this|these|those|you|your|the)\b",
    ),
    re.IGNORECASE,
)


def is_remark(sentence: str) -> bool:
    """Whether a sentence is about the talk itself, such as `I tried that already`, about what is not so, or no sentence at all."""
    if _NOISE.search(sentence) or any(pattern.match(sentence) for pattern in _REMARKS):
        return True
    says = VALUE.search(sentence) or proper_names(sentence) or ends_something(sentence)
    return bool(_EMPTY_DEED.search(sentence)) and not says
