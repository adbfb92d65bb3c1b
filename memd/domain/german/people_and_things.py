"""What German sentences say of people and things of their author: `Meine Schwester wohnt in Kiel`, `Der Server ist neu`.

The patterns read folded text (`text.folded`) from its beginning, for `memd.domain.extraction.german_statements`.
"""

import re
from typing import Final

from memd.domain.dates.weekdays import GERMAN_WEEKDAYS
from memd.domain.german.rules import DAY
from memd.domain.text.alternatives import any_of, either

_NAME: Final = r"(?-i:[A-Z])[\w-]+"
_NO_NOUN: Final = r"das es er sie wer was der die hier da dies\w* wenn wie wo"
_NOBODY_NAMED: Final = f"{_NO_NOUN} ich wir du man keiner jemand niemand alles nichts"
_PERSON: Final = any_of(
    """
    mutter vater eltern schwester bruder brueder geschwister sohn soehne tochter toechter oma opa onkel tante cousine?
    neffe nichte enkelin enkel mama papa chefin chef kollegin kollege kollegen partnerin partner freundin freund freunde
    nachbarin nachbar nachbarn vermieterin vermieter mitbewohnerin mitbewohner aerztin arzt therapeutin therapeut
    anwaeltin anwalt beraterin berater lehrerin lehrer trainerin trainer betreuerin betreuer leiterin leiter lead hebamme
    schwager schwaegerin managerin manager verlobter? vorgesetzter? mentorin mentor mann frau kind kinder zwillinge baby
    junge maedchen familie mitarbeiterin mitarbeiter hund huendin katze kater katzen hunde pferd azubi praktikantin
    praktikant kundin ansprechpartnerin team gattin gatte ex
    """
)
PEOPLE: Final = rf"\w*{_PERSON}"
_WHEN: Final = any_of(
    rf"""
    mittag mitternacht taeglich woechentlich monatlich jaehrlich halbjaehrlich {any_of(" ".join(GERMAN_WEEKDAYS))}s werktags
    """
)
VALUE: Final = either(r"\d", DAY, r"\b[\w-]+\.[a-z]{2,}\b", rf"\b{_WHEN}\b")
_OF_THE_MOMENT: Final = any_of(
    r"""
    tag wochenende tipp fazit kopf bauch gott ziel stand letzte\w* erste\w* test tests build funktion programm app seite
    terminal compiler rechner computer laptop pc handy internet
    """
)
_OWNED_VERB: Final = any_of(
    """
    ist sind heisst heissen hat haben hatten? wohnt wohnen lebt leben arbeitet arbeiten kostet kosten betraegt liegt laeuft endet
    beginnt startet findet kommt_aus faehrt besucht geht_(?:in|auf|zur) mag isst vertraegt spricht spielt studiert leitet
    gehoert verwendet nutzt braucht gilt bietet verkauft dauert oeffnet schliesst zieht zog starb lautet stammt
    unterrichtet trinkt feiert laufen nennt_sich besteht umfasst basiert wird wurde wechselt verdient betreut lernt darf
    kuemmert macht hasst liebt nutzen verwenden sprechen essen gehen verlaesst steht uebernimmt vertritt heiratet hoert
    """
)
OWNED: Final = re.compile(
    rf"(?:mein|unser)(?:e[mnrs]?|er)? (?:(?-i:[a-z]+[enrs]) ){{0,2}}"
    rf"(?!{_OF_THE_MOMENT}\b (?:ist|war|sind|waren|hat|hatten?|geht|wird)\b(?! (?:\S+ )?(?:am|im|ein|eine|bei|von|aus)\b))"
    rf"(?:(?-i:[A-Za-z])[\w-]+)(?: [\w.'-]+){{0,5}}? {_OWNED_VERB} (?!(?:das|es|dies|hier|so|ok|okay|da|weg|gerade)\b)\S+",
    re.IGNORECASE,
)
_OF_US: Final = r"\b(?:bei uns|uns|unser\w*|mein\w*|in der firma|im team|im projekt)\b"
_THING_VERB: Final = any_of(
    """
    ist sind laeuft laufen liegt liegen beginnt startet endet findet kostet kosten betraegt dauert oeffnet schliesst gilt
    gelten faellt muss steht stehen hat haben wird werden wurde wurden geht gehen nutzt verwendet speichert kommt heisst
    gehoert lauscht verlangt zahlt erlaubt liefert bietet braucht rotiert verfaellt bekommt besteht will moechte erwartet
    """
)
_IN_THIS_TALK: Final = any_of(
    r"""
    fehler\w* funktion code antwort ausgabe ergebnis zeile spalte test tests build bild button text absatz satz tabelle
    liste datei array schleife variable abfrage seite beispiel punkt option variante vorschlag loesung wert frage aufgabe
    erste zweite dritte letzte naechste artikel buch film video pdf dokument roman hauptstadt summe differenz zahl
    produkt winkel mittelwert durchschnitt gleichung nenner flaeche befehl parameter formel absatz erde sonne welt
    mensch\w*
    """
)
_NO_THING: Final = any_of(
    rf"""
    {_NO_NOUN} und oder ich wir du man ein\w* kein\w* jetzt dann so nur noch zeile seite fehler code test schritt punkt
    option variante
    """
)
_THING: Final = either(
    rf"(?:der|die|das|alle|jede[rs]?) (?:(?-i:[a-z]+[en]) )?(?!{_IN_THIS_TALK}\b)[\w/.-]+",
    rf"(?!{_NO_THING}\b)(?-i:[A-Z])[\w/.-]+",
)
THING: Final = re.compile(rf"{_THING}(?: [\w/.'-]+){{0,6}}? {_THING_VERB}\b.*", re.IGNORECASE)
SAID_OF: Final = re.compile(
    rf"{VALUE}|\b(?:zwei|drei|vier|fuenf|sechs|sieben|acht|neun|zehn|elf|zwoelf)\b|{_OF_US}", re.IGNORECASE
)
_UNNAMED: Final = any_of(f"{_NOBODY_NAMED} beides jetzt dann so heute morgen")
_ROLE: Final = either(
    r"(?:ist|sind|war|wird|heisst) (?:(?:jetzt|auch|seit \S+|ab \S+) )?(?:mein|meine|unser|unsere)\b"
    r" (?!(?:problem|frage|vorschlag|ziel|fehler)\b)\S+",
    r"(?:ist|sind) (?:bei uns |im team |hier )?(?:zustaendig|verantwortlich|ansprechpartner\w*) ",
    r"(?:leitet|uebernimmt|vertritt|betreut|verantwortet|verlaesst|unterstuetzt) (?!(?:das|es)\W*\Z)\S+",
    r"kuemmert sich um \S+",
)
NAMED: Final = re.compile(
    rf"(?!{_UNNAMED}\b)[\w-]{{2,}}(?: {_NAME})? {_ROLE}"
    rf"|(?:herr|frau) {_NAME} (?:ist|leitet|arbeitet|uebernimmt) \S+ \S+",
    re.IGNORECASE,
)
_TURNED: Final = any_of(
    """
    gekuendigt geheiratet befoerdert_worden entlassen_worden verlobt scheiden_lassen gestorben verstorben
    in_(?:rente|elternzeit|pension)_gegangen pensioniert umgezogen ausgezogen schwanger
    """
)
DONE_BY_SOMEBODY: Final = re.compile(
    rf"(?!{any_of(_NOBODY_NAMED)}\b){_NAME}(?: {_NAME})?"
    rf" (?:hat|haben|ist|sind)(?: (?!nicht\b|nie\b)\S+){{0,8}}? {_TURNED}\W*\Z",
    re.IGNORECASE,
)
"""`Petra hat zum 31. Januar gekündigt`."""
AT_OURS: Final = re.compile(
    r"bei uns (?:im \S+ |in der \S+ )?(?:gilt|gelten|ist|sind|gibt es|gibt'?s|laeuft|laufen|wird|werden|darf|duerfen|muss|macht"
    r"|kuemmert|heisst|arbeiten|wohnt|nutzt) (?!heute\b)\S+",
    re.IGNORECASE,
)
ON_BEHALF: Final = re.compile(
    r"(?:der|die|unser\w*) (?:kunden?|kundin|auftraggeber\w*|mandant\w*|investor\w*) (?:will|wollen|moechten?|braucht"
    r"|erwartet|bevorzugt|zahlt|nutzt|verlangt) \S+ \S+"
    r"|(?:fuer|in|an|mit|zu) (?:unser|mein)\w* \S+ (?:verwenden|nutzen|benutzen|nehmen|brauchen|gilt|ist|sind|haben"
    r"|zahlen|arbeiten) \S+",
    re.IGNORECASE,
)
