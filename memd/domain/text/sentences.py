"""Prose to sentences: what a person said in a message, without the code, logs and quotations around it.

Deterministic and light on language: the split follows punctuation and line ends, so it also serves texts that are not
English. Every sentence is returned word for word, with white space folded to one blank.
"""

import re
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS
from memd.domain.text.alternatives import any_of

_FENCE: Final = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)", re.DOTALL)
_OPENING_TAG: Final = re.compile(r"<([\w-]+)(?:\s[^<>]*)?>")
_CLOSING_TAG: Final = re.compile(r"</([\w-]+)>")
_MARKER: Final = re.compile(r"\A\s*(?:[-*•+]|\d{1,3}[.)]|#{1,6})\s+")
_END: Final = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’)\]*_]*(?=\s)|[。！？]+")
_ABBREVIATION: Final = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|sr|jr|st|vs|e\.g|i\.e|approx|fig|vol|inc|ltd|corp|dept|"
    r"jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|z\.\s?b|d\.\s?h|u\.\s?a|bzw|inkl|evtl|ggf|resp|usw|ca|(?-i:Hr|Nr))\.$",
    re.IGNORECASE,
)
_MAX_ABBREVIATION_LENGTH: Final = 8
_BEFORE_NUMBER: Final = re.compile(
    r"(?:str|\b(?:nr|art|tel|ext|apt|rm|pp?|(?:at|in|house|room|flat|bus|tram|line|platform|gate|item|issue|chapter) no))\.$",
    re.IGNORECASE,
)
"""An abbreviation whose number follows: `bahnhofstr. 5`, `at no. 5`, but not `I said no. 5 people came`."""
_MAX_BEFORE_NUMBER: Final = 14
_ORDINAL: Final = re.compile(
    r"(?:\b(?:im|der|das|den|dem|des|zum|zur|vom|beim|ins|eine[nmrs]?|(?:mein|unser|dein|sein|ihr|jed)e?[nmrs]?)\s|\bdie\s)\d{1,2}\.$"
)
"""A German ordinal after an article, as in `im 4. Stock`."""
_MAX_ORDINAL_LENGTH: Final = 12
_COUNTED: Final = re.compile(
    r"\s(?!(?:I|My|We|The|He|She|It|They|You|Our|And|But|So|Ich|Wir|Er|Sie|Es|Das|Der|Die|Den|Mein|Meine|Unser|Unsere|Dann|Und|Aber|Bitte)\b)[A-ZÄÖÜ][\w-]"
)
"""The noun after it, rather than the beginning of another sentence."""
_DAY_NUMBER: Final = re.compile(r"(?<!\d)(?:[1-9]|[12]\d|3[01])\.$")
_GERMAN_MONTH: Final = re.compile(rf"\s(?:{'|'.join(GERMAN_MONTHS)})\b", re.IGNORECASE)
_INITIAL: Final = re.compile(r"\b[A-HJ-Z]\.$")
_CODE_LINE: Final = re.compile(
    r"""\s*(?:
      [$%]\s|>>>|>|@@|\+\+\+|---|\|                              # prompts, quotations, diffs, tables
    | (?:def|class|fn|func|function|const|let|var|public|private|static|async)\s+\w+\s*[(:={<]
    | (?:import|from|package|\#include)\s+[\w.\"<{*]+\s*(?:;|$|import\b|from\b|as\b)
    | (?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\s.*\b(?:FROM|INTO|SET|TABLE|WHERE)\b
    | at\s\S+\(|File\s\"|Traceback\s|(?:[\w.]+)?(?:Error|Exception):\s
    | \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d                           # a line of a log
    | \[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|CRITICAL|TRACE)\b[\]:]?\s+(?:\d|\[|[\w.]+:)
    | [\w.]+\s*=\s*\S+$
    )""",
    re.VERBOSE,
)
_CODE_COMMENT: Final = re.compile(r"\s*//|\s+#|#\s*[a-z]")
"""A comment, among lines of code; elsewhere `#` may be a heading."""
_CODE_SIGN: Final = re.compile(r"[{}<>=;|\\$^~\[\]]|\(\)|::|->|&&")
_CODE_SHARE: Final = 0.05
_SMALL_START: Final = re.compile(r"\W*(?:i\b|[^\W\d_A-Z])")
_CAPITAL_START: Final = re.compile(r"[.!?] +[\"'“(]?(?:[A-Z][a-z]|I\b)")
_SMALL_END: Final = re.compile(r"(?:[^\W_]{2,}|\d|[)\"'”’`])(?:\.|[!?]+)\Z")
"""The end of a sentence before a small letter, in a text without capitals: no ellipsis, no single letter."""
_CUT_SHORT: Final = re.compile(r"\b(?:etc|max|min|fl|ave|rd|blvd|incl|est|ext|str|tel)\.$", re.IGNORECASE)
"""Abbreviations that may end a sentence too; before a small letter they are taken not to."""
_UNIT: Final = re.compile(
    r"\d ?(?:[mµ]?g|k[gm]|[mc]?m|[mcd]?l|lbs?|oz|ft|hrs?|mins?|secs?|yrs?|eur|usd|chf)\.\Z", re.IGNORECASE
)
"""An abbreviated unit, before a small letter: `20 mg. of ramipril`."""
_SUBJECT: Final = re.compile(
    r"\s(?:i|my|we|our|you|your|he|his|she|her|it|its|they|their|the|this|that|there|and|but|so|also|please|pls|no|not|never"
    r"|don['’]?t|ich|mein\w*|wir|unser\w*|er|sie|es|das|der|die|und|aber|bitte)\b"
)
"""A word that may begin a sentence after a unit: `i weigh 80 kg. my wife weighs 60`."""
_MAX_SUBJECT_LENGTH: Final = 12
_DAY_OF_MONTH: Final = re.compile(r"(?<![\d.])\d{1,2}\.\d{1,2}\.\Z")
_OWN_SUBJECT: Final = re.compile(r"\s(?:i|my|we|our|ich|wir|mein\w*|unser\w*|bitte)\b")
"""A word that may begin a sentence after a day: `am 9.12. bin ich weg` goes on, `am 9.12. ich bin weg` does not."""
_SMALL_AFTER_END: Final = re.compile(
    r"[^\W_]{2}[.!?] (?:"
    + any_of(r"""
    i my we our it what which how where when why who can could would should do does is are any please pls
    ich wir mein\w* wie was wo wann kannst
    """)
    + r")\b"
)
"""The beginning of a further sentence with a small letter, in a text whose first letter a phone has made a capital."""
_NUMBER: Final = re.compile(r"\s*\+?\d[\d .,/:-]{0,20}\s*")
_LETTER: Final = re.compile(r"[^\W\d_]")
_QUESTION_MARKS: Final = "?？"


