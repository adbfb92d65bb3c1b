"""The words by which statements and questions tell what is current, in a table for each language (contract 11.2, conflictBoost).

An underscore is a blank. The words of a `Phrase` are plain; other words may be patterns. `statement_words`, `endings`,
`statement_clauses` and `takeovers` say what they mean.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memd.domain.dates.months import FRENCH_MONTHS, GERMAN_MONTHS, MONTHS, SPANISH_MONTHS
from memd.domain.dates.weekdays import FRENCH_WEEKDAYS, GERMAN_WEEKDAYS, SPANISH_WEEKDAYS, WEEKDAYS
from memd.domain.text.alternatives import any_of
from memd.domain.text.phrases import Phrase

_OLD: Final = r"([^\s.;,:!?()]+(?: [^\s.;,:!?()]+){0,3})"
"""Up to four words for what is replaced."""
_NOT_ONLY: Final = r"(?! (?:only|just|merely|solely|nur|bloß|allein|so|als)\b)"
_NOT_THAN: Final = r"\b(?! (?:than|als|que|de \d)\b)"


@dataclass(frozen=True, slots=True)
class UpdateWords:
    """The words of one language."""

    weekdays: Sequence[str]
    months: Sequence[str]
    now: str
    """Adverbs that say that something was not always so, and that a question asks about now."""
    again: str
    """Adverbs that say the former only."""
    asked_now: str
    """Other words of a question about now."""
    still: str
    """Words of a question if something is still so."""
    changed: str
    """Verbs that say that something was not always so."""
    roles: Mapping[str, str]
    """Prepositions by the role of the name behind them; those that stand between two nouns (`of`, `de`, `von`) say none."""
    determiners: str
    naming: str
    """Words between a noun and the name of the same."""
    verbs: str
    """A name behind one of these is not in the role that a preposition before it says."""
    light: str
    """Verbs that say little of what is asked: another one stands in a new statement."""
    joining: str
    """Words between two clauses."""
    over: Sequence[Phrase]
    """What says that something is over."""
    instead: Sequence[Phrase]
    """What says that something is replaced, with a group for the words for it."""
    undone: str
    """Words before a verb that say that what it tells has not happened."""
    condition: str
    reason: str
    """Words before a reason, which is not what is over."""
    aside: str
    """Words for how something was had, or for how long it is over, beside the thing itself."""
    arranged: str
    """Participles of what is to come, although in the past tense."""
    forms: str = ""
    """Forms of irregular verbs, each before its infinitive."""
    function: str = ""
    """Words without a meaning, besides the stop words."""
    meaningful: str = ""
    """Stop words that are words with a meaning in another of the languages, or nouns."""


_BE: Final = r"(?<!\bthat )(?<!\bwhich )(?<!\bwho )(?:is|are|was|were|has been|have been|got|['’]s)(?: now| all)? {}"
_GROUPS: Final = any_of(
    "band choir team club company group party board committee course class union association orchestra"
)
ENGLISH: Final = UpdateWords(
    weekdays=WEEKDAYS,
    months=MONTHS,
    now="now currently nowadays",
    again="again back instead",
    asked_now="current today these_days at_the_moment latest changed? new",
    still="still",
    changed="switched changed took_over takes_over taken_over new",
    roles={
        "place": "at in on to into onto",
        "origin": "from",
        "company": "with",
        "agent": "by",
        "purpose": "for",
        "matter": "about",
    },
    determiners="the a an our my",
    naming="called named",
    verbs="is are was were will has have",
    light="go use get take give make come run call live work",
    joining="and but so because while",
    over=(
        Phrase("called_off cancelled canceled scrapped abandoned discontinued", _BE),
        Phrase("is_off fell_through", r"{}(?=\W*\Z)"),
        Phrase(
            "happening happen taking_place take_place",
            r"(?:is not|are not|isn.t|aren.t|will not|won.t) {}",
        ),
        Phrase("gave_up called_off quit got_rid_of pulled_out_of dropped_out_of"),
        Phrase("withdrew_from had_to_withdraw_from"),
        Phrase("stopped", r"{}(?=\s\w+ing\b)"),
        Phrase(
            "cancelled canceled scrapped abandoned dropped",
            rf"{{}}(?=\s{any_of('the our my your his her their its this that all')}\b)",
        ),
        Phrase("left", rf"{{}}(?=\s(?:the|our|my|his|her|their)\s(?:\w+\s)?{_GROUPS}\b)"),
        Phrase("no_longer", "{}" + _NOT_ONLY),
        Phrase("anymore any_more any_longer", rf"(?:not|never|\w+n['’]t)\b(?=.*\b{{}}{_NOT_THAN})"),
    ),
    instead=(
        Phrase(
            "switched_off dropped removed retired replaced shut_down turned_off",
            r"([^\W_]+) (?:was|were|is|are|has been|have been) {}",
        ),
        Phrase("left retired resigned quit moved_on", r"(?:since|after|because|now that) ([^\W_]+) (?:has )?{}"),
        Phrase(
            "migrated moved switched changed upgraded went",
            rf"{{}}\b[^.;]{{0,60}}? from(?= [^.;]{{1,60}} to\b) {_OLD}",
        ),
        Phrase("took_over takes_over taken_over", rf"{{}}\b[^.;]{{0,60}}? from {_OLD}"),
        Phrase(",_not", rf"{{}}{_NOT_ONLY}(?: on| in| at)? {_OLD}"),
        Phrase("no_longer", rf"{{}}(?: in| on| at| by| with)? {_OLD}"),
        Phrase(
            "instead_of rather_than replaces replace replaced replacing dropped gave_up quit stopped_using got_rid_of"
            " away_from succeeds",
            f"{{}} {_OLD}",
        ),
    ),
    undone="to will would might may could should can must shall not never almost nearly",
    condition="if when whenever unless in_case",
    reason="because due_to since after as and_(?:now|then|we|i)",
    aside="""
        plan idea subscription membership contract use anymore longer every finally officially unfortunately year month week
        further notice
    """,
    arranged="planned booked scheduled reserved subscribed registered signed_up",
)
GERMAN: Final = UpdateWords(
    weekdays=GERMAN_WEEKDAYS,
    months=tuple(GERMAN_MONTHS),
    now="jetzt nun inzwischen mittlerweile neuerdings künftig derzeit",
    again="wieder",
    asked_now=r"aktuell\w* momentan heute geändert",
    still=r"noch(?!_(?:nicht|nie|mal|ein\w*)\b) weiterhin",
    changed="gewechselt übernimmt übernommen umgestiegen neue[rs]?",
    roles={
        "place": "auf bei im nach zu zum zur ins",
        "origin": "aus vom",
        "company": "mit",
        "agent": "durch",
        "purpose": "für",
        "matter": "über",
    },
    determiners="der die das den dem",
    naming="namens genannt",
    verbs="ist sind war hat haben wird",
    light="geht fährt macht nimmt nutzt benutzt kommt gibt läuft",
    joining="und aber weil sodass",
    over=(
        Phrase(
            "abgesagt storniert gekündigt aufgegeben aufgehört abbestellt ausgefallen gestrichen abgeblasen geplatzt",
            r"(?<=\s){}(?: worden)?(?=\Z)",
        ),
        Phrase("aufgehört", r"(?<=\s){}(?=,? (?:mit|(?:\S+ ){0,3}zu)\b)"),
        Phrase("fällt fallen fiel fielen", r"{}\b(?=.*\saus\Z)"),
        Phrase("entfällt entfallen entfiel"),
        Phrase("sich_erledigt", "(?:hat|haben) {}"),
        Phrase("findet finden", r"{}\b(?=.*\bnicht\b.*\bstatt\Z)"),
        Phrase("doch_nicht nicht_mehr", "{}" + _NOT_ONLY),
        Phrase("mehr", rf"keine?[nrms]?\b(?=.*\b{{}}{_NOT_THAN})"),
    ),
    instead=(
        Phrase("übernimmt", rf"{{}}\b[^.;]{{0,60}}? von {_OLD}"),
        Phrase("statt anstatt anstelle_von ersetzt nicht_mehr", f"{{}} {_OLD}"),
    ),
    undone="nicht nie fast beinahe",
    condition="wenn falls sofern",
    reason="wegen weil aufgrund nachdem",
    aside="abo abonnement vertrag mitgliedschaft nutzen benutzen verwenden gibt mehr statt leider jahr monat woche weiteres",
    arranged="geplant gebucht vereinbart reserviert abonniert angemeldet",
    forms="""
        fährt fahren läuft laufen schläft schlafen trägt tragen wäscht waschen hält halten lädt laden fängt fangen
        gibt geben nimmt nehmen isst essen liest lesen sieht sehen spricht sprechen trifft treffen hilft helfen geht gehen
    """,
    function="beim ins ans aufs fürs unsere unserem unseren unserer unseres",
)
SPANISH: Final = UpdateWords(
    weekdays=SPANISH_WEEKDAYS,
    months=SPANISH_MONTHS,
    now="ahora actualmente",
    again="",
    asked_now="",
    still="todavía aún sigue[ns]?",
    changed="cambi(?:ó|é|amos|aron|ado) vuelven? pasó nuev[oa]s?",
    roles={
        "place": "en al",
        "origin": "desde",
        "company": "con",
        "agent": "por",
        "purpose": "para",
        "matter": "sobre",
    },
    determiners="el la los las un una",
    naming="llamado llamada",
    verbs="es son está están era tiene ha han",
    light="va vamos van ir usa usamos hace hacemos lleva llevamos toma tomamos",
    joining="y e pero porque",
    over=(
        Phrase("cancel suspend anul", r"(?:se )?{}(?:ó|ió|amos|aron|ieron)"),
        Phrase(
            "cancel suspend anul",
            r"(?:se ha|se han|está|están|fue|fueron|ha sido|han sido|ha|han|he|hemos) {}[ai]d[oa]s?",
        ),
        Phrase("ya_no dejó dejé dejamos dejaron", "{}(?: de)?"),
        Phrase("dejado", "(?:ha|han|he|hemos) {}(?: de)?"),
    ),
    instead=(Phrase("sustituye_a reemplaza_a en_lugar_de en_vez_de", f"{{}} {_OLD}"),),
    undone="no",
    condition="si cuando",
    reason="por porque",
    aside="año mes semana",
    arranged="planeado reservado programado previsto contratado inscrit[oa]",
    forms="juega jugar vive vivir escribe escribir duerme dormir sale salir conduce conducir",
    meaningful="son sea sin hay era eras todo nada poco estado estados sentido sentidos",
)
FRENCH: Final = UpdateWords(
    weekdays=FRENCH_WEEKDAYS,
    months=FRENCH_MONTHS,
    now="maintenant désormais dorénavant actuellement",
    again="",
    asked_now="en_ce_moment",
    still="encore toujours",
    changed="changé nouveau nouvelle remplace",
    roles={"place": "à au aux chez dans en", "company": "avec", "agent": "par", "purpose": "pour"},
    determiners="le les une",
    naming="appelé appelée nommé nommée",
    verbs="est sont ont était",
    light="va vont allons fait faisons utilise utilisons prend prenons",
    joining="et mais donc",
    over=(
        Phrase("annulé supprimé abandonné", "(?:est|sont|a été|ont été) {}e?s?"),
        Phrase(
            "annulé supprimé abandonné arrêté cessé quitté résilié",
            r"(?:ai|as|a|avons|avez|ont) {}(?: de\b| d['’])?",
        ),
        Phrase("lieu", "(?:n['’]|ne )(?:aura|auront|a|ont) (?:pas|plus) {}"),
        Phrase("plus", rf"n(?:e\b|(?=['’]))(?=.*\b{{}}{_NOT_THAN})"),
        Phrase("à_l", "tomb(?:e|ée?s?) {}['’]eau"),
    ),
    instead=(
        Phrase("à_la_place_d au_lieu_d", rf"{{}}(?:[eu] |['’]){_OLD}"),
        Phrase("remplace succède_à", f"{{}} {_OLD}"),
    ),
    undone="pas",
    condition="si quand s['’]il",
    reason="parce_que",
    aside="année mois semaine",
    arranged="prévu réservé organisé planifié abonné",
    forms="lit lire boit boire court courir conduit conduire suit suivre écrit écrire dort dormir",
    meaningful="son ton aura auras",
)
LANGUAGES: Final = (ENGLISH, GERMAN, SPANISH, FRENCH)


def words_for(get: Callable[[UpdateWords], str]) -> str:
    """The words of one kind, of all languages."""
    return " ".join(map(get, LANGUAGES))
