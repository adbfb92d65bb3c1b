"""Italian forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms
from memd.domain.romance.italian_statements import DAY, LASTING
from memd.domain.text.alternatives import any_of, either

ITALIAN: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:ciao|salve|buongiorno|buonasera|hey|ehi|ok|va bene|si|no|grazie|grazie mille|perfetto|bene"
        r"|correzione|nota|importante|info)(?: \w+)?\s?[,:;!.–—-]+\s+(?:e |ma )?|(?:comunque|a proposito"
        r"|tra l'altro|inoltre|per tua informazione|per la cronaca|in realta|e|ma|anche|allora|quindi|sai),?\s+)",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:per favore,? )?(?:ricorda(?:ti)?|ricordate|tieni (?:presente|a mente|conto)|non dimenticare|segnati"
        r"|annota|prendi nota)(?: che|:|,) (?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:per favore,? )?(?:ricordami|ricordaci|(?:mi puoi|puoi|potresti) ricordar(?:mi|ci))\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"(?:per favore,? )?(?:(?:d'ora in poi|da adesso in poi|da oggi in poi|in futuro),? (?:per favore,? )?"
        r"(?:sempre |non |mai )?(?:rispond|scriv|parl|us|chiam|evit|dimm|mett|inizi|dammi|tratt)\w*|(?:rispond"
        r"|scriv|parl)\w{1,6} (?:sempre|solo|soltanto)\b|(?:chiamami|dammi del (?:tu|lei))\b(?: \S+)*|non "
        r"(?:usare|scrivere|rispondere) mai \S|e (?:severamente )?vietato \S|(?:la |nostra )?regola"
        r"(?: \S+){0,4}? (?:e|:))",
        re.IGNORECASE,
    ),
    lasting=LASTING,
    request=re.compile(
        r"\W*(?:per favore,? )?"
        + any_of(
            r"""
            puoi potresti potete potrebbe mi_(?:puoi|potresti|aiuti|consigli|spieghi|fai|dai|serve|servono) ho_bisogno
            abbiamo_bisogno voglio_(?:che|un|una|il|la|i|le|sapere|vedere|capire|fare|creare|scrivere) vorrei vorremmo
            cerco cerchiamo sto_cercando stiamo_cercando mi_piacerebbe ci_piacerebbe dammi dimmi scriv\w+ fai fammi
            spieg\w+ riassum\w+ traduc\w+ corregg\w+ aiut\w+ gener\w+ crea\w* calcol\w+ elenc\w+ confront\w+
            consigli\w+ suggerisc\w+ mostra\w* trova\w* verific\w+ analizz\w+ prepara\w* pianific\w+ organizz\w+
            prenota\w* ordina manda\w* invia\w* aggiung\w+ cambia elimina migliora descriv\w+ definisc\w+ racconta\w*
            che cosa qual quale quali quando dove come_(?:si|posso|faccio) chi quant[oaie] perche
            """
        )
        + r"\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:questo\b|questa (?!(?:settimana|estate|primavera)\b)|quest[ie]\b|quell[oaie]\b|cio\b|cosi\b"
        r"|grazie\b|molto bene|d'accordo|capito|la mia (?:domanda|idea) )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        either(
            r"\b(?:(?:il|la|i|le) )?(?:tu[oa]|tuoi|tue|mi[oa]|quest[oa]|quel|quell[oa]) (?:(?:ultim|prim|second"
            r"|propri)[oa] )?"
            + any_of(
                """
                rispost[ae] opzione versione suggerimento proposta domanda codice script funzione testo paragrafo frase
                file tabella tema poesia racconto personaggio protagonista compito esercizio traduzione messaggio prompt
                riassunto capitolo bozza
                """
            )
            + r"\b",
            r"\b(?:un|una|il) (?:tema|saggio|riassunto|relazione|commento) (?:su|di \d)",
            r"\b(?:la|il|l')\s?(?:(?:ultim|prim|second|terz|precedent)[oaei] )?(?:risposta|opzione|versione"
            r"|protagonista|paragrafo|codice|esercizio)\b",
        ),
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:traduc\w*|tradurre|corregg(?:i|imi|ere|ete)|riassum(?:i|ere|imi)|riscriv\w+|parafras\w+|(?:rivedi"
        r"|migliora|analizza|completa)(?:re|mi)? (?:il|la|questo|questa|mio|mia) ?(?:mio |mia )?(?:testo|tema|frase"
        r"|paragrafo|mail|lettera|saggio|cv|codice)|(?:nel|nella|per il|del|in un|di un) (?:mio )?(?:racconto"
        r"|romanzo|poesia|sceneggiatura|tema|saggio|personaggio|film|serie|storia|testo|esercizio|esempio)|"
        r"(?:scrivi|inventa|racconta|immagina)(?:mi)? (?:un|una) (?:\w+ )?(?:racconto|romanzo|poesia|storia|dialogo"
        r"|canzone|fiaba)|fai finta|gioco di ruolo|questa frase|queste frasi|seguente (?:frase|testo|paragrafo))",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        either(
            r"\b"
            + any_of(
                r"""
                credo crediamo forse magari puo_darsi puo_essere suppongo supponiamo mi_sembra non_so non_sappiamo
                non_sono_sicur[oa] probabilmente possibilmente apparentemente a_quanto_pare penso pensiamo immagin\w+
                dubito spero speriamo mi_chiedo non_ricordo ipotetic\w+ come_se vivessi avessi potessi lavorassi fossi
                vivrei sarei avrei potrei farei lavorerei andrei ho_sognato inventat[oa] per_esempio ad_esempio diciamo
                """
            )
            + r"\b",
            r"\A\W*(?:e )?(?:se|quando|nel (?:mio )?(?:sogno|gioco|racconto|romanzo)|esempio)\b",
        ),
        re.IGNORECASE,
    ),
    reported=re.compile(
        either(
            r"\b"
            + any_of(
                r"""
                dice dicono ha_detto hanno_detto diceva secondo sostien\w+ afferm\w+ racconta(?:no)?_che pensa(?:no)?_che
                crede(?:no)?_che mi_(?:ha|hanno)_(?:detto|raccontato|spiegato) ho_letto c'e_scritto
                """
            )
            + r"\b",
            r"[«“\"][^»”\"]{12,}",
        ),
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:non (?:mi |ci |si |gli )?(?:funziona|compila|parte|carica|apre|connette|trova|risponde|installa"
        r"|capisco|riesco|stampa|accende)(?:no)?|error[ei]|guasto|bug|eccezione|traceback|si blocca|problem[ai]"
        r"|rott[oa]|caos|disastro|orribile|lent[oaie]|stasera|stamattina|oggi|tra \w+ minuti|sta(?:nno)? \w+(?:ando"
        r"|endo)|in questo momento|un momento|un attimo)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(
        r"\b"
        + any_of(
            """
            te ti tu tuo tua tuoi tue voi vi vostr[oaie] puoi potresti
            sei(?!_(?:anni|mesi|figli|gatti|cani|fratelli|persone)) sai hai tu_faccia
            """
        )
        + r"\b(?!\W*\Z)",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:e|ma|allora|quindi) )?"
        + any_of(
            """
            che cosa qual quale quali quando dove come chi quant[oaie] perche puoi potresti
            mi_(?:puoi|potresti|consigli|aiuti|dai) sai c'e ci_sono
            """
        )
        + r"\b",
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
        r"(?:lui |lei |loro )?(?:(?:e|sono) (?!(?:che|possibile|facile|difficile|importante|vero|necessario|meglio"
        r"|tu[oa]|un errore)\b)|si chiama(?:no)? |ha \S+ anni|hanno \S+ anni|vive |vivono |lavora |lavorano "
        r"|studia |studiano |e nat[oa] |compie |non (?:mangia|beve) |gli piace |le piace )\S?",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{DAY}", re.IGNORECASE),
)
