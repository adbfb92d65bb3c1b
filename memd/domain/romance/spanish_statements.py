"""What Spanish sentences state of their author, of people and of things: the forms and their words.

They read text without accents (`text.plain`), from its beginning, for `memd.domain.romance.spanish`.
"""

import re
from typing import Final

from memd.domain.romance.forms import Statement
from memd.domain.romance.spanish_facts import SPANISH_WORDS
from memd.domain.text.alternatives import any_of, either
from memd.domain.types import Category

_WEEKDAY: Final = rf"{any_of(SPANISH_WORDS.weekdays)}s?"
_MONTH: Final = rf"(?:{any_of(SPANISH_WORDS.months)}|setiembre)"
DAY: Final = (
    rf"(?:\d{{1,2}} de {_MONTH}|\ben (?:{_MONTH}|(?:19|20)\d\d)|\b{_WEEKDAY}\b|\b(?<!la )manana\b|\bproxim[oa]s?\b|\bque viene\b|\bayer\b|\banoche\b|\bpasad[oa]\b"
    r"|\b\d{1,2}/\d{1,2}\b|\ba las? \d|\b\d{1,2} de este mes)"
)
_COUNT: Final = r"(?:un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|varios|varias|muchos|muchas|\d+)"
_PEOPLE: Final = any_of(
    """
    madre padres? mama papa abuel[oa]s? herman[oa]s? hij[oa]s? mujer marido espos[oa] novi[oa] pareja
    prometid[oa] prim[oa]s? ti[oa]s? niet[oa]s? suegr[oa]s? cunad[oa]s? yerno nuera sobrin[oa]s? amig[oa]s?
    jef[ea]s? companer[oa]s? vecin[oa]s? medic[oa] doctora? dentista pediatra psicolog[oa] fisioterapeuta
    abogad[oa] caser[oa] profesora? gestora? contable asesora? entrenadora? tutora? mentora? soci[oa]s? bebe
    gemel[oa]s? padrin[oa] madrina ahijad[oa] perr[oa]s? gat[oa]s? familia ex peque
    """
)
_MATTER: Final = any_of(
    """
    preguntas? dudas? problemas? errores error idea ideas listas? tablas? textos? codigo archivos? consultas?
    momento minutos? rato script funcion funciones variables? columnas? filas? datos imagen imagenes frases?
    parrafos? correos? mensajes? redaccion ensayo poema cuento personajes? protagonista tarea tareas
    ejercicios? traduccion prompt resumen borrador titulo opciones opcion sugerencias? propuestas? respuestas?
    solucion comentarios? ganas cosas? intentos? pdf json csv array bucle deberes ordenador portatil pantalla
    programa app aplicacion terminal opinion intencion impresion caso cabeza tipo duda
    """
)
_POSSESSED: Final = any_of(
    r"""
    mascotas? conejos? pajaros? peces tortugas? caball\w+ gallinas? vacas ovejas colmenas coches? carros?
    autos? motos? bicis? bicicletas? furgonetas? caravana camion barco casas? pisos? apartamentos? terreno
    huerto jardin negocio tiendas? empresas? restaurantes? bar blog canal podcast emplead[oa]s trabajador[ea]s
    clientes? alumn[oa]s pacientes desarrollador[ea]s ingenier[oa]s personas socios oficinas? sucursales
    titulo master doctorado grado beca hipoteca prestamo seguro marcapasos piano guitarra equipo anos
    """
)
_VERB: Final = any_of(
    """
    es son se_llaman? vive[n]? trabajan? estudian? tienen? esta[n]? cumplen? nacio murio fallecio juegan?
    hablan? prefieren? odian? comen? beben? usan? cuestan? empiezan? terminan? vencen? caducan? salen? abren?
    cierran? se_(?:muda|mudan|jubila|casa|casan|jubilo|caso|casaron|mudo|mudaron) va[n]?_a viene[n]?_de
    conducen? tocan? ensenan? dan?_clases? dirigen? lleva[n]? pueden? sufren? padecen? toman? necesitan?
    quieren? pagan? vota[n]? suman? funcionan?_con queda[n]?
    """
)
_PROFESSION: Final = (
    r"(?!(?:consciente|diferente|paciente|impaciente|primer[oa]?|tercer[oa]?|soltero|sincer[oa]|verdader[oa]"
    r"|critic[oa]|practic[oa]|unic[oa]|bastante|ingenu[oa]|presente|ausente|solamente|realmente|\w+mente|buen[oa]"
    r"|ajen[oa]|human[oa]|maj[oa])\b)\w{2,}"
    + any_of(
        """
        er[oa] [tsd]ora? ista log[oa] iatra graf[oa] ari[oa] ic[oa] ante iente ente tect[oa] ogad[oa] nom[oa]
        yente an[oa] en[oa] ol ola es esa
        """
    )
    + r"\b"
)
_SOY: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:un|una|el|la|de|del) (?!(?:que|opinion|acuerdo|unic[oa]|poco|verdad|desastre"
    r"|novat[oa])\b)\S|(?:alergic|intolerante|celiac|diabetic|asmatic|vegan|vegetarian|zurd|daltonic|solter|casad"
    r"|divorciad|viud|jubilad|autonom|medic|abogad|padre|madre|abuel|hij[oa] unic|estudiante|freelance|alumn|chef"
    rf"|profe|sord|cieg|judi|musulman|cristian|ate)\w*|{_PROFESSION})"
)
_AFTERWARDS: Final = r"(?:desde (?:hace \S+ )?\S+,? )?(?:yo )?(?:ahora |actualmente |hoy en dia |tambien |ya no |antes |de momento |aun |todavia |siempre )?"
_HERE: Final = (
    r"(?:la|el|lo|las|los) (?:(?:que|de)\b|(?:primer|segund|tercer|ultim|anterior|otr)\w*|(?:opcion|idea|respuesta"
    r"|propuesta|version|sugerencia)\b)"
)
_LIKED: Final = (
    r"(?!(?:tus?|est[aeo]s?|es[aeo]s?|como|mas asi|asi|que (?:digas|hagas|pongas|sea|lo|la)|(?:la|el) (?-i:[A-Z]\b)"
    rf"|saber|{_HERE})\b|mucho\W*\Z|mas\W*\Z|{_HERE})\S"
)
_FINITE: Final = r"(?:me |nos )?\w+(?:o|oy|amos|emos|imos)\b"


def _owned(noun: str) -> str:
    """What is said of something of the author's that `noun` matches."""
    return (
        rf"(?:mis?|nuestr[oa]s?) (?!{_MATTER}\b){noun}(?: (?!que\b)[\w.'-]+){{0,5}}? "
        rf"(?:(?:ya )?no |ahora |tambien |siempre )?{_VERB} (?!(?:asi|eso|esto|bien|mal|facil|sencill[oa])\b)\S"
    )


def _form(pattern: str, category: Category) -> Statement:
    return Statement(re.compile(rf"{_AFTERWARDS}(?:{pattern})", re.IGNORECASE), category)


_APPOINTMENT: Final = any_of(
    """
    cita reunion vuelo examen entrevista boda turno consulta revision operacion clase concierto viaje visita
    cena comida partido mudanza oposicion juicio bautizo comunion
    """
)
LASTING: Final = (
    _form(
        r"(?:(?:he|hemos|ha|han|el equipo ha|el cliente ha|la clienta ha) (?:\w+ ){0,2}?(?:decidido|acordado"
        r"|elegido|descartado)|decidi|decidimos|acordamos|quedamos en que) \S+ \S",
        Category.DECISION,
    ),
    _form(
        r"(?:he|hemos) aprendido (?:que|a) \S+ \S|aprendi(?:mos)? que \S+ \S|leccion(?: aprendida)?:", Category.LESSON
    ),
    _form(
        either(
            rf"(?:tengo|tenemos) (?:\w+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{DAY})",
            rf"(?:la|el|mi|nuestr[oa]) {_APPOINTMENT}\b.{{0,60}}? (?:es|sera|fue|queda|se (?:ha )?\w+)\b"
            rf"(?=.{{0,120}}{DAY})",
        ),
        Category.EVENT,
    ),
    _form(_owned(rf"(?:nuev[oa] )?{_PEOPLE}"), Category.PERSON),
    _form(
        either(
            r"(?:mi|nuestr[oa]) (?:objetivo|meta|sueno|proposito)(?: \S+){0,4}? es \S",
            r"(?:quiero|queremos|planeo|planeamos|voy a|vamos a|tengo que|tenemos que|debo|debemos)\b(?! (?:que"
            rf"|saber|un|una)\b)(?=.{{0,160}}{DAY}).{{8}}",
        ),
        Category.GOAL,
    ),
    _form(r"(?:mi|nuestr[oa]) (?:[\w-]+ ){1,4}?es [\w.+-]{1,64}@\w", Category.FACT),
    _form(_owned(r"[\w-]{2,}"), Category.FACT),
    _form(
        r"(?:mis?|nuestr[oa]s?) (?:[\w-]+ ){1,3}?(?:corren?|funcionan?|estan?|va|van) (?:en|sobre|con) (?-i:[A-Z])\w",
        Category.FACT,
    ),
    _form(r"(?:me llamo|mi nombre es|me llaman|me dicen) \S", Category.FACT),
    _form(rf"(?:no )?(?:soy|somos) {_SOY}|(?:fui|era) \w+ (?:en|de) \S", Category.FACT),
    _form(
        either(
            r"(?:tengo|tenemos) \d+ anos\b",
            r"(?:mido|peso|calzo un) \d",
            r"(?:estoy|estamos) (?:\w+mente )?"
            + any_of(
                """
                casad divorciad separad embarazad jubilad solter prometid viud desemplead de_baja de_vacaciones en_paro
                a_dieta aprendiendo estudiando preparando esperando_(?:un|una)_(?:hij|bebe|nin)
                """
            )
            + r"\w*",
        ),
        Category.FACT,
    ),
    _form(
        any_of(
            r"""
            vivo vivimos vivia viviamos resido residimos me_crie naci nacimos creci crecimos me_mudo nos_mudamos
            me_mude me_traslado me_traslade nos_trasladamos me_(?:he|voy_a)_mudar?\w*
            nos_(?:hemos_mudado|vamos_a_mudar) alquilo alquilamos
            """
        )
        + r" (?!en una? (?:sociedad|epoca|burbuja|mentira|era|mundo)\b)(?:\w+ ){0,2}?(?:en|a|al|de|del|con"
        r"|sol[oa]|desde|cerca|por|un|una) \S",
        Category.FACT,
    ),
    _form(
        r"(?:(?:no )?(?:trabajo|trabajamos|trabajaba|trabaje)(?: \w+){0,2}? (?:en|de|como|para|con|por|desde|a"
        r"|al) (?!(?:est[ea]|mi (?:proyecto|codigo|texto)|un (?:proyecto|texto|script))\b)\S|(?:estudio|estudiamos"
        r"|estudie) (?!sobre|de (?:caso|mercado))\S|ejerzo \S|me dedico a \S|doy clases? \S|imparto \S|dirijo \S|"
        r"(?:me jubil|me cas|nos cas|me divorci|me gradu|me licenci)\w+ \S|(?:llevo|llevamos) (?:\w+ ){1,4}"
        r"(?:trabajando|viviendo|estudiando|aprendiendo|casad)\w*|acabo de (?:empezar|cambiar|entrar|mudarme"
        r"|comprar|jubilarme|casarme|cumplir|ser)\b(?: \S+){2}|(?:deje|he dejado|dejamos) (?:de|el|la|mi) \S|"
        r"(?:empece|empezamos|empiezo|he empezado) (?:a trabajar|en|como|un|mi) \S+ \S)",
        Category.FACT,
    ),
    _form(
        either(
            r"(?:tengo|padezco|sufro(?: de)?|me (?:han )?diagnostica(?:ron|do)) (?:\w+ ){0,3}?"
            + any_of(
                """
                alergias? intolerancia diabetes asma migranas? hipertension celiaquia epilepsia artritis tdah
                hipotiroidismo vertigo colesterol insomnio endometriosis fobia daltonismo anemia
                """
            )
            + r"\b",
            r"no puedo (?:comer|tomar|beber|conducir|usar|llevar) \S",
            r"(?:no|ya no|nunca|solo) (?:como|bebo|tomo|fumo|pruebo|tolero|conduzco|uso|utilizo|trabajo|vivo|voy"
            r"|viajo) (?!(?:es|esto|eso|asi)\b)\S",
            r"ya no (?:fumo|bebo|trabajo)\b",
            r"no tengo (?:coche|hijos|carnet|carne|mascotas|pareja|hermanos|television|trabajo)\b",
        ),
        Category.FACT,
    ),
    _form(
        either(
            r"(?:he|hemos) vuelto (?:a (?:trabajar|vivir|estudiar) (?:en|con|para) \S|a (?-i:[A-Z])\w)",
            r"(?:volvi|volvimos) a (?:trabajar|vivir|estudiar) (?:en|con|para) \S",
            r"al final no (?:voy|vamos|\w+(?:amos|emos|imos))\b (?!(?:lo|la|los|las|eso|esto|nada)\b)\S+ ?\S",
        ),
        Category.FACT,
    ),
    _form(
        r"(?:no )?"
        + any_of(
            """
            prefiero preferimos preferiria me_gustan? nos_gustan? me_encantan? nos_encantan? adoro odio odiamos
            detesto no_soporto me_apasionan? soy_fan_de
            """
        )
        + rf" {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:tengo|tenemos) (?:ya |tambien |en total )?{_COUNT} (?:\w+ )?(?:{_PEOPLE}|{_POSSESSED})\b|(?:mi"
        r"|nuestr[oa]) [\w-]+ (?:favorit[oa]|preferid[oa]) es \S",
        Category.FACT,
    ),
    _form(
        either(
            r"(?:uso|usamos|utilizo|utilizamos|programo|programamos|desplegamos) (?!(?:est[ea]s?|es[ea]s?|tus?"
            r"|la funcion|el codigo|un bucle)\b)\S",
            any_of(
                """
                hablo hablamos toco juego_al? practico conduzco colecciono canto pinto aprendo entreno cultivo cocino
                """
            )
            + r" (?!(?:est[ea]|contigo|de esto)\b)\S",
        ),
        Category.FACT,
    ),
    _form(
        either(
            rf"(?:los {_WEEKDAY}(?: y (?:los )?{_WEEKDAY})?|todos los \w+|todas las \w+|cada (?:dos |tres |primer "
            rf"|segundo )?(?:dia|semana|mes|ano|manana|tarde|noche|verano|{_WEEKDAY})|por las? (?:manana|tarde"
            rf"|noche)s?|entre semana|normalmente|habitualmente),? (?:\w+ )?(?:no )?{_FINITE}",
            r"(?:suelo|solemos) (?!decir)\w+ \S",
            any_of(
                """
                voy vamos corro juego hago hacemos desplegamos publicamos revisamos nado salgo leo medito desayuno ceno me_levanto me_acuesto tomo tomamos comemos
                """
            )
            + rf" (?=.{{0,120}}\b(?:los {_WEEKDAY}|todos los|todas las|cada|por las? (?:manana|tarde|noche)s?"
            r"|entre semana|a diario|a la semana|al dia)\b)\S",
        ),
        Category.FACT,
    ),
    _form(
        r"(?:me (?:case|divorcie|opere|operaron|despidieron|ascendieron|contrataron|compre)|nos (?:casamos"
        r"|prometimos|compramos)|compre|compramos|vendi|vendimos|adopte|adoptamos|alquile|reserve|reservamos|firme"
        r"|firmamos|herede|funde|fundamos|contratamos|cambie de|cambiamos de|aprobe|suspendi|renuncie|cancele|cancelamos|anule|anulamos|perdi|viaje a"
        r"|viajamos a|(?:he|hemos) (?:\w+ )?(?:comprado|vendido|adoptado|alquilado|reservado|firmado|heredado"
        r"|fundado|contratado|cambiado de|aprobado|suspendido|renunciado|roto|viajado|cancelado|anulado)) (?!(?:el|la|un|una) "
        r"(?:error|codigo|script)\b)\S+ ?\S",
        Category.EVENT,
    ),
    _form(
        r"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:es|sera|era) (?:mi|nuestr[oa]) (?!(?:problema|duda|pregunta"
        r"|objetivo|error)\b)\S",
        Category.PERSON,
    ),
)
