"""What a user asks of a program in a sentence, and what the rest of it states (contract 11.6).

`My budget is 400 euros, what can I get for that?` states something before its question, `Book a room, I prefer quiet
ones` after its request. The patterns are English.
"""

import re
from typing import Final

from memd.domain.extraction.author_statements import in_first_person
from memd.domain.extraction.remarks import ASKS_YES_OR_NO, HYPOTHETICAL
from memd.domain.text.alternatives import any_of, either
from memd.domain.text.sentences import capitalised, is_question

_WANTED_DEED: Final = any_of(
    """
    write fix show give make create add remove delete update change explain find search look check run list summari[sz]e
    translate help tell send book order set schedule draft generate refactor rename implement convert compare open read
    try use go do put move keep stop start continue suggest recommend describe rewrite shorten sort count calculate think
    imagine assume suppose pretend ignore repeat say answer plan reserve print return test review call email reply wait
    how_(?:do|does|can|could|should|would|to)
    """
)
_REQUEST: Final = re.compile(
    either(
        ASKS_YES_OR_NO,
        r"please\b",
        r"kindly\b",
        r"(?:can|could|would|will) you\b",
        r"i(?:'d| would) like you to\b",
        r"i (?:need|want) (?:you|a|an|the|some|to)\b",
        r"let(?:'s| me| us)\b",
        rf"{_WANTED_DEED}\b(?! (?:is|are|was|were|has|have)\b)",
    ),
    re.IGNORECASE,
)
_ALWAYS: Final = re.compile(r"(?:please|kindly) (?:always|never)\b", re.IGNORECASE)
"""The beginning of a rule, whose reason belongs to it: `Please always answer in Spanish, I'm trying to learn it`."""
_OWN_CLAUSE: Final = re.compile(
    rf"(?:[,;:.]|[ ,]{any_of('because since as and but so')})\s+"
    r"(?=(?:i(?!'d| (?:need|want|would|think|guess))|we|my|our)\b)",
    re.IGNORECASE,
)
"""The point where a request continues with a statement about its author: `Book a room, I prefer quiet ones`."""
_BREAK: Final = r"(?: [-–—]|[,;:])"
"""A dash or comma before another clause."""
_AND: Final = "(?:(?:and|so|but) )?"
_ASKING: Final = any_of("what how where when why who")
_AUXILIARY: Final = any_of(
    """
    can could would will do did does is are was were should shall may might have has am
    """
)
_ASKED_ABOUT: Final = any_of("you i we it that this there they he she the my our these those any")
_ASKS_FOR: Final = any_of("should would do does did is are can could will am was might about else to")
_ADVICE: Final = any_of("ideas? tips thoughts advice suggestions? recommendations?")
_QUESTION_AT_END: Final = re.compile(
    rf"{_BREAK} (?:(?:and|so|but|now|then|also) )?"
    + either(
        rf"{_AUXILIARY}(?:n't)? {_ASKED_ABOUT}\b",
        rf"{_ASKING}(?:'s|'d| (?:[\w'’-]+ ){{0,4}}?{_ASKS_FOR})\b",
        rf"which (?:[\w'’-]+ ){{1,3}}?{any_of('should would do does is are can')}\b",
        rf"any (?:\w+ )?{_ADVICE}\b",
        r"thoughts\W*\Z",
    ),
    re.IGNORECASE,
)
"""The point where a statement turns into a question: `My budget is 400 euros, what can I get for that?`."""
_INVERTING: Final = any_of("do does did should can could would will is are am")
_UNMARKED_QUESTION_AT_END: Final = re.compile(
    either(
        rf"{_BREAK} {_AND}(?:what|how|where|when|why|who|(?:what|which) \w+) {_INVERTING} "
        rf"{any_of('i we you it they he she the my')}\b",
        rf"{_BREAK} {_AND}(?:{ASKS_YES_OR_NO}|(?:what|which) \w+ (?:is|are)\b)",
    ),
    re.IGNORECASE,
)
"""The same in a sentence without a question mark, where the order of words tells."""
_OF_A_RULE: Final = either(
    r"always\b",
    r"never\b",
    r"only\b",
    r"call me\b",
    rf"(?:don't|do not) {any_of('ever use suggest recommend call show')}\b",
    r".{0,80}\bfrom now on\W*\Z",
)
"""After `please`: an instruction that holds for longer than this answer."""
_WANTED_ADVICE: Final = any_of("ideas? help tips advice suggestions? recommendations? inspiration")
_WANTED_AFTER_REASON: Final = any_of("give show explain write suggest recommend tell skip spell")
"""What is asked for after a reason: `I work in neovim, so give me its key bindings`."""
_REQUEST_AT_END: Final = re.compile(
    either(
        rf"{_BREAK}? {_AND}(?:can|could|would|will) you\b",
        rf"(?:(?:[,;:]| [-–—])(?: (?:and|so|but))?| so) (?:please|pl[sz]) (?!{_OF_A_RULE})\w",
        rf"[,;]? so (?:just |only |better )?{_WANTED_AFTER_REASON} (?!{any_of('that')}\b)\w",
        rf",? (?:and|but|so) i(?:'m| am) {any_of('stuck confused lost struggling')}\b",
        r"(?:[,;:]| [-–—])(?: (?:and|so|but|just))? (?:i )?(?:just )?(?:need|want|looking for) "
        rf"(?:(?:some|any|a few|your) )?{_WANTED_ADVICE}\b",
    ),
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"(?:and |so |but )?"
    + any_of(
        """
        what how where when why who which can could would will do did does is are was were should shall may might any
        has
        """
    )
    + r"\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    any_of(
        r"""
        from_now_on in_(?:the_)?future going_forward next_time whenever if for before after unless until while during
        with by
        """
    )
    + r"\b",
    re.IGNORECASE,
)
"""The beginning of a rule for answers: `From now on, please answer in English`."""
_DOUBTED: Final = any_of("right true correct accurate valid so")
_IN_DOUBT: Final = re.compile(
    either(
        rf"\b(?:is|was|isn't|are) (?:that|this|it|they|these) (?:\w+ )?{_DOUBTED}\W*\Z",
        r"\b(?:am i|did i get (?:that|this|it)|do i have (?:that|this|it)) (?:right|wrong|correct|mistaken)\W*\Z",
        r"\b(?:would|wouldn't|do|don't) you (?:say|think|agree)\W*\Z",
        rf"(?:[,;]| [-–—]) {any_of('is are was were do does did has have will can')}(?:n't)? "
        rf"{any_of('it he she they we i you there')}\W*\Z",
    ),
    re.IGNORECASE,
)
_MATERIAL: Final = any_of(
    """
    lists? arrays? data_?frames? functions? strings? files? tables? quer(?:y|ies) scripts? columns? loops?
    dict(?:ionary)? json regex class variables?
    """
)
_DONE: Final = any_of(
    r"""
    heard read saw was_told used_this got_(?:this|an?_\w+_(?:error|message)) tried ran pasted attached uploaded followed
    deleted reinstalled restarted
    """
)
_OF_THE_QUESTION: Final = re.compile(
    either(
        rf"(?:i|we)(?:'ve| have)?(?: got)? (?:{any_of('a an the this some two these')} )?(?:\w+ ){{0,2}}{_MATERIAL}\b",
        rf"(?:i|we)(?:'ve| have)? (?:\w+ )?{_DONE}\b",
        r"(?:i|we)(?:'ve| have)?(?: got)? (?:[\w-]+ ){0,2}questions?\b",
        rf"(?:i|we) (?:like|prefer) (?:the )?(?:\w+ )?{any_of('version option draft answer suggestion')}s?\b",
        rf"my {any_of('function loop page build test tests method code app form')}\b",
        r"i(?:'m| am) (?:writing|drafting|composing|preparing) (?:a|an|the|my)\b",
        r"i(?:'d| would) like (?:to (?:book|order|know|get|see|ask)|a|an)\b",
    ),
    re.IGNORECASE,
)
"""Statements that only lead to the question after them."""
_ASKED: Final = re.compile(
    r"\b"
    + any_of(
        """
        ask(?:s|ed|ing)?(?:_me|_us)? wonder(?:s|ed|ing)? wants?_to_know said says remind_(?:me|us) tell_(?:me|us) know think
        """
    )
    + r"\Z",
    re.IGNORECASE,
)
"""The end of what announces a question: `My teacher asked, what is photosynthesis?`."""
_QUOTED_REQUEST: Final = re.compile(
    rf"(?:please )?{any_of('translate paraphrase rephrase proofread correct rewrite')}\b.*?:", re.IGNORECASE
)
_REASON: Final = re.compile(
    r"(?:since|because|given that|seeing that|now that|as) (?P<stated>(?:i|we|my|our)\b[^,;]{4,120}), (?:please )?"
    rf"(?:{ASKS_YES_OR_NO}|{_WANTED_DEED}\b|(?!why\b){_ASKING}\b|don't\b|do not\b)",
    re.IGNORECASE,
)
"""A reason before what is asked: `Since I'm a beginner at Go, explain the details`."""
_MIN_WORDS_BEFORE: Final = 3
_MAX_READ: Final = 1_000
"""Characters of a sentence in which a question at its end is looked for."""
_ASKED_TO_REMIND: Final = re.compile(
    r"(?:can|could|would|will) you (?:please )?(?=(?:remind me|(?:remember|note|keep in mind) that)\b)", re.IGNORECASE
)
"""Before what memd is asked to note: "could you remind me to water the fern?"."""


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
    if reason := _REASON.match(sentence):
        return capitalised(reason["stated"])
    asks = _QUESTION_AT_END if is_question(sentence) else _UNMARKED_QUESTION_AT_END
    ends = [_REQUEST_AT_END.search(sentence), asks.search(sentence)]
    first = min((end.start() for end in ends if end), default=len(sentence))
    stated = sentence[:first].rstrip(" ,;:-–—")
    leads = any(pattern.match(stated) for pattern in (_ASKS, _CONDITION, _OF_THE_QUESTION, HYPOTHETICAL))
    if leads or _ASKED.search(stated) or len(stated.split()) < _MIN_WORDS_BEFORE or _IN_DOUBT.search(sentence):
        return sentence
    return in_first_person(stated)


def is_request(sentence: str) -> bool:
    """Whether a sentence asks for something and says nothing of its author."""
    return not beside_request(sentence)


def beside_request(sentence: str) -> str:
    """The sentence; of a request only what follows about its author, blank when nothing does."""
    if not _REQUEST.match(sentence) or _ALWAYS.match(sentence):
        return sentence
    own = _OWN_CLAUSE.search(sentence)
    return capitalised(sentence[own.end() :]) if own else ""
