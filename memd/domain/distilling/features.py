"""The features by which a sentence of a conversation is scored: its wording, its length and its place.

They describe how something is said (first person, tense, speech act), rather than what it is about, so that weights
learned from some conversations work for others. All patterns are English.
"""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import log1p
from typing import Final

from memd.domain.dates.months import UNAMBIGUOUS_MONTHS
from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.text.names import proper_names
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS

Features = Mapping[str, float]

_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_FUNCTION_LIST: Final = """
    i'm i've i'd i'll you're you've you'll we're we've it's that's there's what's don't can't didn't isn't wasn't
    just really also too very much more lot get got go going know think like yes yeah
"""
_FUNCTION_WORDS: Final = STOP_WORDS[Language.ENGLISH] | frozenset(_FUNCTION_LIST.split())
_LONG_WORD: Final = 7
_LENGTHS: Final = {"words < 4": (0, 4), "words < 7": (0, 7), "words >= 12": (12, 999), "words >= 18": (18, 999)}
_KIN: Final = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|mom|mum|mother|dad|father|parents?|brothers?|sisters?|sons?|daughters?"
    r"|kids?|child(?:ren)?|family|fam|grand\w+|aunt|uncle|cousins?|niece|nephew|friends?|buddy|boss|colleagues?|mentor"
    r"|neighbou?rs?|team|dogs?|cats?|pets?|pup(?:py)?)"
)
_PAST: Final = (
    r"(?:went|got|had|saw|met|made|took|did|bought|found|came|started|began|won|lost|ran|gave|felt|heard|told|wrote"
    r"|built|left|spent|taught|brought|been|gone|seen|taken|done|given|become|was|were|(?!need|feed|speed)\w{2,}ed)"
)

_WORDINGS: Final[Mapping[str, str]] = {
    "reaction": r"^(?:wow|aww?|oh|yeah|yep|yes|no|sure|ok(?:ay)?|cool|great|nice|awesome|amazing|haha|hey|hi|thanks?"
    r"|congrat\w*|absolutely|definitely|totally|exactly)\b",
    "thanks": r"\b(?:thanks?|appreciated?)\b",
    "praise": r"^(?:[\w']+[,!] )*(?:that(?:'s| is| sounds| must| looks)|(?:it )?(?:sounds|looks)|glad"
    r"|love (?:that|the|your|how|it|this)|so (?:glad|happy|proud)|way to go|congrat|proud of"
    r"|(?:good|great|nice|awesome) (?:job|work|luck|to|point|idea|news)|no (?:problem|worries|doubt))",
    "glad for you": r"\bi(?:'m| am)(?: \w+)? (?:glad|happy|proud|sorry|excited|stoked|thrilled|here) (?:for|to hear|of|about"
    r"|that|you)\b|\bcongrat|\bproud of you\b",
    "greeting": r"^(?:hey|hi|hello|bye|later|talk|long time|what's up)\b"
    r"|\b(?:take care|see (?:you|ya)|talk (?:to you )?soon|long time no|catch you|good (?:morning|night|to see))\b",
    "wish": r"\b(?:i hope|hope (?:you|it|they|to hear)|hopefully|fingers crossed|(?:good|best of) luck|wish(?:ing)? you"
    r"|have (?:a|fun)|enjoy your|keep (?:it|up|going|me|rocking|doing)|let me know|let's)\b",
    "hypothetical": r"\b(?:if|would|could|might|maybe|perhaps|should)\b",
    "you begins": r"^(?:\w+[,!] |and |but |so )*(?:you|your|you're|you've)\b",
    "you": r"\b(?:you|your|yours|you're|you've|you'll|yourself)\b",
    "I or we": r"\b(?:i|we)\b",
    "I begins": r"^(?:[\w']+,? ){0,3}(?:i|we)(?:'\w+)?\b",
    "my": r"\b(?:my|our)\b",
    "me": r"\b(?:me|us|myself)\b",
    "I did": rf"\b(?:i|we)(?:'ve| have|'d)?(?: \w+ly| just| also| both| even| all)? {_PAST}\b",
    "I have done": r"\b(?:i've|we've|i have|we have) (?:\w+ )?(?:been|\w+ed|\w+en)\b",
    "I am doing": r"\b(?:i'm|we're|i am|we are)(?: \w+ly| just| also| still)? (?!going)\w{2,}ing\b",
    "plan": r"\b(?:going to|gonna|plan(?:ning|s|ned)?|want(?:ed)? to|hop(?:e|ing) to|looking (?:into|forward)"
    r"|thinking (?:of|about)|working on|aim\w*|dream\w*|goal|i'll|we'll|would like to|'d (?:like|love) to|can't wait)\b",
    "liking": r"\b(?:i|we)(?: \w+)? (?:like|love|enjoy|hate|prefer|adore)\b|\bfavou?rite|\b(?:into|fan of|passion\w*|hobb\w+)\b",
    "effect": r"\b(?:helps?|makes?|gives?|means?|brings?|keeps?|reminds?|shows?|inspires?|teaches|allows?|lets)\b",
    "my people": rf"\bmy (?:\w+ )?{_KIN}\b",
    "my people begin": rf"^(?:[\w']+, )?my (?:\w+ )?{_KIN} \w+",
    "people": rf"\b{_KIN}\b",
    "time": r"\b(?:yesterday|today|tonight|tomorrow|recently|lately|last|ago|this (?:morning|week\w*|month|year|summer)|next"
    rf"|since|years?|weeks?|months?|days?|weekend|{WEEKDAY}|{'|'.join(UNAMBIGUOUS_MONTHS)})\b",
    "number": r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third)\b",
    "quotation": r'["“]',
    "points back": r"^(?:(?:and|but|so|yeah|yes|yep)[,!]? )*(?:it|it's|they|they're|she|he|she's|he's|this|these|those|that"
    r"|that's|there)\b",
    "it is": r"\b(?:it|they|he|she)(?:'s| is| was| were|'re| are)\b",
    "reason": r"\b(?:because|since|so that|in order to|inspired|reason)\b",
    "negation": r"\b(?:not|never|no|\w+n't|cannot)\b",
    "exclamation": r"!",
    "imperative": r"^(?:just |never |always |don't |keep |take |try |check |look |let |here|remember |make sure |stay |enjoy "
    r"|believe )",
    "picture": r"\b(?:check (?:it|this|out)|take a look|look at|here's|here is|this (?:pic|photo|picture))\b",
    "opinion": r"\bi (?:think|guess|believe|know|see|get|bet|agree|understand|can (?:see|imagine|tell))\b",
    "learned": r"\b(?:learn\w*|reali[sz]\w*|taught|found out|discover\w*|figured)\b",
    "turning point": r"\b(?:decided|agreed|chose|started|began|joined|signed up|finished|bought|moved|quit|won|visited"
    r"|attended|volunteer\w*)\b",
    "feeling": r"\b(?:feel\w*|felt|emotions?|nervous|anxious|excited|happy|sad|grateful|thankful)\b",
    "generality": r"\b(?:life|world|people|moments?|things?|journey|dreams?|important|amazing|together)\b",
    "habit": r"\b(?:always|usually|often|every|sometimes|each|never)\b",
    "profile": r"\b(?:i|we)(?:'m| am|'re| are)? (?:\w+ly |also |never |always )?(?:allergic|intolerant|vegetarian|vegan|diabetic|born|live"
    r"|prefer|work (?:at|for|as)|come from|grew up|moved|married|divorced|engaged)\b"
    r"|\bmy (?:name|email|phone|address|birthday|job|role|hobby|hobbies|time ?zone|favou?rite \w+) (?:is|are)\b",
    "place": r"\b(?:in|at|to|from|near) (?-i:[A-Z])\w+",
}
_COMPILED: Final = {name: re.compile(wording, re.IGNORECASE) for name, wording in _WORDINGS.items()}
_DEED: Final = frozenset({"I did", "I have done"})
_DEFINITE: Final = frozenset({"name", "place", "time", "number"})


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """Where a sentence was said: its place in the message, and what was said before in the window.

    `recent` are the content words of the last six messages, `previous` those of the last one, which may be a question.
    """

    first: bool
    last: bool
    message_characters: int
    message_asks: bool
    answers: bool
    previous: AbstractSet[str]
    recent: AbstractSet[str]
    speakers: AbstractSet[str]


