"""German sentences that are not worth remembering: requests, doubts, problems, remarks about the conversation.

The patterns read folded text (`text.folded`). They search it once, so they read at most `MAX_READ` characters.
"""

import re
from typing import Final

MAX_READ: Final = 320
"""Characters of a sentence that are read; a longer one is no plain statement."""

_SECOND_PERSON: Final = re.compile(
    r"\b(?:du|dich|dir|dein(?:e[mnrs]?)?|euch|euer|eure[mnrs]?|ihr (?:koennt|habt|seid|sollt|muesst))\b|(?<=\s)(?-i:Sie|Ihnen|Ihre?[mnrs]?)\b",
    re.IGNORECASE,
)
_DOUBT: Final = re.compile(
    r"\b(?:weiss(?:t)? (?:\w+ ){0,3}?nicht|weiss (?:noch )?nicht|keine ahnung|nicht (?:so |ganz )?sicher|unsicher|vielleicht|evtl|eventuell|vermutlich|wahrscheinlich"
    r"|moeglicherweise|womoeglich|anscheinend|angeblich|scheinbar|glaube?|denke?|dachte|vermute|schaetze|meine,|frage mich|fragen uns|ueberleg\w*|schwanke"
    r"|wohl|gefuehlt|ob|irgendwie|irgendwas|irgendwo|hoffe\w*|wuenschte)\b",
    re.IGNORECASE,
)
_IMAGINED: Final = re.compile(
    r"\A(?:wenn|falls|sofern|angenommen|gesetzt den fall|nehmen wir|mal angenommen|sagen wir|stell(?:en sie|t)? (?:dir|euch|sich)?|stell dir|hypothetisch|rein theoretisch"
    r"|theoretisch|was waere|im falle|beispiel|zum beispiel|z\. ?b\.|nur als beispiel|tu so|in der aufgabe|in dem text|im text|aufgabe|im roman|im film|im traum)\b"
    r"|\b(?:haetten?|waeren?|wuerden?|koennten?|muessten?|duerften?|braeuchten?|wueste|als ob|tue so|traum\w*|getraeumt|erfunden\w*|ausgedacht\w*|fiktiv\w*)\b",
    re.IGNORECASE,
)
_REPORTED: Final = re.compile(
    r"\b(?:sagt|sagte|meint|meinte|behauptet\w*|erzaehlt\w*|raet|riet|empfiehlt|glaubt|denkt|predigt|zufolge)\b|\b(?:schreibt|schrieb|findet|finden|sagen|meinen)[,:]"
    r"|\b(?:hat|haben|hatte) (?:mir|uns|mal|immer|gestern|heute|neulich)?(?: \w+){0,2} ?(?:gesagt|gemeint|behauptet|geraten|empfohlen|erklaert)\b"
    r"|\b(?:laut|gemaess|hab(?:e|en)? (?:\w+ ){0,3}gelesen|gehoert, dass|steht(?: da| dort)?, dass|heisst es|in der (?:doku|anleitung|zeitung) steht)\b"
    r"|[„“«»\"][^„“”«»\"]{12,}[“”«»\"]",
    re.IGNORECASE,
)
_TROUBLE: Final = re.compile(
    r"\b(?:(?:funktioniert|geht|klappt|laeuft|kompiliert|startet|laedt|reagiert|tut|passt|stimmt|hilft|greift|verbindet|oeffnet|baut|buildet)(?: \w+){0,4}? (?:nicht|nie|nimmer|kaum)"
    r"|(?:fehler\w*|error\w*|exceptions?|traceback|stack ?trace|bugs?|absturz|abgestuerzt|stuerzt|crash\w*|laeuft in (?:einen?|den)|kaputt|langsam\w*|lahm|offline|down|nicht erreichbar|haengt|haenge|broken|undefined|falsch\w*|komisch\w*|seltsam\w*"
    r"|verwirr\w*|leer|problem\w*|schief\w*|timeouts? (?:bekomm|krieg)\w*|tippfehler|rot|fehlgeschlagen|schlaegt fehl|geht schief|zu (?:lang|kurz|gross|klein|langsam|kompliziert|ungenau)\w*)"
    r"|versteh\w* (?:\w+ ){0,3}?nicht|kapier\w*|bekomme? (?:\w+ ){0,3}?nicht hin|kriege? (?:\w+ ){0,3}?nicht hin|finde (?:\w+ ){0,3}?nicht|komme? nicht weiter|stecke? fest|es geht um)\b",
    re.IGNORECASE,
)
_ABOUT_TALK: Final = re.compile(
    r"\A(?:es|das(?=\W*\Z|[,:]| (?:ist|sind|war|waren|hat|habe|haben|geht|kann|muss|soll|sollte|will|wird|macht|heisst|finde|mag|klingt|sieht|passt|reicht|ergibt|liegt|kommt|gefaellt|mache|werde|verstehe|ergebnis|beispiel|obige)\b)"
    r"|dies(?:e[mnrs]?)?(?! (?:woche|monat|jahr|quartal|wochenende|sommer|winter|herbst))|hier|da|dort|so|sowas|beides|danke\w*|vielen dank|bitte schoen|gern(?:e)?|super|toll|perfekt|prima|alles klar)\b"
    r"|\b(?:deine?[mnrs]? (?:antwort|vorschlag|code|text|loesung|idee)|(?:letzte|vorige|erste|zweite|dritte|obige|folgende)[mnrs]? (?:antwort|nachricht|frage|version|variante|option|vorschlag|absatz|satz|zeile|spalte|datei|code)"
    r"|(?:diese[mnrs]?|den|der|dem|des|die|das|ein(?:e[mnrs]?)?|mein(?:e[mnrs]?)?|folgende[mnrs]?) (?:code|skript|script|funktion|methode|klasse|schleife|variable|array|datei|liste|tabelle|query|abfrage|prompt"
    r"|text|stil|ton|tonfall|titel|layout|absatz|satz|aufsatz|zeile|spalte|regex|json|csv|dataframe|ausgabe|output|log|screenshot|button|bild|frage|rueckfrage|anliegen|bitte|idee|vorschlag|loesung|antwort|variante|aufgabe|ansatz|befehl|kommando|parameter|formel|beispiel|vermutung|meinung|eindruck|gedanke|gefuehl|verstaendnis|verdacht|theorie|ansicht|wunsch|erklaerung|nachricht|anfrage|eingabe|formulierung|entwurf))\b",
    re.IGNORECASE,
)
_MOMENT: Final = re.compile(
    r"\b(?:gleich|kurz|nur noch|mit dem gedanken|eben|schnell|nochmals?|noch (?:ein)?mal|gerade (?:beim|dabei|am|an (?:dem|der|einem|einer)|nicht|nur)|jetzt (?:los|weg|schlafen|essen|weiter|schluss|ins bett|erst)|erst ?mal|vorhin"
    r"|(?<!\d )(?<!\dx )(?<!ein )(?<!zwei )(?<!drei )(?<!vier )(?<!jedes )(?<!ersten )(?<!paar )(?<!letztes )(?<!naechstes )(?-i:mal)|daran|dran|damit|dazu|davon|dafuer|darueber|bescheid)\b",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"\A(?:bitte|kannst|koenntest|koennen|koennten|wuerdest|wuerden|magst|willst|hast|haben sie|weisst|wissen sie|kennst|kennen sie|gibt es|soll|sollen|sollte|darf|duerfen"
    r"|ich (?:brauche?|benoetige|suche|haette|moechte|will|wuerde|bitte|wuensche|bin auf der suche)|wir (?:brauchen|benoetigen|suchen|haetten|moechten|wuerden)"
    r"|(?:wer|was|wo|wann|wie|warum|wieso|weshalb|woher|wohin|wofuer|womit|welche[mnrs]?)\b"
    r"|(?:schreib|erklaer|zeig|gib|gebt|geben sie|mach|fass|uebersetz|korrigier|hilf|helfen sie|such|find|erstell|generier|fueg|aender|loesch|entfern|verbesser|kuerz|formulier"
    r"|vergleich|analysier|pruef|schau|sag|nenn|list|berechn|rechn|lies|test|fuehr|oeffn|probier|versuch|nimm|verwend|nutz|benutz|geh|bau|lass|stell|setz|plan|buch|reservier"
    r"|bestell|schick|send|ruf|speicher|empfiehl|empfehlen|schlag|sortier|zaehl|beschreib|entwirf|entwick|implementier|refaktor|dreh|wandel|ersetz|ergaenz|antworte?)(?:e|st|t|en)?\b)",
    re.IGNORECASE,
)


def is_in_doubt(text: str) -> bool:
    """Whether it may not be so, is imagined, or is what somebody else says."""
    return is_imagined(text) or is_reported(text) or _DOUBT.search(text) is not None


def is_reported(text: str) -> bool:
    """Whether somebody else says it, or it is quoted."""
    return _REPORTED.search(text) is not None


def is_imagined(text: str) -> bool:
    """Whether it is a condition, an example or a wish."""
    return _IMAGINED.search(text) is not None


def is_of_the_moment(text: str) -> bool:
    """Whether it is about something that does not work, or about the next minutes."""
    return _TROUBLE.search(text) is not None or _MOMENT.search(text) is not None


def is_about_talk(text: str) -> bool:
    """Whether it is about the talk itself, or about what was shown in it."""
    return _ABOUT_TALK.search(text) is not None


def is_to_listener(text: str) -> bool:
    """Whether it says something of the one who listens."""
    return _SECOND_PERSON.search(text) is not None


def is_german_request(text: str) -> bool:
    """Whether it begins as a request or a question."""
    return _REQUEST.match(text) is not None
