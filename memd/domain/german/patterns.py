"""The forms of German sentences that state something worth remembering, for `memd.domain.extraction.german_statements`.

They read folded text (`text.folded`) from its beginning, but for those of what opens and ends a sentence.
"""

import re
from typing import Final

from memd.domain.german.rules import DAY

LEAD: Final = re.compile(
    r"(?:(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|danke|ach|ok(?:ay)?|super|gut|genau|stimmt|richtig|ja|nein|nee?|korrektur|nachtrag|achtung|wichtig|hinweis|info"
    r"|vorab|(?:kurze? |kleine )?info|also|nebenbei)(?: \w+)?\s?[,:;!.–—-]+\s+(?:und |aber )?"
    r"|(?:(?:nur )?(?:so )?zur (?:info|information|kenntnis)|nur damit du(?: es)? weisst|[uü]brigens|uebrigens|btw|fyi|ps|p\.s\.|kurz (?:zu mir|vorab)|zu mir|nebenbei bemerkt|apropos|ach ja|ach so"
    r"|ehrlich gesagt|wie gesagt|noch was|noch etwas|was ich noch sagen wollte|also|aber|und|nein|ja|naja|na ja)(?:\s?[,:;!.–—-]+\s+|\s+(?!\w+ (?:ich|wir|mein|meine|unser|unsere)\b)))",
    re.IGNORECASE,
)
EXPLICITLY: Final = re.compile(
    r"(?:bitte )?(?:merke?|merken sie|notiere?|notieren sie)(?: (?:dir|sich))?(?: bitte)?(?:, dass|:| dass|,) (?P<rest>\S+ \S+ \S.*)"
    r"|(?:bitte )?(?:behalte?|behalten sie) (?:bitte )?(?:im kopf|im hinterkopf|in erinnerung)(?:, dass|:|,) (?P<kept>\S+ \S+ \S.*)",
    re.IGNORECASE,
)
CLAUSE: Final = re.compile(r"(?:[,;]|\s[-–—]|\.\.\.|…)\s+(?:(?:und|aber|denn|also|daher)\s+)?|\s(?:denn|aber)\s+")
OWN_CLAUSE: Final = re.compile(r"(?:ich|wir|mein|meine|unser|unsere)\b", re.IGNORECASE)
ASKED: Final = re.compile(
    r"(?:[,;:.]|\s[-–—])\s+(?:(?:und|also|daher|deshalb|aber)\s+)?(?:was|wie|wo|wann|warum|wer|wohin|woher|womit|welche[mnrs]?|kannst|k(?:ö|oe)nntest|k(?:ö|oe)nnten|k(?:ö|oe)nnen|gibt es|(?:hast|haben|soll|sollte|sollen|darf|muss|ist|sind|passt|geht|reicht) (?:du|sie|ich|wir|das|es|man|die|der)\b"
    r"|wei(?:ß|ss)t|kennst|lohnt|bitte|schreib|gib|zeig|hilf|empfiehl|mach|erkl(?:ä|ae)r|schlag|nenn|such|stell|plane|erstelle?)\b",
    re.IGNORECASE,
)
_LEADING: Final = (
    r"(?:am|im|in|seit|ab|vom|von|bis|vor|nach|um|naechste[nrms]?|kommende[nrms]?|letzte[nrms]?|diese[nrms]?|jede[nrms]?|morgen|uebermorgen|heute|gestern|vorgestern|montags|dienstags|mittwochs"
    r"|donnerstags|freitags|samstags|sonntags|werktags|morgens|abends|nachmittags|vormittags|mittags|nachts|normalerweise|meistens?|manchmal|oft|immer|nie|beruflich|privat|aktuell|derzeit"
    r"|momentan|zurzeit|inzwischen|mittlerweile|jetzt|frueher|zuhause|zu|bei|fuer|als|ausserdem|auch|kuenftig|mit|nebenher|nebenberuflich|insgesamt|seitdem|ende|anfang|mitte|hauptberuflich"
    r"|eigentlich|leider|uebrigens|also|aber|zweimal|einmal|dreimal|\d{4}|aus|wegen|dienstlich)"
)
_SUBJECT: Final = r"(?:ich|wir|(?:mein|unser)(?:e[rs]?)?(?: (?-i:[a-z]+[en]))?(?: [\w-]+)(?: (?-i:[A-Z])[\w-]+)?|(?:der|die|das) (?-i:[A-Z])[\w-]+)"
INVERTED: Final = re.compile(
    rf"(?P<lead>{_LEADING}(?: (?!(?:ich|wir|mein|meine|unser|unsere)\b)[^\s,;:]+){{0,7}}?) (?P<verb>[a-z]+) (?P<subject>{_SUBJECT})\b(?P<rest>.*)",
    re.IGNORECASE,
)
PEOPLE: Final = (
    r"(?:\w*(?:mutter|vater|eltern|schwester|bruder|brueder|geschwister|sohn|soehne|tochter|toechter|oma|opa|onkel|tante|cousine?|neffe|nichte|enkelin|enkel|mama|papa|chefin|chef|kollegin|kollege|kollegen"
    r"|partnerin|partner|freundin|freund|freunde|nachbarin|nachbar|nachbarn|vermieterin|vermieter|mitbewohnerin|mitbewohner|aerztin|arzt|therapeutin|therapeut|anwaeltin|anwalt|beraterin|berater|lehrerin|lehrer"
    r"|trainerin|trainer|betreuerin|betreuer|leiterin|leiter|lead|hebamme|schwager|schwaegerin|managerin|manager|verlobter?|vorgesetzter?|mentorin|mentor|mann|frau|kind|kinder|zwillinge|baby|junge|maedchen|familie"
    r"|mitarbeiterin|mitarbeiter|hund|huendin|katze|kater|katzen|hunde|pferd|azubi|praktikantin|praktikant|kundin|ansprechpartnerin|team|gattin|gatte|ex))"
)
VALUE: Final = rf"(?:\d|{DAY}|\b[\w-]+\.[a-z]{{2,}}\b|\b(?:mittag|mitternacht|taeglich|woechentlich|monatlich|jaehrlich|halbjaehrlich|freitags|montags|dienstags|mittwochs|donnerstags|samstags|sonntags|werktags)\b)"
_NO_OBJECT: Final = (
    r"(?!\s+(?:es|das|dies|diese[mnrs]?|deine?[mnrs]?|sowas|so was|so etwas|folgende[mnrs]?|dir|dich|euch|hier|so|auch|mich|nur|mir|uns|jetzt)\W*(?:\Z|\s(?:hier|so|nicht|auch|schon|aber|sehr|gar|alles|an|vor)\b)"
    r"|\s+(?:es|das|dies|diese[mnrs]?|deine?[mnrs]?|sowas|folgende[mnrs]?|dir|dich|euch|hier|sie|ihn|ihm)\b)"
)
DOES: Final = re.compile(
    r"(?:ich|wir) (?:wohne?n?|lebe?n?|arbeite?n?|heisse?n?|spreche?n?|studiere?n?|lerne?n?|leite?n?|betreue?n?|verantworte?n?|unterrichte?n?|spiele?n?|trainiere?n?|esse?n?|trinke?n?|mag|moegen|liebe?n?|hasse?n?"
    r"|bevorzuge?n?|rauche?n?|fahre?n?|pend(?:le|eln|el)|besitze?n?|nutze?n?|benutze?n?|verwende?n?|entwick(?:le|eln|el)|programmiere?n?|deploye?n?|hoste?n?|betreibe?n?|verkaufe?n?|vertrage?n?|stamme?n?"
    r"|gehoere?n?|samm(?:le|eln|el)|koche?n?|jogge?n?|schwimme?n?|reite?n?|singe?n?|zahle?n?|bezahle?n?|verdiene?n?|release?n|speichere?n?|spare?n?|zuechte?n?|vermiete?n?|produziere?n?|beliefere?n?|heirate?n?|nehme?n? (?:regelmaessig|taeglich|morgens|abends|seit|\S+ mg)"
    r"|komme?n? (?:urspruenglich |eigentlich )?aus|gehe?n? (?:in die|zum|zur|ins|joggen|schwimmen|klettern|laufen)|mache?n? (?:gerade )?(?:eine (?:ausbildung|umschulung|weiterbildung|diaet)|mein(?:e|en)? (?:abitur|abi|master|bachelor|promotion|praktikum))"
    r"|ziehe?n? .{2,60}\bum|ziehe?n? (?:.{0,40} )?nach|setze?n? .{2,60}\bein|arbeitet|teste?n? mit|baue?n? .{0,40}mit|schreibe?n? (?:\S+ ){0,3}?in (?-i:[A-Z])|stehe?n? (?:.{0,30} )?um|schreibe?n? (?:gerade |an )?(?:an )?(?:meiner?|einem?|einen) (?:\w*arbeit|roman|buch|dissertation|doktorarbeit)|kann keine?n? [\w-]+(?= (?:sehen|essen|trinken|riechen|leiden)\b)|darf (?:keine?n?|nicht|nur)|duerfen (?:keine?n?|nicht|nur))\b"
    + _NO_OBJECT
    + r"(?= \S)",
    re.IGNORECASE,
)
HABITUAL: Final = re.compile(
    r"(?:ich|wir) (?!(?:haben?|hab|hatten?|bin|sind|waren?|wurden?|kann|koennen|soll\w*|moecht\w*|muss\w*|bekomm\w*|krieg\w*|seh\w*|denk\w*|brauch\w*|wuerd\w*|will|wollen)\b)[a-z]{2,}\b(?! (?:es|das|dies|dir|dich|sie|ihn|ihm|ihr)\b)[^;:]{0,80}?"
    r"\b(?:jede[nrs]? (?:zweite[nrs]? )?(?:tag|morgen|abend|woche|monat|jahr|wochenende|sommer|winter|quartal|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|werktags|taeglich|woechentlich"
    r"|monatlich|morgens|abends|nachts|am wochenende|(?:ein|zwei|drei|vier|fuenf)mal (?:am|pro|die|in der|im) (?:tag|woche|monat|jahr)|\d ?(?:x|mal) (?:am|pro|die|in der|im) (?:tag|woche|monat|jahr)|normalerweise|meistens|ueblicherweise)\b",
    re.IGNORECASE,
)
IS: Final = re.compile(
    r"(?:ich|wir) (?:bin|sind|war|waren|binn)(?: (?:jetzt|inzwischen|auch|uebrigens|selbst|eigentlich|seit \S+(?: \S+)?|von beruf|beruflich|derzeit|aktuell|momentan|noch|schon)){0,3} "
    r"(?:(?:die|der|ein|eine|einer|kein|keine) (?!(?:meinung|ansicht|einzige|erste|letzte|bisschen|wenig|paar)\b)\S+"
    r"|\d{1,3}(?: jahre?(?: alt)?)?(?=\W|\Z)|(?:zu (?:zweit|dritt|viert|fuenft|sechst)|\d+ leute)|allergisch|vegan\w*|vegetari\w*|laktoseintolerant|glutenintolerant|schwanger|verheiratet|geschieden|verlobt|verwitwet|ledig|single|linkshaender\w*|diabetiker\w*|farbenblind"
    r"|selbst?staendig|freiberuf\w*|freelance\w*|arbeitslos|berentet|pensioniert|alleinerziehend|angestellt|mitglied|zustaendig|verantwortlich|schwerhoerig|berufstaetig|kurzsichtig"
    r"|gegen .{2,40} allergisch|auf .{2,40} allergisch|in .{2,60} (?:geboren|aufgewachsen|angestellt|taetig|zu hause|zuhause)|am .{2,40} geboren|bei (?!(?:dir|der sache|schritt|punkt|aufgabe|seite|level|kapitel|frage|zeile|minute|versuch|nummer|\d+|\S+ (?:fertig|dabei))\b)\S+|aus (?-i:[A-Z])\S+|in (?:rente|elternzeit|teilzeit|der (?:\d+\.|\w+) (?:klasse|woche)|therapie|ausbildung)"
    r"|im (?:\d+\. semester|\w+ semester|homeoffice|urlaub|vertrieb|marketing|einkauf|support|\w*team|\w*dienst|\w+monat|ruhestand|mutterschutz)|auf (?:kubernetes|aws|azure|gcp|version|python|postgres|linux|windows|mac\w*)"
    r"|(?:vom|von|bis|ab|am|naechste|kommende|freitags|montags|dienstags|mittwochs|donnerstags|morgens|morgen) .{0,50}\b(?:im|in|auf|bei|nicht|verreist|unterwegs|abwesend|erreichbar|beim|zu)\b"
    r"|gelernter?|ausgebildeter?|studierter?|leidenschaftlicher?|begeisterter?|grosser|passionierter?|(?:software|backend|frontend|senior|junior|freier|freie|leitender|leitende|angehender?|werdender?|staatlich)\S* \S+"
    r"|(?-i:(?!(?:Sie|Ihnen|Ihr|Dir|Dich|Euch|Feuer|Mir|Ok|OK|Fan)\b)[A-Z])[\w-]{2,}"
    r"|(?!(?:immer|aber|hier|wieder|sicher|besser|weiter|lieber|leider|sauer|ausser|hinter|unter|ueber|nimmer|eher|etwas|dabei|fertig|bereit|locker|nuechtern|schuechtern|praesent|zufrieden|konsequent|intelligent|transparent|permanent)\b)(?-i:[a-z-]*(?:schwester|pfleger|lehrer|lehrerin|entwickler|entwicklerin|ingenieur|ingenieurin"
    r"|berater|beraterin|student|studentin|assistent|assistentin|techniker|technikerin|informatiker|informatikerin|mechaniker|physiker|chemiker|designer|designerin|manager|managerin|arzt|aerztin|anwalt|anwaeltin|koch|koechin|polizist|polizistin|journalist|journalistin|musiker|kuenstler|azubi"
    r"|rentner|rentnerin|hausmann|hausfrau|kaufmann|kauffrau|therapeut|therapeutin|architekt|architektin|verkaeufer|verkaeuferin|fahrer|meister|baecker|trainer|erzieherin|erzieher|hebamme|beamter|beamtin|professor|redakteur|redakteurin|schueler|schuelerin|admin))\b)",
    re.IGNORECASE,
)
HAS: Final = re.compile(
    r"(?:ich|wir) (?:haben?|hab)(?: (?:jetzt|inzwischen|auch|uebrigens|seit \S+(?: \S+)?|insgesamt|derzeit|aktuell|zuhause|zu hause|leider|noch|ja|bei uns|nur|ca\.|etwa|rund|ueber|knapp)){0,3} "
    r"(?:(?:eine?n?|ne|nen|keine?n?|zwei|drei|vier|fuenf|sechs|sieben|acht|neun|zehn|elf|zwoelf|mehrere|viele|beide|\d[\d.]*) )(?:(?-i:[a-z]+[ensr]) ){0,2}"
    r"(?!(?:frage|fragen|rueckfrage|problem\w*|fehler\w*|ahnung|idee|ideen|gefuehl|eindruck|bitte|wunsch|vorschlag|moment|minute|minuten|stunde|zeit|lust|angst|hunger|durst|plan|liste|listen|tabelle|tabellen|datei|dateien|funktion|skript|script|array|string"
    r"|code|query|text|bild|screenshot|ueberblick|zweifel|bedenken|interesse|bock|bug|stau|pause|anliegen|aufgabe|aufgaben|verdacht|tipp|loesung|beispiel|sorge|sorgen|variante\w*|option\w*|spalten?|zeilen?|zahlen|zahl|woerter|klasse|json|csv|dataframe|regex|mail|email|brief|schlechten?|schwierigkeiten|kopfschmerzen|zugriff|anfrage|versuch\w*|aepfel|birnen|wahl|dinge|sachen|punkte)\b)\S+"
    r"|(?:ich|wir) (?:haben?|hab) (?:\S+ ){0,6}?(?:eine? )?(?:laktoseintoleranz|glutenunvertraeglichkeit|zoeliakie|diabetes|asthma|bluthochdruck|heuschnupfen|migraene|adhs|hoehenangst|flugangst|[\w-]*allergie|geburtstag|urlaub|elternzeit|bereitschaft|homeoffice)\b",
    re.IGNORECASE,
)
APPOINTMENT: Final = re.compile(
    rf"(?:ich|wir) (?:haben?|hab)\b(?=.{{0,120}}(?:{DAY})).{{1,120}}?\b[\w-]*(?:termin|meeting|besprechung|pruefung|klausur|interview|gespraech|vorstellungsgespraech|call|operation|op|untersuchung|flug|date|verabredung|hochzeit|konzert|feier|training|demo|workshop|konferenz|schulung|umzug|elternabend|treffen)\b"
    rf"|(?:ich|wir) (?:fliege?n?|fahre?n?|reise?n?|treffe?n?|heirate?n?|ziehe?n?|uebernehme?n?|beginne?n?|starte?n?|fange?n?|verlasse?n?|kuendige?n?|feiere?n?|bekomme?n?|wechse?le?n?|gehe?n?|werden?)\b(?! (?:das|es|dann|gleich|jetzt)\b)(?!.{{0,120}}\bweiter\W*\Z)(?=.{{0,120}}(?:{DAY})).{{8,}}"
    rf"|(?:der|die|das|mein|meine|unser|unsere|unseren) (?:naechste[rs]? |jaehrliche[rs]? )?[\w-]*(?:termin|meeting|besprechung|pruefung|klausur|flug|zug|hochzeit|umzug|konferenz|treffen|release|demo|go-live|audit|sitzung|schulung|op|operation|feier|retro|standup|elternabend)\b.{{0,60}}? (?:ist|sind|findet|beginnt|startet|geht|wurde|wird)\b.{{0,60}}(?:{DAY})",
    re.IGNORECASE,
)
_PARTICIPLE: Final = (
    r"(?:gekauft|verkauft|geheiratet|gekuendigt|bestanden|gebucht|reserviert|gewonnen|verlassen|gegruendet|migriert|eingefuehrt|unterschrieben|geerbt|gemietet|studiert|gewohnt|gelebt|adoptiert"
    r"|veroeffentlicht|gelauncht|kennengelernt|operiert|gebrochen|renoviert|promoviert|aufgehoert|beantragt|verlaengert|verlobt|scheiden lassen|abgeschafft|ausgerollt|eroeffnet|gezogen|umgezogen"
    r"|umgestiegen|befoerdert|geworden|gestorben|ausgewandert|beigetreten|eingezogen|ausgezogen|absolviert|abgeloest|zurueckgetreten)"
)
_DATED_PARTICIPLE: Final = (
    r"(?:bestellt|bekommen|eingestellt|angefangen|begonnen|verloren|gewechselt|umgestellt|gestartet|gelaufen|gegangen|geflogen|uebernommen|umbenannt|abgeschlossen|erhoeht|gesenkt|verschoben|gearbeitet"
    r"|aufgegeben|getrennt|released|getroffen|besucht|gefeiert|gefunden|gebaut|gemacht)"
)
"""Events that are only worth keeping with their time: `Ich habe den Server gestartet` is of the moment."""
_PAST_TIME: Final = rf"(?:{DAY}|\b(?:gestern|vorgestern|letzte[mnrs]?|vorige[mnrs]?|vergangene[mnrs]?|seit|frueher|damals|vor (?:\w+ )?(?:tagen?|wochen?|monat\w*|jahr\w*)|als kind|(?:drei|zwei|vier|fuenf|\d+) jahre)\b)"
_SOMETHING: Final = (
    r"(?:haben?|hab|bin|sind) (?!(?:es|das|den (?:text|code)|die (?:datei|funktion|zeile)|noch nicht|nicht|nie)\b)"
)
EVENT: Final = re.compile(
    rf"(?:ich|wir) {_SOMETHING}(?:\S+ ){{1,14}}?{_PARTICIPLE}\b|(?=.{{0,160}}{_PAST_TIME})(?:ich|wir) {_SOMETHING}(?:\S+ ){{1,14}}?{_DATED_PARTICIPLE}\b"
    r"|(?:ich|wir) (?:zog|zogen|kaufte\w*|heiratete\w*|wechselte\w*|studierte\w*|arbeitete\w*|wohnte\w*|kuendigte\w*|gruendete\w*|begann|begannen|wurde\w*) \S+ \S+",
    re.IGNORECASE,
)
OWNED: Final = re.compile(
    r"(?:mein|unser)(?:e[mnrs]?|er)? (?:(?-i:[a-z]+[enrs]) ){0,2}(?!(?:tag|wochenende|tipp|fazit|kopf|bauch|gott|ziel|stand|letzte\w*|erste\w*|test|tests|build|funktion|programm|app|seite|terminal|compiler|rechner|computer|laptop|pc|handy|internet)\b (?:ist|war|sind|waren|hat|geht|wird)\b(?! (?:\S+ )?(?:am|im|ein|eine|bei|von|aus)\b))"
    r"(?:(?-i:[A-Za-z])[\w-]+)(?: [\w.'-]+){0,5}? (?:ist|sind|heisst|heissen|hat|haben|wohnt|wohnen|lebt|leben|arbeitet|arbeiten|kostet|kosten|betraegt|liegt|laeuft|endet|beginnt|startet|findet|kommt aus|faehrt|besucht|geht (?:in|auf|zur)|mag|isst|vertraegt|spricht|spielt|studiert|leitet|gehoert|verwendet"
    r"|nutzt|braucht|gilt|bietet|verkauft|dauert|oeffnet|schliesst|zieht|zog|starb|lautet|stammt|unterrichtet|trinkt|feiert|laufen|nennt sich|besteht|umfasst|basiert|wird|wurde|wechselt|verdient|betreut|lernt|darf|kuemmert|macht|hasst|liebt|nutzen|verwenden|sprechen|essen|gehen|verlaesst|steht|uebernimmt|vertritt|heiratet|hoert) (?!(?:das|es|dies|hier|so|ok|okay|da|weg|gerade)\b)\S+",
    re.IGNORECASE,
)
_OF_US: Final = r"\b(?:bei uns|uns|unser\w*|mein\w*|in der firma|im team|im projekt)\b"
_THING_VERB: Final = (
    r"(?:ist|sind|laeuft|laufen|liegt|liegen|beginnt|startet|endet|findet|kostet|kosten|betraegt|dauert|oeffnet|schliesst|gilt|gelten|faellt|muss|steht|stehen|hat|haben|wird|werden|wurde|wurden|geht|gehen|nutzt|verwendet|speichert|kommt"
    r"|heisst|gehoert|lauscht|verlangt|zahlt|erlaubt|liefert|bietet|braucht|rotiert|verfaellt|bekommt|besteht|will|moechte|erwartet)"
)
THING: Final = re.compile(
    r"(?:(?:der|die|das|alle|jede[rs]?) (?:(?-i:[a-z]+[en]) )?(?!(?:fehler\w*|funktion|code|antwort|ausgabe|ergebnis|zeile|spalte|test|tests|build|bild|button|text|absatz|satz|tabelle|liste|datei|array|schleife|variable|abfrage|seite|beispiel|punkt|option|variante|vorschlag|loesung|wert|frage|aufgabe|erste|zweite|dritte|letzte|naechste|artikel|buch|film|video|pdf|dokument|roman|hauptstadt|summe|differenz|zahl|produkt|winkel|mittelwert|durchschnitt|gleichung|nenner|flaeche|befehl|parameter|formel|absatz|erde|sonne|welt|mensch\w*)\b)"
    r"[\w/.-]+|(?!(?:das|es|er|sie|wer|was|der|die|hier|da|dies\w*|wenn|wie|wo|und|oder|ich|wir|du|man|ein\w*|kein\w*|jetzt|dann|so|nur|noch|zeile|seite|fehler|code|test|schritt|punkt|option|variante)\b)(?-i:[A-Z])[\w/.-]+)(?: [\w/.'-]+){0,6}? "
    + _THING_VERB
    + r"\b.*",
    re.IGNORECASE,
)
SAID_OF: Final = re.compile(
    rf"{VALUE}|\b(?:zwei|drei|vier|fuenf|sechs|sieben|acht|neun|zehn|elf|zwoelf)\b|{_OF_US}", re.IGNORECASE
)
NAMED: Final = re.compile(
    r"(?!(?:das|es|er|sie|wer|was|der|die|hier|da|dies\w*|wenn|wie|wo|ich|wir|du|man|keiner|jemand|niemand|alles|nichts|beides|jetzt|dann|so|heute|morgen)\b)[\w-]{2,}(?: (?-i:[A-Z])[\w-]+)? (?:(?:ist|sind|war|wird|heisst) (?:(?:jetzt|auch|seit \S+|ab \S+) )?"
    r"(?:mein|meine|unser|unsere)\b (?!(?:problem|frage|vorschlag|ziel|fehler)\b)\S+|(?:ist|sind) (?:bei uns |im team |hier )?(?:zustaendig|verantwortlich|ansprechpartner\w*) |(?:leitet|uebernimmt|vertritt|betreut|verantwortet|verlaesst|unterstuetzt) (?!(?:das|es)\W*\Z)\S+|kuemmert sich um \S+)|(?:herr|frau) (?-i:[A-Z])[\w-]+ (?:ist|leitet|arbeitet|uebernimmt) \S+ \S+",
    re.IGNORECASE,
)
DONE_BY_SOMEBODY: Final = re.compile(
    r"(?!(?:das|es|er|sie|wer|was|der|die|hier|da|dies\w*|wenn|wie|wo|ich|wir|du|man|keiner|jemand|niemand|alles|nichts)\b)(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?"
    r" (?:hat|haben|ist|sind)(?: (?!nicht\b|nie\b)\S+){0,8}? (?:gekuendigt|geheiratet|befoerdert worden|entlassen worden|verlobt|scheiden lassen|gestorben|verstorben|in (?:rente|elternzeit|pension) gegangen|pensioniert|umgezogen|ausgezogen|schwanger)\W*\Z",
    re.IGNORECASE,
)
"""`Petra hat zum 31. Januar gekündigt`."""
AT_OURS: Final = re.compile(
    r"bei uns (?:im \S+ |in der \S+ )?(?:gilt|gelten|ist|sind|gibt es|laeuft|laufen|wird|werden|darf|duerfen|muss|macht|kuemmert|heisst|arbeiten|wohnt|nutzt) \S+",
    re.IGNORECASE,
)
ON_BEHALF: Final = re.compile(
    r"(?:der|die|unser\w*) (?:kunden?|kundin|auftraggeber\w*|mandant\w*|investor\w*) (?:will|wollen|moechten?|braucht|erwartet|bevorzugt|zahlt|nutzt|verlangt) \S+ \S+|"
    r"(?:fuer|in|an|mit|zu) (?:unser|mein)\w* \S+ (?:verwenden|nutzen|benutzen|nehmen|brauchen|gilt|ist|sind|haben|zahlen|arbeiten) \S+",
    re.IGNORECASE,
)
UNDECIDED: Final = re.compile(
    r"\b(?:noch (?:nicht|nichts|nie|keine?)|nicht entschieden|unentschieden)\b", re.IGNORECASE
)
DECISION: Final = re.compile(
    r"(?:ich|wir|das team|der kunde|die kundin|der vorstand|die geschaeftsfuehrung|man|die chefin|der chef|mein\w* \S+|unser\w* \S+) (?:haben?|hat|hab) (?:\S+ ){0,14}?(?:entschieden|beschlossen|festgelegt|geeinigt|vereinbart|abgemacht|verworfen|abgesprochen)\b"
    r"|(?:ich|wir) (?:entscheiden? uns|entscheide mich|entschied(?:en)?|einig(?:en|ten) uns|beschlossen)\b|(?:die |unsere )?entscheidung(?::| (?:ist|fiel|steht|lautet)\b)|(?:entschieden|beschlossen|vereinbart):"
    r"|wir (?:bleiben (?:\w+ )?bei \S+|setzen (?:\w+ ){0,2}auf \S+|nehmen (?:(?:jetzt|nun|doch|lieber|kuenftig|stattdessen|ab \S+) ){0,2}(?!(?:option|variante|vorschlag|moeglichkeit|nummer|punkt)\b)(?:(?-i:[A-Z])\S+|\S+ statt\b)|verzichten (?:\w+ )?auf \S+|steigen .{1,40}\bum|wechseln (?:\S+ ){0,4}?(?:zu|von|auf) \S+|migrieren (?:\S+ ){0,4}?(?:zu|von|auf|nach) \S+|streichen \S+|verschieben \S+|gehen mit (?-i:[A-Z])\S+)"
    r"|es (?:wurde|ist) (?:\S+ ){0,6}?(?:beschlossen|entschieden|festgelegt|vereinbart)\b|(?:beschlossen|entschieden) (?:wurde|ist|haben wir)\b",
    re.IGNORECASE,
)
LESSON: Final = re.compile(
    r"(?:ich|wir) (?:haben?|hab) (?:\S+ ){0,6}?(?:gelernt(?:,| dass|:)|herausgefunden,|festgestellt,|gemerkt, dass)|(?:gelernt|lehre|lektion|learning|lessons? learned|erkenntnis|merke|fazit)(?: (?:daraus|des tages|fuer \S+|aus \S+ \S+))?:"
    r"|es (?:hat sich (?:\w+ )?(?:herausgestellt|gezeigt)|stellte sich heraus)\b|(?:\S+ ){0,4}?(?:hat sich|stellte sich) (?:herausgestellt|heraus),"
    r"|(?:die |der )?(?:\w*ursache|grund|ausloeser|root cause|schuldige)\b(?: \S+){0,6}? (?:war|waren|lag)\b|(?:der|die|das) \S+ lag (?:letztlich |am ende )?(?:daran, dass|an \S+ \S+ )|es lag daran, dass"
    r"|(?:beim )?naechste[ns]? mal (?:sollten|muessen|werden|machen?|nehmen?|pruefen?|testen?|planen?) (?:ich|wir)\b|nie wieder (?!(?:gut|fragen)\b)\S+ \S+",
    re.IGNORECASE,
)
WORKFLOW: Final = re.compile(
    r"(?:vor|nach|bei) jede[mr] (?:release|deployment|deploy|commit|merge|push|sprint|rollout|pr|pull request|migration|update|livegang)\w* \S+ \S+|(?:unser|der) (?:release-?|deploy\w*-?|review-?)(?:prozess|ablauf|workflow) \S+ \S+"
    r"|(?:zuerst|als erstes|erst) .{3,120}\b(?:dann|danach|anschliessend)\b.{3,}",
    re.IGNORECASE,
)
RECURS: Final = re.compile(
    r"\b(?:jede[nrs]?|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|werktags|taeglich|woechentlich|monatlich|jaehrlich|immer|morgens|abends)\b",
    re.IGNORECASE,
)
"""Recurring events, as opposed to a single one."""
WITHOUT_SUBJECT: Final = re.compile(
    r"(?:habe?|bin|wohne?|mag|heisse|vertrage?) (?!(?:ich|wir|mich|mir|mal)\b)", re.IGNORECASE
)
"""`Hab ne Katze`."""
PARTICIPLE_AT_END: Final = re.compile(
    r" (?!gegen\b)(?-i:[a-z]*ge[a-z]{2,}(?:t|en)|[a-z]{3,}iert|(?:be|ver|er|ent|zer|ueber|unter)[a-z]{3,}(?:t|en))\W*\Z"
)
"""`Ich habe einen Branch angelegt` is no possession."""
DETAIL: Final = re.compile(
    r"(?:er|sie|es) (?:ist|hat|geht|mag|isst|heisst|kommt|wohnt|lebt|arbeitet|wird|spielt|vertraegt|lernt|besucht|faehrt|trinkt|studiert|liegt|laeuft|kostet|beginnt|endet) (?!(?:nicht )?(?:gut|super|toll|egal|klar|mir|dir)\b)\S"
    r"|(?:ihre?|seine?) [\w-]+ (?:ist|sind|heisst|heissen|hat|lautet) \S",
    re.IGNORECASE,
)
"""Pronouns that continue the subject of the previous sentence; the polite `Sie` has a plural verb."""
SAID_BY_AUTHOR: Final = re.compile(r"(?:ich|wir)\b", re.IGNORECASE)
