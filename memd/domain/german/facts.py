"""Facts that a German sentence states: where somebody lives and works, what something costs, when it is due.

Attributes have the English names of `memd.domain.facts.facts`, and dates and times are given as English writes them, so that
statements in both languages can be compared. Who is meant by a pronoun is not known, so such a sentence states nothing.
"""

import re
from typing import Final

from memd.domain.german.days import read_day, read_time, read_weekday
from memd.domain.german.order import NOW, in_plain_order
from memd.domain.text.stated import StatedValue, diet

_THE: Final = r"(?:der|die|das|den|dem|des|unsere?[mnrs]?|meine?[mnrs]?|diese[mnrs]?)\s+"
_ARTICLE: Final = re.compile(rf"^{_THE}", re.IGNORECASE)
_PHRASE: Final = rf"(?:{_THE})?(?P<phrase>[^\W\d_][^.,;:!?()]{{0,60}}?)"
_THING: Final = rf"{_THE}(?P<phrase>[^\W\d_][^.,;:!?()]{{1,60}}?)"
_CAPITALISED: Final = r"(?-i:[A-ZÄÖÜ])[\w'’-]+"
_PERSON: Final = rf"(?:(?:meine?|unsere?)\s+[\w-]+\s+(?P<name>{_CAPITALISED})|(?:(?:meine?|unsere?)\s+)?(?P<subject>{_CAPITALISED}(?:\s+{_CAPITALISED}){{0,2}}))"
"""Somebody; of `meine Schwester Lena` the name."""
_NO_NAMES: Final = """
    er sie es wir ihr du man wer was wo wann wie warum welche welcher welches hier dort da das dies jemand niemand jeder alle
    ihre sein seine dein deine kein keine keiner wenn falls ob dass weil jetzt nun heute gestern morgen vielleicht
"""
_NOT_SUBJECTS: Final = frozenset(_NO_NAMES.split())
_STILL: Final = r"wieder|zurück|aktuell|derzeit|momentan|zurzeit|weiterhin|immer\s+noch|noch|auch|schon|bereits|seit\s+[^,;.]{1,20}?|ab\s+[^,;.]{1,20}?"
_WHEN: Final = rf"(?:\s+(?:(?P<now>{NOW})|{_STILL})){{0,2}}"
_END: Final = (
    r"(?=\W*$|\s*[,;:!()](?!\d)|\.\s|\s+(?:und|aber|weil|seit|bis|nach|vor|mit|während|wenn|wo|als|statt|um|jetzt|nun|heute|ab"
    r"|inzwischen|mittlerweile|zusammen|allein)\b)"
)
_NAME: Final = (
    rf"(?P<value>(?-i:[A-ZÄÖÜ])[\w'’.-]*[\w](?:\s+(?:(?:am|an\s+der|im|bei)\s+)?(?-i:[A-ZÄÖÜ])[\w'’-]+){{0,3}}?){_END}"
)
_PLACE: Final = rf"(?P<value>{_CAPITALISED}(?:\s+{_CAPITALISED})?)"
_NO_PLACE: Final = r"(?!(?:[\w-]*(?:ung|schaft|heit|keit|zeit)|(?:unter)?miete|angst|armut|frieden|sorge|saus)\b)"
"""Before a value: `Lena lebt in Scheidung` and `wohnt in Untermiete` name no place."""
_NO_EMPLOYER: Final = r"(?!(?:[\w-]*(?:licht|wetter|geld|lohn)|tag|nacht|regen|hitze|kälte|musik|bedarf|spaß|frieden|kräften|sinnen|bewusstsein|laune|null)\b)"
"""Before a value: `Ich arbeite bei Nacht`."""
_AT_SOME_TIME: Final = r"(?:\s+(?:im|in|am|vor|letzte[nsr]?)\s+[^.,;]{1,20}?)?"
_FROM_PLACE: Final = r"(?:\s+von\s+[^.,;]{1,30}?)?"
_EMPLOYED: Final = (
    rf"bei\s+(?:de[rm]\s+)?(?P<value>{_CAPITALISED}(?:\s+{_CAPITALISED}){{0,3}})\s+(?:angestellt|beschäftigt)\b"
)
_RESIGNED: Final = (
    rf"(?:[^,;]{{1,30}}?\s+)?bei\s+(?:de[rm]\s+)?{_PLACE}\s+(?:(?:zum|im|am)\s+[^,;]{{1,25}}\s+)?gekündigt\b"
)
_ALLERGIC: Final = rf"(?P<first>allergisch\s+)?gegen\s+(?P<value>{_CAPITALISED}(?:\s+und\s+{_CAPITALISED})?)(?(first)(?=\W*$|\s*[,;])|\s+allergisch\b)"
_DIET: Final = r"(?:vegetari|vegan|pescetari|pesketari)\w*"
_LIVED: Final = (
    # attribute, whether the words state a change, whether they deny the value, the form
    ("residence", False, True, rf"{_PERSON}\s+(?:wohn|leb)(?:e|t|en)\s+nicht\s+mehr\s+in\s+{_NO_PLACE}{_NAME}"),
    ("residence", False, False, rf"{_PERSON}\s+(?:wohn|leb)(?:e|t|en){_WHEN}\s+in\s+{_NO_PLACE}{_NAME}"),
    (
        "residence",
        True,
        False,
        rf"{_PERSON}\s+(?:ist|sind|bin){_WHEN}{_AT_SOME_TIME}{_FROM_PLACE}\s+nach\s+{_PLACE}\s+(?:um)?gezogen\b",
    ),
    ("residence", True, False, rf"{_PERSON}\s+zog(?:en)?{_FROM_PLACE}\s+nach\s+{_NAME}"),
    (
        "employer",
        False,
        True,
        rf"{_PERSON}\s+arbeite[nt]?\s+nicht\s+mehr\s+(?:bei|für)\s+(?:de[rmn]\s+)?{_NO_EMPLOYER}{_NAME}",
    ),
    (
        "employer",
        False,
        False,
        rf"{_PERSON}\s+arbeite[nt]?{_WHEN}\s+(?:bei|für)\s+(?:de[rmn]\s+)?{_NO_EMPLOYER}{_NAME}",
    ),
    ("employer", False, True, rf"{_PERSON}\s+(?:bin|ist|sind)\s+nicht\s+mehr\s+{_EMPLOYED}"),
    (
        "employer",
        True,
        False,
        rf"{_PERSON}\s+(?:bin|ist|sind)\s+(?:wieder|zurück)\s+bei\s+(?:de[rm]\s+)?{_NO_EMPLOYER}{_NAME}(?=\W*$)",
    ),
    ("allergy", False, True, rf"{_PERSON}\s+(?:bin|ist|sind)\s+nicht\s+mehr\s+{_ALLERGIC}"),
    ("allergy", False, False, rf"{_PERSON}\s+(?:bin|ist|sind){_WHEN}\s+{_ALLERGIC}"),
    (
        "diet",
        False,
        True,
        rf"{_PERSON}\s+(?:bin|ist|sind)\s+(?:nicht\s+mehr|keine?)\s+(?P<value>{_DIET})(?=\W*$|\s*[,;]|\s+mehr\b)",
    ),
    ("diet", False, False, rf"{_PERSON}\s+(?:bin|ist|sind){_WHEN}\s+(?P<value>{_DIET})(?=\W*$|\s*[,;])"),
    ("employer", False, True, rf"{_PERSON}\s+ha(?:t|be)\s+{_RESIGNED}"),
    ("employer", False, False, rf"{_PERSON}\s+(?:bin|ist|sind){_WHEN}\s+{_EMPLOYED}"),
    (
        "employer",
        False,
        False,
        rf"{_PERSON}\s+(?:bin|ist|sind){_WHEN}\s+(?:angestellt|beschäftigt)\s+bei\s+(?:de[rm]\s+)?{_NAME}",
    ),
)
_NEW_JOB: Final = (
    rf"{_PERSON}\s+ha(?:t|be|ben){_WHEN}\s+(?:eine\s+(?:neue\s+)?(?:stelle|arbeit)|einen\s+(?:neuen\s+)?job)\s+bei\s+(?:de[rm]\s+)?"
    rf"(?P<value>{_CAPITALISED}(?:\s+{_CAPITALISED}){{0,3}})(?:\s+in\s+{_CAPITALISED})?\s+(?:bekommen|gefunden|angenommen|angetreten)\b"
)
_OF_PEOPLE: Final = tuple(
    (attribute, changed, denied, re.compile(rf"^{form}", re.IGNORECASE))
    for attribute, changed, denied, form in (*_LIVED, ("employer", True, False, _NEW_JOB))
)
_FIRST_PERSON: Final = re.compile(r"^(?:ich|wir)\s+", re.IGNORECASE)
_AMOUNT: Final = (
    r"(?:(?:etwa|rund|ca\.|maximal|höchstens|mindestens)\s+)?[€$£]?\d[\d.,]*(?:\s?(?:[%°€$£]|[^\W\d_][\w/²³]*)){0,3}?"
)
_COMPARED: Final = re.compile(
    r"\s(?:mehr|weniger|zu|so|(?:höher|niedriger|teurer|billiger|günstiger|größer|kleiner|länger|kürzer|älter|jünger"
    r"|wärmer|kälter|schneller|gestiegen|gesunken|gefallen|gewachsen|entfernt))\b",
    re.IGNORECASE,
)
"""In an amount by which something differs from another one: `20 % höher`, `30 Euro mehr`."""
_ENDED: Final = re.compile(_END, re.IGNORECASE)
_COUNT: Final = re.compile(rf"(?:auf\s+|bei\s+)?(?P<value>v?{_AMOUNT}){_END}", re.IGNORECASE)
_THOUSANDS: Final = re.compile(r"(?<=\d)\.(?=\d{3}\b)")
_ATTRIBUTES: Final = {
    "anzahl": "count",
    "budget": "budget",
    "deadline": "date",
    "dauer": "duration",
    "dosierung": "dosage",
    "dosis": "dose",
    "frist": "date",
    "gebühr": "fee",
    "gehalt": "salary",
    "grenze": "limit",
    "größe": "size",
    "höchstwert": "maximum",
    "intervall": "interval",
    "kapazität": "capacity",
    "kaution": "deposit",
    "kosten": "cost",
    "limit": "limit",
    "lohn": "wage",
    "miete": "rent",
    "mindestwert": "minimum",
    "nummer": "number",
    "port": "port",
    "preis": "price",
    "quote": "quota",
    "rabatt": "discount",
    "rate": "rate",
    "schwelle": "threshold",
    "schwellwert": "threshold",
    "termin": "date",
    "temperatur": "temperature",
    "timeout": "timeout",
    "uhrzeit": "time",
    "version": "version",
    "zeitlimit": "timeout",
    "ziel": "target",
}
_JOINED: Final = 5
"""Letters of a noun that is read at the end of a compound; `Sport` is not a port."""
_NOUNS: Final = "|".join(
    rf"(?<![\w-]){noun}" if len(noun) < _JOINED else noun for noun in sorted(_ATTRIBUTES, key=len, reverse=True)
)
_OF: Final = re.compile(
    rf"^(?P<attribute>(?:[\w-]+\s+)?[\w-]*?(?P<noun>{_NOUNS}))\s+(?:für|von|vom|des|der|im)\s+(?:{_THE})?(?P<subject>\S.*)$",
    re.IGNORECASE,
)
_LAST: Final = re.compile(rf"^(?:(?P<owner>.+)\s+)?(?P<compound>[\w-]*?)(?P<noun>{_NOUNS})$", re.IGNORECASE)
_CHARGES: Final = frozenset({"deposit", "fee", "rent"})
"""Attributes of nouns that cost something: what `die Miete kostet` is what `die Miete beträgt`."""
_KIND: Final = re.compile(r"\s(kalt|warm|netto|brutto)$", re.IGNORECASE)
"""After an amount: its kind; a rent may be stated in either kind."""
_OWNER_END: Final = re.compile(r"(?:s|['’])$")
_DEADLINE: Final = re.compile(r"(?:frist|deadline)\b", re.IGNORECASE)
_RAISED: Final = r"(?:erhöht|gesenkt|gekürzt|angehoben|reduziert|verschoben|vorverlegt|verlegt|verlängert|geändert|aufgestockt|gesetzt|gestiegen|gesunken|gewachsen)"
_FROM: Final = r"(?:\s+von\s+[^;]{1,30}?)?"
_MEASURED: Final = tuple(
    (changed, re.compile(rf"^{form}", re.IGNORECASE))
    for changed, form in (
        (True, rf"{_PHRASE}\s+(?:wurden?|ist|sind){_WHEN}{_FROM}\s+(?P<value>auf\s+[^;]{{1,40}}?)\s+{_RAISED}\b"),
        (
            True,
            rf"(?:wir|[^\W\d_]\w+)\s+ha(?:t|ben)\s+{_THING}{_FROM}\s+(?P<value>auf\s+[^;]{{1,40}}?)\s+{_RAISED}\b",
        ),
        (
            False,
            rf"{_PHRASE}\s+(?:beträgt|betragen|liegt|liegen|ist|sind|(?P<begins>beginnt|startet)|(?P<ends>endet)|findet){_WHEN}\s+(?P<value>\S.*)",
        ),
    )
)
_COSTS: Final = re.compile(rf"^{_PHRASE}\s+koste(?:t|n){_WHEN}\s+(?P<value>\d.*)", re.IGNORECASE)
_PORT: Final = re.compile(
    rf"^{_PHRASE}\s+(?:läuft|lauscht|hört){_WHEN}\s+auf\s+(?:dem\s+)?Port\s+(?P<value>\d{{1,5}})\b", re.IGNORECASE
)


