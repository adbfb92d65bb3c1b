"""German sentences that say what a password, a PIN or another secret is, for `memd.domain.extraction.stated_secrets`."""

import re
from typing import Final

from memd.domain.german.text import folded
from memd.domain.text.alternatives import any_of, either

_KEY: Final = any_of("api wlan wifi zugangs wiederherstellungs lizenz verschluesselungs ssh netzwerk")
_CODE: Final = any_of(
    """
    zugangs zutritts tuer tor garagen alarm sicherheits entsperr wiederherstellungs verifizierungs bestaetigungs
    freischalt safe schloss wlan backup
    """
)
_WORD: Final = any_of("pin(?:-?(?:code|nummer))? pwd? puk token secret api-?key")
_END: Final = any_of(
    """
    (?:privat|geheim)e[rnms]?_schluessel pass_?woert(?:er)? passwort kennwort passphrase geheimzahl zugangsdaten
    losungswort safe-?kombination zahlenkombination
    """
)
_START: Final = r"(?<![^\W_])"
_NAMED: Final = either(rf"{_START}{_WORD}", rf"{_START}{_KEY}[- ]?schluessel", _END, rf"{_CODE}-?codes?") + r"\b"
"""Also the end of a compound: `WLAN-Passwort`, `Datenbankpasswort`."""
_OF_IT: Final = (
    r"(?: (?:fuers?|von|vom|zum|zur|zu|am|an|im|in|der|des|bei|beim|meine[rs]|unsere[rs]) (?:[\w.-]+ ){0,4}?[\w.-]+)?"
)
_IS: Final = any_of("ist sind lautet lauten war heisst bleibt waere")
_STILL: Final = any_of("jetzt nun noch immer weiterhin aktuell einfach derzeit momentan ab_sofort uebrigens")
_BE: Final = rf"(?: {_IS}(?: {_STILL})*:?|\s*[:=])\s*"
_SPAN: Final = (
    r"\d+ ?-?(?:zeichen|stellen|stellig\w*|ziffern|bits?|bytes?|tage\w*|stunden|minuten|wochen|monate\w*|jahre\w*)"
)
_NO_SECRET: Final = any_of(
    r"""
    zu sehr nicht kein\w* nie im in bei beim unter auf hinter an am vom von mit ohne pro nur fuer seit bis ab wie was wo
    dass ob der die das den ein\w* mein\w* dein\w* sein\w* unser\w* ihr\w* alle\w* so es dort da hier
    geheim\w* sicher\w* unsicher falsch richtig korrekt ungueltig gueltig abgelaufen weg verloren gestohlen geleakt leer
    lang kurz stark schwach wichtig schon bereits gespeichert hinterlegt verschluesselt gehasht geaendert notwendig noetig
    erforderlich pflicht bekannt unbekannt gesperrt blockiert dasselbe derselbe gleich einfach schwer leicht gut schlecht
    okay ok fertig verfuegbar vorhanden kaputt zurueckgesetzt erneuert \w+stellig besser wieder auch bald vergessen
    notiert aufgeschrieben geschuetzt erneuerbar bcrypt argon2\w* jwts? mindestens maximal hoechstens
    """
)
_NO_VALUE: Final = rf"(?!{either(_NO_SECRET, _SPAN)}\b)"
_SIGNED: Final = r"[\"'`„“]?(?=[^\s]*[\d_@#$%^&*!~+=/\\-])[^\s\"'`“”]{3,}"
_WORD_END: Final = r"[\"'`“”]?(?=[\s.,;:!?)]*(?:\Z|[,;.!?]\s|\bund\b|\bbitte\b|\baber\b))"
_STATES: Final = re.compile(
    rf"{_NAMED}{_OF_IT}{_BE}(?:[\"'`„“»][^\"'`“”«]{{3,}}[\"'`“”«]|{_NO_VALUE}(?:{_SIGNED}|[^\s\"'`“”]{{3,}}{_WORD_END}))",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    rf"{_NAMED}{_OF_IT}(?: \w+){{0,3}}? (?:auf|in|zu) {_NO_VALUE}[\"'`„“]?[^\s\"'`“”]{{3,}}[\"'`“”]? (?:geaendert|gesetzt|gestellt|umgestellt|zurueckgesetzt)\b",
    re.IGNORECASE,
)
_BESIDE: Final = re.compile(rf"{_NAMED}\s+[\"'`„“]?(?=[^\s]*\d)[^\s\"'`“”]{{4,}}", re.IGNORECASE)
_BEFORE: Final = re.compile(
    rf"(?<!\S){_SIGNED}[\"'`“”]? (?:ist|war|lautet)(?: jetzt| noch)? (?:mein|unser|der|die|das)\w*(?: [\w-]+){{0,2}}? {_NAMED}",
    re.IGNORECASE,
)
_MENTIONS: Final = re.compile(
    any_of(r"pass kennw pin pwd?\b puk token secret schluessel key code zahl kombination zugangsdaten losung"),
    re.IGNORECASE,
)


def contains_german_secret(text: str) -> bool:
    """Whether a German text says what a secret is: `Meine PIN ist 4471`, not `Die PIN liegt im Tresor`."""
    plain = folded(text)
    return bool(_MENTIONS.search(plain)) and any(form.search(plain) for form in (_STATES, _CHANGED, _BESIDE, _BEFORE))
