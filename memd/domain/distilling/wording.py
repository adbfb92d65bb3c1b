"""The words of a memory: a statement in the third person, with dates for relative times, in at most 240 characters."""

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import Final

from memd.domain.distilling.dates import day, resolve_dates
from memd.domain.distilling.features import plain
from memd.domain.distilling.third_person import PROGRAM, has_first_person, in_third_person
from memd.domain.text.alternatives import any_of, either
from memd.domain.text.names import COMMON_WORDS
from memd.domain.text.sentences import capitalised, cut_words
from memd.domain.text.spoken import without_day

MAX_STATEMENT: Final = 240
_MAX_READ: Final = 1_000
"""Characters of a sentence that are read: the patterns below are quadratic in runs of marks."""
_MAX_ROUNDS: Final = 8
_REACTION: Final = any_of(
    """
    hey hi hello ugh argh wow woah whoa aww* (?:oh|ah)_(?:right|yes|yeah|ok(?:ay)?|cool|nice|sure|good|great|well) oh ooh ah
    hmm* yeah yea yep yup yes no nope nah well sure ok(?:ay)? cool great nice sweet awesome amazing good perfect
    haha lol lmao omg thanks thank_you thx absolutely definitely totally exactly of_course anyway by_the_way btw also plus
    actually not_(?:really|great|bad|much) honestly to_be_honest for_sure unfortunately luckily thankfully funny_enough
    man so and but agreed right
    """
)
_AFTER_REACTION: Final = any_of("actually though so probably i_(?:guess|think) not_yet")
_OPENING: Final = re.compile(rf"(?:(?:and|but|so) )?{_REACTION}(?: {_AFTER_REACTION})?(?:[,!.…]+ *| - )", re.IGNORECASE)
_MUCH_HAPPENED: Final = either(
    "(?:so much|not much|a lot)(?:'s| has)? (?:happened|changed|been going on) ",
    "it's been a while ",
    "crazy times ",
)
_LEAD_IN: Final = re.compile(
    either(
        "(?:some |i have (?:some )?)?(?:good|bad|sad|great|big|terrible|happy|exciting) news",
        "(?:(?:quick|small|short|brief|little) )?(?:update|change(?: of plans?)?)",
        "(?:so )?(?:(?:some|quick|a bit of|a little|for) )?(?:background|context)(?: (?:info|on me|about me|for you))?",
        r"on (?:a|an|another|that) (?:\w+ )?note",
        "speaking of which",
        "(?:guess|you know) what",
        "oh (?:yeah|yes|and)",
        "funny (?:story|thing)",
        rf"{_MUCH_HAPPENED}?since we(?:'ve)? (?:last )?(?:spoke|spoken|talked|chatted|met)",
        "(?:something|here's something) (?:cool|fun|great|exciting|new)"
        "(?: (?:i wanted to tell you about|that happened(?: the other day)?))?",
    )
    + r"(?:[,!.:?]+ *| [-–—] )(?=\w)",
    re.IGNORECASE,
)
"""Phrases that lead into a statement and say nothing themselves: `On another note, `, `So much has happened since we last spoke - `."""
_TOLD: Final = either(
    "did i (?:already )?(?:tell|mention)",
    "have i (?:already )?(?:told|mentioned)",
)
_BEFORE_STATEMENT: Final = either(
    any_of(
        """
        hey hi hello yo ugh argh (?:oh_)?wait (?:yes|yeah|yep|yup|sure|ok|no|nope|nah)_but oh ah well and but so ok(?:ay)? plus
        also cause because actually btw fyi
        """
    ),
    rf"{_TOLD}(?: to)?(?: you)?(?: that)?",
    "i (?:forgot|should|wanted|meant|need) (?:to )?(?:mention|say|add|tell you|note)(?: that)?",
)
_SUBJECT: Final = any_of(
    "i im ive so we my our it they he she the this that please always never no not nothing don't do_not"
)
_CONJUNCTION: Final = re.compile(rf"{_BEFORE_STATEMENT}\s+(?={_SUBJECT}\b)", re.IGNORECASE)
_INTRODUCTION: Final = re.compile(r"[a-z][\w ,'-]{1,30}: (?=(?:i|we|my|our)\b)", re.IGNORECASE)
_END: Final = re.compile(r"[\s.!…,;:~*^_–—-]+\Z|(?:\s*[^\w\s\"'”’`)\].,!?%$€£&/+#-])+\s*\Z")
_LAUGHTER: Final = re.compile(
    r"(?<! is)(?<!called)(?<!named)(?<! say)(?<!says)(?<!said)(?<! the)(?<! a)(?:[,;] ?| [-–—]? ?)"
    r"(?:lol|lmao|lmfao|rofl|(?:ha){2,}h?|(?:he){2,}|tbh|ngl|smh|omg|thanks|thank you|thx|ty)\Z",
    re.IGNORECASE,
)
"""Laughter, thanks and the like at the end: `we shared a room til i was 16 lol`."""
_PRAISE: Final = any_of(
    """
    cool fun great awesome amazing nice lovely beautiful wonderful incredible fantastic special good exciting cute sweet
    magical perfect inspiring relaxing peaceful delicious yummy happy excited proud glad thankful grateful much_fun worth_it
    powerful rewarding satisfying fulfilling empowering enlightening calming stunning unreal wild rad neat intense stressful
    frustrating tough
    """
)
_PRAISED: Final = any_of(
    """
    time day night evening weekend trip experience thing moment memor(?:y|ies) feeling place view sight way idea reminder
    opportunity journey adventure surprise read movie show event group community story start
    """
)
_STRESS: Final = r"(?:(?:so|such|really|pretty|totally|super|very|quite|kinda) )"
_COMMENT: Final = re.compile(
    r"(?: [-–—]+ |[–—]|[,;] | (?=and (?:it|that)))(?:and )?"
    r"(?:(?:[Ii]t(?:'s| was| is| felt| feels)|[Tt]hat(?:'s| was)|which (?:is|was)|[Tt]hey(?:'re| were| looked?)) "
    rf"(?:{_STRESS}*{_PRAISE}\b|{_STRESS}*an? {_STRESS}*{_PRAISE} {_PRAISED}\b)"
    rf"|{_STRESS}{_PRAISE}\b|(?:such|what) an? {_PRAISE} {_PRAISED}\b)"
    r"(?!.*(?:\b(?:not|but|until|before|no|for (?:my|our|his|her|their|the))\b|n't))(?:(?![-–—;,])[^\d]){0,30}\Z"
)
"""A short remark at the end, such as `- it was so cool!`."""
_LOOK: Final = re.compile(
    r"(?: [-–—]|[,;])? (?:take a look|check (?:it|this|them) out|have a look|by the way|btw)\Z", re.IGNORECASE
)
_FILLER: Final = re.compile(
    r"(?P<quoted>`[^`]*`|\"[^\"]*\"|“[^”]*”)|(?<!n't )(?<!not )\b(?:really|actually|definitely|honestly|basically|literally|truly"
    r"|(?:(?<=\bI )|(?<=\b[Ww]e )|(?<='ve )|(?<=he )|(?<=hey ))"
    r"just(?! (?:as|because|like|about|in|over|under|before|after|for|with|enough|the|an?|me|us|my)\b)),? (?=[a-z])"
)
"""Words inside a sentence that stress it and say nothing: `Ann (really) loves hiking`; not within quotation marks."""
_COLLOQUIAL: Final = (
    (re.compile(r"\bgonna\b", re.IGNORECASE), "going to"),
    (re.compile(r"\bwanna\b", re.IGNORECASE), "want to"),
    (re.compile(r"\b(?:I've )?gotta\b", re.IGNORECASE), "have to"),
    (re.compile(r"\bfam\b", re.IGNORECASE), "family"),
    (re.compile(r"\bpl[sz]\b", re.IGNORECASE), "please"),
    (re.compile(r"\b(do|does|did|is|are|was|were|have|has|would|should|could)nt\b", re.IGNORECASE), r"\1n't"),
    (re.compile(r"\bcant\b", re.IGNORECASE), "can't"),
    (re.compile(r"\b[Ii]m\b(?! \w+ern\b)"), "I'm"),
    (re.compile(r"\b[Ii]ve\b"), "I've"),
    (re.compile(r"\b(s?he)s\b", re.IGNORECASE), r"\1's"),
    (re.compile(r"\b(they|you)re\b|\b(they|you|we) r(?= )", re.IGNORECASE), r"\1\2're"),
    (re.compile(r"\Awere(?= [a-z]+ing\b)", re.IGNORECASE), "we're"),
    (re.compile(r"\Alets(?= [a-z])", re.IGNORECASE), "let's"),
)
_JOINED: Final = re.compile(r"(`[^`]*`|\w+(?:[-./@_]\w+)+)")
"""Words that are joined, as in `im-server`, and code; they stay as they are."""
_PREDICATE: Final = any_of(
    """
    is was are were has have had can will would makes? made helps? helped feels? felt gives? gave takes? took sounds?
    """
)
_AT_HAND: Final = r"(?:the )?(?:other|first|second|third|last|next|same|latter|former)"
_IN_PROGRESS: Final = re.compile(
    r"(?:starting|staying|moving|flying|switching|leaving|working|studying|living|going)"
    r"(?= (?:to|at|in|with|as|from|back)\b)"
    rf"(?! [a-z]+ (?:it|that|this|them|bed|sleep|work|{_AT_HAND})\b)"
    rf"(?!.*\b{_PREDICATE}\b)",
    re.IGNORECASE,
)
"""`Moving to Lyon in May`, but not `Working with it helps`."""
_ADVERBS: Final = r"(?:(?:just|recently|finally|also|already|even|never|once|actually) )*"
_DID: Final = either(
    any_of(
        """
        went got had saw met made took did bought found came started began won lost ran gave felt heard wrote built spent taught
        brought tried used_to can't couldn't didn't haven't
        """
    ),
    r"(?:broke|quit|sold|left|hurt|cut)(?= (?:my|the|a|an|up|with)\b)",
    r"(?:want|love)(?= (?:the|my|this|that|it|to|how)\b)",
    r"(?!need|feed|speed|red\b)\w{2,}ed(?= (?:my|the|a|an|it|to|some|for|in|up|out|this|with)\b)",
)
_NO_SUBJECT: Final = (
    (re.compile(r"(?:(?:going|hoping|trying|planning) to|looking forward to)\b", re.IGNORECASE), "I'm"),
    (_IN_PROGRESS, "I'm"),
    (re.compile(r"taking \d+ ?m[cl]?g\b", re.IGNORECASE), "I'm"),
    (re.compile(r"(?:just |recently |also )?been\b", re.IGNORECASE), "I've"),
    (re.compile(rf"{_ADVERBS}{_DID}\b", re.IGNORECASE), "I"),
)
"""How a sentence without a subject begins, and the subject that it lacks."""
_SOME: Final = any_of("now currently only just about around still all already")
_MEASURE: Final = any_of("miles km minutes hours days weeks months")
_NUMBER: Final = any_of("two three four five six seven eight nine ten eleven twelve fifteen twenty")
_GROUP: Final = any_of(
    """
    team company family group couple start-?up household band club charity practice agency studio business firm community
    department crew shop school
    """
)
_NO_PLURAL: Final = any_of(
    r"always perhaps sometimes besides downstairs upstairs outdoors overseas years \w+(?:ou|le|s)s"
)
_OF_SEVERAL: Final = re.compile(
    rf"\bwe(?:'re| are| were) (?:{_SOME} )*"
    + either(
        rf"\d+(?! years? old\b| {_MEASURE}\b)\b",
        rf"{_NUMBER}\b(?! (?:miles|minutes|hours|days|weeks|months|years)\b)",
        r"both\b",
        r"several\b",
        rf"an? (?:[\w-]+ ){{0,2}}?{_GROUP}\b",
        rf"(?!{_NO_PLURAL}\b)[a-z]{{4,}}s(?=\W*\Z| (?:in|at|from|and|who|with)\b)",
    ),
    re.IGNORECASE,
)
"""What is said of `we` and of no single person."""