def german_fact(sentence: str) -> StatedValue | None:
    """The fact that a German sentence states; None when it states none, or is in another language."""
    sentence = in_plain_order(sentence)
    if first := _FIRST_PERSON.match(sentence):
        found = _of_person(f"User {sentence[first.end() :]}")
        return found._replace(subject="user") if found else _measured(sentence)
    found = _of_person(sentence) or _on_port(sentence) or _costs(sentence) or _measured(sentence)
    return found if found and _is_named(found.subject) else None


def _is_named(subject: str) -> bool:
    words = subject.lower().split()
    return bool(words) and words[0] not in _NOT_SUBJECTS and any(word[0].isalpha() for word in words)


def _of_person(sentence: str) -> StatedValue | None:
    for attribute, changed, denied, form in _OF_PEOPLE:
        match = form.match(sentence)
        if match:
            is_new = changed or denied or bool(match.groupdict().get("now"))
            value = diet(match["value"]) if attribute == "diet" else match["value"]
            return StatedValue(match["name"] or match["subject"], attribute, value, is_new, denied)
    return None


def _on_port(sentence: str) -> StatedValue | None:
    match = _PORT.match(sentence)
    return match and StatedValue(match["phrase"], "port", match["value"], bool(match["now"]))


def _costs(sentence: str) -> StatedValue | None:
    match = _COSTS.match(sentence)
    value = match and _count(match["value"])
    if match is None or not value:
        return None
    noun = _LAST.match(match["phrase"])
    if noun and _ATTRIBUTES[noun["noun"].lower()] in _CHARGES:
        charge = _of(match["phrase"], match["value"], of_thing=True)
        return charge and charge._replace(changed=bool(match["now"]))
    return StatedValue(match["phrase"], "price", value, bool(match["now"]))


