"""Statements that a user makes to a program in passing and that are worth remembering.

That is who they are, what they use, have and like, when something is due. Requests, questions, reports of trouble and
remarks about the answer are not.

The patterns are English. They read one sentence at a time, without what opens it ("By the way, ").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.distilling.corrections import read_correction
from memd.domain.distilling.habits import is_habit, is_standing_instruction
from memd.domain.distilling.openings import split_openings
from memd.domain.extraction.project_statements import describes_project, without_setting
from memd.domain.extraction.remarks import (
    ASKS_YES_OR_NO,
    HYPOTHETICAL,
    VALUE,
    is_about_the_task,
    is_remark,
    reports_trouble,
)
from memd.domain.extraction.stated_changes import states_change, states_own_change
from memd.domain.text.names import proper_names
from memd.domain.text.sentences import capitalised, is_question
from memd.domain.types import Category

SHORT_MESSAGE: Final = 400
"""Characters of a message in which a statement about something else than its author is taken for the author's own words.

Longer ones are often pasted: an article, a log, a file."""
MAX_DETAILED: Final = 175
"""Characters of a statement with its details."""
_STATED, _EXPLICIT = 0.6, 2.0
"""The worth of a statement, and of what memd is asked to remember: more than any score by cues."""
_NAME_WORTH, _MAX_NAMES, _VALUE_WORTH = 0.1, 2, 0.1
_MIN_WORDS: Final = 2
_MIN_WORDS_OF_OTHERS: Final = 4

_REQUEST: Final = re.compile(
    rf"(?:{ASKS_YES_OR_NO}|please\b|kindly\b|(?:can|could|would|will) you\b|i(?:'d| would) like you to\b|i (?:need|want) (?:you|a|an|the|some|to)\b"
    r"|let(?:'s| me| us)\b|(?:write|fix|show|give|make|create|add|remove|delete|update|change|explain|find|search|look|check|run"
    r"|list|summari[sz]e|translate|help|tell|send|book|order|set|schedule|draft|generate|refactor|rename|implement|convert|compare"
    r"|open|read|try|use|go|do|put|move|keep|stop|start|continue|suggest|recommend|describe|rewrite|shorten|sort|count|calculate"
    r"|think|imagine|assume|suppose|pretend|ignore|repeat|say|answer|plan|reserve|print|return|test|review|call|email|reply|wait"
    r"|how (?:do|does|can|could|should|would|to))\b(?! (?:is|are|was|were|has|have)\b))",
    re.IGNORECASE,
)
_ALWAYS: Final = re.compile(r"(?:please|kindly) (?:always|never)\b", re.IGNORECASE)
"""The beginning of a rule, whose reason belongs to it: `Please always answer in Spanish, I'm trying to learn it`."""
_OWN_CLAUSE: Final = re.compile(
    r"(?:[,;:.]|[ ,](?:because|since|as|and|but|so))\s+(?=(?:i(?!'d| (?:need|want|would|think|guess))|we|my|our)\b)",
    re.IGNORECASE,
)
"""The point where a request continues with a statement about its author: `Book a room, I prefer quiet ones`."""
_QUESTION_AT_END: Final = re.compile(
    r"(?: [-–—]|[,;:]) (?:(?:and|so|but|now|then|also) )?(?:"
    r"(?:can|could|would|will|do|did|does|is|are|was|were|should|shall|may|might|have|has|am)(?:n't)? "
    r"(?:you|i|we|it|that|this|there|they|he|she|the|my|our|these|those|any)\b"
    r"|(?:what|how|where|when|why|who)(?:'s|'d| (?:[\w'’-]+ ){0,4}?(?:should|would|do|does|did|is|are|can|could|will|am|was|might"
    r"|about|else|to))\b|which (?:[\w'’-]+ ){1,3}?(?:should|would|do|does|is|are|can)\b|any (?:\w+ )?(?:ideas?|tips|thoughts|advice"
    r"|suggestions?|recommendations?)\b|thoughts\W*\Z)",
    re.IGNORECASE,
)
"""The point where a statement turns into a question: `My budget is 400 euros, what can I get for that?`."""
_UNMARKED_QUESTION_AT_END: Final = re.compile(
    r"(?: [-–—]|[,;:]) (?:(?:and|so|but) )?(?:what|how|where|when|why|who|(?:what|which) \w+) (?:do|does|did|should|can|could|would|will|is|are|am) (?:i|we|you|it|they|he|she|the|my)\b"
    rf"|(?: [-–—]|[,;:]) (?:(?:and|so|but) )?(?:{ASKS_YES_OR_NO}|(?:what|which) \w+ (?:is|are)\b)",
    re.IGNORECASE,
)
"""The same in a sentence without a question mark, where the order of words tells."""
_REQUEST_AT_END: Final = re.compile(
    r"(?: [-–—]|[,;:])? (?:(?:and|so|but) )?(?:can|could|would|will) you\b|(?:(?:[,;:]| [-–—])(?: (?:and|so|but))?| so) please "
    r"(?!always\b|never\b|only\b|call me\b|(?:don't|do not) (?:ever|use|suggest|recommend|call|show)\b|.{0,80}\bfrom now on\W*\Z)\w"
    r"|,? (?:and|but|so) i(?:'m| am) (?:stuck|confused|lost|struggling)\b"
    r"|(?:[,;:]| [-–—])(?: (?:and|so|but|just))? (?:i )?(?:just )?(?:need|want|looking for) (?:(?:some|any|a few|your) )?"
    r"(?:ideas?|help|tips|advice|suggestions?|recommendations?|inspiration)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"(?:and |so |but )?(?:what|how|where|when|why|who|which|can|could|would|will|do|did|does|is|are|was|were|should|shall|may|might|any"
    r"|has)\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"(?:from now on|in (?:the )?future|going forward|next time|whenever|if|for|before|after|unless|until|while|during|with|by)\b",
    re.IGNORECASE,
)
"""The beginning of a rule for answers: `From now on, please answer in English`."""
_IN_DOUBT: Final = re.compile(
    r"\b(?:is|was|isn't|are) (?:that|this|it|they|these) (?:\w+ )?(?:right|true|correct|accurate|valid|so)\W*\Z"
    r"|\b(?:am i|did i get (?:that|this|it)|do i have (?:that|this|it)) (?:right|wrong|correct|mistaken)\W*\Z"
    r"|\b(?:would|wouldn't|do|don't) you (?:say|think|agree)\W*\Z"
    r"|(?:[,;]| [-–—]) (?:is|are|was|were|do|does|did|has|have|will|can)(?:n't)? (?:it|he|she|they|we|i|you|there)\W*\Z",
    re.IGNORECASE,
)
_OF_THE_QUESTION: Final = re.compile(
    r"(?:i|we)(?:'ve| have)?(?: got)? (?:(?:a|an|the|this|some|two|these) )?(?:\w+ ){0,2}(?:lists?|arrays?|data ?frames?|functions?|strings?"
    r"|files?|tables?|quer(?:y|ies)|scripts?|columns?|loops?|dict(?:ionary)?|json|regex|class|variables?)\b"
    r"|(?:i|we)(?:'ve| have)? (?:\w+ )?(?:heard|read|saw|was told|used this|got (?:this|an? \w+ (?:error|message))|tried|ran|pasted|attached|uploaded"
    r"|followed|deleted|reinstalled|restarted)\b|(?:i|we)(?:'ve| have)?(?: got)? (?:[\w-]+ ){0,2}questions?\b"
    r"|(?:i|we) (?:like|prefer) (?:the )?(?:\w+ )?(?:version|option|draft|answer|suggestion)s?\b"
    r"|my (?:function|loop|page|build|test|tests|method|code|app|form)\b"
    r"|i(?:'m| am) (?:writing|drafting|composing|preparing) (?:a|an|the|my)\b|i(?:'d| would) like (?:to (?:book|order|know|get|see|ask)|a|an)\b",
    re.IGNORECASE,
)
"""Statements that only lead to the question after them."""
_ASKED: Final = re.compile(
    r"\b(?:ask(?:s|ed|ing)?(?: me| us)?|wonder(?:s|ed|ing)?|wants? to know|said|says|remind (?:me|us)|tell (?:me|us)|know|think)\Z",
    re.IGNORECASE,
)
"""The end of what announces a question: `My teacher asked, what is photosynthesis?`."""
_QUOTED_REQUEST: Final = re.compile(
    r"(?:please )?(?:translate|paraphrase|rephrase|proofread|correct|rewrite)\b.*?:", re.IGNORECASE
)
_MIN_WORDS_BEFORE: Final = 3
_MAX_READ: Final = 1_000
"""Characters of a sentence in which a question at its end is looked for."""
_REMINDER: Final = re.compile(
    r"(?:(?:can|could|would|will) you )?(?:please )?(?:remind me|don't (?:let me )?forget)\b", re.IGNORECASE
)
_ASKED_TO_REMIND: Final = re.compile(
    r"(?:can|could|would|will) you (?:please )?(?=(?:remind me|(?:remember|note|keep in mind) that)\b)", re.IGNORECASE
)
"""Before what memd is asked to note: "could you remind me to water the fern?"."""
_NOTICE: Final = re.compile(
    r"(?:please )?(?:remember|note|keep in mind|for the record|fyi|for your information|heads[- ]up|just so you know)[,:]? (?:that )?",
    re.IGNORECASE,
)
_ADVERBS: Final = (
    r"(?:(?:also|usually|mostly|often|always|never|only|still|currently|now|just|already|both|all|do|really|typically|normally|mainly"
    r"|rarely|hardly ever|sometimes|no longer) )*"
)
_OBJECT: Final = (
    r"(?! *(?:(?:it(?! when\b)|that|this|them|these|those|you|your|one|so|like)\b|\Z|(?:a|an|the|no|another|any|some|the same) (?:\w+ )?"
    r"(?:question|idea|problem|issue|error|trouble|feeling|doubt|answer|suggestion|look)s?\b|trouble|no (?:idea|clue|time)))"
)
_DOES: Final = re.compile(
    rf"(?:i|we) {_ADVERBS}(?:(?:don't|do not|can't|cannot|can) )?{_ADVERBS}(?:drive|drink|smoke|vape|swim|cook|dance|ski|snowboard|surf|gamble|cycle|bike|climb|knit|sew"
    r"|garden|stutter|snore)\W*\Z|"
    rf"(?:i|we)(?:'ve| have) got\b{_OBJECT}|(?:i|we)(?:'ve| have) (?:never|always) \w+ed\b{_OBJECT}|"
    r"(?:i|we)(?:'d| would) (?:rather|prefer)\b|(?:i|we) (?:don't|do not|never) want (?!to\b|it\b|this\b|that\b|th[eo]|you)[\w' /-]{2,60}? (?:at all|ever|anywhere|in general|any ?more)\W*\Z|i(?:'ll| will) be (?:in|at|on|away|out)\b|"
    rf"(?:i|we) {_ADVERBS}(?:(?:don't|do not|can't|cannot|won't|can) )?{_ADVERBS}(?:use(?! to\b)|run|host|deploy|store|keep|support|rely|depend|ship"
    r"|have(?! to\b)|own|drive|live|work|study|teach|play|speak|eat|drink|like|love|hate|prefer|enjoy|read|write|get up|wake up|go to|bike|cycle|walk|sell"
    r"|build|make|offer|serve|employ|pay|charge|meet|commute|collect|wear|take|sleep|start|finish|bill|invoice|release|review|merge|train|stand"
    rf"|tolerate|smoke|grew up|graduated|owe|target|call (?:the|our) (?:\w+ ){{1,3}}?(?=(?-i:[A-Z]))(?!{WEEKDAY})|cook|grow|rent|share|buy|sing|swim|ride|earn|spend|get (?:[a-z]+ )?(?:migraines?|headaches?|heartburn|hives|rashes|nosebleeds|panic attacks|(?:sea|car|motion) ?sick)|celebrate|launch|believe in|belong|report|back up|log|lead|manage|head|direct|coordinate|supervise|maintain|handle|look after|take care of|kneel|climb|swim|breathe|bend|squash(?! merge)(?:-merge)?|rebase|expect(?= (?:about |around |over |under )?\d)|lift|fly|travel|ski|dance|bake|volunteer)\b{_OBJECT}"
    rf"|(?:i|we) (?:haven't|have not) (?:smoked|eaten|drunk|driven|worked|flown|exercised|touched|been to|had)\b{_OBJECT}.*?\b(?:since|in (?:\d+|an?|\w+) (?:years?|months?|weeks?|decades?)|for (?:\d+|\w+) (?:years?|months?|weeks?))\b",
    re.IGNORECASE,
)
_IS: Final = re.compile(
    r"(?:i|we)(?:'m|'re| am| are|'ve been| have been) (?:(?:also|both|all|now|still|currently|really|actually|not|originally|usually) )*"
    r"(?!(?:also|sure|here|there|confused|done|ready|back|sorry|glad|happy|excited|getting(?! (?:married|divorced|engaged)\b)|trying|running|looking|wondering|seeing|stuck"
    r"|lost|aware|afraid(?! of\b)|good|fine|ok|okay|almost|going|asking|talking|using (?:this|that|it)|curious|interested in (?:this|that)|thinking"
    r"|having|doing(?! (?:an?|my) (?:ph\.?d|doctorate|master|bachelor|degree|course|apprenticeship|internship|residency|diploma|boot ?camp))"
    r"|not|so|very|too|just|about|able|supposed|sick of|tired|hoping|assuming|guessing|missing|close|in a hurry|on it|with you"
    r"|impressed|surprised|worried|new to this|new here|referring|speaking|saying|telling|unsure|certain|right|wrong|late|busy|free|open"
    r"|at a loss)\b)\w",
    re.IGNORECASE,
)
_HAS: Final = re.compile(
    r"(?:my|our) (?!(?:god|goodness|gosh|pleasure|fault|question|problem|issue|code|bug|point|guess|idea|bad|mistake|thoughts?|conversation|apologies|intention|goal here"
    r"|script|program|query|prompt|text|last message|screen)\b)(?:(?:[\w-]+ ){0,3}?[\w-]+'s (?:at|on|in|from|an?|called|named|due|turning|coming|getting|moving|allergic|\d)\b|(?:[\w'’.-]+,? ){1,8}?(?:is|are|was|were|has|have|had|need|use|run|happen|go|start|end"
    r"|expire|live|work|cost|take|leave|close|told|said|gave|got|went|came|made|took|bought|found|sent|left|met|won|lost|\w{3,}s|\w{2,}ed)\b)",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(
    r"(?:(?:since|as of|from|until) [\w.]+,? )?(?!(?:it|this|that|these|those|there|he|she|they|you|your|i|we|my|our|here|what|which|if|when"
    r"|maybe|perhaps|so|then|now|ok|thanks?|yes|no|or)\b)(?:[\w'’.-]+ ){1,8}?(?:is|are|was|were|has|have|needs?|uses?|runs?|happens?|expires?"
    r"|starts?|ends?|opens?|closes?|lives?|works?|sits?|stays?|owns?|leads?|reports?|teaches|studies|speaks|costs?|ships?|pays?|plays?|charges?|slips?|launches|takes?|leaves?|arrives?|allows?|requires?|rotates?|goes|go|listens?|supports?"
    r"|moved|changed|raised|increased|lowered|wants?|prefers?|asked for|expects?|owes?|gets? \d+|comes? (?:off|out|back|in|on|at)|belongs?|contains?|holds?|stores?|sends?|fails? (?:every|on|at)|depends?)\b",
    re.IGNORECASE,
)
_MEANS: Final = re.compile(r"(?:by|when (?:i|we) say) [\"“][^\"“”]{1,40}[\"”],? (?:i|we) mean\b", re.IGNORECASE)
_LABELLED: Final = re.compile(
    r"(?:(?:my|our|the) )?(?:pricing|price|budget|deadline|due date|launch|release date|(?:tech )?stack|team(?: size)?|time ?zone|address|phone|e-?mail|domain|repo"
    r"|birthday|location|hosting|database|db|front ?end|back ?end|(?:target )?audience|job|hobbies|diet|allerg(?:y|ies)|languages?|pets?|kids|car|editor|os|browser"
    r"|shell|employer|company|role|height|weight|age|nickname|pronouns)(?: \w+)?: (?!(?:\?|none|n/a|tbd|todo)(?:\W|\Z))\w[^?]*\Z",
    re.IGNORECASE,
)
"""A value after its name, as in a form: `budget: 400 euros`."""
_OWN: Final = (_DOES, _IS, _HAS, _MEANS)
_SECOND_PERSON: Final = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_DETAIL: Final = re.compile(
    r"(?:he|she|they|it|his|her|their|its)(?:'s|'re)?\b(?! (?:work(?:s|ed)? (?:now|fine|well)|means|helps?)\b)|the (?:new|next|other) (?:one|date|time|day|place|address|price|number) (?:is|are|was|will be|starts|ends)\b|the deadline (?:is|was)\b"
    r"|(?:never|not|always|only|at (?:most|least)|no) (?!more (?:questions|thanks)|longer (?:needed|relevant|necessary))(?:more|less|longer|earlier|later|before|after|above|below|over|under|on|at|in|with|without)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class UserStatement:
    """The words of a sentence that are worth remembering, their category, and their worth in terms of cue scores."""

    text: str
    category: Category
    worth: float


def user_statement(sentence: str, *, message_characters: int) -> UserStatement | None:
    """The statement in a sentence, for a message of this length; None for a request, a remark or a problem report.

    Of a request only what it says about its author is kept: `Book a room, I prefer quiet ones` gives the second half.
    """
    if _REMINDER.match(sentence):
        return UserStatement(sentence, Category.GOAL, _EXPLICIT)
    if notice := _NOTICE.match(sentence):
        rest = capitalised(sentence[notice.end() :])
        return UserStatement(rest, Category.FACT, _EXPLICIT) if len(rest.split()) >= _MIN_WORDS else None
    if message_characters <= SHORT_MESSAGE and is_standing_instruction(sentence):
        return UserStatement(sentence, Category.RULE, _STATED + _VALUE_WORTH)
    text = _own_words(sentence)
    if reports_trouble(text) or len(text.split()) < _MIN_WORDS:
        return None
    clause = without_setting(text)
    own = any(pattern.match(clause) for pattern in _OWN) or is_habit(text) or states_own_change(text)
    if own or (message_characters <= SHORT_MESSAGE and _is_about_a_thing(text)):
        names = min(len(proper_names(text)), _MAX_NAMES)
        return UserStatement(
            text, Category.FACT, _STATED + _NAME_WORTH * names + _VALUE_WORTH * bool(VALUE.search(text))
        )
    return None


def stated_in_correction(sentence: str) -> str:
    """What a correction says if it says what is corrected, too; the whole sentence for any other.

    `Actually, no: the workshop is on 10 December, not on the 9th.` gives `The workshop is on 10 December, not on the 9th.`:
    where it finds nothing to correct, as in another session, it is a statement like others.
    """
    found = read_correction(sentence)
    text, kinds = split_openings(sentence)
    return capitalised(f"{text}.") if found and found.subject and kinds & {"doubt", "fault"} else sentence


def before_question(sentence: str) -> str:
    """The part of a sentence before its question or request; the whole sentence if it has neither.

    `My budget is 400 euros, what can I get for that?` gives `My budget is 400 euros`; a plain question stays one.
    Blank for a request about words that follow it: `Translate this: I live by the sea`.
    """
    if len(sentence) > _MAX_READ:
        return sentence
    if asked := _ASKED_TO_REMIND.match(sentence):
        return capitalised(sentence[asked.end() :].rstrip("? "))
    if _QUOTED_REQUEST.match(sentence):
        return ""
    asks = _QUESTION_AT_END if is_question(sentence) else _UNMARKED_QUESTION_AT_END
    ends = [_REQUEST_AT_END.search(sentence), asks.search(sentence)]
    first = min((end.start() for end in ends if end), default=len(sentence))
    stated = sentence[:first].rstrip(" ,;:-–—")
    leads = any(pattern.match(stated) for pattern in (_ASKS, _CONDITION, _OF_THE_QUESTION, HYPOTHETICAL))
    if leads or _ASKED.search(stated) or len(stated.split()) < _MIN_WORDS_BEFORE or _IN_DOUBT.search(sentence):
        return sentence
    return stated


def is_request(sentence: str) -> bool:
    """Whether a sentence asks for something and says nothing of its author."""
    return not _own_words(sentence)


def _own_words(sentence: str) -> str:
    """The sentence; of a request only what follows about its author, blank when nothing does."""
    if not _REQUEST.match(sentence) or _ALWAYS.match(sentence):
        return sentence
    own = _OWN_CLAUSE.search(sentence)
    return capitalised(sentence[own.end() :]) if own else ""


def adds_detail(statement: Sequence[str], sentence: str) -> bool:
    """Whether the sentence after a statement says more about somebody or something in it: `She's a vegetarian`."""
    short = sum(map(len, statement)) + len(sentence) <= MAX_DETAILED
    return short and bool(_DETAIL.match(sentence)) and not (reports_trouble(sentence) or is_remark(sentence))


def _is_about_a_thing(sentence: str) -> bool:
    """Whether the sentence says something definite of somebody or something else than its author."""
    return bool(_LABELLED.match(sentence)) or _states_a_value(sentence) or _is_about_others(sentence)


def _is_about_others(sentence: str) -> bool:
    return not _SECOND_PERSON.search(sentence) and states_change(sentence)


def _states_a_value(sentence: str) -> bool:
    """Whether the sentence says something definite of a thing: a number, a day, an address or a name."""
    if _SECOND_PERSON.search(sentence) or len(sentence.split()) < _MIN_WORDS_OF_OTHERS:
        return False
    if describes_project(sentence):
        return True
    if not _OTHERS.match(sentence) or is_about_the_task(sentence):
        return False
    return bool(VALUE.search(sentence) or proper_names(sentence))
