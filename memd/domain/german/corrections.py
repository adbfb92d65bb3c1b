"""German words of corrections (`memd.domain.text.corrections`): `Nein, doch am 4. Dezember`, `Ich meinte Dienstag`."""

import re
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS
from memd.domain.dates.weekdays import ENGLISH_WEEKDAYS
from memd.domain.text.alternatives import either
from memd.domain.text.corrections import AMOUNT, CorrectionForms

_MONTH: Final = either(*GERMAN_MONTHS)

GERMAN_CORRECTIONS: Final = CorrectionForms(
    sorts={
        "day": rf"\d{{1,2}}\.\s?(?:{_MONTH}\b(?:\s\d{{4}}\b)?|\d{{1,2}}\.(?:\d{{4}}|\d\d)?(?!\d))",
        "weekday": rf"{either(*ENGLISH_WEEKDAYS)}(?:vormittag|mittag|nachmittag|abend)?\b",
        "clock": r"(?:halb|viertel (?:vor|nach)) \w+\b|\d{1,2}(?:[:.]\d\d)? ?uhr\b(?: \d\d?\b)?|\d{1,2}:\d\d\b",
        "month": rf"{_MONTH}\b(?:\s\d{{4}}\b)?",
        "amount": rf"{AMOUNT}(?: ?(?:€|%|(?!uhr\b)[^\W\d_]+))?",
    },
    refusal=r"(?:(?:ach|oh|äh|ähm|ups|mist|hm|ja|und|quatsch),? )?(?:nein|nee|ne|halt|moment|warte|stopp|sorry|entschuldigung|entschuldige|verzeihung|pardon|ups|quatsch|blödsinn)",
    fault=r"(?:(?:kleine )?korrektur|(?:das )?(?:war|ist) (?:falsch|ein fehler|mein fehler|ein tippfehler)|das stimmt nicht|stimmt nicht|ich habe mich (?:vertan|vertippt|geirrt|verschrieben)|vertippt|tippfehler)",
    meant=r"(?:ich (?:meinte|meine)(?: natürlich| eigentlich| doch)?|gemeint (?:war|ist)|es (?:sollte|muss|müsste)(?: natürlich)? heißen:?|richtig (?:ist|wäre))",
    still="doch",
    be=r"(?:(?:es|er|sie|das|die|der)(?: \w+)? (?:ist|sind|war|kostet|kosten|beginnt|findet)(?: \w+)? )",
    before=r"(?:(?:erst |schon |auch )?(?:am|um|im|in|auf|auf den|ab|ab dem|bis|bis zum|der|den|dem|die|gegen|für|bei) )?",
    instead="statt|und nicht|nicht",
    but_not="und nicht|nicht",
    closing="statt|statt dessen|stattdessen|sorry|entschuldigung|bitte|natürlich|gemeint|meinte ich",
    name=r"(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)?",
    unit=re.compile(r"(?-i:[^a-zäöüß])"),
    units={"€": "euro", "eur": "euro", "%": "prozent"},
    mark="Korrektur",
)
"""A number counts a noun or a sign: the `und` of `Ich bin 30 und Lehrer` is no unit."""
