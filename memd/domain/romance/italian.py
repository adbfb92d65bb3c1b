"""Italian forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms, Statement
from memd.domain.romance.italian_facts import ITALIAN_WORDS
from memd.domain.text.alternatives import any_of
from memd.domain.types import Category

_MONTH: Final = any_of(ITALIAN_WORDS.months)
_WEEKDAY: Final = any_of(ITALIAN_WORDS.weekdays)
_DAY: Final = rf"(?:\b\d{{1,2}} {_MONTH}\b|\b(?:a|in) {_MONTH}\b|\bnel (?:19|20)\d\d\b|\b{_WEEKDAY}\b|\bdomani\b|\bprossim[oa]\b|\bscors[oa]\b|\bieri\b|\b\d{{1,2}}/\d{{1,2}}\b|\balle \d)"
_COUNT: Final = r"(?:un|uno|una|un'|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|vari|varie|\d+)"
_PEOPLE: Final = (
    r"(?:madre|padre|genitori|mamma|papa|nonn[oaie]|fratell[oi]|sorell[ae]|figli[oae]?|bambin[oaie]|moglie|marito|compagn[oa]|fidanzat[oa]|ragazz[oa]|cugin[oaie]|zi[oae]|nipot[ei]|suocer[oaie]|cognat[oaie]"
    r"|amic[oa]|amici|amiche|cap[oa]|colleg[ahi]+|vicin[oaie]|medico|dottore|dottoressa|dentista|pediatra|psicolog[oa]|avvocat[oa]|padron[ea] di casa|prof|professore|professoressa|commercialista|allenat\w+|tutor|mentore|soci[oa]?|gemell[oaie]|padrino|madrina|can[ei]|cagn\w+|gatt[oaie]|famiglia|ex)"
)
_MATTER: Final = (
    r"(?:domand[ae]|problem[ai]|error[ei]|dubbi?o?|ide[ae]|list[ae]|tabell[ae]|test[oi]|codic[ei]|file|script|funzion[ei]|variabil[ei]|colonn[ae]|righ[ae]|dati|immagin[ei]|fras[ei]|paragraf[oi]|mail|messagg[ioi]+|tema|poesia|racconto"
    r"|personagg\w+|protagonista|compit[oi]|esercizi?o?|traduzion[ei]|prompt|riassunto|bozza|titolo|opzion[ei]|suggeriment[oi]|propost[ae]|rispost[ae]|soluzion[ei]|momento|attimo|minut[oi]|po'|cos[ae]|voglia|bisogno|impressione|parere|scopo|computer|pc|schermo|programma|app|terminale|caso|testa|tipo)"
)
_POSSESSED: Final = r"(?:animal[ei]|conigli?o?|uccell[oi]|tartarug\w+|cavall[oi]|gallin[ae]|macchin[ae]|auto|moto|bici\w*|furgone|barca|cas[ae]|appartament[oi]|terreno|orto|giardino|negozi?o?|aziend[ae]|ristorant[ei]|bar|blog|canale|podcast|dipendent[ei]|client[ei]|alunn[oaie]|pazient[ei]|laure[ae]|master|dottorato|borsa|mutuo|prestito|assicurazione|pianoforte|chitarra|anni)"
_VERB: Final = (
    r"(?:e'?|sono|si chiam(?:a|ano)|viv(?:e|ono)|abit(?:a|ano)|lavor(?:a|ano)|studi(?:a|ano)|ha|hanno|compi(?:e|ono)|e nat[oa]|gioc(?:a|ano)|parl(?:a|ano)|preferisc(?:e|ono)|odi(?:a|ano)|am(?:a|ano)|mangi(?:a|ano)|bev(?:e|ono)|us(?:a|ano)|cost(?:a|ano)|inizi(?:a|ano)|finisc(?:e|ono)|scad(?:e|ono)"
    r"|part(?:e|ono)|apr(?:e|ono)|chiud(?:e|ono)|si (?:trasferisc\w+|spos\w+)|va|vanno|viene|vengono|guid(?:a|ano)|suon(?:a|ano)|insegn(?:a|ano)|dirig(?:e|ono)|port(?:a|ano)|puo|possono|soffr(?:e|ono)|prend(?:e|ono)|pag(?:a|ano)|dura)"
)
_MINE: Final = r"(?:(?:il|la|lo|i|le|gli) )?(?:mi[oae]|miei|nostr[oaie])"
_OWNED: Final = rf"{_MINE} (?!{_MATTER}\b){{noun}}(?: (?!che\b)[\w.'-]+){{{{0,5}}}}? (?:(?:non|ora|anche|adesso) )?{_VERB} (?!(?:cosi|bene|male|facile|semplice)\b)\S"
_PROFESSION: Final = (
    r"(?!(?:consapevole|diverso|paziente|impaziente|primo|prima|sincer[oa]|vero|vera|unic[oa]|spesso|presente|assente|\w+mente|content[oa]|stanc[oa]|pront[oa]|sicur[oa]|nuov[oa]|brav[oa]|curios[oa]|curiosa|felice|trist[ei]|d'accordo|andat[oa]|stat[oa]|riuscit[oa]|rimast[oa]|interessat[oa]|convint[oa]|dispost[oa]|indecis[oa])\b)"
    r"\w{2,}(?:ier[ei]|ier[ao]|ist[ai]|tore|trice|log[oa]|iatra|graf[oa]|ari[oa]|ic[oa]|ante|ente|tett[oa]|cat[oa]|nom[oa]|an[oa]|ese|in[oa]|ol[oa]|egn[oa]nte|gnere|uoc[oa])\b"
)
_SONO: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:un|uno|una|un'|il|la|l'|di) ?(?!(?:po'|solo|disastro|attesa|opinione|accordo|fretta)\b)\w|(?:allergic|intollerant|celiac|diabetic|asmatic|vegan|vegetarian|mancin|daltonic|single|sposat|divorziat|separat|vedov|pensionat|fidanzat|incint"
    rf"|autonom|medico|avvocat|padre|madre|mamma|papa|nonn|student|freelance|cuoc|chef|prof|sord|ciec|ebre|musulman|cristian|cattolic|ate[oa]\b|nat[oa] (?:a|in|nel|il)|disoccupat|in (?:pensione|maternita|cassa))\w*|{_PROFESSION})"
)
_LIKED: Final = r"(?!(?:tu[oae]|tuoi|quest[oaie]|quell[oaie]|cosi|come (?:hai|scrivi)|che|saperne|sapere|la tua|il tuo|l[ae] (?:prima|seconda|terza|risposta|opzione|idea|proposta|versione))\b|molto\W*\Z|di piu\W*\Z)\S"
_I: Final = r"(?:io )?(?:adesso |ora |attualmente |anche |da poco )?"


def _form(pattern: str, category: Category) -> Statement:
    return Statement(re.compile(rf"{_I}(?:{pattern})", re.IGNORECASE), category)


_APPOINTMENT: Final = r"(?:appuntamento|riunione|volo|treno|esame|colloquio|matrimonio|visita|operazione|lezione|concerto|viaggio|cena|partita|trasloco|battesimo|udienza)"
_LASTING: Final = (
    _form(
        r"(?:ho|abbiamo|il team ha|il cliente ha) (?:\w+ ){0,2}?(?:deciso|concordato|scelto|scartato)\b \S+ \S",
        Category.DECISION,
    ),
    _form(r"(?:ho|abbiamo) (?:imparato|capito) (?:che|a) \S+ \S|lezione(?: imparata)? ?:", Category.LESSON),
    _form(
        rf"(?:ho|abbiamo) (?:[\w']+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{_DAY})|(?:il|la|l'|{_MINE}) ?{_APPOINTMENT}\b.{{0,60}}? (?:e|sara|e stat[oa])\b(?=.{{0,120}}{_DAY})",
        Category.EVENT,
    ),
    _form(_OWNED.format(noun=rf"(?:nuov[oa] )?{_PEOPLE}"), Category.PERSON),
    _form(
        rf"{_MINE} (?:obiettivo|sogno|meta)(?: \S+){{0,4}}? e \S|(?:voglio|vogliamo|conto di|ho intenzione di|devo|dobbiamo)\b(?! (?:che|sapere|un|una)\b)(?=.{{0,160}}{_DAY}).{{8}}",
        Category.GOAL,
    ),
    _form(rf"{_MINE} (?:[\w-]+ ){{1,4}}?e'? [\w.+-]{{1,64}}@\w", Category.FACT),
    _form(_OWNED.format(noun=r"[\w-]{2,}"), Category.FACT),
    _form(r"(?:mi chiamo|il mio nome e) \S", Category.FACT),
    _form(rf"(?:non )?(?:sono|siamo) (?:\w+mente |anche |ancora |diventat[oa] )?{_SONO}|ho \d+ anni\b", Category.FACT),
    _form(
        r"(?:non )?(?:vivo|viviamo|vivevo|abito|abitiamo|abitavo|risiedo|sono cresciut[oa]|siamo cresciuti|mi sono (?:appena )?trasferit[oa]|ci siamo trasferiti|mi trasferisco|ci trasferiamo)(?: \w+){0,2}? (?!in un[a']? ?(?:societa|epoca|mondo|bolla|simulazione)\b)(?:a|ad|al|in|nel|nella|con|da|dal|sol[oa]|vicino|di|per) \S",
        Category.FACT,
    ),
    _form(
        r"(?:non )?(?:lavoro|lavoriamo|lavoravo)(?: \w+){0,2}? (?:in|nel|nella|all?|alla|all'|come|per|da|con|presso|dal) ?(?!(?:quest[oa]|un (?:progetto|testo|codice|script))\b)\S|(?:studio|studiamo|ho studiato) (?!come|perche|su)\S|insegno \S|dirigo \S|gestisco \S"
        r"|(?:ho (?:appena )?(?:iniziato|cominciato|cambiato|lasciato|smesso|perso)) (?:un |una |il |la |di |a )?\S+|mi sono (?:appena )?(?:sposat|laureat|separat|iscritt|fidanzat|licenziat)[oa]\b|(?:mi occupo di|faccio (?:il|la|l')) ?\S",
        Category.FACT,
    ),
    _form(
        r"(?:ho|soffro)(?: \w+){0,2}? (?:d'|di |l'|un'|il |la |una |un )?(?:allergi[ae]|intolleranz[ae]|diabete|asma|emicrani[ae]|ipertensione|celiachia|epilessia|artrite|adhd|vertigini|colesterolo|insonnia|endometriosi|fobia|anemia)\b"
        r"|non (?:posso|possiamo) (?:mangiare|bere|prendere|guidare|usare|portare) \S|non (?:mangio|bevo|fumo|prendo|uso|guido|tollero|sopporto|lavoro|vado|mangiamo) (?:piu|mai )?\S*|non ho (?:la macchina|figli|la patente|animali|fratelli|la televisione)\b",
        Category.FACT,
    ),
    _form(
        rf"(?:non )?(?:preferisco|preferiamo|mi piac(?:e|ciono)|ci piac(?:e|ciono)|adoro|adoriamo|amo|odio|detesto|non sopporto|mi appassiona\w*) {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:ho|abbiamo) (?:gia |anche |in tutto )?{_COUNT} ?(?:\w+ )?(?:{_PEOPLE}|{_POSSESSED})\b|{_MINE} [\w-]+ preferit[oaie] (?:e|sono) \S",
        Category.FACT,
    ),
    _form(
        r"(?:uso|usiamo|utilizzo|utilizziamo|programmo|programmiamo) (?!(?:quest[oaie]|quell[oaie]|la funzione|il codice|un ciclo)\b)\S|(?:parlo|parliamo|suono|gioco a|pratico|guido|colleziono|canto|dipingo|imparo|coltivo) (?!(?:di|del|della|con te|quest[oa])\b)\S",
        Category.FACT,
    ),
    _form(
        rf"(?:(?:il|la|ogni) {_WEEKDAY}|tutt[ie] (?:i|le) \w+|ogni (?:giorno|settimana|mese|anno|mattina|sera|estate)|di solito|normalmente|in settimana|la (?:mattina|sera))(?: (?:mattina|sera))?,? (?:non )?(?:mi |ci )?\w+(?:o|iamo)\b",
        Category.FACT,
    ),
    _form(
        r"(?:ho|abbiamo) (?:\w+ )?(?:comprato|venduto|adottato|affittato|prenotato|firmato|ereditato|fondato|assunto|superato|ottenuto|pubblicato|ristrutturato) (?!(?:il|un) (?:codice|errore|script)\b)\S",
        Category.EVENT,
    ),
    _form(
        rf"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:e|sara|era) {_MINE} (?!(?:problema|domanda|obiettivo|errore)\b)\S",
        Category.PERSON,
    ),
)

ITALIAN: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:ciao|salve|buongiorno|buonasera|hey|ehi|ok|va bene|si|no|grazie|grazie mille|perfetto|bene|correzione|nota|importante|info)(?: \w+)?\s?[,:;!.–—-]+\s+(?:e |ma )?"
        r"|(?:comunque|a proposito|tra l'altro|inoltre|per tua informazione|per la cronaca|in realta|e|ma|anche|allora|quindi|sai),?\s+)",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:per favore,? )?(?:ricorda(?:ti)?|ricordate|tieni (?:presente|a mente|conto)|non dimenticare|segnati|annota|prendi nota)(?: che|:|,) (?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:per favore,? )?(?:ricordami|ricordaci|(?:mi puoi|puoi|potresti) ricordar(?:mi|ci))\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"(?:per favore,? )?(?:(?:d'ora in poi|da adesso in poi|da oggi in poi|in futuro),? (?:per favore,? )?(?:sempre |non |mai )?(?:rispond|scriv|parl|us|chiam|evit|dimm|mett|inizi|dammi|tratt)\w*"
        r"|(?:rispond|scriv|parl)\w{1,6} (?:sempre|solo|soltanto)\b|(?:chiamami|dammi del (?:tu|lei))\b(?: \S+)*|non (?:usare|scrivere|rispondere) mai \S|e (?:severamente )?vietato \S|(?:la |nostra )?regola(?: \S+){0,4}? (?:e|:))",
        re.IGNORECASE,
    ),
    lasting=_LASTING,
    request=re.compile(
        r"\W*(?:per favore,? )?(?:puoi|potresti|potete|potrebbe|mi (?:puoi|potresti|aiuti|consigli|spieghi|fai|dai|serve|servono)|ho bisogno|abbiamo bisogno|voglio (?:che|un|una|il|la|i|le|sapere|vedere|capire|fare|creare|scrivere)|vorrei|vorremmo|cerco|cerchiamo|sto cercando|stiamo cercando|mi piacerebbe|ci piacerebbe"
        r"|dammi|dimmi|scriv\w+|fai|fammi|spieg\w+|riassum\w+|traduc\w+|corregg\w+|aiut\w+|gener\w+|crea\w*|calcol\w+|elenc\w+|confront\w+|consigli\w+|suggerisc\w+|mostra\w*|trova\w*|verific\w+|analizz\w+|prepara\w*|pianific\w+|organizz\w+|prenota\w*|ordina|manda\w*|invia\w*|aggiung\w+|cambia|elimina|migliora|descriv\w+|definisc\w+"
        r"|racconta\w*|che|cosa|qual|quale|quali|quando|dove|come (?:si|posso|faccio)|chi|quant[oaie]|perche)\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:questo\b|questa (?!(?:settimana|estate|primavera)\b)|quest[ie]\b|quell[oaie]\b|cio\b|cosi\b|grazie\b|molto bene|d'accordo|capito|la mia (?:domanda|idea) )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        r"\b(?:(?:il|la|i|le) )?(?:tu[oa]|tuoi|tue|mi[oa]|quest[oa]|quel|quell[oa]) (?:(?:ultim|prim|second|propri)[oa] )?(?:rispost[ae]|opzione|versione|suggerimento|proposta|domanda|codice|script|funzione|testo|paragrafo|frase|file|tabella|tema|poesia|racconto|personaggio|protagonista|compito|esercizio|traduzione|messaggio|prompt|riassunto|capitolo|bozza)\b"
        r"|\b(?:un|una|il) (?:tema|saggio|riassunto|relazione|commento) (?:su|di \d)|\b(?:la|il|l')\s?(?:(?:ultim|prim|second|terz|precedent)[oaei] )?(?:risposta|opzione|versione|protagonista|paragrafo|codice|esercizio)\b",
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:traduc\w*|tradurre|corregg(?:i|imi|ere|ete)|riassum(?:i|ere|imi)|riscriv\w+|parafras\w+|(?:rivedi|migliora|analizza|completa)(?:re|mi)? (?:il|la|questo|questa|mio|mia) ?(?:mio |mia )?(?:testo|tema|frase|paragrafo|mail|lettera|saggio|cv|codice)"
        r"|(?:nel|nella|per il|del|in un|di un) (?:mio )?(?:racconto|romanzo|poesia|sceneggiatura|tema|saggio|personaggio|film|serie|storia|testo|esercizio|esempio)|(?:scrivi|inventa|racconta|immagina)(?:mi)? (?:un|una) (?:\w+ )?(?:racconto|romanzo|poesia|storia|dialogo|canzone|fiaba)|fai finta|gioco di ruolo|questa frase|queste frasi|seguente (?:frase|testo|paragrafo))",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        r"\b(?:credo|crediamo|forse|magari|puo darsi|puo essere|suppongo|supponiamo|mi sembra|non so|non sappiamo|non sono sicur[oa]|probabilmente|possibilmente|apparentemente|a quanto pare|penso|pensiamo|immagin\w+|dubito|spero|speriamo|mi chiedo|non ricordo|ipotetic\w+|come se|vivessi|avessi|potessi|lavorassi|fossi|vivrei|sarei|avrei|potrei|farei|lavorerei|andrei"
        r"|ho sognato|inventat[oa]|per esempio|ad esempio|diciamo)\b|\A\W*(?:e )?(?:se|quando|nel (?:mio )?(?:sogno|gioco|racconto|romanzo)|esempio)\b",
        re.IGNORECASE,
    ),
    reported=re.compile(
        r"\b(?:dice|dicono|ha detto|hanno detto|diceva|secondo|sostien\w+|afferm\w+|racconta(?:no)? che|pensa(?:no)? che|crede(?:no)? che|mi (?:ha|hanno) (?:detto|raccontato|spiegato)|ho letto|c'e scritto)\b|[«“\"][^»”\"]{12,}",
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:non (?:mi |ci |si |gli )?(?:funziona|compila|parte|carica|apre|connette|trova|risponde|installa|capisco|riesco|stampa|accende)(?:no)?|error[ei]|guasto|bug|eccezione|traceback|si blocca|problem[ai]|rott[oa]|caos|disastro|orribile|lent[oaie]|stasera|stamattina|oggi|tra \w+ minuti|sta(?:nno)? \w+(?:ando|endo)|in questo momento|un momento|un attimo)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(
        r"\b(?:te|ti|tu|tuo|tua|tuoi|tue|voi|vi|vostr[oaie]|puoi|potresti|sei(?! (?:anni|mesi|figli|gatti|cani|fratelli|persone))|sai|hai|tu faccia)\b(?!\W*\Z)",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:e|ma|allora|quindi) )?(?:che|cosa|qual|quale|quali|quando|dove|come|chi|quant[oaie]|perche|puoi|potresti|mi (?:puoi|potresti|consigli|aiuti|dai)|sai|c'e|ci sono)\b",
        re.IGNORECASE,
    ),
    wish=re.compile(
        r"(?:[,;]\s+(?:e |ma |quindi )?|\s(?:e|ma|quindi)\s)(?:vorrei|vorremmo|(?:mi|ci) piacerebbe|cerco|mi serve)\b",
        re.IGNORECASE,
    ),
    clause=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:e|ma|perche|visto che|dato che) )?(?=\w)|\s(?:perche|dato che|visto che|ma) ",
        re.IGNORECASE,
    ),
    detail=re.compile(
        r"(?:lui |lei |loro )?(?:(?:e|sono) (?!(?:che|possibile|facile|difficile|importante|vero|necessario|meglio|tu[oa]|un errore)\b)|si chiama(?:no)? |ha \S+ anni|hanno \S+ anni|vive |vivono |lavora |lavorano |studia |studiano |e nat[oa] |compie |non (?:mangia|beve) |gli piace |le piace )\S?",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{_DAY}", re.IGNORECASE),
)
