"""Cue words: the category and the score of a durable statement (contract 11.6).

Cues are English. The weight of a cue depends on the speaker: working knowledge (a decision, a lesson, a rule, a
workflow) counts whoever says it; what happened to somebody counts when a user says it; the circumstances of somebody's
life count when a named speaker mentions them.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from memd.domain.dates.months import MONTH
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.text.names import proper_names
from memd.domain.types import Category

KEEP: Final = 0.4
DISTINCT: Final = 0.7
_NAME_WEIGHT, _NAME_CAP = 0.1, 0.2
_NUMBER_WEIGHT: Final = 0.1
_FURTHER_CUE: Final = 0.1
_FIRM_CUE, _PLEASANTRY_COST = 0.75, 0.45
_MIN_READ: Final = 4
"""Characters; a shorter sentence states nothing."""
_SHORT_WORDS, _SHORT_COST = 4, 0.25
_GOOD_WORDS, _GOOD_WEIGHT = range(6, 46), 0.1
_SETTING: Final = (
    rf"(?! (?:is|was) (?:now |still |currently )?(?:the )?(?!(?:{WEEKDAY}|{MONTH}|Q[1-4])\b)(?-i:[A-Z])[\w’'-]++\W*+$)"
)
"""After `target`: `The deploy target is Frankfurt` names a thing, not a goal."""
_DAY_TO_COME: Final = rf"(?:the )?(?:{WEEKDAY}|{MONTH}|tomorrow|tonight|next|then|noon|end of|\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}} {MONTH}|\d{{4}}-)"
_INSIGHT: Final = (
    rf"(?<![\w’'] )(?:(?:the|this|that|a|an|one|our|my|first|second|third|last|next|other|another|only|real) ){{0,2}}lessons? (?:is|was)\b"
    rf"(?! (?:(?:now|usually|always|still|again|only) )?(?:on|at|in|from|every|over|held|cancell?ed|moved|postponed|rescheduled|today|tomorrow|next|{WEEKDAY}|{MONTH}|\d))"
)
"""What was understood, `The lesson is that caches lie`, and not an hour of music: `Ida's piano lesson is on Tuesdays`."""


class Voice(IntEnum):
    """Who is heard; a higher voice makes more cues count."""

    PROGRAM = 0
    USER = 1
    PERSON = 2


@dataclass(frozen=True, slots=True)
class Cue:
    """One kind of statement: its category, the weight 0..1 of finding it, the least voice it needs, its wording."""

    category: Category
    weight: float
    voice: Voice
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """The category and score of a sentence. A score ≥ `KEEP` is worth a memory; with `distinct`, a memory of its own."""

    category: Category
    score: float
    distinct: bool


def _cue(category: Category, weight: float, voice: Voice, *phrases: str) -> Cue:
    return Cue(category, weight, voice, re.compile(rf"\b(?:{'|'.join(phrases)})", re.IGNORECASE))


CUES: Final = (
    _cue(
        Category.DECISION,
        0.8,
        Voice.PROGRAM,
        r"(?:we|i|they|he|she|team|everyone|board)\b(?:(?!\byou\b|n['’]t\b)[^.]){0,40}\b(?:decided|agreed (?:to|on|that)|chose|opted|concluded)\b",
        r"(?:we|i|they|he|she|team)\b[^.]{0,20}\b(?:settled on|picked(?! up\b)|committed to|voted (?:to|for))\b",
        r"(?:we|i)(?:['’]ll| will|['’]re| are|['’]m| am)? (?:go(?:ing)?|went|stick(?:ing)?|stuck) with\b",
        r"(?:it (?:was|is) decided|(?:final )?decision(?: (?:is|was)\b|:)|made (?:the|a) decision|approved)",
        r"let['’]s (?:use|go with|stick (?:with|to)|keep (?:the|using)|drop|adopt)\b",
    ),
    _cue(
        Category.LESSON,
        0.8,
        Voice.PROGRAM,
        r"learn(?:ed|t) (?:that|to|how|from|the|a|about)\b",
        rf"(?:(?:valuable|important|hard(?:est)?|big(?:gest)?|key|main|good|great) lessons?|lessons? (?:learned|learnt|here)|{_INSIGHT}|taught (?:me|us)|reali[sz]ed|starting to reali[sz]e|(?:it |that )?turn(?:s|ed) out (?:that|to be|the)|figured out|found out that)\b",
        rf"(?:root cause|(?:cause|reason|culprit|problem|fix|mistake|takeaway) (?:is|was)|was caused by|fixed (?:it )?by(?! {_DAY_TO_COME}\b))\b",
        r"(?:next time|should(?:n['’]t)? have|it show(?:ed|s) (?:me|us)|never again)\b",
    ),
    _cue(
        Category.RULE,
        0.8,
        Voice.PROGRAM,
        r"(?:(?<![\w,;] )|(?<=^and )|(?<=^but )|(?<=^also )|(?<=^so ))(?:please )?(?:(?:always|never)(?! (?:been|had|seen|heard|thought|mind|say|good|great|nice|fun|happy|up|love"
        r"|there|here|tried|forget|fail|gets?|a|an|the|in|gotta|\w+ed|\w+ing)\b)|do not|don['’]t ever|only ever|ensure|avoid|make sure|remember to) \w+",
        r"(?<!you )must (?:not|never|always|use|run|go|pass|stay|keep|contain|include|come|be (?!thrilled|excited|stoked|pleased|tired|scared|relieved)\w+ed)\b"
        rf"(?![^.!?]{{0,60}} by (?:tomorrow|tonight|next|\d{{1,2}} {MONTH}|{MONTH} \d|\d{{4}}-))",
        r"(?:should (?:always|never)|you (?:must|always|never)|we (?:always|never)|from now on)\b",
        r"(?:is|are) (?:not allowed|forbidden|prohibited|mandatory|required)\b",
        r"(?:wants?|needs?|has|have|expects?) to be (?:asked|told|informed|consulted|notified)\b[^.]{0,20}\b(?:before|first|when|if)\b",
        r"(?:the|our|house) (?:rule|policy|convention) is\b",
    ),
    _cue(
        Category.WORKFLOW,
        0.7,
        Voice.PROGRAM,
        r"(?:step \d|first\b.{3,120}\b(?:then|after that|finally))\b",
        r"(?:process|workflow|procedure|steps?) (?:is|are|for|to)\b",
        r"before (?:each|every) (?:release|deploy\w*|commit|merge)\b",
        r"(?<!\w )to \w+[^,]{0,60}, (?:run|use|open|call|set|add|click|start|bump|tag|push|merge|build|execute|edit|press)\b",
    ),
    _cue(
        Category.GOAL,
        0.7,
        Voice.PROGRAM,
        rf"(?:goals?|aim|objective|target{_SETTING}|deadline|next step|to-?do) (?:is|are|was|for|of)\b",
        r"(?:plan(?:s|ning|ned)? (?:to|on)|aim(?:s|ing)? to|intend(?:s|ing)? to|determined to|by the end of)\b",
    ),
    _cue(
        Category.GOAL,
        0.55,
        Voice.USER,
        r"(?:hop(?:e|es|ing) to|want(?:s|ed)? to|would like to|(?:i|we)['’]d (?:like|love) to|going to|gonna|needs? to)\b",
        r"(?:i|we)(?:['’]ve)? (?:still |also )?(?:have to|must|got to)(?! (?:say|admit|agree|confess|ask|tell)\b)[^.!?]{2,80}"
        r"\b(?:by|before|until|till|no later than|this|next|tomorrow|today|tonight|on \w+day)\b",
        rf"(?<![\w,;] )(?:please )?(?:book|buy|call|cancel|file|finish|order|pay|prepare|register|renew|return|send|sign|submit)\b"
        r"(?! (?:\w+ ){1,2}(?:is|was|has|will|meets|met|opens|closes|leaves|arrives|starts|ends|ended|goes|comes|moved)\b)"
        rf"[^.!?]{{2,80}}\b(?:by|before|until) (?:the )?(?:{WEEKDAY}|{MONTH}|tomorrow|next|end of|\d{{1,2}}(?:st|nd|rd|th)|\d{{4}}-)",
        r"(?:i|we)(?:['’]ve)? still (?:have|got) to (?:arrange|ask|book|buy|call|cancel|choose|decide|file|find|finish|invite|order|organi[sz]e"
        r"|pack|pay|pick up|prepare|register|renew|return|send|sign|submit|tell|write)\b(?! (?:it|this|that|them|you|out)\b)",
        rf"(?<!\bit )(?<!\bthis )(?<!\bthat )(?:must|has to|have to) be \w[^.!?]{{0,60}}? (?:by|before|until) {_DAY_TO_COME}",
        r"(?:dream (?:is|of|to)|thinking (?:of|about)|looking (?:forward|into)|working on|can['’]t wait to|aspir\w+)\b",
    ),
    _cue(
        Category.FACT,
        0.8,
        Voice.USER,
        r"(?:allergic|allerg(?:y|ies) to|intoleran(?:t|ce)|diabet\w+|pregnant|vegetarian|vegan)\b",
    ),
    _cue(
        Category.FACT,
        0.65,
        Voice.PROGRAM,
        r"(?:prefers?|preferred|favou?rites?|allergic|fond of|can['’]t stand)\b",
        r"i(?:['’]m| am)? (?:really |also |just |totally |absolutely )?(?:like|loved?|hate|enjoy(?:ed)?|dislike|adore)\b",
        r"i(?:['’]m| am) (?:really |so |also )?(?:passionate|obsessed|into|keen|a (?:big |huge )?fan)\b",
        r"my (?:name|email|phone|number|address|birthday|job|role|time ?zone|hobby|passion)\b",
        r"(?:version|port|limit|budget|price|cost|capacity|target) (?:is|of|was)\b",
        r"(?:stands for|is (?:called|named|located|based|owned by)|lives? in|based in|born (?:in|on))\b",
        r"(?:stored in|runs on|belongs to|responsible for)\b",
    ),
    _cue(
        Category.PERSON,
        0.65,
        Voice.PROGRAM,
        r"(?-i:(?!(?:It|This|That|There|Here|What|Which|Where|Who)\b)[A-Z])\w+ (?:owns|leads|manages|maintains|reports to|works (?:at|on|for|with|in)|is responsible for|is (?:our|my|the))\b",
    ),
    _cue(
        Category.EVENT,
        0.5,
        Voice.USER,
        r"(?:yesterday|last (?:night|week(?:end)?|month|year|summer|winter|spring|fall|autumn|mon|tue|wed|thu|fri|sat|sun)\w*)",
        r"(?:(?:days?|weeks?|months?|years?) ago|this (?:morning|week(?:end)?|month)|today|tonight|recently|the other day)\b",
        r"(?:i|we)(?:['’]ve| have|['’]d)?(?: \w+ly| just| also| both| even| all| already| never| always)? (?:went|got|had|saw|met|made|took|did"
        r"|bought|found|came|started|began|won|lost|ran|gave|felt|heard|told|wrote|built|left|spent|taught|brought|lent|been|gone"
        r"|seen|taken|done|given|become|(?!need|feed|speed)\w{2,}ed)\b",
        r"(?:was (?:released|launched|deployed|cancelled|held)|went down|outage|incident)\b",
    ),
    _cue(
        Category.EVENT,
        0.6,
        Voice.PROGRAM,
        r"(?:is|are|was|were|has been|have been|['’]s|['’]ve) (?:now )?(?:booked|reserved|re-?scheduled|confirmed|ordered|cancell?ed"
        r"|refunded|renewed)\b",
        r"(?:confirmation|order|booking|reservation|ticket|tracking) (?:number|code|reference|id)\b",
    ),
    _cue(
        Category.PERSON,
        0.5,
        Voice.USER,
        r"my (?:(?:own|dear|little|older|younger|old|best|new|late) )?(?:wife|husband|spouse|partner|(?:girl|boy)friend)\b",
        r"my (?:(?:own|dear|little|older|younger|old|best|new|late) )?(?:mom|mum|mother|dad|father|parents?|brothers?"
        r"|sisters?|siblings?|sons?|daughters?|kids?|child(?:ren)?|family|fam|grand\w+|aunt|uncle|cousins?|niece|nephew)\b",
        r"my (?:(?:own|dear|little|older|younger|old|best|new|late) )?(?:friends?|boss|manager|colleagues?|mentor|neighbou?rs?"
        r"|team|dogs?|cats?|pets?|puppy)\b",
        r"(?:is|was) (?:my|our|the|an?) (?:\w+ )?(?:engineer|manager|lead|teacher|doctor|owner|designer|founder|contact)\b",
    ),
    _cue(Category.FACT, 0.45, Voice.PERSON, r"(?:i|we|my|our|me|us|mine|myself)\b"),
    _cue(
        Category.FACT,
        0.4,
        Voice.PERSON,
        r"(?:it|they|he|she|this|that|these|those|there|the \w+|\w+s)(?:['’]s|['’]re| is| are| was| were| has| have| had"
        r"| can| makes?| made| helps?| helped| gives?| means?| represents?| \w+ed)\b",
    ),
)

_PLEASANTRY: Final = re.compile(
    r"(?:(?:hey|hi|hello|wow|aww?|oh|yeah|yep|yup|yes|no|nope|sure|ok(?:ay)?|cool|great|nice|awesome|amazing|haha|well|so"
    r"|and|but)[,!. ]+)*(?:thanks?\b|thank you|congrat|bye\b|see (?:you|ya)|talk (?:to you )?soon|take care|way to go"
    r"|(?:good|great|nice) (?:luck|to|job|work|point)|sounds?\b|that(?:['’]s| is| sounds| must| looks)|glad\b"
    r"|happy (?:to hear|for you)|keep (?:it|up|me|going|pushing)|you(?:['’](?:re|ve|ll)|r)?\b|hope\b|here(?:['’]s| is)"
    r"|i(?:['’]m| am) (?:(?:so|really|super|always|truly) )*(?:glad|happy|proud|sorry|here|sure|excited) (?:for|to hear|of|about|that|you)"
    r"|let me|i(?:['’]ll| will) (?:let|keep|check|look|take|send)|(?:totally |definitely )?agree|no (?:problem|worries)"
    r"|(?:it )?means a lot|have (?:fun|a)|can['’]t wait\b|check (?:it|this|out)|take a look|look at"
    r"|lov(?:e|ing) (?:that|the|your|how|it|this))",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d")


def read_sentence(sentence: str, voice: Voice) -> Reading | None:
    """The category and score of the sentence; None without any cue that counts in this voice.

    Worth = the weight of the best cue, + .1 per further category, + .1 per name (two at most), + .1 with a number,
    + .1 at 6–45 words, − .25 under 4 words, − .45 for thanks, praise and other pleasantries without a firm cue.
    """
    if len(sentence) < _MIN_READ:
        return None
    hits = [cue for cue in CUES if cue.voice <= voice and cue.pattern.search(sentence)]
    if not hits:
        return None
    best = max(hits, key=lambda cue: cue.weight)
    words = len(sentence.split())
    score = best.weight + _FURTHER_CUE * (len({cue.category for cue in hits}) - 1)
    score += min(_NAME_WEIGHT * len(proper_names(sentence)), _NAME_CAP)
    score += _NUMBER_WEIGHT * bool(_NUMBER.search(sentence)) + _GOOD_WEIGHT * (words in _GOOD_WORDS)
    score -= _SHORT_COST * (words < _SHORT_WORDS)
    if best.weight < _FIRM_CUE and _PLEASANTRY.match(sentence):
        score -= _PLEASANTRY_COST
    return Reading(best.category, score, best.weight >= DISTINCT)