def sentences(text: str) -> list[str]:
    """The sentences of the prose in `text`, in order, questions included; code, logs and quoted lines left out."""
    found: list[str] = []
    prose = _without_elements(_FENCE.sub("\n\n", text))
    small = _has_small_starts(prose)
    for paragraph in _paragraphs(prose):
        parts = _split(paragraph, small=small)
        found += [sentence for sentence in parts if _LETTER.search(sentence) and not is_code(sentence)]
    return found


def sentences_or_number(text: str) -> list[str]:
    """The sentences of a message, or the number that is all of it: `34` after "How old are you?"."""
    return sentences(text) or ([text.strip()] if _NUMBER.fullmatch(text) else [])


def capitalised(text: str) -> str:
    """The text with a capital first letter; the rest is not changed."""
    return text[:1].upper() + text[1:]


def is_question(sentence: str) -> bool:
    """Whether the sentence ends as a question does, further marks, closing quotes and emoji left aside.

    Read from its end: a pattern would look at the end of the sentence once for each question mark in it.
    """
    last = next((sign for sign in reversed(sentence) if sign in _QUESTION_MARKS or sign.isalnum()), "")
    return last != "" and last in _QUESTION_MARKS


def is_code(sentence: str) -> bool:
    """Whether a line reads like code, a shell command or a log rather than prose."""
    if _CODE_LINE.match(sentence):
        return True
    return len(_CODE_SIGN.findall(sentence)) > max(1.0, _CODE_SHARE * len(sentence))


