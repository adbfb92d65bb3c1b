"""What a user says to a program in Spanish: which sentences become memories, in the words that were said."""

import pytest

from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read

pytestmark = pytest.mark.rule("11.6 method")

KEPT = (
    "no como pescado",
    "no tengo hijos",
    "He vuelto a trabajar en Iberia.",
    "Hemos cancelado el viaje a Islandia.",
    "Al final no vamos a adoptar el perro.",
    "En este proyecto usamos uv, no pip.",
    "Mido 1,80 y calzo un 44.",
    "Mi hermana vive en Sevilla y escribe una novela.",
    "Me llamo Lucía Ferrer y vivo en Zaragoza.",
    "Soy enfermera en el hospital Miguel Servet.",
    "Vivo en Valencia desde 2019.",
    "Trabajo en una empresa de logística en Getafe.",
    "Soy alérgica a los frutos secos.",
    "Tengo alergia al polen.",
    "Soy intolerante a la lactosa.",
    "Mi hermano Álvaro estudia ingeniería en Bilbao.",
    "Tengo dos hijos, Nora y Mateo.",
    "Mi mujer se llama Carmen.",
    "Prefiero los correos cortos.",
    "No me gusta el cilantro.",
    "Me encanta el flamenco.",
    "Nuestro perro se llama Trueno.",
    "Ya no tomo café por la noche.",
    "Nos mudamos a Sevilla en septiembre.",
    "Soy vegetariana desde hace diez años.",
    "Estoy casado y tengo una hija de seis años.",
    "Mi jefa es Pilar Ortega.",
    "Nací en Rosario, Argentina, en 1985.",
    "Tengo cita con el dermatólogo el 14 de diciembre.",
    "Por cierto, mi cumpleaños es el 3 de mayo.",
    "Los martes voy a nadar.",
    "Mi mamá vive en Guadalajara.",
    "Hemos decidido cambiar a Postgres.",
    "Recuerda que no puedo comer gluten.",
    "A partir de ahora respóndeme siempre en español.",
    "Trabajo como profesora de primaria y mi marido es bombero.",
    "Usamos Django en el backend.",
    "Vivo con mi gata Luna.",
    "vivo en lima y trabajo de taxista",
    "Me gusta el té verde.",
    "Tengo que entregar el informe el viernes.",
    "Mi marido no come pescado.",
    "Llámame Luci.",
    "Me mudé a Sevilla.",
    "Quisiera ideas para cenar, no puedo comer lactosa.",
    "Mi correo es lucia@example.org.",
    "Mi alquiler cuesta 900 euros.",
    "Quisiera un menú para el domingo, soy celíaca.",
)

LEFT = (
    "He vuelto a leer el texto.",
    "Al final no funciona el script.",
    "Escribe un cuento: mi hermana vive en Sevilla.",
    "¿Dónde vivo?",
    "¿Puedes ayudarme con este texto?",
    "Necesito una receta de paella.",
    "Escribe un poema sobre el mar.",
    "Juan dice que vive en Madrid.",
    "Según el artículo, la empresa tiene 300 empleados.",
    "Creo que vivo en una simulación.",
    "Si viviera en París, aprendería francés.",
    "Quizá me mude a Lima.",
    "No sé si soy alérgico.",
    "Gracias, me ayudaste mucho.",
    "No me funciona el código.",
    "Me gusta tu respuesta.",
    "Imagina que soy un astronauta.",
    'Traduce: "Me llamo Pedro y vivo en Cuenca."',
    "Tengo una pregunta sobre impuestos.",
    "Tengo un problema con la impresora.",
    "Estoy buscando un hotel en Roma.",
    "El protagonista vive en Barcelona y trabaja de detective.",
    "Resume el texto: Ana vive en Quito y tiene dos hijos.",
    "Quiero que hagas una tabla.",
    "Soy consciente de que es difícil.",
    "¿Vivo en zona sísmica si vivo en Murcia?",
    "Me gustaría saber más del tema.",
    "La capital de Mongolia es Ulán Bator.",
    "Mi pregunta es sencilla.",
    "Ayúdame a escribir un correo a mi jefa.",
    "Mi contraseña es Rosal1985!",
    "Mi perro está vomitando, ¿qué hago?",
    "Tengo tres manzanas y me como una, ¿cuántas quedan?",
    "Prefiero que sea más corto.",
    "Vivimos en una sociedad desigual.",
    "Mi profesor quiere un ensayo de 500 palabras sobre Lorca.",
    "Corrige mi texto. Vivo en Madrid y tengo dos hijos.",
    "Quisiera vivir en Roma.",
    "Quisiera una receta de paella.",
    "Visc a Barcelona i tinc dos fills.",
)


def said(message: str) -> list[str]:
    """The words of the memories of a message, without their heading."""
    return [memory.content.split("): ", 1)[1] for memory in read(message)]


@pytest.mark.parametrize("message", KEPT)
def test_what_users_say_of_themselves_is_kept(message: str):
    assert len(said(message)) == 1


@pytest.mark.parametrize("message", LEFT)
def test_questions_requests_doubts_and_the_words_of_others_are_left(message: str):
    assert read(message) == []


def test_what_belongs_to_somebody_in_the_sentence_before_is_kept_with_it():
    assert said("Tengo un perro. Se llama Trueno y tiene cuatro años.") == [
        "Tengo un perro. Se llama Trueno y tiene cuatro años."
    ]


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("Vivo en Zaragoza, ¿me recomiendas un gimnasio?", ["Vivo en Zaragoza"]),
        ("Hola, soy Diego, vivo en Bogotá. ¿Me ayudas con un logo?", ["Soy Diego, vivo en Bogotá."]),
        ("Recomiéndame un restaurante en Bilbao, soy vegetariano.", ["Soy vegetariano."]),
        ("Vivo en Zaragoza y quisiera un gimnasio cerca.", ["Vivo en Zaragoza"]),
        ("Por cierto, mi madre vive en Cádiz.", ["Mi madre vive en Cádiz."]),
    ],
)
def test_what_a_request_says_of_its_author_is_kept(message: str, kept: list[str]):
    assert said(message) == kept


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("Soy alérgica a los frutos secos.", Category.FACT),
        ("Mi hermano Álvaro estudia ingeniería en Bilbao.", Category.PERSON),
        ("Mi nueva jefa es Ana Ruiz.", Category.PERSON),
        ("Tengo cita con el dermatólogo el 14 de diciembre.", Category.EVENT),
        ("Hemos decidido cambiar a Postgres.", Category.DECISION),
        ("A partir de ahora respóndeme siempre en español.", Category.RULE),
        ("Recuérdame pagar el alquiler el 1 de diciembre.", Category.GOAL),
    ],
)
def test_a_statement_has_its_category(message: str, category: Category):
    assert [memory.category for memory in read(message)] == [category]


@pytest.mark.parametrize(
    "text",
    ["El código de la puerta es 4471.", "La contraseña del wifi es girasol", "Mi pin: 4471", "Mi clave es Rosal1985!"],
)
def test_a_secret_is_recognised(text: str):
    assert contains_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "La contraseña del wifi está en la pizarra.",
        "La contraseña es muy larga.",
        "El código de la alarma cambia en mayo.",
    ],
)
def test_where_a_secret_is_kept_is_none(text: str):
    assert not contains_secret(text)
