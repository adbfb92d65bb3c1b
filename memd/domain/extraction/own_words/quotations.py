"""What somebody else says in a message: quotations in the first person, and reports after a colon."""

import re
from typing import Final

from memd.domain.text.alternatives import any_of

QUOTATION_MARKS: Final = '"“„«`'
_MAX_LEAD: Final = 300
"""Characters before a quotation that say whose it is."""
_QUOTATION: Final = re.compile(r"[\"“„«](?P<said>[^\"“”„«»\n]{8,2000}(?:\n[^\"“”„«»\n]+){0,20})[\"”“»][ ,;:]*")
"""With what joins it to the words after it."""
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i’m|i've|my|me|we|we're|our|us|ich|mein\w*|wir|unser\w*|je|j'|j’|mon|ma|mes|nous|yo|mi|mis|nosotros)\b",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"[.!?\n:](?=\s)")
_ANSWERED: Final = re.compile(r".,? (?:and|but) (?:i|we)\b", re.IGNORECASE)
"""The end of a quotation that the author answers: `… and I agree`."""
_MADE_UP: Final = any_of("""
    translate write rewrite rephrase paraphrase reply respond story poem song novel lyrics
    übersetz übersetze schreib schreibe
""")
_SAYS: Final = any_of("say says said ask asks asked told tells wrote writes sagt sagte schrieb")
_OF_OTHERS: Final = re.compile(
    rf"\b{_MADE_UP}\b|(?<!\bi )(?<!\bwe )(?<!\balways )(?<!\boften )\b{_SAYS}\b", re.IGNORECASE
)
"""What is said before a quotation of somebody else's, or of a text to work on."""
_CARE: Final = any_of("doctor dr gp dentist therapist psychiatrist nurse midwife vet physio")
_SOMEBODY: Final = rf"(?:(?:he|she) |(?:my|our|his|her|their) (?!(?:\w+ )?{_CARE}\b)(?:[\w-]+ ){{1,2}}?)"
_REPORTS: Final = any_of("said says told_me wrote writes texted replied answered")
_OF_AUTHOR: Final = any_of("""
    can may could should must need_to have_to get_to am_allowed don't_have_to don't_need_to don’t_have_to don’t_need_to
""")
_REPORTED: Final = re.compile(
    rf"\b{_SOMEBODY}(?:(?:always|just|once|often|only) )?{_REPORTS}(?: me| back| to me)?: ?"
    rf"(?=(?:i|i['’]m|i['’]ve|my)\b)(?!i {_OF_AUTHOR}\b)[^\n]*",
    re.IGNORECASE,
)
"""Somebody else's words without quotation marks: `My boss wrote: I quit`.

Words of doctors, and what somebody can or must do, are mostly about the author: `My manager told me: I can work from home`.
"""


_IN_SINGLE_QUOTES: Final = re.compile(
    rf"\b(?:he |she |they |(?:the|my|our|his|her|their) (?:[\w-]+ ){{1,2}}?){_REPORTS}[:,]? '(?=(?:i|we|my|our)\b)[^\n]{{8,300}}'(?!\w)",
    re.IGNORECASE,
)
"""Somebody else's words in marks that are apostrophes, too: `The customer wrote 'we use Oracle'`."""


def without_reports(text: str) -> str:
    """The text without what somebody else says in the first person after a colon, to the end of the line."""
    return _REPORTED.sub("", _IN_SINGLE_QUOTES.sub("", text))


def without_quotations(text: str) -> str:
    """The text without quotations in the first person that stand in words about somebody else, and without those words."""
    kept: list[str] = []
    end = 0
    for match in _QUOTATION.finditer(text):
        before = text[max(end, match.start() - _MAX_LEAD) : match.start()]
        said = before.rstrip(" :,")
        lead = _BREAK.split(said)[-1]
        if _FIRST_PERSON.search(match["said"]) and not (_is_own(lead) or _ANSWERED.match(text, match.end("said"))):
            kept.append(text[end : match.start() - len(before) + len(said) - len(lead)])
            end = match.end()
    return "\n\n".join([*kept, text[end:]])


def _is_own(lead: str) -> bool:
    """Whether the words before a quotation say that the author of the message said it: `I told her: "…"`."""
    return _FIRST_PERSON.search(lead) is not None and not _OF_OTHERS.search(lead)
