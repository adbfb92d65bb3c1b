"""What Italian sentences state of their author, of people and of things: the forms and their words.

They read text without accents (`text.plain`), from its beginning, for `memd.domain.romance.italian`.
"""

import re
from typing import Final

from memd.domain.romance.forms import Statement
from memd.domain.romance.italian_facts import ITALIAN_WORDS
from memd.domain.text.alternatives import any_of, either
from memd.domain.types import Category

_MONTH: Final = any_of(ITALIAN_WORDS.months)
_WEEKDAY: Final = any_of(ITALIAN_WORDS.weekdays)
DAY: Final = any_of(
    rf"""
    \b\d{{1,2}}_{_MONTH}\b \b(?:a|in)_{_MONTH}\b \bnel_(?:19|20)\d\d\b \b{_WEEKDAY}\b \bdomani\b
    \bprossim[oa]\b \bscors[oa]\b \bieri\b \b\d{{1,2}}/\d{{1,2}}\b \balle_\d
    """
)
_COUNT: Final = r"(?:un|uno|una|un'|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|vari|varie|\d+)"
_PEOPLE: Final = any_of(
    r"""
    madre padre genitori mamma papa nonn[oaie] fratell[oi] sorell[ae] figli[oae]? bambin[oaie] moglie marito
    compagn[oa] fidanzat[oa] ragazz[oa] cugin[oaie] zi[oae] nipot[ei] suocer[oaie] cognat[oaie] amic[oa] amici
    amiche cap[oa] colleg[ahi]+ vicin[oaie] medico dottore dottoressa dentista pediatra psicolog[oa]
    avvocat[oa] padron[ea]_di_casa prof professore professoressa commercialista allenat\w+ tutor mentore
    soci[oa]? gemell[oaie] padrino madrina can[ei] cagn\w+ gatt[oaie] famiglia ex
    """
)
_MATTER: Final = any_of(
    r"""
    domand[ae] problem[ai] error[ei] dubbi?o? ide[ae] list[ae] tabell[ae] test[oi] codic[ei] file script
    funzion[ei] variabil[ei] colonn[ae] righ[ae] dati immagin[ei] fras[ei] paragraf[oi] mail messagg[ioi]+
    tema poesia racconto personagg\w+ protagonista compit[oi] esercizi?o? traduzion[ei] prompt riassunto bozza
    titolo opzion[ei] suggeriment[oi] propost[ae] rispost[ae] soluzion[ei] momento attimo minut[oi] po'
    cos[ae] voglia bisogno impressione parere scopo computer pc schermo programma app terminale caso testa
    tipo
    """
)
_POSSESSED: Final = any_of(
    r"""
    animal[ei] conigli?o? uccell[oi] tartarug\w+ cavall[oi] gallin[ae] macchin[ae] auto moto bici\w* furgone
    barca cas[ae] appartament[oi] terreno orto giardino negozi?o? aziend[ae] ristorant[ei] bar blog canale
    podcast dipendent[ei] client[ei] alunn[oaie] pazient[ei] laure[ae] master dottorato borsa mutuo prestito
    assicurazione pianoforte chitarra anni
    """
)
_VERB: Final = any_of(
    r"""
    e'? sono si_chiam(?:a|ano) viv(?:e|ono) abit(?:a|ano) lavor(?:a|ano) studi(?:a|ano) ha hanno
    compi(?:e|ono) e_nat[oa] gioc(?:a|ano) parl(?:a|ano) preferisc(?:e|ono) odi(?:a|ano) am(?:a|ano)
    mangi(?:a|ano) bev(?:e|ono) us(?:a|ano) cost(?:a|ano) inizi(?:a|ano) finisc(?:e|ono) scad(?:e|ono)
    part(?:e|ono) apr(?:e|ono) chiud(?:e|ono) si_(?:trasferisc\w+|spos\w+) va vanno viene vengono
    guid(?:a|ano) suon(?:a|ano) insegn(?:a|ano) dirig(?:e|ono) port(?:a|ano) puo possono soffr(?:e|ono)
    prend(?:e|ono) pag(?:a|ano) dura
    """
)
_MINE: Final = r"(?:(?:il|la|lo|i|le|gli) )?(?:mi[oae]|miei|nostr[oaie])"
_PROFESSION: Final = (
    r"(?!(?:consapevole|diverso|paziente|impaziente|primo|prima|sincer[oa]|vero|vera|unic[oa]|spesso|presente"
    r"|assente|\w+mente|content[oa]|stanc[oa]|pront[oa]|sicur[oa]|nuov[oa]|brav[oa]|curios[oa]|curiosa|felice"
    r"|trist[ei]|d'accordo|andat[oa]|stat[oa]|riuscit[oa]|rimast[oa]|interessat[oa]|convint[oa]|dispost[oa]"
    r"|indecis[oa])\b)\w{2,}"
    + any_of(
        """
        ier[ei] ier[ao] ist[ai] tore trice log[oa] iatra graf[oa] ari[oa] ic[oa] ante ente tett[oa] cat[oa]
        nom[oa] an[oa] ese in[oa] ol[oa] egn[oa]nte gnere uoc[oa]
        """
    )
    + r"\b"
)
_SONO: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:un|uno|una|un'|il|la|l'|di) ?(?!(?:po'|solo|disastro|attesa|opinione|accordo"
    r"|fretta)\b)\w|(?:allergic|intollerant|celiac|diabetic|asmatic|vegan|vegetarian|mancin|daltonic|single|sposat"
    r"|divorziat|separat|vedov|pensionat|fidanzat|incint|autonom|medico|avvocat|padre|madre|mamma|papa|nonn|student"
    r"|freelance|cuoc|chef|prof|sord|ciec|ebre|musulman|cristian|cattolic|ate[oa]\b|nat[oa] (?:a|in|nel|il)"
    rf"|disoccupat|in (?:pensione|maternita|cassa))\w*|{_PROFESSION})"
)
_LIKED: Final = (
    r"(?!(?:tu[oae]|tuoi|quest[oaie]|quell[oaie]|cosi|come (?:hai|scrivi)|che|saperne|sapere|la tua|il tuo|l[ae] "
    r"(?:prima|seconda|terza|risposta|opzione|idea|proposta|versione))\b|molto\W*\Z|di piu\W*\Z)\S"
)
_I: Final = r"(?:io )?(?:adesso |ora |attualmente |anche |da poco )?"


def _owned(noun: str) -> str:
    """What is said of something of the author's that `noun` matches."""
    return (
        rf"{_MINE} (?!{_MATTER}\b){noun}(?: (?!che\b)[\w.'-]+){{0,5}}? "
        rf"(?:(?:non|ora|anche|adesso) )?{_VERB} (?!(?:cosi|bene|male|facile|semplice)\b)\S"
    )


def _form(pattern: str, category: Category) -> Statement:
    return Statement(re.compile(rf"{_I}(?:{pattern})", re.IGNORECASE), category)


_APPOINTMENT: Final = any_of(
    """
    appuntamento riunione volo treno esame colloquio matrimonio visita operazione lezione concerto viaggio
    cena partita trasloco battesimo udienza
    """
)
LASTING: Final = (
    _form(
        r"(?:ho|abbiamo|il team ha|il cliente ha) (?:\w+ ){0,2}?(?:deciso|concordato|scelto|scartato)\b \S+ \S",
        Category.DECISION,
    ),
    _form(r"(?:ho|abbiamo) (?:imparato|capito) (?:che|a) \S+ \S|lezione(?: imparata)? ?:", Category.LESSON),
    _form(
        either(
            rf"(?:ho|abbiamo) (?:[\w']+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{DAY})",
            rf"(?:il|la|l'|{_MINE}) ?{_APPOINTMENT}\b.{{0,60}}? (?:e|sara|e stat[oa])\b(?=.{{0,120}}{DAY})",
        ),
        Category.EVENT,
    ),
    _form(_owned(rf"(?:nuov[oa] )?{_PEOPLE}"), Category.PERSON),
    _form(
        either(
            rf"{_MINE} (?:obiettivo|sogno|meta)(?: \S+){{0,4}}? e \S",
            r"(?:voglio|vogliamo|conto di|ho intenzione di|devo|dobbiamo)\b(?! (?:che|sapere|un|una)\b)"
            rf"(?=.{{0,160}}{DAY}).{{8}}",
        ),
        Category.GOAL,
    ),
    _form(rf"{_MINE} (?:[\w-]+ ){{1,4}}?e'? [\w.+-]{{1,64}}@\w", Category.FACT),
    _form(_owned(r"[\w-]{2,}"), Category.FACT),
    _form(r"(?:mi chiamo|il mio nome e) \S", Category.FACT),
    _form(
        rf"(?:non )?(?:sono|siamo) (?:\w+mente |anche |ancora |diventat[oa] )?{_SONO}|ho \d+ anni\b|(?:peso|sono alt[oa]) \d",
        Category.FACT,
    ),
    _form(
        r"(?:non )?"
        + any_of(
            """
            vivo viviamo vivevo abito abitiamo abitavo risiedo sono_cresciut[oa] siamo_cresciuti
            mi_sono_(?:appena_)?trasferit[oa] ci_siamo_trasferiti mi_trasferisco ci_trasferiamo
            """
        )
        + r"(?: \w+){0,2}? (?!in un[a']? ?(?:societa|epoca|mondo|bolla|simulazione)\b)(?:a|ad|al|in|nel|nella|con"
        r"|da|dal|sol[oa]|vicino|di|per) \S",
        Category.FACT,
    ),
    _form(
        r"(?:non )?(?:lavoro|lavoriamo|lavoravo)(?: \w+){0,2}? (?:in|nel|nella|all?|alla|all'|come|per|da|con"
        r"|presso|dal) ?(?!(?:quest[oa]|un (?:progetto|testo|codice|script))\b)\S|(?:studio|studiamo|ho studiato) "
        r"(?!come|perche|su)\S|insegno \S|dirigo \S|gestisco \S|(?:ho (?:appena )?(?:iniziato|cominciato|cambiato"
        r"|lasciato|smesso|perso)) (?:un |una |il |la |di |a )?\S+|mi sono (?:appena )?(?:sposat|laureat|separat"
        r"|iscritt|fidanzat|licenziat)[oa]\b|(?:mi occupo di|faccio (?:il|la|l')) ?\S",
        Category.FACT,
    ),
    _form(
        either(
            r"(?:ho|soffro)(?: \w+){0,2}? (?:d'|di |l'|un'|il |la |una |un )?"
            + any_of(
                """
                allergi[ae] intolleranz[ae] diabete asma emicrani[ae] ipertensione celiachia epilessia artrite adhd
                vertigini colesterolo insonnia endometriosi fobia anemia
                """
            )
            + r"\b",
            r"non (?:posso|possiamo) (?:mangiare|bere|prendere|guidare|usare|portare) \S",
            r"non (?:mangio|bevo|fumo|prendo|uso|guido|tollero|sopporto|lavoro|vado|mangiamo) (?:piu|mai )?\S*",
            r"non ho (?:la macchina|figli|la patente|animali|fratelli|la televisione)\b",
        ),
        Category.FACT,
    ),
    _form(
        r"(?:non )?"
        + any_of(
            r"""
            preferisco preferiamo mi_piac(?:e|ciono) ci_piac(?:e|ciono) adoro adoriamo amo odio detesto non_sopporto
            mi_appassiona\w*
            """
        )
        + rf" {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:ho|abbiamo) (?:gia |anche |in tutto )?{_COUNT} ?(?:\w+ )?(?:{_PEOPLE}|{_POSSESSED})\b"
        rf"|{_MINE} [\w-]+ preferit[oaie] (?:e|sono) \S",
        Category.FACT,
    ),
    _form(
        either(
            r"(?:uso|usiamo|utilizzo|utilizziamo|programmo|programmiamo) (?!(?:quest[oaie]|quell[oaie]|la funzione"
            r"|il codice|un ciclo)\b)\S",
            r"(?:parlo|parliamo|suono|gioco a|pratico|guido|colleziono|canto|dipingo|imparo|coltivo) (?!(?:di|del"
            r"|della|con te|quest[oa])\b)\S",
        ),
        Category.FACT,
    ),
    _form(
        rf"(?:(?:il|la|ogni) {_WEEKDAY}|tutt[ie] (?:i|le) \w+|ogni (?:giorno|settimana|mese|anno|mattina|sera"
        r"|estate)|di solito|normalmente|in settimana|la (?:mattina|sera))(?: (?:mattina|sera))?,? (?:non )?(?:mi "
        r"|ci )?\w+(?:o|iamo)\b",
        Category.FACT,
    ),
    _form(
        r"(?:ho|abbiamo) (?:\w+ )?"
        + any_of(
            """
            comprato venduto adottato affittato prenotato firmato ereditato fondato assunto superato ottenuto
            pubblicato ristrutturato
            """
        )
        + r" (?!(?:il|un) (?:codice|errore|script)\b)\S",
        Category.EVENT,
    ),
    _form(
        rf"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:e|sara|era) {_MINE} (?!(?:problema|domanda|obiettivo|errore)\b)\S",
        Category.PERSON,
    ),
)