def worded(
    sentences: Sequence[str],
    speaker: str,
    spoken_on: date,
    others: Collection[str] = (),
    *,
    named: bool = True,
    lasting: bool = False,
) -> str:
    """The statement that sentences of one speaker make; `others` are the names of those who listen.

    `I won my first race last week!` of Ann, said on 8 May 2023, becomes
    `Ann won their first race in the week of 1 May 2023.` Without a time of its own, the statement ends with the day. One that is
    not about its speaker begins with the speaker's name, if that is one (`named`); otherwise `we` is the speaker as well,
    unless it can only be several: `We're 12 engineers`. A `lasting` one, such as an instruction for every answer, holds on any day and gets none.
    """
    listener = next(iter(others)) if len(others) == 1 else None
    parts: list[str] = []
    dated = False
    for sentence in sentences:
        text, found = resolve_dates(_FILLER.sub(lambda match: match["quoted"] or "", bare(sentence, others)), spoken_on)
        dated |= found
        company = named or speaker == PROGRAM or _OF_SEVERAL.search(text) is not None
        parts.append(capitalised(in_third_person(text, speaker, listener, company=company)))
    if named and not has_first_person(bare(sentences[0], others)):
        parts[0] = f"{capitalised(speaker)}: {_small(parts[0])}"
    text = ". ".join(parts)
    ending = "." if dated or lasting else f" ({day(spoken_on)})."
    return cut_words(text, MAX_STATEMENT - len(ending)) + ending


