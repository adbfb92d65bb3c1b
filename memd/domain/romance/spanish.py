"""Spanish forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms, Statement
from memd.domain.types import Category

_WEEKDAY: Final = r"(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?)"
_DAY: Final = (
    r"(?:\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre)|\ben (?:enero|febrero|marzo|abril|mayo|junio"
    rf"|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|(?:19|20)\d\d)|\b{_WEEKDAY}\b|\b(?<!la )manana\b|\bproxim[oa]s?\b|\bque viene\b|\bayer\b|\banoche\b|\bpasad[oa]\b"
    r"|\b\d{1,2}/\d{1,2}\b|\ba las? \d|\b\d{1,2} de este mes)"
)
_COUNT: Final = r"(?:un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|varios|varias|muchos|muchas|\d+)"
_PEOPLE: Final = (
    r"(?:madre|padres?|mama|papa|abuel[oa]s?|herman[oa]s?|hij[oa]s?|mujer|marido|espos[oa]|novi[oa]|pareja|prometid[oa]|prim[oa]s?|ti[oa]s?|niet[oa]s?|suegr[oa]s?"
    r"|cunad[oa]s?|yerno|nuera|sobrin[oa]s?|amig[oa]s?|jef[ea]s?|companer[oa]s?|vecin[oa]s?|medic[oa]|doctora?|dentista|pediatra|psicolog[oa]|fisioterapeuta|abogad[oa]|caser[oa]|profesora?"
    r"|gestora?|contable|asesora?|entrenadora?|tutora?|mentora?|soci[oa]s?|bebe|gemel[oa]s?|padrin[oa]|madrina|ahijad[oa]|perr[oa]s?|gat[oa]s?|familia|ex|peque)"
)
_MATTER: Final = (
    r"(?:preguntas?|dudas?|problemas?|errores|error|idea|ideas|listas?|tablas?|textos?|codigo|archivos?|consultas?|momento|minutos?|rato|script|funcion|funciones|variables?|columnas?|filas?|datos|imagen|imagenes"
    r"|frases?|parrafos?|correos?|mensajes?|redaccion|ensayo|poema|cuento|personajes?|protagonista|tarea|tareas|ejercicios?|traduccion|prompt|resumen|borrador|titulo|opciones|opcion|sugerencias?|propuestas?|respuestas?"
    r"|solucion|comentarios?|ganas|cosas?|intentos?|pdf|json|csv|array|bucle|deberes|ordenador|portatil|pantalla|programa|app|aplicacion|terminal|opinion|intencion|impresion|caso|cabeza|tipo|duda)"
)
_POSSESSED: Final = (
    r"(?:mascotas?|conejos?|pajaros?|peces|tortugas?|caball\w+|gallinas?|vacas|ovejas|colmenas|coches?|carros?|autos?|motos?|bicis?|bicicletas?|furgonetas?|caravana|camion|barco|casas?|pisos?|apartamentos?|terreno|huerto|jardin|negocio|tiendas?|empresas?|restaurantes?|bar|blog|canal|podcast|emplead[oa]s|trabajador[ea]s"
    r"|clientes?|alumn[oa]s|pacientes|desarrollador[ea]s|ingenier[oa]s|personas|socios|oficinas?|sucursales|titulo|master|doctorado|grado|beca|hipoteca|prestamo|seguro|marcapasos|piano|guitarra|equipo|anos)"
)
_VERB: Final = (
    r"(?:es|son|se llaman?|vive[n]?|trabajan?|estudian?|tienen?|esta[n]?|cumplen?|nacio|murio|fallecio|juegan?|hablan?|prefieren?|odian?|comen?|beben?|usan?|cuestan?|empiezan?|terminan?|vencen?|caducan?"
    r"|salen?|abren?|cierran?|se (?:muda|mudan|jubila|casa|casan|jubilo|caso|casaron|mudo|mudaron)|va[n]? a|viene[n]? de|conducen?|tocan?|ensenan?|dan? clases?|dirigen?|lleva[n]?|pueden?|sufren?|padecen?|toman?|necesitan?|quieren?"
    r"|pagan?|vota[n]?|suman?|funcionan? con|queda[n]?)"
)
_OWNED: Final = rf"(?:mis?|nuestr[oa]s?) (?!{_MATTER}\b){{noun}}(?: (?!que\b)[\w.'-]+){{{{0,5}}}}? (?:(?:ya )?no |ahora |tambien |siempre )?{_VERB} (?!(?:asi|eso|esto|bien|mal|facil|sencill[oa])\b)\S"
_PROFESSION: Final = (
    r"(?!(?:consciente|diferente|paciente|impaciente|primer[oa]?|tercer[oa]?|soltero|sincer[oa]|verdader[oa]|critic[oa]|practic[oa]|unic[oa]|bastante|ingenu[oa]|presente|ausente|solamente|realmente|\w+mente"
    r"|buen[oa]|ajen[oa]|human[oa]|maj[oa])\b)"
    r"\w{2,}(?:er[oa]|[tsd]ora?|ista|log[oa]|iatra|graf[oa]|ari[oa]|ic[oa]|ante|iente|ente|tect[oa]|ogad[oa]|nom[oa]|yente|an[oa]|en[oa]|ol|ola|es|esa)\b"
)
_SOY: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:un|una|el|la|de|del) (?!(?:que|opinion|acuerdo|unic[oa]|poco|verdad|desastre|novat[oa])\b)\S|(?:alergic|intolerante|celiac|diabetic|asmatic|vegan|vegetarian|zurd|daltonic|solter|casad|divorciad|viud|jubilad"
    rf"|autonom|medic|abogad|padre|madre|abuel|hij[oa] unic|estudiante|freelance|alumn|chef|profe|sord|cieg|judi|musulman|cristian|ate)\w*|{_PROFESSION})"
)
_AFTERWARDS: Final = (
    r"(?:yo )?(?:ahora |actualmente |hoy en dia |tambien |ya no |antes |de momento |aun |todavia |siempre )?"
)
_HERE: Final = r"(?:la|el|lo|las|los) (?:(?:que|de)\b|(?:primer|segund|tercer|ultim|anterior|otr)\w*|(?:opcion|idea|respuesta|propuesta|version|sugerencia)\b)"
_LIKED: Final = rf"(?!(?:tus?|est[aeo]s?|es[aeo]s?|como|mas asi|asi|que (?:digas|hagas|pongas|sea|lo|la)|(?:la|el) (?-i:[A-Z]\b)|saber|{_HERE})\b|mucho\W*\Z|mas\W*\Z|{_HERE})\S"
_FINITE: Final = r"(?:me |nos )?\w+(?:o|oy|amos|emos|imos)\b"


def _form(pattern: str, category: Category) -> Statement:
    return Statement(re.compile(rf"{_AFTERWARDS}(?:{pattern})", re.IGNORECASE), category)


_APPOINTMENT: Final = r"(?:cita|reunion|vuelo|examen|entrevista|boda|turno|consulta|revision|operacion|clase|concierto|viaje|visita|cena|comida|partido|mudanza|oposicion|juicio|bautizo|comunion)"
_LASTING: Final = (
    _form(
        r"(?:(?:he|hemos|ha|han|el equipo ha|el cliente ha|la clienta ha) (?:\w+ ){0,2}?(?:decidido|acordado|elegido|descartado)|decidi|decidimos|acordamos|quedamos en que) \S+ \S",
        Category.DECISION,
    ),
    _form(
        r"(?:he|hemos) aprendido (?:que|a) \S+ \S|aprendi(?:mos)? que \S+ \S|leccion(?: aprendida)?:", Category.LESSON
    ),
    _form(
        rf"(?:tengo|tenemos) (?:\w+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{_DAY})|(?:la|el|mi|nuestr[oa]) {_APPOINTMENT}\b.{{0,60}}? (?:es|sera|fue|queda|se (?:ha )?\w+)\b(?=.{{0,120}}{_DAY})",
        Category.EVENT,
    ),
    _form(_OWNED.format(noun=rf"(?:nuev[oa] )?{_PEOPLE}"), Category.PERSON),
    _form(
        rf"(?:mi|nuestr[oa]) (?:objetivo|meta|sueno|proposito)(?: \S+){{0,4}}? es \S|(?:quiero|queremos|planeo|planeamos|voy a|vamos a|tengo que|tenemos que|debo|debemos)\b(?! (?:que|saber|un|una)\b)(?=.{{0,160}}{_DAY}).{{8}}",
        Category.GOAL,
    ),
    _form(r"(?:mi|nuestr[oa]) (?:[\w-]+ ){1,4}?es [\w.+-]{1,64}@\w", Category.FACT),
    _form(_OWNED.format(noun=r"[\w-]{2,}"), Category.FACT),
    _form(r"(?:me llamo|mi nombre es|me llaman|me dicen) \S", Category.FACT),
    _form(rf"(?:no )?(?:soy|somos) {_SOY}|(?:fui|era) \w+ (?:en|de) \S", Category.FACT),
    _form(
        r"(?:tengo|tenemos) \d+ anos\b|(?:estoy|estamos) (?:\w+mente )?(?:casad|divorciad|separad|embarazad|jubilad|solter|prometid|viud|desemplead|de baja|de vacaciones|en paro|a dieta|aprendiendo|estudiando|preparando|esperando (?:un|una) (?:hij|bebe|nin))\w*",
        Category.FACT,
    ),
    _form(
        r"(?:vivo|vivimos|vivia|viviamos|resido|residimos|me crie|naci|nacimos|creci|crecimos|me mudo|nos mudamos|me mude|me traslado|me traslade|nos trasladamos|me (?:he|voy a) mudar?\w*|nos (?:hemos mudado|vamos a mudar)|alquilo|alquilamos) "
        r"(?!en una? (?:sociedad|epoca|burbuja|mentira|era|mundo)\b)(?:\w+ ){0,2}?(?:en|a|al|de|del|con|sol[oa]|desde|cerca|por|un|una) \S",
        Category.FACT,
    ),
    _form(
        r"(?:(?:no )?(?:trabajo|trabajamos|trabajaba|trabaje)(?: \w+){0,2}? (?:en|de|como|para|con|por|desde|a|al) (?!(?:est[ea]|mi (?:proyecto|codigo|texto)|un (?:proyecto|texto|script))\b)\S|(?:estudio|estudiamos|estudie) (?!sobre|de (?:caso|mercado))\S|ejerzo \S|me dedico a \S|doy clases? \S|imparto \S|dirijo \S"
        r"|(?:me jubil|me cas|nos cas|me divorci|me gradu|me licenci)\w+ \S|(?:llevo|llevamos) (?:\w+ ){1,4}(?:trabajando|viviendo|estudiando|aprendiendo|casad)\w*|acabo de (?:empezar|cambiar|entrar|mudarme|comprar|jubilarme|casarme|cumplir|ser)\b(?: \S+){2}|(?:deje|he dejado|dejamos) (?:de|el|la|mi) \S|(?:empece|empezamos|empiezo|he empezado) (?:a trabajar|en|como|un|mi) \S+ \S)",
        Category.FACT,
    ),
    _form(
        r"(?:tengo|padezco|sufro(?: de)?|me (?:han )?diagnostica(?:ron|do)) (?:\w+ ){0,3}?(?:alergias?|intolerancia|diabetes|asma|migranas?|hipertension|celiaquia|epilepsia|artritis|tdah|hipotiroidismo|vertigo|colesterol|insomnio|endometriosis|fobia|daltonismo|anemia)\b"
        r"|no puedo (?:comer|tomar|beber|conducir|usar|llevar) \S|(?:no|ya no|nunca|solo) (?:como|bebo|tomo|fumo|pruebo|tolero|conduzco|uso|utilizo|trabajo|vivo|voy|viajo) (?!(?:es|esto|eso|asi)\b)\S|ya no (?:fumo|bebo|trabajo)\b|no tengo (?:coche|hijos|carnet|carne|mascotas|pareja|hermanos|television|trabajo)\b",
        Category.FACT,
    ),
    _form(
        rf"(?:no )?(?:prefiero|preferimos|preferiria|me gustan?|nos gustan?|me encantan?|nos encantan?|adoro|odio|odiamos|detesto|no soporto|me apasionan?|soy fan de) {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:tengo|tenemos) (?:ya |tambien |en total )?{_COUNT} (?:\w+ )?(?:{_PEOPLE}|{_POSSESSED})\b|(?:mi|nuestr[oa]) [\w-]+ (?:favorit[oa]|preferid[oa]) es \S",
        Category.FACT,
    ),
    _form(
        r"(?:uso|usamos|utilizo|utilizamos|programo|programamos|desplegamos) (?!(?:est[ea]s?|es[ea]s?|tus?|la funcion|el codigo|un bucle)\b)\S|(?:hablo|hablamos|toco|juego al?|practico|conduzco|colecciono|canto|pinto|aprendo|entreno|cultivo|cocino) (?!(?:est[ea]|contigo|de esto)\b)\S",
        Category.FACT,
    ),
    _form(
        rf"(?:los {_WEEKDAY}(?: y (?:los )?{_WEEKDAY})?|todos los \w+|todas las \w+|cada (?:dos |tres |primer |segundo )?(?:dia|semana|mes|ano|manana|tarde|noche|verano|{_WEEKDAY})|por las? (?:manana|tarde|noche)s?|entre semana|normalmente|habitualmente),? (?:\w+ )?(?:no )?{_FINITE}"
        rf"|(?:suelo|solemos) (?!decir)\w+ \S|(?:voy|vamos|corro|juego|hago|nado|salgo|leo|medito|desayuno|ceno|me levanto|me acuesto|tomo|tomamos|comemos) (?=.{{0,120}}\b(?:los {_WEEKDAY}|todos los|todas las|cada|por las? (?:manana|tarde|noche)s?|entre semana|a diario|a la semana|al dia)\b)\S",
        Category.FACT,
    ),
    _form(
        r"(?:me (?:case|divorcie|opere|operaron|despidieron|ascendieron|contrataron|compre)|nos (?:casamos|prometimos|compramos)|compre|compramos|vendi|vendimos|adopte|adoptamos|alquile|reserve|reservamos|firme|firmamos|herede|funde|fundamos|contratamos|cambie de|cambiamos de|aprobe|suspendi|renuncie|perdi|viaje a|viajamos a"
        r"|(?:he|hemos) (?:\w+ )?(?:comprado|vendido|adoptado|alquilado|reservado|firmado|heredado|fundado|contratado|cambiado de|aprobado|suspendido|renunciado|roto|viajado)) (?!(?:el|la|un|una) (?:error|codigo|script)\b)\S+ ?\S",
        Category.EVENT,
    ),
    _form(
        r"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:es|sera|era) (?:mi|nuestr[oa]) (?!(?:problema|duda|pregunta|objetivo|error)\b)\S",
        Category.PERSON,
    ),
)

SPANISH: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:hola|buenas(?: tardes| noches)?|buenos dias|hey|oye|bueno|vale|ok|okay|si|no|gracias|muchas gracias|perfecto|genial|claro|correccion|aviso|nota|importante|info)(?: \w+)?\s?[,:;!.–—-]+\s+(?:y |pero )?"
        r"|(?:por cierto|ademas|a proposito|por si acaso|por si sirve(?: de algo)?|para que (?:lo )?sepas|dicho sea de paso|la verdad(?: es que)?|en realidad|y|pero|tambien|pues|es que)[,:]?\s+)",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:por favor,? )?(?:recuerda|recuerde|acuerdate(?: de)?|ten(?:ga)? (?:en cuenta|presente)|no olvides?|no te olvides de|apunta|anota|toma nota(?: de)?|guarda)(?: que|:|,) (?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:por favor,? )?(?:recuerdame|recuerdeme|recuerdanos|(?:me puedes|puedes|podrias) recordar(?:me)?)\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"(?:por favor,? )?(?:(?:a partir de (?:ahora|hoy)|de ahora en adelante|desde ahora|en adelante|en el futuro),? (?:por favor,? )?(?:siempre |solo |nunca |no )?(?:me )?(?:respond|contest|escrib|habla|usa|utili|llama|trata|evita|di|haz|hagas|pon|pongas|incluy|da|manten|empie|termin|pregunt)\w*"
        r"|(?:siempre|nunca) (?:me )?(?:respond|contest|escrib|habl|uses?\b|usa\b|utili|incluy|pongas|pon\b|hagas)\w*|(?:respond|contest|escrib|habl)\w{1,6} (?:siempre|solo|unicamente)\b|(?:llamame|llameme|tuteame|tutee?me|tratame|trateme)\b(?: \S+)*"
        r"|(?:(?:aqui|en el equipo|en la empresa|en casa) )?(?:nunca|siempre) (?!(?:entend|sab|pod|quer|pas|encontr|ten|hab|olvid|dec|est|perd)\w+)\w+(?:amos|emos|imos) \S|(?:esta|queda) (?:totalmente )?prohibido \S|es obligatorio \S|(?:la |nuestra )?(?:regla|norma)(?: \S+){0,4}? (?:es|:))",
        re.IGNORECASE,
    ),
    lasting=_LASTING,
    request=re.compile(
        r"\W*(?:por favor,? )?(?:puedes|podrias|podeis|puede|podria|me (?:puedes|podrias|ayudas|recomiendas|explicas|haces|das)|necesito|necesitamos|quiero (?:que|un|una|el|la|los|las|saber|ver|entender|hacer|crear|escribir)|quisiera|busco|buscamos|estoy buscando|estamos buscando|me gustaria|nos gustaria"
        r"|dame|deme|dime|digame|escribe\w*|redacta\w*|haz|hazme|explica\w*|resum\w+|traduc\w+|corrig\w+|corrij\w+|ayuda\w*|genera\w*|crea\w*|calcula\w*|enumera\w*|lista|compara|recomienda\w*|recomiende\w*|sugiere\w*|muestra\w*|ensename|busca\w*|revisa\w*|analiza\w*|propon\w*|prepara\w*|planifica\w*|organiza\w*"
        r"|reserva(?:me)?|pide|manda\w*|envia\w*|encuentra\w*|anade|agrega|cambia|elimina|borra|arregla|mejora|optimiza|describe|define|cuentame|hablame de|que|cual|cuales|cuando|donde|como (?:se|puedo|hago|es)|quien|cuanto|por que)\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:eso\b|esto\b|est[ae]s? (?!(?:ano|semana|mes|verano|invierno|primavera|otono|noche)\b)|es[ae]s?|aquello|ahi\b|asi\b|gracias|muchas gracias|muy bien|de acuerdo|entendido|mi (?:pregunta|duda|idea) )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        r"\b(?:tus?|mis?|est[ea]s?|es[ea]s?|el siguiente|la siguiente) (?:(?:ultima|primera|segunda|anterior|propi[oa]) )?(?:respuesta|opcion|version|sugerencia|propuesta|pregunta|duda|codigo|script|funcion|texto|parrafo|frase|archivo|tabla|redaccion|ensayo|poema|cuento|personaje|protagonista|tarea|ejercicio|traduccion|mensaje|prompt|resumen|capitulo|borrador)\b"
        r"|\b(?:un|una|el) (?:ensayo|trabajo|redaccion|resumen|presentacion|comentario) (?:sobre|de \d)|\b(?:la|el) (?:(?:ultima|primera|segunda|tercera|anterior|primer|segundo|tercer|siguiente) )?(?:respuesta|opcion|version|sugerencia|protagonista|parrafo|codigo|ejercicio)\b",
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:traduc(?:e|eme|ir|elo|elas|elos|irme)|traduzca\w*|corrig(?:e|eme|elo)|corrija\w*|corregir|resum(?:e|eme|ir|elo)|resuma|reescrib\w+|parafrase\w+|(?:revisa|mejora|analiza|completa)(?:r|me)? (?:el|la|este|esta|mi) (?:texto|redaccion|frase|parrafo|correo|carta|ensayo|cv|curriculum|codigo)"
        r"|(?:en|para|de) (?:el|la|mi|un|una) (?:cuento|novela|poema|relato|guion|obra de teatro|redaccion|ensayo|personaje|pelicula|serie|historia|texto|ejercicio|ejemplo)|(?<!\w )(?:escribe|inventa|redacta|cuenta|imagina)(?:me|nos)? (?:un|una) (?:\w+ )?(?:cuento|novela|poema|relato|guion|historia|dialogo|cancion)|actua como|haz de|juego de rol|finge|esta frase|estas frases|siguiente (?:frase|texto|parrafo|oracion))\b",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        r"\b(?:creo|creemos|quizas?|tal vez|a lo mejor|puede que|puede ser|supongo|supongamos|supon|supuestamente|me parece|no se|no sabemos|no estoy segur[oa]|probablemente|seguramente|posiblemente|aparentemente|al parecer|pienso que|imagin\w+|dudo|espero|esperamos|ojala|parece que|me pregunto|no recuerdo|hipotetic\w+"
        r"|como si|viviera|tuviera|pudiera|trabajara|hubiera|hubiese|viviria|seria|tendria|podria|haria|querria|estaria|habria|trabajaria|iria|sone que|inventad[oa]|fictici[oa]|por ejemplo|digamos)\b|\A\W*(?:y )?(?:si|cuando|en (?:mi|el|un) (?:sueno|cuento|juego)|ejemplo)\b",
        re.IGNORECASE,
    ),
    reported=re.compile(
        r"\b(?:dicen?|dijo|dijeron|decia|segun|opinan?|afirman?|aseguran?|comentan?|cuentan? que|sostienen?|piensan? que|creen? que|me (?:ha |han )?(?:dicho|contado|dijo)|lei|he leido|pone que|escribe[n]? que)\b|[«“\"][^»”\"]{12,}",
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:no (?:me |nos |se |le )?(?:funciona|compila|arranca|carga|abre|conecta|deja|sale|encuentra|responde|instala|entiendo|entra|aparece|reconoce|imprime|enciende|va bien)n?|errores|error|falla|fallo|fallando|bug|excepcion|traceback|se cuelga|problemas?|rot[oa]|caos|desastre|horrible|lent[oa]s?|caid[oa]s?|esta (?:noche|tarde|manana)|hoy|en \w+ minutos|estan? (?!(?:estudi|aprend|trabaj|viv|esper|prepar)\w+)\w+(?:ando|iendo)|ahora mismo|en este momento|un momento"
        r"|no puedo (?!(?:comer|tomar|beber|ir|conducir|usar|llevar|dormir)\b)\w+)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(
        r"\b(?:te|ti|tú|usted|ustedes|vosotr[oa]s|os|tu|tus|tuy[oa]s?|contigo|puedes|podrías|eres|sabes)\b(?!\W*\Z)",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"[,;:.–—-]?\s*¿|(?:[,;:]|\s[–—-])\s+(?:(?:y|pero|entonces|asi que) )?(?:que|cual|cuales|cuando|donde|como|quien|cuanto|cuanta|me (?:puedes|podrias|recomiendas|ayudas|das)|puedes|podrias|sabes|hay)\b"
    ),
    wish=re.compile(
        r"(?:[,;]\s+(?:y |pero |asi que )?|\s(?:y|pero|asi que)\s)(?:quisiera|quisieramos|(?:me|nos) gustaria|querria|necesito|busco)\b",
        re.IGNORECASE,
    ),
    clause=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:y|pero|pues|porque|ya que|que) )?(?=\w)|\s(?:porque|ya que|pues|pero) ",
        re.IGNORECASE,
    ),
    detail=re.compile(
        r"(?:ell?a?|ellos|ellas|los dos|ambos)? ?(?:(?:es|son) (?!(?:que|decir|posible|facil|dificil|importante|un error|verdad|necesario|mejor|tu|tus)\b)|se llaman?|tienen? \S+ (?:anos|hij|herman)|viven? en|trabajan? (?:en|de|como|para)|estudian? |nacio en|(?:le|les) gustan?|cumplen? |no (?:come|bebe)n? )\S?",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{_DAY}", re.IGNORECASE),
)