def content_words(sentence: str) -> frozenset[str]:
    """The words of the sentence in lower case without function words."""
    return frozenset(words(sentence)) - _FUNCTION_WORDS


def function_word_share(text: str) -> float:
    """The share of the words that are English function words, 0..1; 0 without a word."""
    sentence_words = words(text)
    return sum(word in _FUNCTION_WORDS for word in sentence_words) / max(1, len(sentence_words))


def words(sentence: str) -> list[str]:
    """The words in lower case; contractions stay whole."""
    return _WORD.findall(plain(sentence).lower())


def plain(sentence: str) -> str:
    """The sentence with straight apostrophes."""
    return sentence.replace("’", "'")


def features(sentence: str, context: SentenceContext) -> dict[str, float]:
    """The features of a sentence, for or against keeping it: values of about 0..2; absent features are 0."""
    text = plain(sentence)
    found = {name: 1.0 for name, wording in _COMPILED.items() if wording.search(text)}
    sentence_words = words(sentence)
    content = content_words(sentence)
    lowered = {name.lower() for name in context.speakers}
    if any(not any(name.lower() in one or one in name.lower() for one in lowered) for name in proper_names(sentence)):
        found["name"] = 1.0
    if found.keys() & _DEED and found.keys() & _DEFINITE:
        found["definite deed"] = 1.0
    if lowered & set(sentence_words):
        found["speaker named"] = 1.0
    found |= {name: 1.0 for name, (minimum, end) in _LENGTHS.items() if minimum <= len(sentence_words) < end}
    found |= {
        "words": log1p(len(sentence_words)) / 4,
        "content words": min(len(content), 20) / 10,
        "new words": min(len(content - context.recent), 12) / 6,
        "echo": len(content & context.previous) / max(1, len(content)),
        "long words": min(sum(len(word) >= _LONG_WORD for word in content), 6) / 3,
        "commas": min(sentence.count(","), 4) / 2,
        "message characters": log1p(context.message_characters) / 6,
        "answer": float(context.answers),
        "first answer": float(context.answers and context.first),
        "first": float(context.first),
        "last": float(context.last),
        "message asks": float(context.message_asks),
    }
    return found
