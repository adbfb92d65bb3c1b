"""What German sentences say of their author: `Ich wohne in Kiel`, `Wir haben zwei Katzen`, `Ich fliege am 3. Mai`.

The patterns read folded text (`text.folded`) from its beginning, for `memd.domain.extraction.german_statements`.
"""

import re
from typing import Final

from memd.domain.dates.weekdays import GERMAN_WEEKDAYS
from memd.domain.german.rules import DAY
from memd.domain.text.alternatives import any_of, either

_WE: Final = r"(?:ich|wir)"
_HAVE: Final = r"(?:haben?|hab)"
_NO_OBJECT: Final = (
    r"(?!\s+(?:es|das|dies|diese[mnrs]?|deine?[mnrs]?|sowas|so was|so etwas|folgende[mnrs]?|dir|dich|euch|hier|so|auch"
    r"|mich|nur|mir|uns|jetzt)\W*(?:\Z|\s(?:hier|so|nicht|auch|schon|aber|sehr|gar|alles|an|vor)\b)"
    r"|\s+(?:es|das|dies|diese[mnrs]?|deine?[mnrs]?|sowas|folgende[mnrs]?|dir|dich|euch|hier|sie|ihn|ihm)\b)"
)
_LASTING_DEED: Final = any_of(
    r"""
    wohne?n? lebe?n? arbeite?n? heisse?n? spreche?n? studiere?n? lerne?n? leite?n? betreue?n? verantworte?n?
    unterrichte?n? spiele?n? trainiere?n? esse?n? trinke?n? mag moegen liebe?n? hasse?n? bevorzuge?n? rauche?n? fahre?n?
    pend(?:le|eln|el) besitze?n? nutze?n? benutze?n? verwende?n? entwick(?:le|eln|el) programmiere?n? deploye?n?
    hoste?n? betreibe?n? verkaufe?n? vertrage?n? stamme?n? gehoere?n? samm(?:le|eln|el) koche?n? jogge?n? schwimme?n?
    reite?n? singe?n? zahle?n? bezahle?n? verdiene?n? release?n? speichere?n? spare?n? zuechte?n? vermiete?n?
    produziere?n? beliefere?n? heirate?n?
    nehme?n?_(?:regelmaessig|taeglich|morgens|abends|seit|\S+_mg)
    komme?n?_(?:urspruenglich_|eigentlich_)?aus
    gehe?n?_(?:in_die|zum|zur|ins|joggen|schwimmen|klettern|laufen)
    mache?n?_(?:gerade_)?(?:eine_(?:ausbildung|umschulung|weiterbildung|diaet)|mein(?:e|en)?_(?:abitur|abi|master|bachelor|promotion|praktikum))
    ziehe?n?_.{2,60}\bum
    ziehe?n?_(?:.{0,40}_)?nach
    setze?n?_.{2,60}\bein
    (?:gehe?n?|spiele?n?|trainiere?n?|nehme?n?)_nicht_mehr
    arbeitet
    teste?n?_mit
    baue?n?_.{0,40}mit
    schreibe?n?_(?:\S+_){0,3}?in_(?-i:[A-Z])
    stehe?n?_(?:.{0,30}_)?um
    schreibe?n?_(?:gerade_|an_)?(?:an_)?(?:meiner?|einem?|einen)_(?:\w*arbeit|roman|buch|dissertation|doktorarbeit)
    (?:lese?n?|schaue?n?|hoere?n?|reise?n?)_(?:am_liebsten|gerne?|viel|nie|selten|keine)
    kann_keine?n?_[\w-]+(?=_(?:sehen|essen|trinken|riechen|leiden)\b)
    leide?n?_(?:an|unter)(?=_(?-i:[A-Z]))
    darf_(?:keine?n?|nicht|nur)
    (?:muss|darf|kann|brauche)_als_(?!(?:naechst|erst|letzt|zweit|beispiel|test|antwort|ergebnis|loesung|workaround|uebergang|alternative|ersatz)\w*\b)(?-i:[A-Z])\w+
    duerfen_(?:keine?n?|nicht|nur)
    """
)
DOES: Final = re.compile(rf"{_WE} {_LASTING_DEED}\b{_NO_OBJECT}(?= \S)", re.IGNORECASE)
_NO_HABIT: Final = any_of(
    r"""
    haben? hab hatten? bin sind waren? wurden? kann koennen soll\w* moecht\w* muss\w* bekomm\w* krieg\w* seh\w* denk\w*
    brauch\w* wuerd\w* will wollen
    """
)
_REGULARLY: Final = any_of(
    r"""
    jede[nrs]?_(?:zweite[nrs]?_)?(?:tag|morgen|abend|woche|monat|jahr|wochenende|sommer|winter|quartal|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)
    (?:mon|diens|donners|frei|sams|sonn)tags mittwochs werktags taeglich woechentlich monatlich morgens abends nachts
    am_wochenende
    (?:ein|zwei|drei|vier|fuenf)mal_(?:am|pro|die|in_der|im)_(?:tag|woche|monat|jahr)
    \d_?(?:x|mal)_(?:am|pro|die|in_der|im)_(?:tag|woche|monat|jahr)
    normalerweise meistens ueblicherweise
    """
)
HABITUAL: Final = re.compile(
    rf"{_WE} (?!{_NO_HABIT}\b)[a-z]{{2,}}\b(?! (?:es|das|dies|dir|dich|sie|ihn|ihm|ihr)\b)[^;:]{{0,80}}?\b{_REGULARLY}\b",
    re.IGNORECASE,
)
_BE: Final = (
    r"(?:bin|sind|war|waren|binn)(?: (?:jetzt|inzwischen|auch|uebrigens|selbst|eigentlich|seit \S+(?: \S+)?|von beruf"
    r"|beruflich|derzeit|aktuell|momentan|noch|schon)){0,3}"
)
_STATE: Final = any_of(
    r"""
    (?:zu_(?:zweit|dritt|viert|fuenft|sechst)|\d+_leute) allergisch vegan\w* vegetari\w* laktoseintolerant
    glutenintolerant schwanger verheiratet geschieden verlobt verwitwet ledig single linkshaender\w* diabetiker\w*
    farbenblind selbst?staendig freiberuf\w* freelance\w* arbeitslos berentet pensioniert alleinerziehend angestellt
    mitglied zustaendig verantwortlich schwerhoerig berufstaetig kurzsichtig
    """
)
_CIRCUMSTANCE: Final = any_of(
    r"""
    gegen_.{2,40}_allergisch
    auf_.{2,40}_allergisch
    nicht_mehr_(?:(?:gegen|auf)_.{2,40}_)?allergisch
    nicht_mehr_(?:vegan\w*|vegetari\w*|verheiratet|schwanger|arbeitslos|selbst?staendig|angestellt|mitglied|verlobt)
    (?:wieder|zurueck|nicht_mehr)_bei_(?:de[rm]_)?(?!(?:Kraeften|Sinnen|Bewusstsein|Null|Schritt|Aufgabe|Seite|Punkt|Frage|Laune)\b)(?-i:[A-Z])\S+
    in_.{2,60}_(?:geboren|aufgewachsen|angestellt|taetig|zu_hause|zuhause)
    am_.{2,40}_geboren
    bei_(?!(?:dir|der_sache|schritt|punkt|aufgabe|seite|level|kapitel|frage|zeile|minute|versuch|nummer|\d+|\S+_(?:fertig|dabei))\b)\S+
    aus_(?-i:[A-Z])\S+
    in_(?:rente|elternzeit|teilzeit|der_(?:\d+\.|\w+)_(?:klasse|woche)|therapie|ausbildung)
    im_(?:\d+\._semester|\w+_semester|homeoffice|urlaub|vertrieb|marketing|einkauf|support|\w*team|\w*dienst|\w+monat|ruhestand|mutterschutz)
    auf_(?:kubernetes|aws|azure|gcp|version|python|postgres|linux|windows|mac\w*)
    """
)
_AWAY: Final = (
    rf"(?:vom|von|bis|ab|am|naechste|kommende|{any_of(' '.join(GERMAN_WEEKDAYS))}s|morgens|morgen) "
    r".{0,50}\b(?:im|in|auf|bei|nicht|verreist|unterwegs|abwesend|erreichbar|beim|zu)\b"
)
_QUALIFIED: Final = any_of(
    r"""
    gelernter? ausgebildeter? studierter? leidenschaftlicher? begeisterter? grosser passionierter?
    (?:software|backend|frontend|senior|junior|freier|freie|leitender|leitende|angehender?|werdender?|staatlich)\S*_\S+
    """
)
_NO_PROFESSION: Final = any_of(
    """
    immer aber hier wieder sicher besser weiter lieber leider sauer ausser hinter unter ueber nimmer eher etwas dabei
    fertig bereit locker nuechtern schuechtern praesent zufrieden konsequent intelligent transparent permanent
    """
)
_PROFESSION: Final = any_of(
    """
    schwester pfleger lehrer lehrerin entwickler entwicklerin ingenieur ingenieurin berater beraterin student studentin
    assistent assistentin techniker technikerin informatiker informatikerin mechaniker physiker chemiker designer
    designerin manager managerin arzt aerztin anwalt anwaeltin koch koechin polizist polizistin journalist journalistin
    musiker kuenstler azubi rentner rentnerin hausmann hausfrau kaufmann kauffrau therapeut therapeutin architekt
    architektin verkaeufer verkaeuferin fahrer meister baecker trainer erzieherin erzieher hebamme beamter beamtin
    professor redakteur redakteurin schueler schuelerin admin
    """
)
_WHAT_ONE_IS: Final = either(
    r"(?:die|der|ein|eine|einer|kein|keine) (?!(?:meinung|ansicht|einzige|erste|letzte|bisschen|wenig|paar)\b)\S+",
    r"\d{1,3}(?: jahre?(?: alt)?)?(?=\W|\Z)",
    _STATE,
    _CIRCUMSTANCE,
    _AWAY,
    _QUALIFIED,
    r"(?-i:(?!(?:Sie|Ihnen|Ihr|Dir|Dich|Euch|Feuer|Mir|Ok|OK|Fan)\b)[A-Z])[\w-]{2,}",
    rf"(?!{_NO_PROFESSION}\b)(?-i:[a-z-]*{_PROFESSION})\b",
)
IS: Final = re.compile(rf"{_WE} {_BE} {_WHAT_ONE_IS}", re.IGNORECASE)
_HAVING: Final = (
    rf"{_HAVE}(?: (?:jetzt|inzwischen|auch|uebrigens|seit \S+(?: \S+)?|insgesamt|derzeit|aktuell|zuhause|zu hause|leider"
    r"|noch|ja|bei uns|nur|ca\.|etwa|rund|ueber|knapp)){0,3}"
)
_HOW_MANY: Final = any_of(
    r"""
    eine?n? ne nen keine?n? zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf mehrere viele beide \d[\d.]*
    """
)
_NO_POSSESSION: Final = any_of(
    r"""
    frage fragen rueckfrage problem\w* fehler\w* ahnung idee ideen gefuehl eindruck bitte wunsch vorschlag moment minute
    minuten stunde zeit lust angst hunger durst plan liste listen tabelle tabellen datei dateien funktion skript script
    array string code query text bild screenshot ueberblick zweifel bedenken interesse bock bug stau pause anliegen
    aufgabe aufgaben verdacht tipp loesung beispiel sorge sorgen variante\w* option\w* spalten? zeilen? zahlen zahl
    woerter klasse json csv dataframe regex mail email brief schlechten? schwierigkeiten kopfschmerzen zugriff anfrage
    versuch\w* aepfel birnen wahl dinge sachen punkte
    """
)
_CONDITION: Final = any_of(
    r"""
    laktoseintoleranz glutenunvertraeglichkeit zoeliakie diabetes asthma bluthochdruck heuschnupfen migraene adhs
    hoehenangst flugangst [\w-]*allergie geburtstag urlaub elternzeit bereitschaft homeoffice
    (?:spaet|frueh|nacht)(?:schicht|dienst)
    """
)
HAS: Final = re.compile(
    rf"{_WE} {_HAVING} (?:{_HOW_MANY} )(?:(?-i:[a-z]+[ensr]) ){{0,2}}(?!{_NO_POSSESSION}\b)\S+"
    rf"|{_WE} {_HAVE} (?:\S+ ){{0,6}}?(?:eine? )?{_CONDITION}\b",
    re.IGNORECASE,
)
NOT_AFTER_ALL: Final = re.compile(
    rf"{_WE} (?!(?:verstehe?n?|weiss|wissen|glaube?n?|sehe?n?|finde?n?|brauche?n?|will|wollen|kann|koennen|bin|sind|habe?n?|hatten?)\b)[a-z]+ "
    r"(?!(?:es|das|dies|ihn|sie|dir|dich|hier)\b)\S.{2,80}? (?:jetzt |nun )?doch (?:nicht|kein\w* \S+)\W*\Z",
    re.IGNORECASE,
)
"""A plan that came to nothing: `Wir bekommen den Hund doch nicht`."""
_APPOINTMENT: Final = any_of(
    """
    termin meeting besprechung pruefung klausur interview gespraech vorstellungsgespraech call operation op untersuchung
    flug date verabredung hochzeit konzert feier training demo workshop konferenz schulung umzug elternabend treffen
    """
)
_MARKED_EVENT: Final = any_of(
    """
    termin meeting besprechung pruefung klausur flug zug hochzeit umzug konferenz treffen release demo go-live audit
    sitzung schulung op operation feier retro standup elternabend
    """
)
_PLANNED: Final = any_of(
    """
    fliege?n? fahre?n? reise?n? treffe?n? heirate?n? ziehe?n? uebernehme?n? beginne?n? starte?n? fange?n? verlasse?n?
    kuendige?n? feiere?n? bekomme?n? wechse?le?n? gehe?n? werden?
    """
)
APPOINTMENT: Final = re.compile(
    rf"{_WE} {_HAVE}\b(?=.{{0,120}}{DAY}).{{1,120}}?\b[\w-]*{_APPOINTMENT}\b"
    rf"|{_WE} {_PLANNED}\b(?! (?:das|es|dann|gleich|jetzt)\b)(?!.{{0,120}}\bweiter\W*\Z)(?=.{{0,120}}{DAY}).{{8,}}"
    rf"|(?:der|die|das|mein|meine|unser|unsere|unseren) (?:naechste[rs]? |jaehrliche[rs]? )?[\w-]*{_MARKED_EVENT}\b"
    rf".{{0,60}}? (?:ist|sind|findet|beginnt|startet|geht|wurde|wird)\b.{{0,60}}{DAY}",
    re.IGNORECASE,
)
_PARTICIPLE: Final = any_of(
    """
    gekauft verkauft geheiratet gekuendigt bestanden gebucht reserviert gewonnen verlassen gegruendet migriert
    eingefuehrt unterschrieben geerbt gemietet studiert gewohnt gelebt adoptiert veroeffentlicht gelauncht kennengelernt
    operiert gebrochen renoviert promoviert aufgehoert beantragt verlaengert verlobt scheiden_lassen abgeschafft
    ausgerollt eroeffnet gezogen umgezogen umgestiegen befoerdert geworden gestorben ausgewandert beigetreten eingezogen
    ausgezogen absolviert abgeloest zurueckgetreten abgesagt storniert abgeblasen
    """
)
_DATED_PARTICIPLE: Final = any_of(
    """
    bestellt bekommen eingestellt angefangen begonnen verloren gewechselt umgestellt gestartet gelaufen gegangen
    geflogen uebernommen umbenannt abgeschlossen erhoeht gesenkt verschoben gearbeitet aufgegeben getrennt released
    getroffen besucht gefeiert gefunden gebaut gemacht organisiert vereinbart angemeldet abgemeldet engagiert
    """
)
"""Events that are only worth keeping with their time: `Ich habe den Server gestartet` is of the moment."""
_PAST_TIME: Final = (
    rf"(?:{DAY}|\b(?:gestern|vorgestern|letzte[mnrs]?|vorige[mnrs]?|vergangene[mnrs]?|seit|frueher|damals"
    r"|vor (?:\w+ )?(?:tagen?|wochen?|monat\w*|jahr\w*)|als kind|(?:drei|zwei|vier|fuenf|\d+) jahre)\b)"
)
_SOMETHING: Final = (
    r"(?:haben?|hab|bin|sind) (?!(?:es|das|den (?:text|code)|die (?:datei|funktion|zeile)|noch nicht|nicht|nie)\b)"
)
_PRETERITE: Final = any_of(
    r"""
    zog zogen kaufte\w* heiratete\w* wechselte\w* studierte\w* arbeitete\w* wohnte\w* kuendigte\w* gruendete\w* begann
    begannen wurde\w*
    """
)
EVENT: Final = re.compile(
    rf"{_WE} {_SOMETHING}(?:\S+ ){{1,14}}?{_PARTICIPLE}\b"
    rf"|(?=.{{0,160}}{_PAST_TIME}){_WE} {_SOMETHING}(?:\S+ ){{1,14}}?{_DATED_PARTICIPLE}\b"
    rf"|{_WE} {_PRETERITE} \S+ \S+",
    re.IGNORECASE,
)
