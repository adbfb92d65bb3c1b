"""Cue words: what kind of durable statement a sentence makes, and how much it is worth keeping (contract 11.6).

An *explicit* cue (decision, lesson, rule, goal, workflow, preference) speaks for itself. A *personal* cue (what
happened to somebody, who somebody is, how something stands) counts only where a person is heard: in the words of a
user, or of a named speaker.
"""

import re
from dataclasses import dataclass
from typing import Final

from memd.domain.names import proper_names
from memd.domain.types import Category

KEEP: Final = 0.5
_NAME_WEIGHT, _NAME_CAP = 0.1, 0.2
_NUMBER_WEIGHT: Final = 0.1
_FURTHER_CUE: Final = 0.1
_PLEASANTRY_COST: Final = 0.45
_SHORT_WORDS, _SHORT_COST = 4, 0.25
_GOOD_WORDS, _GOOD_WEIGHT = range(6, 46), 0.1


@dataclass(frozen=True, slots=True)
class Cue:
    """One kind of statement: its category, the weight 0..1 of finding it, and whether it needs a person's voice."""

    category: Category
    weight: float
    personal: bool
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence was read as; `score` ≥ `KEEP` is worth a memory, `explicit` says its category is certain."""

    category: Category
    score: float
    explicit: bool


def _cue(category: Category, weight: float, *phrases: str, personal: bool = False) -> Cue:
    return Cue(category, weight, personal, re.compile("|".join(phrases), re.IGNORECASE))


CUES: Final = (
    _cue(
        Category.DECISION,
        0.8,
        r"\b(?:we|i|they|he|she|team|everyone|board)\b[^.]{0,40}\b(?:decided|agreed (?:to|on|that)|chose|opted|settled on|picked|committed to|concluded)\b",
        r"\b(?:we|i)(?:['’]ll| will|['’]re| are|['’]m| am)? (?:go(?:ing)?|went|stick(?:ing)?|stuck) with\b",
        r"^(?:final )?decision\b",
        r"\b(?:it (?:was|is) decided|the decision (?:is|was)|made (?:the|a) decision|let['’]s (?:use|go with|stick (?:with|to)|keep|drop)|approved)\b",
    ),
    _cue(
        Category.LESSON,
        0.75,
        r"\b(?:learn(?:ed|t) (?:that|to|how|from|the|a)|lessons?\b|taught (?:me|us)|realiz?s?ed|starting to realiz|turn(?:s|ed) out|figured out|found out that)\b",
        r"\b(?:root cause|(?:cause|reason|culprit|problem|fix|mistake|takeaway) (?:is|was)\b|was caused by|fixed (?:it )?by|next time|should(?:n['’]t)? have|it (?:showed|shows) (?:me|us)|never again)",
    ),
    _cue(
        Category.RULE,
        0.8,
        r"^(?:please )?(?:always|never|do not|don['’]t ever|only ever|make sure|ensure|avoid|remember to)\b",
        r"\b(?:must(?: not|n['’]t)? (?:be|have|use|run|go|not|never|always|pass|stay|keep|contain|include)|has to be|have to be|should (?:always|never)|you (?:must|always|never)|we (?:always|never)|from now on|is (?:not allowed|forbidden|prohibited|mandatory|required)|are (?:not allowed|required)|(?:the|our) (?:rule|policy|convention) is)\b",
    ),
    _cue(
        Category.GOAL,
        0.7,
        r"\b(?:goals?|aim|objective|dream|plan|target|deadline|next step|to-?do) (?:is|are|was|for|of|to)\b",
        r"\b(?:plan(?:s|ning)? (?:to|on)|aim(?:s|ing)? to|hop(?:e|es|ing) to|intend(?:s|ing)? to|want(?:s|ed)? to|would like to|['’]d (?:like|love) to|going to|gonna|need(?:s)? to|thinking (?:of|about)|looking (?:forward|into)|working on|can['’]t wait to|aspir\w+|determined to|by (?:the end of|next) \w+)\b",
    ),
    _cue(
        Category.WORKFLOW,
        0.7,
        r"\b(?:step \d|first\b.{3,120}\b(?:then|after that|finally)|the (?:process|workflow|procedure|steps?|routine) (?:is|are|for|to)|before (?:each|every) (?:release|deploy\w*|commit|merge)|every (?:morning|day|evening|night|week|weekend|month|release))\b",
        r"^to \w+[^,]{2,60}, (?:run|use|open|call|set|add|click|start)\b",
    ),
    _cue(
        Category.FACT,
        0.65,
        r"\b(?:prefers?|preferred|favou?rites?|fave|allergic|i(?:['’]m| am)? (?:really |also |just |totally |absolutely )?(?:like|love|loved|hate|enjoy|enjoyed|dislike|adore|passionate|obsessed|into|keen|a (?:big )?fan)|fond of|can['’]t stand)\b",
        r"\bmy (?:name|email|phone|number|address|birthday|job|role|timezone|time zone|hobby|passion)\b",
        r"\b(?:(?:version|port|limit|budget|price|cost|capacity) (?:is|of|was)|stands for|is called|is named|is located|is based|lives? in|based in|born (?:in|on)|stored in|runs on|is owned by|belongs to|responsible for)\b",
    ),
    _cue(
        Category.PERSON,
        0.5,
        r"\bmy (?:own |dear |little |older |younger |old |best |new |late )?(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc\w+|mom|mum|mother|dad|father|parents?|brothers?|sisters?|siblings?|sons?|daughters?|kids?|child(?:ren)?|family|fam|grand\w+|aunt|uncle|cousins?|niece|nephew|friends?|boss|manager|colleagues?|mentor|neighbou?rs?|team|dogs?|cats?|pets?|puppy|turtles?)\b",
        r"\b(?:is|was) (?:my|our|the|a|an) (?:\w+ )?(?:engineer|manager|lead|teacher|doctor|owner|designer|founder|contact|friend|developer|director)\b",
        personal=True,
    ),
    _cue(
        Category.EVENT,
        0.5,
        r"\b(?:yesterday|last (?:night|week(?:end)?|month|year|summer|winter|spring|fall|autumn|mon|tues?|wed\w*|thurs?|fri|sat\w*|sun)\w*|(?:days?|weeks?|months?|years?) ago|this (?:morning|week(?:end)?|month)|today|tonight|recently|the other day|just (?:got|went|finished|started|had|did|made|came))\b",
        r"\b(?:i|we)(?:['’]ve| have|['’]d)?(?: \w+ly| just| also| both| even| all)? (?:went|got|had|saw|met|made|took|did|bought|found|came|started|began|won|lost|ran|gave|felt|heard|told|wrote|built|left|spent|taught|brought|been|gone|seen|taken|done|given|become|(?!need|feed|speed)\w{2,}ed)\b",
        r"\b(?:was (?:released|launched|deployed|cancelled|born|held)|went down|outage|incident)\b",
        personal=True,
    ),
    _cue(
        Category.FACT,
        0.45,
        r"\b(?:i|we|my|our|me|us|mine|myself)\b",
        r"\bi['’](?:m|ve|ll|d)\b",
        personal=True,
    ),
    _cue(
        Category.FACT,
        0.4,
        r"\b(?:it|they|he|she|this|that|these|those|there|the \w+|\w+s)(?:['’]s|['’]re| is| are| was| were| has| have| had| can| makes?| made| helps?| helped| gives?| means?| represents?| \w+ed)\b",
        personal=True,
    ),
)

_PLEASANTRY: Final = re.compile(
    r"^(?:(?:hey|hi|hello|wow|aww?|oh|yeah|yep|yup|yes|no|nope|sure|ok(?:ay)?|cool|great|nice|awesome|amazing|haha|well|so|and|but)[,!. ]+)*"
    r"(?:thanks?\b|thank you|congrat|bye\b|see (?:you|ya)|talk (?:to you )?soon|take care|good (?:luck|to|job|point)|great (?:to|job|work)|nice (?:to|job|work)"
    r"|sounds?\b|that(?:['’]s| is| sounds| must|['’]s so| looks)|glad\b|happy (?:to hear|for you)|keep (?:it|up|me|going|pushing)|you(?:['’]re|['’]ve|['’]ll|r| are| have| got| guys| must| can| make| rock)?\b"
    r"|i(?:['’]m| am) (?:so |really |super |always |truly )*(?:glad|happy|proud|sorry|here|rooting|sure|excited) (?:for|to hear|of|about|that|you)"
    r"|can['’]t wait\b|let me|i(?:['’]ll| will) (?:let|keep|check|look|take|send)|(?:totally|definitely|absolutely)? ?agree|no (?:problem|worries)|(?:it )?means a lot|have (?:fun|a)|hope\b|check (?:it|this|out)|take a look|look at|here(?:['’]s| is)|way to go|(?:love|loving) (?:that|the|your|how|it|this))",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d")


def read_sentence(sentence: str, *, personal: bool) -> Reading | None:
    """What the sentence says and its worth; None without any cue. `personal`: a person is heard, not a program.

    Worth = the weight of the best cue, + .1 per further category, + .1 per name (two at most), + .1 with a number,
    + .1 at 6–45 words, − .25 under 4 words, − .45 for thanks, praise and other pleasantries.
    """
    hits = [cue for cue in CUES if (personal or not cue.personal) and cue.pattern.search(sentence)]
    if not hits:
        return None
    best = max(hits, key=lambda cue: cue.weight)
    words = len(sentence.split())
    score = best.weight + _FURTHER_CUE * (len({cue.category for cue in hits}) - 1)
    score += min(_NAME_WEIGHT * len(proper_names(sentence)), _NAME_CAP)
    score += _NUMBER_WEIGHT * bool(_NUMBER.search(sentence)) + _GOOD_WEIGHT * (words in _GOOD_WORDS)
    score -= _SHORT_COST * (words < _SHORT_WORDS) + _PLEASANTRY_COST * bool(_PLEASANTRY.match(sentence))
    return Reading(best.category, score, not best.personal)
