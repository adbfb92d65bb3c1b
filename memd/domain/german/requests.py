"""German sentences that are not worth remembering: requests, doubts, problems, remarks about the conversation.

The patterns read folded text (`text.folded`). They search it once, so they read at most `MAX_READ` characters.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of, either

MAX_READ: Final = 320
"""Characters of a sentence that are read; a longer one is no plain statement."""

_SECOND_PERSON: Final = re.compile(
    r"\b(?:du|dich|dir|dein(?:e[mnrs]?)?|euch|euer|eure[mnrs]?|ihr (?:koennt|habt|seid|sollt|muesst))\b"
    r"|(?<=\s)(?-i:Sie|Ihnen|Ihre?[mnrs]?)\b",
    re.IGNORECASE,
)
_UNSURE: Final = any_of(
    r"""
    weiss(?:t)?_(?:\w+_){0,3}?nicht weiss_(?:noch_)?nicht keine_ahnung nicht_(?:so_|ganz_)?sicher unsicher vielleicht evtl
    eventuell vermutlich wahrscheinlich moeglicherweise womoeglich anscheinend angeblich scheinbar glaube? denke? dachte
    vermute schaetze meine, frage_mich fragen_uns ueberleg\w* schwanke wohl gefuehlt ob irgendwie irgendwas irgendwo
    hoffe\w* wuenschte
    """
)
_DOUBT: Final = re.compile(rf"\b{_UNSURE}\b", re.IGNORECASE)
_SUPPOSED: Final = any_of(
    r"""
    wenn falls sofern angenommen gesetzt_den_fall nehmen_wir mal_angenommen sagen_wir
    stell(?:en_sie|t)?_(?:dir|euch|sich)? stell_dir hypothetisch rein_theoretisch theoretisch was_waere im_falle beispiel
    zum_beispiel z\._?b\. nur_als_beispiel tu_so in_der_aufgabe in_dem_text im_text aufgabe im_roman im_film im_traum im_spiel in_(?:dem|diesem|meinem)_(?:spiel|roman|film|traum)
    """
)
_UNREAL: Final = any_of(
    r"""
    haetten? waeren? wuerden? koennten? muessten? duerften? braeuchten? wueste als_ob tue_so traum\w* getraeumt
    erfunden\w* ausgedacht\w* fiktiv\w*
    """
)
_IMAGINED: Final = re.compile(rf"\A{_SUPPOSED}\b|\b{_UNREAL}\b", re.IGNORECASE)
_SAYS: Final = any_of(
    r"""
    sagt sagte meint meinte behauptet\w* erzaehlt\w* raet riet empfiehlt glaubt denkt predigt zufolge
    """
)
_REPORTED: Final = re.compile(
    either(
        rf"\b{_SAYS}\b",
        r"\b(?:schreibt|schrieb|findet|finden|sagen|meinen)[,:]",
        r"\b(?:hat|haben|hatte) (?:mir|uns|mal|immer|gestern|heute|neulich)?(?: \w+){0,2} ?"
        r"(?:gesagt|gemeint|behauptet|geraten|empfohlen|erklaert)\b",
        r"\b(?:laut|gemaess|hab(?:e|en)? (?:\w+ ){0,3}gelesen|gehoert, dass|steht(?: da| dort)?, dass|heisst es"
        r"|in der (?:doku|anleitung|zeitung) steht)\b",
        r"[„“«»\"][^„“”«»\"]{12,}[“”«»\"]",
    ),
    re.IGNORECASE,
)
_WORKS: Final = any_of(
    """
    funktioniert geht klappt laeuft kompiliert startet laedt reagiert tut passt stimmt hilft greift verbindet oeffnet
    baut buildet
    """
)
_FAILS: Final = rf"{_WORKS}(?: \w+){{0,4}}? (?:nicht|nie|nimmer|kaum)"
_BROKEN: Final = any_of(
    r"""
    fehler\w* error\w* exceptions? traceback stack_?trace bugs? absturz abgestuerzt stuerzt crash\w*
    laeuft_in_(?:einen?|den) kaputt langsam\w* lahm offline down nicht_erreichbar haengt haenge broken undefined falsch\w*
    komisch\w* seltsam\w* verwirr\w* leer problem\w* schief\w* timeouts?_(?:bekomm|krieg)\w* tippfehler rot
    fehlgeschlagen schlaegt_fehl geht_schief zu_(?:lang|kurz|gross|klein|langsam|kompliziert|ungenau)\w*
    """
)
_STUCK: Final = any_of(
    r"""
    versteh\w*_(?:\w+_){0,3}?nicht kapier\w* bekomme?_(?:\w+_){0,3}?nicht_hin kriege?_(?:\w+_){0,3}?nicht_hin
    finde_(?:\w+_){0,3}?nicht komme?_nicht_weiter stecke?_fest es_geht_um
    """
)
_TROUBLE: Final = re.compile(rf"\b{either(_FAILS, _BROKEN, _STUCK)}\b", re.IGNORECASE)
_AFTER_THAT: Final = any_of(
    """
    ist sind war waren hat habe haben geht kann muss soll sollte will wird macht heisst finde mag klingt sieht passt
    reicht ergibt liegt kommt gefaellt mache werde verstehe ergebnis beispiel obige
    """
)
_REMARK: Final = either(
    "es",
    rf"das(?=\W*\Z|[,:]| {_AFTER_THAT}\b)",
    r"dies(?:e[mnrs]?)?(?! (?:woche|monat|jahr|quartal|wochenende|sommer|winter|herbst))",
    any_of(
        r"hier da dort so sowas beides danke\w* vielen_dank bitte_schoen gern(?:e)? super toll perfekt prima alles_klar"
    ),
)
_SHOWN: Final = any_of(
    """
    code skript script funktion methode klasse schleife variable array datei liste tabelle query abfrage prompt text stil
    ton tonfall titel layout absatz satz aufsatz zeile spalte regex json csv dataframe ausgabe output log screenshot
    button bild frage rueckfrage anliegen bitte idee vorschlag loesung antwort variante aufgabe ansatz befehl kommando
    parameter formel beispiel vermutung meinung eindruck gedanke gefuehl verstaendnis verdacht theorie ansicht wunsch
    erklaerung nachricht anfrage eingabe formulierung entwurf
    """
)
_ABOUT_TALK: Final = re.compile(
    either(
        rf"\A{_REMARK}\b",
        r"\b(?:deine?[mnrs]? (?:antwort|vorschlag|code|text|loesung|idee)"
        r"|(?:letzte|vorige|erste|zweite|dritte|obige|folgende)[mnrs]?"
        r" (?:antwort|nachricht|frage|version|variante|option|vorschlag|absatz|satz|zeile|spalte|datei|code)"
        r"|(?:diese[mnrs]?|den|der|dem|des|die|das|ein(?:e[mnrs]?)?|mein(?:e[mnrs]?)?|folgende[mnrs]?)"
        rf" {_SHOWN})\b",
    ),
    re.IGNORECASE,
)
_NOT_BEFORE_TIMES: Final = "".join(
    f"(?<!{before} )"
    for before in (r"\d", r"\dx", "ein", "zwei", "drei", "vier", "jedes", "ersten", "paar", "letztes", "naechstes")
)
"""Before `mal`: `zwei mal im Jahr` is of no moment, `Schau mal` is."""
_NOW: Final = either(
    r"nur noch(?! (?:(?:\d+|zwei|drei|vier|fuenf|sechs) (?:stunden|tage)|halbtags|in teilzeit|selten)\b)",
    any_of(r"gleich kurz mit_dem_gedanken eben schnell nochmals? noch_(?:ein)?mal"),
    any_of(r"gerade_(?:beim|dabei|am|an_(?:dem|der|einem|einer)|nicht|nur)"),
    any_of("jetzt_(?:los|weg|schlafen|essen|weiter|schluss|ins_bett|erst) erst_?mal vorhin"),
    f"{_NOT_BEFORE_TIMES}(?-i:mal)",
    any_of("daran dran damit dazu davon dafuer darueber bescheid"),
)
_MOMENT: Final = re.compile(rf"\b{_NOW}\b", re.IGNORECASE)
_STEM: Final = any_of(
    """
    schreib erklaer zeig gib gebt geben_sie mach fass uebersetz korrigier hilf helfen_sie such find erstell generier fueg
    aender loesch entfern verbesser kuerz formulier vergleich analysier pruef schau sag nenn list berechn rechn lies test
    fuehr oeffn probier versuch nimm verwend nutz benutz geh bau lass stell setz plan buch reservier bestell schick send
    ruf speicher empfiehl empfehlen schlag sortier zaehl beschreib entwirf entwick implementier refaktor dreh wandel
    ersetz ergaenz antworte?
    """
)
_REQUEST: Final = re.compile(
    r"\A"
    + either(
        any_of(
            "bitte kannst koenntest koennen koennten wuerdest wuerden magst willst hast haben_sie weisst wissen_sie"
        ),
        any_of("kennst kennen_sie gibt_es soll sollen sollte darf duerfen"),
        r"ich (?:brauche?|benoetige|suche|haette|moechte|will|wuerde|bitte|wuensche|bin auf der suche)",
        r"wir (?:brauchen|benoetigen|suchen|haetten|moechten|wuerden)",
        r"(?:wer|was|wo|wann|wie|warum|wieso|weshalb|woher|wohin|wofuer|womit|welche[mnrs]?)\b",
        rf"{_STEM}(?:e|st|t|en)?\b",
    ),
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