def _measured(sentence: str) -> StatedValue | None:
    for changed, form in _MEASURED:
        match = form.match(sentence)
        found = match and _of(match["phrase"], match["value"], of_thing=bool(_ARTICLE.match(sentence)) or changed)
        if match and found:
            named = match.groupdict()
            attribute = _of_period(
                found.attribute, match["phrase"], starts=bool(named.get("begins")), ends=bool(named.get("ends"))
            )
            return found._replace(attribute=attribute, changed=changed or bool(named.get("now")))
    return None


def _of_period(attribute: str, phrase: str, *, starts: bool, ends: bool) -> str:
    """The attribute, which differs for the beginning and the end of a period; a deadline is an end."""
    is_deadline = _DEADLINE.search(phrase) is not None
    if starts and is_deadline:
        return f"start-{attribute}"
    return f"end-{attribute}" if ends and not is_deadline and attribute in {"date", "time"} else attribute


def _of(phrase: str, text: str, *, of_thing: bool) -> StatedValue | None:
    """The fact of a noun phrase and what is said about it; without a noun for an attribute, a thing has a date or a time."""
    value, implied = _value(text)
    named, last = _OF.match(phrase), _LAST.match(phrase)
    found = named or last
    attribute = _ATTRIBUTES[found["noun"].lower()] if found else implied
    if value is None or attribute is None:
        return None
    if (implied is not None) != (attribute in {"date", "time"}):
        return StatedValue(phrase, implied, value) if implied and of_thing else None
    kind = _KIND.search(value)
    if kind:
        value, attribute = value[: kind.start()], f"{attribute}-{kind[1].lower()}"
    return StatedValue(_owner(phrase, named, last), attribute, value) if found or of_thing else None


def _owner(phrase: str, named: re.Match[str] | None, last: re.Match[str] | None) -> str:
    """The owner of the attribute in a noun phrase; the whole phrase if it names no owner."""
    if named:
        return named["subject"]
    owned = last and last["owner"] and last["owner"][0].isupper() and not last["compound"]
    return _OWNER_END.sub("", last["owner"]) if last and owned else phrase


def _value(text: str) -> tuple[str | None, str | None]:
    """The value with which a text begins, and the attribute that it is of when no other one is named."""
    for read, attribute in ((read_day, "date"), (read_weekday, "date"), (read_time, "time")):
        found = read(text)
        if found and _ENDED.match(text, found.length):
            return found.text, attribute
    return _count(text), None


def _count(text: str) -> str | None:
    """`40.000 Euro` is `40000 Euro`: in English, the point begins decimals."""
    match = _COUNT.match(text)
    if match is None or _COMPARED.search(match["value"]):
        return None
    return _THOUSANDS.sub("", match["value"]).rstrip(".,")
