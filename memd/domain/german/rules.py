"""Standing instructions, rules, goals and reminders in German (contract 11.6).

"Antworte immer auf Deutsch" applies to every answer, "Antworte kurz" to one. The patterns read folded text
(`text.folded`) of at most `requests.MAX_READ` characters from its beginning.
"""

import re
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS
from memd.domain.dates.weekdays import ENGLISH_WEEKDAYS

_MONTHS: Final = "|".join({*GERMAN_MONTHS, "maerz", "jaenner"} - {"märz", "jänner"})
_WEEKDAYS: Final = "|".join(ENGLISH_WEEKDAYS)
DAY: Final = (
    rf"(?:\d{{1,2}}\.(?:\d{{1,2}}\.|\s?(?:{_MONTHS})\b)|\b(?:{_WEEKDAYS})\b|\b(?:im|ende|anfang|mitte|bis|ab|seit) (?:(?:ende|anfang|mitte|zum) )?(?:{_MONTHS})\b"
    r"|(?-i:\bmorgen\b)|\A(?-i:Morgen)\b|\buebermorgen\b|\b(?:naechste[nrms]?|kommende[nrms]?|diese[nrms]?) (?:woche|monat|jahr|quartal|wochenende|sommer|winter|herbst|fruehling|"
    rf"{_WEEKDAYS})\b|\b(?:im|bis|ab|seit|anfang|ende|mitte)? ?(?:19|20)\d\d\b|\b(?:an|ueber|zu|vor|nach|bis) (?:weihnachten|ostern|pfingsten|silvester|neujahr)\b|\bim (?:winter|sommer|herbst|fruehling|fruehjahr)\b|\b(?:wochen|monats|quartals|jahres)ende\b"
    r"|\bende (?:der|des) (?:woche|monats|quartals|jahres)\b|\b\d{1,2}(?:[:.]\d\d)? uhr\b)"
)
"""A day, a longer time by the calendar, or a time of day."""
_LASTING: Final = re.compile(
    r"\b(?:immer|nie|niemals|stets|grundsaetzlich|generell|kuenftig|zukuenftig|in zukunft|(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?|jedes mal|nie wieder|nur noch|nicht mehr"
    r"|ausschliesslich|standardmaessig|prinzipiell|bei jede[mr]|vor jede[mr]|nach jede[mr]|in jede[mr]|in (?:allen|deinen|ihren) (?:antworten|texten|mails?|zusammenfassungen)"
    r"|ohne (?:(?:vorher|mich) ){0,2}(?:zu fragen|rueckfrage|ruecksprache|meine? (?:zustimmung|freigabe|erlaubnis|ok|okay|einverstaendnis))|ohne dass ich|ausser ich (?:sage?|bitte|frage|will)"
    r"|(?:jedes mal|immer|jeweils),? wenn|keine?n? [\w -]{2,40} mehr)\b",
    re.IGNORECASE,
)
_NOT_LASTING: Final = re.compile(
    r"\b(?:immer noch|noch immer|schon immer|wie immer|in (?:zeile|spalte|absatz|schritt) \d+|fuer immer|immer wieder|immer mehr|immer oefter|immer dasselbe|immer das gleiche|in diesem|in dieser|fuer diesen?|hier (?:bitte )?(?:immer|nie)|fuer immer)\b",
    re.IGNORECASE,
)
_STEMS: Final = (
    "schreib|antwort|geb|verwend|benutz|nutz|nimm|mach|sag|gib|erklaer|halt|fuehr|push|merge?|deploy|commit|loesch|aender|frag|zeig|fass|formatier|rechn|kommentier|sprich|sprech|red"
    "|verzicht|vermeid|nenn|fang|start|test|lass|bau|fueg|uebersetz|zitier|begruend|pruef|rund|beginn|spar|denk|erstell|speicher|leg|ruf|buch|bestell|plan|schlag|empfiehl|empfehl"
    "|erwaehn|entschuldig|schick|wiederhol|kuerz|bring|setz|stell|check|achte|bleib|arbeit|veroeffentlich|veroeffentliche|installier|release|gebrauch|haeng|beachte|ersetz|dokumentier"
)
_IMPERATIVE: Final = rf"(?:bitte )?(?:(?:immer|nie|niemals|grundsaetzlich|(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?|in zukunft|kuenftig|generell)(?: bitte)? )?(?:{_STEMS})(?:e|en|en sie|n sie|t)?\b"
_POLITE: Final = (
    r"(?:kannst|koenntest|koennten|koennen|wuerdest|wuerden|sollst|sollen|sollt|darfst|duerfen|musst|muessen)"
)
_INSTRUCTION: Final = re.compile(
    rf"(?:{_IMPERATIVE}(?! (?:das|es|dies|diesen?|dieses|den text|den code) )"
    rf"|(?:du|sie) {_POLITE}\b"
    r"|(?:ich|wir) (?:moechten?|will|wollen|haetten?|wuensche|bevorzuge|mag|brauche) (?:dass|lieber|gerne?|mir|,|von dir|keine?n?|immer|nie|kuenftig|ab|in|generell|grundsaetzlich)"
    r"|(?:bitte )?(?:immer|niemals|nie|grundsaetzlich|generell|stets|kuenftig|in zukunft|(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?)(?: bitte)? (?:(?!(?:ich|wir|du|er|sie|es|man|wenn)\b)\S+ ){0,16}(?-i:[a-z]\S*(?:en|ern|eln))\W*\Z"
    r"|(?:bitte )?(?:immer|niemals|nie|grundsaetzlich|generell|kuenftig|in zukunft|(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?) (?:bitte|nur|keine?n?|alle[sn]?|auf|in|mit|ohne) \S+"
    r"|(?:bitte )?(?!(?:ich|wir|du|er|sie|es|man|das|die|der|mein|meine|unser|unsere)\b)(?=.{0,200}(?:\bbitte\b|\b(?:englisch|deutsch|franzoesisch|italienisch|spanisch)\W*\Z|(?-i:[a-z]en)\W*\Z))[\w-]+(?: [\w-]+){0,3}(?: bitte)? (?:immer|niemals|nie|stets|grundsaetzlich|generell|nur noch|ausschliesslich) (?:auf|in|mit|ohne|als|per|ueber|nach|vor|unter|zuerst|am)\b"
    r"|(?:immer|jedes mal|jeweils),? wenn (?:du|sie)\b"
    r"|wenn (?:du|sie) .{3,80}, (?:dann )?(?:bitte )?(?:\w+ ){0,4}?(?:immer|nie|niemals|grundsaetzlich|stets)\b"
    r"|(?:bitte )?keine?n? [\w -]{2,40} mehr\b)",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(
    r"(?:bitte )?(?:duz|siez)(?:e|en sie|t)? (?:mich|uns)\b|(?:bitte )?(?:nenn|nennt|nenne|nennen sie) mich (?:bitte |einfach |ab jetzt |doch |lieber ){0,2}(?!(?:nicht|mal|einen|eine|doch)\b)\w+"
    r"|(?:du|sie) (?:kannst|darfst|koennen|duerfen) mich (?:gerne? |ruhig |einfach |auch ){0,2}(?:duzen|siezen|\w+ nennen)"
    r"|wir koennen uns (?:gerne? |ruhig )?(?:duzen|siezen)|(?:bitte )?(?:sag|sagen sie|sprich|sprechen sie) (?:bitte )?(?:(?:du|sie) zu mir|mich (?:bitte )?mit .{2,40} an\b)",
    re.IGNORECASE,
)
_STYLE: Final = re.compile(
    r"(?:bitte )?(?:(?:verwende?|benutze?|nutze?|schreibe?|nimm|mach)(?:n sie|en sie)? )?(?:bitte )?keine (?:\w+ )?(?:emojis?|emoticons?|smileys?|aufzaehlungen|aufzaehlungspunkte|bullet ?points?|ausrufezeichen|gedankenstriche|anglizismen"
    r"|floskeln|fuellwoerter|abkuerzungen|fachbegriffe|ueberschriften|markdown-?\w*|entschuldigungen|komplimente|disclaimer|schachtelsaetze)\b(?: (?:bitte|verwenden|benutzen|nutzen|schreiben|mehr))*\W*\Z",
    re.IGNORECASE,
)
_PREFERENCE: Final = re.compile(
    r"(?:ich|wir) (?:bevorzuge|moechten?|haetten?|will|wollen|mag|wuensche mir)(?: es)?(?: (?:lieber|gerne?|immer|am liebsten|eher|bitte|nur)){0,3} (?:(?!(?:eine?n?|die|den|das)\b)[\w-]+ ){0,3}?(?:antworten|erklaerungen|zusammenfassungen|codebeispiele|emojis|commit-\w+)\b",
    re.IGNORECASE,
)
_NO_AUXILIARY: Final = r"(?!(?:haben?|hatten?|hab|sind|bin|waren?|kommen?|freuen?|lachen?|sehen?|denken?|wollen?|moechten?|koennen?|mussten?)\b)"
_RULE: Final = re.compile(
    rf"(?:wir|bei uns (?:wird|werden)|(?:das|unser) team) {_NO_AUXILIARY}(?:\w+ )?(?:\S+ ){{0,5}}?(?:nie|niemals|immer|grundsaetzlich|stets|ausschliesslich|prinzipiell|nur (?:mit|nach|ueber|per))\b"
    r"|keine? [\w-]+(?: [\w-]+)? ohne [\w-]+\W*\Z"
    r"|(?!(?:ich|es|das|dies|du|er|sie|man|wer|hier|wenn|was|mein|meine)\b)(?:\S+ ){1,7}?(?:muss|muessen|darf|duerfen|soll|sollen|sollten?) (?:\S+ ){0,6}?(?:immer|nie|niemals|stets|nicht (?:ohne|ins?|am|vor|nach|direkt|auf)|keinesfalls|zwingend|unbedingt|grundsaetzlich)\b"
    r"|(?:jede[rsmn]?|alle|kein|keine|keiner|niemand) (?:\S+ ){0,6}?(?:muss|muessen|darf|duerfen|braucht|brauchen)\b(?! (?:mich|uns|mir)\b)"
    r"|(?!(?:es|das|dies)\b)(?:\S+ ){1,8}?(?:ist|sind) (?:\S+ ){0,4}?(?:verboten|pflicht|tabu|untersagt|vorgeschrieben|vorschrift|nicht erlaubt|nicht gestattet|obligatorisch)\b"
    r"|(?:(?:unsere |haus|team|neue )?regel|richtlinie|konvention|vorgabe)(?: (?:bei uns|im team|fuer \w+))?(?: (?:ist|lautet)|:)"
    r"|(?:die|unsere) (?:\w*regel|\w*richtlinie|\w*konvention|\w*vorgabe) (?:bei uns |im team |fuer \w+ )?(?:ist|lautet)\b",
    re.IGNORECASE,
)
_REMINDER: Final = re.compile(
    r"(?:bitte )?erinner(?:e|n sie|t)? (?:mich|uns)\b(?! (?:nicht|an nichts|nie)\b)(?=.{6})|(?:(?:denke?|denken sie) (?:bitte )?daran|vergiss(?:en sie)? (?:bitte )?nicht), mich\b.{4,}erinnern",
    re.IGNORECASE,
)
_ASKED_TO_REMIND: Final = re.compile(
    r"(?:kannst|koenntest|wuerdest|magst|koennen|koennten|wuerden) (?:du|sie) (?:mich|uns) .{6,200} erinnern\W*\Z",
    re.IGNORECASE,
)
_PLAN: Final = r"(?:lernen|umziehen|auswandern|heiraten|abnehmen|kuendigen|aufhoeren|selbststaendig machen|selbstaendig machen|promovieren|studieren|marathon \w+|abschliessen|umsteigen|ersparen|ansparen)"
_GOAL: Final = re.compile(
    r"(?:mein|unser)(?:e|es|er)? (?:\w+ )?(?:\w*ziel|\w*traum|\w*vorsatz|vorhaben)\b(?: (?:fuer|bis|in|im) [^,;]{2,30}?)? (?:ist|waere|bleibt|lautet)\b|(?:mein |unser )?ziel:"
    rf"|(?:ich|wir) (?:muss|muessen) (?!(?:das|es|den|dich|dir)\b)(?=.{{0,120}}(?:{DAY}))(?!.{{0,60}}\b(?:heute|gleich|jetzt)\b).{{6,}}"
    rf"|(?:ich|wir) (?:will|wollen|moechten?|plane|planen|hab vor|habe vor|haben vor|beabsichtigen?)\b(?! (?:wissen|fragen|sagen|das|es|gerade)\b)(?!.{{0,160}}\b(?:antwort|loesung|hilfe)\b)(?:(?=.{{0,120}}(?:{DAY}))|(?=.{{0,120}} {_PLAN}\W*\Z)).{{8,}}"
    r"|(?:ich|wir) (?:plane|planen|haben? vor|hab vor|beabsichtigen?)\b(?=.{8})"
    rf"|(?:die|unsere|meine) (?:[\w-]*(?:deadline|frist|abgabe))\b.{{0,60}}? (?:ist|endet|laeuft|liegt)\b.{{0,30}}(?:{DAY})|(?:der|unser|mein) (?:[\w-]*abgabetermin|[\w-]*stichtag)\b.{{0,60}}? (?:ist|liegt)\b.{{0,30}}(?:{DAY})",
    re.IGNORECASE,
)


def is_german_rule(text: str, *, alone: bool) -> bool:
    """Whether it is a rule, or an instruction for every answer; `alone`: the message says nothing else.

    A ban of a style is for one answer where the message asks for something else as well: `Keine Emojis bitte`.
    """
    if _ADDRESS.match(text) or _PREFERENCE.match(text) or (alone and _STYLE.match(text)):
        return True
    if _NOT_LASTING.search(text):
        return False
    return bool(_RULE.match(text) or (_INSTRUCTION.match(text) and _LASTING.search(text)))


def is_german_reminder(text: str) -> bool:
    """Whether it asks to be reminded of something, which may be put as a question."""
    return bool(_REMINDER.match(text) or _ASKED_TO_REMIND.match(text))


def is_german_goal(text: str) -> bool:
    """Whether it says what its author wants to reach, or has to do by a day."""
    return _GOAL.match(text) is not None