def undated(statement: str) -> str:
    """The statement without the day on which it was said, to compare it with what was said on other days."""
    return without_day(statement).rstrip(".").casefold()


def bare(sentence: str, others: Collection[str] = ()) -> str:
    """The sentence with a subject, without reactions, the listeners' names as an address, and marks at its end."""
    sentence = plain(sentence[:_MAX_READ])
    text = sentence.strip('"“” ') if sentence.count('"') == 1 else sentence
    address = _address(others)
    for _ in range(_MAX_ROUNDS):
        before = text
        for opening in (_OPENING, _LEAD_IN):
            text = opening.sub("", text, count=1) if opening.match(text) else text
        text = _CONJUNCTION.sub("", text, count=1) if _CONJUNCTION.match(text) else text
        text = _INTRODUCTION.sub("", text, count=1) if _INTRODUCTION.match(text) else text
        text = _COMMENT.sub("", _LOOK.sub("", _LAUGHTER.sub("", _END.sub("", text))))
        if address:
            text = address.sub("", text)
        if not text or text == before:
            break
    text = "".join(part if index % 2 else _spelled_out(part) for index, part in enumerate(_JOINED.split(text)))
    subject = next((subject for pattern, subject in _NO_SUBJECT if pattern.match(text)), None)
    return f"{subject} {text[:1].lower()}{text[1:]}" if subject else text or sentence


def _spelled_out(text: str) -> str:
    for pattern, instead in _COLLOQUIAL:
        text = pattern.sub(instead, text)
    return text


def _address(others: Collection[str]) -> re.Pattern[str] | None:
    """A listener addressed at the beginning or end of a sentence, by name or a short form of it (`Mel` for Melanie)."""
    names = {name.split()[0] for name in others if name.strip()}
    short = sorted(
        {re.escape(name[:length]) for name in names for length in range(min(3, len(name)), len(name) + 1)},
        key=len,
        reverse=True,
    )
    if not short:
        return None
    either = "|".join(short)
    return re.compile(rf"\A(?:{either})(?:[,!]+ *| - )|, *(?:{either})\Z")


def _small(text: str) -> str:
    """The text with a small first letter, unless it may begin with a name."""
    first = text.split(" ", 1)[0].strip(",.;:'\"").lower()
    return text[:1].lower() + text[1:] if first in COMMON_WORDS or first.endswith("ing") else text