def cut_words(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, cut at the last word end that fits and closed with an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    at_word, blank, _ = head.rpartition(" ")
    return f"{at_word if blank else head}…"


def first_words(text: str, count: int) -> str:
    """The first words of a text, at most `count`, with one blank between them; nothing after them is read."""
    return " ".join(text.split(None, count)[:count])


def _without_elements(text: str) -> str:
    """The text with each element, from a tag up to the first one that closes it, as the end of a paragraph.

    A tag that nothing closes after it stays; it is not looked for again, so that many of them cost no more than other words.
    """
    last = {tag[1]: tag.start() for tag in _CLOSING_TAG.finditer(text)}
    kept: list[str] = []
    start = at = 0
    while last and (tag := _OPENING_TAG.search(text, at)):
        at = tag.end()
        if last.get(tag[1], 0) >= at:
            kept.append(text[start : tag.start()])
            start = at = text.index(f"</{tag[1]}>", at) + len(f"</{tag[1]}>")
    return "\n\n".join([*kept, text[start:]])


def _paragraphs(text: str) -> list[str]:
    """Lines of prose; a line that continues in lower case is joined to the one it was wrapped from."""
    found: list[str] = []
    open_line = False
    lines = [(line, is_code(line)) for line in text.splitlines()]
    among_code = any(of_code for _, of_code in lines)
    for line, of_code in lines:
        body = " ".join(_MARKER.sub("", line, count=1).split())
        if not body or of_code or (among_code and _CODE_COMMENT.match(line)):
            open_line = False
        elif open_line and body[0].islower() and not _MARKER.match(line):
            found[-1] = f"{found[-1]} {body}"
        else:
            found.append(body)
            open_line = True
        open_line = open_line and not body.endswith((".", "!", "?", ":", "。"))
    return found


def _has_small_starts(text: str) -> bool:
    """Whether the author begins sentences with small letters: `i moved to berlin. my job starts on monday`."""
    if _CAPITAL_START.search(text):
        return False
    return _SMALL_START.match(text) is not None or _SMALL_AFTER_END.search(text) is not None


def _ends_before_small(before: str, after: str) -> bool:
    """Whether a sentence ends between these texts, of which the second begins with a small letter."""
    if not _SMALL_END.search(before) or _CUT_SHORT.search(before):
        return False
    if _DAY_OF_MONTH.search(before):
        return _OWN_SUBJECT.match(after) is not None
    return not _UNIT.search(before) or _SUBJECT.match(after) is not None


def _split(paragraph: str, *, small: bool) -> list[str]:
    """One paragraph cut after its sentence ends; abbreviations, initials and the day in `3. Mai` do not end a sentence.

    A small letter begins a sentence only in a text whose sentences begin so (`small`).
    """
    parts: list[str] = []
    start = 0
    for end in _END.finditer(paragraph):
        stop = end.end()
        before = paragraph[max(start, stop - _MAX_ABBREVIATION_LENGTH) : stop]
        after = paragraph[stop : stop + 2].lstrip()
        if _ABBREVIATION.search(before) or _INITIAL.search(before):
            continue
        if after[:1].isdigit() and _BEFORE_NUMBER.search(paragraph, max(start, stop - _MAX_BEFORE_NUMBER), stop):
            continue
        if after[:1].islower() and not (
            small and _ends_before_small(before, paragraph[stop : stop + _MAX_SUBJECT_LENGTH])
        ):
            continue
        if _DAY_NUMBER.search(before) and _GERMAN_MONTH.match(paragraph, stop):
            continue
        is_ordinal = _ORDINAL.search(paragraph, max(start, stop - _MAX_ORDINAL_LENGTH), stop)
        if is_ordinal and (after[:1].islower() or _COUNTED.match(paragraph, stop)):
            continue
        parts.append(paragraph[start:stop].strip())
        start = stop
    rest = paragraph[start:].strip()
    return [*parts, rest] if rest else parts
