"""German sentences that say what a password, a PIN or another secret is, for `memd.domain.extraction.stated_secrets`."""

import re
from typing import Final

from memd.domain.german.text import folded

_NAMED: Final = (
    r"(?:(?<![^\W_])(?:pin(?:-?(?:code|nummer))?|pwd?|puk|token|secret|api-?key)|(?<![^\W_])(?:api|wlan|wifi|zugangs|wiederherstellungs|lizenz|verschluesselungs|ssh|netzwerk)[- ]?schluessel"
    r"|(?:privat|geheim)e[rnms]? schluessel|pass ?woert(?:er)?|passwort|kennwort|passphrase|geheimzahl|zugangsdaten|losungswort|safe-?kombination|zahlenkombination"
    r"|(?:zugangs|zutritts|tuer|tor|garagen|alarm|sicherheits|entsperr|wiederherstellungs|verifizierungs|bestaetigungs|freischalt|safe|schloss|wlan|backup)-?codes?)\b"
)
"""Also the end of a compound: `WLAN-Passwort`, `Datenbankpasswort`."""
_OF_IT: Final = (
    r"(?: (?:fuers?|von|vom|zum|zur|zu|am|an|im|in|der|des|bei|beim|meine[rs]|unsere[rs]) (?:[\w.-]+ ){0,4}?[\w.-]+)?"
)
_BE: Final = r"(?: (?:ist|sind|lautet|lauten|war|heisst|bleibt|waere)(?: (?:jetzt|nun|noch|immer|weiterhin|aktuell|einfach|derzeit|momentan|ab sofort|uebrigens))*:?|\s*[:=])\s*"
_NO_VALUE: Final = (
    r"(?!(?:zu|sehr|nicht|kein\w*|nie|im|in|bei|beim|unter|auf|hinter|an|am|vom|von|mit|ohne|geheim\w*|sicher\w*|unsicher|falsch|richtig|korrekt|ungueltig|gueltig|abgelaufen|weg|verloren|gestohlen"
    r"|geleakt|leer|lang|kurz|stark|schwach|wichtig|schon|bereits|gespeichert|hinterlegt|verschluesselt|gehasht|geaendert|notwendig|noetig|erforderlich|pflicht|bekannt|unbekannt|der|die|das|den|ein\w*"
    r"|mein\w*|dein\w*|sein\w*|unser\w*|ihr\w*|mindestens|maximal|hoechstens|\d+ ?-?(?:zeichen|stellen|stellig\w*|ziffern|bits?|bytes?|tage\w*|stunden|minuten|wochen|monate\w*|jahre\w*)|pro|nur|fuer|seit|bis|ab|wie|was|wo"
    r"|dass|ob|gesperrt|blockiert|dasselbe|derselbe|gleich|einfach|schwer|leicht|dort|da|hier|gut|schlecht|okay|ok|fertig|verfuegbar|vorhanden|kaputt|zurueckgesetzt|erneuert|\w+stellig|besser|wieder|auch"
    r"|bald|alle\w*|vergessen|notiert|aufgeschrieben|geschuetzt|erneuerbar|so|es|bcrypt|argon2\w*|jwts?)\b)"
)
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
    r"pass|kennw|pin|pwd?\b|puk|token|secret|schluessel|key|code|zahl|kombination|zugangsdaten|losung", re.IGNORECASE
)


def contains_german_secret(text: str) -> bool:
    """Whether a German text says what a secret is: `Meine PIN ist 4471`, not `Die PIN liegt im Tresor`."""
    plain = folded(text)
    return bool(_MENTIONS.search(plain)) and any(form.search(plain) for form in (_STATES, _CHANGED, _BESIDE, _BEFORE))
