"""Spanish forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms
from memd.domain.romance.spanish_statements import DAY, LASTING
from memd.domain.text.alternatives import any_of, either

SPANISH: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:hola|buenas(?: tardes| noches)?|buenos dias|hey|oye|bueno|vale|ok|okay|si|no|gracias"
        r"|muchas gracias|perfecto|genial|claro|correccion|aviso|nota|importante|info)(?: \w+)?\s?[,:;!.–—-]+\s+"
        r"(?:y |pero )?|(?:por cierto|ademas|a proposito|por si acaso|por si sirve(?: de algo)?|para que "
        r"(?:lo )?sepas|dicho sea de paso|la verdad(?: es que)?|en realidad|y|pero|tambien|pues|es que)[,:]?\s+"
        r"|(?:el|la|mi) (?:medic[oa]|doctora?|dentista|alergolog[oa]) (?:dice|dijo|me ha dicho|me dijo) que (?=(?:ya )?(?:no )?(?:soy|tengo|estoy|puedo|debo)\b))",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:por favor,? )?"
        + any_of(
            """
            recuerda recuerde acuerdate(?:_de)? ten(?:ga)?_(?:en_cuenta|presente) no_olvides? no_te_olvides_de apunta
            anota toma_nota(?:_de)? guarda
            """
        )
        + r"(?: que|:|,) (?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:por favor,? )?(?:recuerdame|recuerdeme|recuerdanos|(?:me puedes|puedes|podrias) recordar(?:me)?)\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"(?:por favor,? )?(?:no \w+s \S.{0,60}? sin (?:preguntar|avisar|consultar|decir)(?:me|nos)\w*|(?:siempre )?(?:pregunt|avis|consult)(?:a|e|en)(?:me|nos) (?:siempre )?antes de \S|de(?:ja|je) de (?:disculparte|repetirte|(?:usar|poner|escribir|anadir|incluir)"
        r" (?!(?:eso|esto|es[ea]|est[ea]|el|la)\b)\S)|(?:a partir de (?:ahora|hoy)|de ahora en adelante|desde ahora|en adelante"
        r"|en el futuro),? (?:por favor,? )?(?:siempre |solo |nunca |no )?(?:me )?(?:respond|contest|escrib|habla"
        r"|usa|utili|llama|trata|evita|di|haz|hagas|pon|pongas|incluy|da|manten|empie|termin|pregunt)\w*|(?:siempre"
        r"|nunca) (?:me )?(?:respond|contest|escrib|habl|uses?\b|usa\b|utili|incluy|pongas|pon\b|hagas)\w*|"
        r"(?:respond|contest|escrib|habl)\w{1,6} (?:siempre|solo|unicamente)\b|(?:llamame|llameme|tuteame"
        r"|tutee?me|tratame|trateme)\b(?: \S+)*|(?:(?:aqui|en el equipo|en la empresa|en casa) )?(?:nunca|siempre) "
        r"(?!(?:entend|sab|pod|quer|pas|encontr|ten|hab|olvid|dec|est|perd)\w+)\w+(?:amos|emos|imos) \S|(?:esta"
        r"|queda) (?:totalmente )?prohibido \S|es obligatorio \S|(?:la |nuestra )?(?:regla|norma)(?: \S+){0,4}? "
        r"(?:es|:))",
        re.IGNORECASE,
    ),
    lasting=LASTING,
    request=re.compile(
        r"\W*(?:por favor,? )?"
        + any_of(
            r"""
            puedes podrias podeis puede podria me_(?:puedes|podrias|ayudas|recomiendas|explicas|haces|das) necesito
            necesitamos quiero_(?:que|un|una|el|la|los|las|saber|ver|entender|hacer|crear|escribir) quisiera busco
            buscamos estoy_buscando estamos_buscando me_gustaria nos_gustaria dame deme dime digame escribe\w*
            redacta\w* haz hazme explica\w* resum\w+ traduc\w+ corrig\w+ corrij\w+ ayuda\w* genera\w* crea\w*
            calcula\w* enumera\w* lista compara recomienda\w* recomiende\w* sugiere\w* muestra\w* ensename busca\w*
            revisa\w* analiza\w* propon\w* prepara\w* planifica\w* organiza\w* reserva(?:me)? pide manda\w* envia\w*
            encuentra\w* anade agrega cambia elimina borra arregla mejora optimiza describe define cuentame hablame_de
            que cual cuales cuando donde como_(?:se|puedo|hago|es) quien cuanto por_que
            """
        )
        + r"\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:eso\b|esto\b|est[ae]s? (?!(?:ano|semana|mes|verano|invierno|primavera|otono|noche)\b)|es[ae]s?"
        r"|aquello|ahi\b|asi\b|gracias|muchas gracias|muy bien|de acuerdo|entendido|mi (?:pregunta|duda|idea) )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        either(
            r"\b(?:tus?|mis?|est[ea]s?|es[ea]s?|el siguiente|la siguiente) (?:(?:ultima|primera|segunda|anterior"
            r"|propi[oa]) )?"
            + any_of(
                """
                respuesta opcion version sugerencia propuesta pregunta duda codigo script funcion texto parrafo frase
                archivo tabla redaccion ensayo poema cuento personaje protagonista tarea ejercicio traduccion mensaje
                prompt resumen capitulo borrador
                """
            )
            + r"\b",
            r"\b(?:un|una|el) (?:ensayo|trabajo|redaccion|resumen|presentacion|comentario) (?:sobre|de \d)",
            r"\b(?:la|el) (?:(?:ultima|primera|segunda|tercera|anterior|primer|segundo|tercer|siguiente) )?"
            r"(?:respuesta|opcion|version|sugerencia|protagonista|parrafo|codigo|ejercicio)\b",
        ),
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:traduc(?:e|eme|ir|elo|elas|elos|irme)|traduzca\w*|corrig(?:e|eme|elo)|corrija\w*|corregir|resum(?:e"
        r"|eme|ir|elo)|resuma|reescrib\w+|parafrase\w+|(?:revisa|mejora|analiza|completa)(?:r|me)? (?:el|la|este"
        r"|esta|mi) (?:texto|redaccion|frase|parrafo|correo|carta|ensayo|cv|curriculum|codigo)|(?:en|para|de) (?:el"
        r"|la|mi|un|una) (?:cuento|novela|poema|relato|guion|obra de teatro|redaccion|ensayo|personaje|pelicula"
        r"|serie|historia|texto|ejercicio|ejemplo)|(?<!\w )(?:escribe|inventa|redacta|cuenta|imagina)(?:me|nos)? "
        r"(?:un|una) (?:\w+ )?(?:cuento|novela|poema|relato|guion|historia|dialogo|cancion)|actua como|haz de"
        r"|juego de rol|finge|esta frase|estas frases|siguiente (?:frase|texto|parrafo|oracion))\b",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        either(
            r"\b"
            + any_of(
                r"""
                creo creemos quizas? tal_vez a_lo_mejor puede_que puede_ser supongo supongamos supon supuestamente
                me_parece no_se no_sabemos no_estoy_segur[oa] probablemente seguramente posiblemente aparentemente
                al_parecer pienso_que imagin\w+ dudo espero esperamos ojala parece_que me_pregunto no_recuerdo
                hipotetic\w+ como_si viviera tuviera pudiera trabajara hubiera hubiese viviria seria tendria podria haria
                querria estaria habria trabajaria iria sone_que inventad[oa] fictici[oa] por_ejemplo digamos
                """
            )
            + r"\b",
            r"\A\W*(?:y )?(?:si|cuando|en (?:mi|el|un) (?:sueno|cuento|juego)|ejemplo)\b",
        ),
        re.IGNORECASE,
    ),
    reported=re.compile(
        either(
            r"\b"
            + any_of(
                """
                dicen? dijo dijeron decia segun opinan? afirman? aseguran? comentan? cuentan?_que sostienen? piensan?_que
                creen?_que me_(?:ha_|han_)?(?:dicho|contado|dijo) lei he_leido pone_que escribe[n]?_que
                """
            )
            + r"\b",
            r"[«“\"][^»”\"]{12,}",
        ),
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:no (?:me |nos |se |le )?(?:funciona|compila|arranca|carga|abre|conecta|deja|sale|encuentra|responde"
        r"|instala|entiendo|entra|aparece|reconoce|imprime|enciende|va bien)n?|errores|error|falla|fallo|fallando"
        r"|bug|excepcion|traceback|se cuelga|problemas?|rot[oa]|caos|desastre|horrible|lent[oa]s?|caid[oa]s?|esta "
        r"(?:noche|tarde|manana)|hoy|en \w+ minutos|estan? (?!(?:estudi|aprend|trabaj|viv|esper|prepar)\w+)\w+"
        r"(?:ando|iendo)|ahora mismo|en este momento|un momento|no puedo (?!(?:comer|tomar|beber|ir|conducir|usar"
        r"|llevar|dormir)\b)\w+)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(
        r"\b(?:te|ti|tú|usted|ustedes|vosotr[oa]s|os|tu|tus|tuy[oa]s?|contigo|puedes|podrías|eres|sabes)\b(?!\W*\Z)",
        re.IGNORECASE,
    ),
    question=re.compile(
        either(
            r"[,;:.–—-]?\s*¿",
            r"(?:[,;:]|\s[–—-])\s+(?:(?:y|pero|entonces|asi que) )?"
            + any_of(
                """
                que cual cuales cuando donde como quien cuanto cuanta me_(?:puedes|podrias|recomiendas|ayudas|das) puedes
                podrias sabes hay
                """
            )
            + r"\b",
        )
    ),
    wish=re.compile(
        r"(?:[,;]\s+(?:y |pero |asi que )?|\s(?:y|pero|asi que)\s)(?:quisiera|quisieramos|(?:me|nos) gustaria"
        r"|querria|necesito|busco)\b",
        re.IGNORECASE,
    ),
    clause=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:y|pero|pues|porque|ya que|que) )?(?=\w)|\s(?:porque|ya que|pues|pero) ",
        re.IGNORECASE,
    ),
    detail=re.compile(
        r"(?:ell?a?|ellos|ellas|los dos|ambos)? ?(?:(?:es|son) (?!(?:que|decir|posible|facil|dificil|importante"
        r"|un error|verdad|necesario|mejor|tu|tus)\b)|se llaman?|tienen? \S+ (?:anos|hij|herman)|viven? en"
        r"|trabajan? (?:en|de|como|para)|estudian? |nacio en|(?:le|les) gustan?|cumplen? |no (?:come|bebe)n? )\S?",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{DAY}", re.IGNORECASE),
)
