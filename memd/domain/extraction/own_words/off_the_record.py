"""The wish of an author that nothing is kept of a message: `This is off the record`, `Don't save this`.

What is to be stored elsewhere, or how, is no such wish: `Don't log this at info level`, `Never store it in the repository`.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of

_NOT_ADDRESSED: Final = r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\busers )(?<!\bcan )"
"""`We don't log that` says what somebody does."""
_KEEP: Final = any_of("save store remember record keep memorise memorize note log")
_THIS: Final = any_of("this that it these any_of_this any_of_that any_of_it")
_ABOUT_AUTHOR: Final = (
    r"(?:anything (?:i (?:say|tell you)|about me)|what i(?:'m| am)? (?:say(?:ing)?|tell(?:ing)?|said|told)"
    r"|my (?:\w+ )?(?:data|details|info(?:rmation)?|diagnosis))\b(?! (?:in|into|on|as|to|inside|under)\b)"
)
_AFTER: Final = any_of("please but because since and though thanks anywhere at_all about_me for_me for_later")
_MEMORY: Final = r"(?:to|in|on) (?:your |the )?(?:memory|memories|profile|records?|side)"
_ENDS: Final = rf"(?=\W*\Z|\s*[.,;:!?)\n–—-]|\s+(?:{_AFTER}|{_MEMORY})\b)"
"""The end of a wish: `Don't save this.`, but not `Don't log this at info level` or `Keep this private method`."""
_BETWEEN_US: Final = r"between (?:us|you and me|the two of us)"
_BEGINS: Final = r"(?:(?:\A|[.!?;:,(\n–—])[ \t]*|\b(?:just|strictly|only|this is|this stays|that stays|it stays) )"
_ENGLISH: Final = (
    rf"{_NOT_ADDRESSED}\b(?:don['’]t|do not|never) (?:ever )?{_KEEP} (?:{_THIS}{_ENDS}|{_ABOUT_AUTHOR})",
    r"\boff the record\b(?! (?:player|store|shop|label|collection)s?\b)",
    r"\bnot for (?:your|the) (?:memory|records?)\b",
    rf"{_BEGINS}{_BETWEEN_US}{_ENDS}",
    rf"\bkeep (?:this|that|it) (?:{_BETWEEN_US}|to yourself|secret|private|off the record){_ENDS}",
    rf"\bthis is (?:strictly |highly )?confidential{_ENDS}",
    r"[.!?\n][ \t]*(?:please |now )?forget (?:this|that|it|what i (?:just )?(?:said|told you|wrote))(?: again| please)?\W*\Z",
)
_GERMAN: Final = (
    r"\b(?:(?:unter uns|im vertrauen) gesagt|ganz im vertrauen)\b",
    r"\b(?:merke?|speicher[en]?|notiere?|behalte?)(?: dir)? (?:das|dies|es|davon)(?: bitte)? (?:nicht|nichts)\b(?! (?:in|im|auf|als|unter|nur)\b)",
    r"\berinnere? dich (?:bitte )?nicht (?:daran|an das)\b",
    r"[.!?\n][ \t]*(?:bitte )?vergiss (?:das|dies|es|was ich (?:gerade |eben )?(?:gesagt|geschrieben) habe)(?: wieder| bitte)?\W*\Z",
)
_ELSEWHERE: Final = r"\b(?! (?:en|dans|sur|in|su|nel|nella|no|na|em)\b)"
_SPANISH_VERB: Final = r"(?:guardes?|recuerdes?|registres?|memorices?|anotes?)"
_FRENCH_VERB: Final = r"(?:m[ée]morise[rz]?|garde[rz]?|note[rz]?|retiens|retenez|sauvegarde[rz]?|enregistre[rz]?)"
_ROMANCE: Final = (
    rf"\bno (?:l[oa] {_SPANISH_VERB}|{_SPANISH_VERB} (?:esto|eso|nada)){_ELSEWHERE}",
    rf"\b(?:ne |n['’]){_FRENCH_VERB} (?:pas (?:ça|cela|ceci)|rien){_ELSEWHERE}",
    rf"\bne (?:l[ea] |l['’]){_FRENCH_VERB} pas{_ELSEWHERE}",
    rf"\bnon (?:(?:salvare|memorizzare|ricordare|registrare) (?:questo|ciò|nulla|niente)|(?:salvar|memorizzar|ricordar|registrar)lo){_ELSEWHERE}",
    rf"\bnão (?:guarde|salve|registre|memorize|anote)s? (?:isso|isto|nada){_ELSEWHERE}",
)
_WISH: Final = re.compile("|".join((*_ENGLISH, *_GERMAN, *_ROMANCE)), re.IGNORECASE)


def is_off_the_record(text: str) -> bool:
    """Whether the author of a message asks that nothing is kept of it."""
    return _WISH.search(text) is not None
