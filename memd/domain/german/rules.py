"""Standing instructions, rules, goals and reminders in German (contract 11.6).

"Antworte immer auf Deutsch" applies to every answer, "Antworte kurz" to one. The patterns read folded text
(`text.folded`) of at most `requests.MAX_READ` characters from its beginning.
"""

import re
from typing import Final

from memd.domain.dates.months import GERMAN_MONTHS
from memd.domain.dates.weekdays import ENGLISH_WEEKDAYS
from memd.domain.german.text import folded
from memd.domain.text.alternatives import any_of, either

_WE: Final = r"(?:ich|wir)"
_MONTH: Final = either(*map(folded, GERMAN_MONTHS))
_WEEKDAY: Final = either(*ENGLISH_WEEKDAYS)
DAY: Final = either(
    rf"\d{{1,2}}\.(?:\d{{1,2}}\.|\s?{_MONTH}\b)",
    rf"\b{_WEEKDAY}\b",
    rf"\b(?:im|ende|anfang|mitte|bis|ab|seit) (?:(?:ende|anfang|mitte|zum) )?{_MONTH}\b",
    r"(?-i:\bmorgen\b)",
    r"\A(?-i:Morgen)\b",
    r"\buebermorgen\b",
    r"\b(?:naechste[nrms]?|kommende[nrms]?|diese[nrms]?)"
    rf" (?:woche|monat|jahr|quartal|wochenende|sommer|winter|herbst|fruehling|{_WEEKDAY})\b",
    r"\b(?:im|bis|ab|seit|anfang|ende|mitte)? ?(?:19|20)\d\d\b",
    r"\b(?:an|ueber|zu|vor|nach|bis) (?:weihnachten|ostern|pfingsten|silvester|neujahr)\b",
    r"\bim (?:winter|sommer|herbst|fruehling|fruehjahr)\b",
    r"\b(?:wochen|monats|quartals|jahres)ende\b",
    r"\bende (?:der|des) (?:woche|monats|quartals|jahres)\b",
    r"\b\d{1,2}(?:[:.]\d\d)? uhr\b",
)
"""A day, a longer time by the calendar, or a time of day."""
_FROM_NOW: Final = r"(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?"
_ALWAYS: Final = either(
    any_of("immer nie niemals stets grundsaetzlich generell kuenftig zukuenftig in_zukunft"),
    _FROM_NOW,
    any_of("jedes_mal nie_wieder nur_noch nicht_mehr ausschliesslich standardmaessig prinzipiell"),
    any_of("bei_jede[mr] vor_jede[mr] nach_jede[mr] in_jede[mr]"),
    r"in (?:allen|deinen|ihren) (?:antworten|texten|mails?|zusammenfassungen)",
    r"ohne (?:(?:vorher|mich) ){0,2}(?:zu fragen|rueckfrage|ruecksprache"
    r"|meine? (?:zustimmung|freigabe|erlaubnis|ok|okay|einverstaendnis))",
    r"ohne dass ich",
    r"ausser ich (?:sage?|bitte|frage|will)",
    r"(?:jedes mal|immer|jeweils),? wenn",
    r"keine?n? [\w -]{2,40} mehr",
)
_LASTING: Final = re.compile(rf"\b{_ALWAYS}\b", re.IGNORECASE)
_ONCE: Final = any_of(
    r"""
    immer_noch noch_immer schon_immer wie_immer in_(?:zeile|spalte|absatz|schritt)_\d+ fuer_immer immer_wieder immer_mehr
    immer_oefter immer_dasselbe immer_das_gleiche in_diese[mr](?!_(?:projekt|repo\w*|codebase|team)\b) fuer_diesen? hier_(?:bitte_)?(?:immer|nie)
    """
)
_NOT_LASTING: Final = re.compile(rf"\b{_ONCE}\b", re.IGNORECASE)
_STEM: Final = any_of(
    """
    schreib antwort geb verwend benutz nutz nimm mach sag gib erklaer halt fuehr push merge? deploy committ? loesch aender
    frag zeig fass formatier rechn kommentier sprich sprech red verzicht vermeid nenn fang start test lass bau fueg
    uebersetz zitier begruend pruef rund beginn spar denk erstell speicher leg ruf buch bestell plan schlag empfiehl
    empfehl erwaehn entschuldig schick wiederhol kuerz bring setz stell check achte bleib arbeit veroeffentlich
    veroeffentliche installier release gebrauch haeng beachte ersetz dokumentier
    """
)
_IMPERATIVE: Final = (
    rf"(?:bitte )?(?:(?:immer|nie|niemals|grundsaetzlich|{_FROM_NOW}|in zukunft|kuenftig|generell)(?: bitte)? )?"
    rf"{_STEM}(?:e|en|en sie|n sie|t)?\b"
)
_MODAL: Final = any_of(
    "kannst koenntest koennten koennen wuerdest wuerden sollst sollen sollt darfst duerfen musst muessen"
)
_LANGUAGE: Final = any_of("englisch deutsch franzoesisch italienisch spanisch")
_INSTRUCTION: Final = re.compile(
    either(
        rf"{_IMPERATIVE}(?! (?:das|es|dies|diesen?|dieses|den text|den code) )",
        rf"(?:du|sie) {_MODAL}\b",
        rf"{_WE} (?:moechten?|will|wollen|haetten?|wuensche|bevorzuge|mag|brauche)"
        r" (?:dass|lieber|gerne?|mir|,|von dir|keine?n?|immer|nie|kuenftig|ab|in|generell|grundsaetzlich)",
        rf"(?:bitte )?(?:immer|niemals|nie|grundsaetzlich|generell|stets|kuenftig|in zukunft|{_FROM_NOW})(?: bitte)?"
        r" (?:(?!(?:ich|wir|du|er|sie|es|man|wenn)\b)\S+ ){0,16}(?-i:[a-z]\S*(?:en|ern|eln))\W*\Z",
        rf"(?:bitte )?(?:immer|niemals|nie|grundsaetzlich|generell|kuenftig|in zukunft|{_FROM_NOW})"
        r" (?:bitte|nur|keine?n?|alle[sn]?|auf|in|mit|ohne) \S+",
        r"(?:bitte )?(?!(?:ich|wir|du|er|sie|es|man|das|die|der|mein|meine|unser|unsere)\b)"
        rf"(?=.{{0,200}}(?:\bbitte\b|\b{_LANGUAGE}\W*\Z|(?-i:[a-z]en)\W*\Z))[\w-]+(?: [\w-]+){{0,3}}(?: bitte)?"
        r" (?:immer|niemals|nie|stets|grundsaetzlich|generell|nur noch|ausschliesslich)"
        r" (?:auf|in|mit|ohne|als|per|ueber|nach|vor|unter|zuerst|am)\b",
        r"(?:immer|jedes mal|jeweils),? wenn (?:du|sie)\b",
        r"wenn (?:du|sie) .{3,80}, (?:dann )?(?:bitte )?(?:\w+ ){0,4}?(?:immer|nie|niemals|grundsaetzlich|stets)\b",
        r"(?:bitte )?keine?n? [\w -]{2,40} mehr\b",
    ),
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(
    either(
        r"(?:bitte )?(?:duz|siez)(?:e|en sie|t)? (?:mich|uns)\b",
        r"(?:bitte )?(?:nenn|nennt|nenne|nennen sie) mich (?:bitte |einfach |ab jetzt |doch |lieber ){0,2}"
        r"(?!(?:nicht|mal|einen|eine|doch)\b)\w+",
        r"(?:du|sie) (?:kannst|darfst|koennen|duerfen) mich (?:gerne? |ruhig |einfach |auch ){0,2}"
        r"(?:duzen|siezen|\w+ nennen)",
        r"wir koennen uns (?:gerne? |ruhig )?(?:duzen|siezen)",
        r"(?:bitte )?(?:sag|sagen sie|sprich|sprechen sie) (?:bitte )?"
        r"(?:(?:du|sie) zu mir|mich (?:bitte )?mit .{2,40} an\b)",
    ),
    re.IGNORECASE,
)
_OF_STYLE: Final = any_of(
    r"""
    emojis? emoticons? smileys? aufzaehlungen aufzaehlungspunkte bullet_?points? ausrufezeichen gedankenstriche
    anglizismen floskeln fuellwoerter abkuerzungen fachbegriffe ueberschriften markdown-?\w* entschuldigungen komplimente
    disclaimer schachtelsaetze (?:kommentare|docstrings|todos)(?=_(?:im_code|in_(?:commits|tests))\b)
    """
)
_STOP: Final = re.compile(
    either(
        r"hoer(?:e|t|en sie)? (?:bitte |endlich )?auf,? (?:bitte )?"
        + either(
            rf"(?:mit (?:den |deinen |diesen )?|(?:so viele |staendig |immer )?){_OF_STYLE}\b",
            r"(?:\S+ ){0,3}?(?:staendig|immer|dauernd|jedes mal|in jeder antwort) (?:.{0,60} )?zu \w+",
            r"dich zu (?:entschuldigen|wiederholen)",
        ),
        rf"lass(?:t|en sie)? (?:bitte )?(?:die |deine |diese |immer )*{_OF_STYLE} (?:bitte |immer )*(?:weg|sein)\b",
    ),
    re.IGNORECASE,
)
"""What is to end for all answers: `Hör auf, dich ständig zu entschuldigen`."""
_STYLE: Final = re.compile(
    r"(?:bitte )?(?:(?:verwende?|benutze?|nutze?|schreibe?|nimm|mach)(?:n sie|en sie)? )?(?:bitte )?"
    rf"keine (?:\w+ )?{_OF_STYLE}\b(?: (?:bitte|verwenden|benutzen|nutzen|schreiben|mehr|im code|in (?:commits|tests)))*"
    r"(?:[,;] (?:wir|ich|bei uns|unser\w*)\b.{2,80}|\W*\Z)",
    re.IGNORECASE,
)
_DISLIKED: Final = re.compile(
    rf"{_WE} (?:mag|moegen|hasse|hassen) es (?:(?:gar |ueberhaupt )?nicht)?,? wenn (?:du|sie) \S", re.IGNORECASE
)
"""`Ich mag es nicht, wenn du so lange antwortest`."""
_PREFERENCE: Final = re.compile(
    rf"{_WE} (?:bevorzuge|moechten?|haetten?|will|wollen|mag|wuensche mir)(?: es)?"
    r"(?: (?:lieber|gerne?|immer|am liebsten|eher|bitte|nur)){0,3} (?:(?!(?:eine?n?|die|den|das)\b)[\w-]+ ){0,3}?"
    r"(?:antworten|erklaerungen|zusammenfassungen|codebeispiele|emojis|commit-\w+)\b",
    re.IGNORECASE,
)
_NO_AUXILIARY: Final = any_of(
    """
    haben? hatten? hab sind bin waren? kommen? freuen? lachen? sehen? denken? wollen? moechten? koennen? mussten?
    """
)
_FORBIDDEN: Final = any_of(
    """
    verboten pflicht tabu untersagt vorgeschrieben vorschrift nicht_erlaubt nicht_gestattet obligatorisch
    """
)
_RULE: Final = re.compile(
    either(
        rf"(?:wir|bei uns (?:wird|werden)|(?:das|unser) team) (?!{_NO_AUXILIARY}\b)(?:\w+ )?(?:\S+ ){{0,5}}?"
        r"(?:nie|niemals|immer|grundsaetzlich|stets|ausschliesslich|prinzipiell|nur (?:mit|nach|ueber|per))\b",
        r"keine? [\w-]+(?: [\w-]+)? ohne [\w-]+\W*\Z",
        r"(?!(?:ich|es|das|dies|du|er|sie|man|wer|hier|wenn|was|mein|meine)\b)(?:\S+ ){1,7}?"
        r"(?:muss|muessen|darf|duerfen|soll|sollen|sollten?) (?:\S+ ){0,6}?(?:immer|nie|niemals|stets"
        r"|nicht (?:ohne|ins?|am|vor|nach|direkt|auf)|keinesfalls|zwingend|unbedingt|grundsaetzlich)\b",
        r"(?:jede[rsmn]?|alle|kein|keine|keiner|niemand) (?:\S+ ){0,6}?"
        r"(?:muss|muessen|darf|duerfen|braucht|brauchen)\b(?! (?:mich|uns|mir)\b)",
        rf"(?!(?:es|das|dies)\b)(?:\S+ ){{1,8}}?(?:ist|sind) (?:\S+ ){{0,4}}?{_FORBIDDEN}\b",
        r"(?:(?:unsere |haus|team|neue )?regel|richtlinie|konvention|vorgabe)(?: (?:bei uns|im team|fuer \w+))?"
        r"(?: (?:ist|lautet)|:)",
        r"(?:die|unsere) (?:\w*regel|\w*richtlinie|\w*konvention|\w*vorgabe) (?:bei uns |im team |fuer \w+ )?"
        r"(?:ist|lautet)\b",
    ),
    re.IGNORECASE,
)
_REMINDER: Final = re.compile(
    r"(?:bitte )?erinner(?:e|n sie|t)? (?:mich|uns)\b(?! (?:nicht|an nichts|nie)\b)(?=.{6})"
    r"|(?:(?:denke?|denken sie) (?:bitte )?daran|vergiss(?:en sie)? (?:bitte )?nicht), mich\b.{4,}erinnern",
    re.IGNORECASE,
)
_ASKED_TO_REMIND: Final = re.compile(
    r"(?:kannst|koenntest|wuerdest|magst|koennen|koennten|wuerden) (?:du|sie) (?:mich|uns) .{6,200} erinnern\W*\Z",
    re.IGNORECASE,
)
_PLAN: Final = any_of(
    r"""
    lernen umziehen auswandern heiraten abnehmen kuendigen aufhoeren selbststaendig_machen selbstaendig_machen
    promovieren studieren marathon_\w+ abschliessen umsteigen ersparen ansparen
    """
)
_GOAL: Final = re.compile(
    either(
        r"(?:mein|unser)(?:e|es|er)? (?:\w+ )?(?:\w*ziel|\w*traum|\w*vorsatz|vorhaben)\b"
        r"(?: (?:fuer|bis|in|im) [^,;]{2,30}?)? (?:ist|waere|bleibt|lautet)\b",
        r"(?:mein |unser )?ziel:",
        rf"{_WE} (?:muss|muessen) (?!(?:das|es|den|dich|dir)\b)(?=.{{0,120}}{DAY})"
        r"(?!.{0,60}\b(?:heute|gleich|jetzt)\b).{6,}",
        rf"{_WE} (?:will|wollen|moechten?|plane|planen|hab vor|habe vor|haben vor|beabsichtigen?)\b"
        r"(?! (?:wissen|fragen|sagen|das|es|gerade)\b)(?!.{0,160}\b(?:antwort|loesung|hilfe)\b)"
        rf"(?:(?=.{{0,120}}{DAY})|(?=.{{0,120}} {_PLAN}\W*\Z)).{{8,}}",
        rf"{_WE} (?:plane|planen|haben? vor|hab vor|beabsichtigen?)\b(?=.{{8}})",
        rf"(?:die|unsere|meine) (?:[\w-]*(?:deadline|frist|abgabe))\b"
        rf".{{0,60}}? (?:ist|endet|laeuft|liegt)\b.{{0,30}}{DAY}",
        rf"(?:der|unser|mein) (?:[\w-]*abgabetermin|[\w-]*stichtag)\b.{{0,60}}? (?:ist|liegt)\b.{{0,30}}{DAY}",
    ),
    re.IGNORECASE,
)

_SETTING: Final = re.compile(r"\A(?:in|bei) (?:diesem|unserem) (?:projekt|repo\w*|team),? ", re.IGNORECASE)
"""Where a rule holds: `In diesem Projekt bitte nie Mocks verwenden`."""


def is_german_rule(text: str, *, alone: bool) -> bool:
    """Whether it is a rule, or an instruction for every answer; `alone`: the message says nothing else.

    A ban of a style is for one answer where the message asks for something else as well: `Keine Emojis bitte`.
    """
    text = _SETTING.sub("", text)
    if (
        _ADDRESS.match(text)
        or _STOP.match(text)
        or _DISLIKED.match(text)
        or _PREFERENCE.match(text)
        or (alone and _STYLE.match(text))
    ):
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
