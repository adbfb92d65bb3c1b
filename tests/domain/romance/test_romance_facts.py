"""Facts that sentences in Spanish, French, Italian and Portuguese state, and which of them contradict each other."""

import unicodedata

import pytest

from memd.domain.facts.facts import certainty, find_facts

pytestmark = pytest.mark.rule("17.5 conflicts")

STATED = (
    ("Vivo en Madrid.", "user residence Madrid"),
    ("Vivo de nuevo en Madrid.", "user residence Madrid"),
    ("He vuelto a vivir en Sevilla.", "user residence Sevilla changed"),
    ("He vuelto a trabajar en Iberia.", "user employer Iberia changed"),
    ("Je suis de retour chez Renault.", "user employer Renault changed"),
    ("Abito di nuovo a Roma.", "user residence Roma"),
    ("Moro de novo em Lisboa.", "user residence Lisboa"),
    ("Me mudé a Sevilla.", "user residence Sevilla changed"),
    ("Ahora vivo en Málaga.", "user residence Málaga changed"),
    ("Ya no vivo en Madrid.", "user residence Madrid changed denied"),
    ("vivo en lima y trabajo de taxista", "user residence lima; user role taxista"),
    ("Trabajo en Telefónica.", "user employer Telefónica"),
    ("Trabajo como enfermera en el Hospital Clínico.", "user role enfermera; user employer Hospital Clínico"),
    ("He cambiado de trabajo, ahora estoy en Inditex.", "user employer Inditex changed"),
    ("Mi jefa es Pilar Ortega.", "user boss Pilar Ortega"),
    ("Mi mujer se llama Carmen.", "user wife Carmen"),
    ("Mi nueva jefa se llama Ana Ruiz.", "user boss Ana Ruiz changed"),
    ("Nuestro perro se llama Trueno.", "user dog Trueno"),
    ("Me llamo Lucía Ferrer y vivo en Zaragoza.", "user name Lucía Ferrer; user residence Zaragoza"),
    ("Soy vegetariana desde hace diez años.", "user diet vegetarian"),
    ("Ya no soy vegano.", "user diet vegan changed denied"),
    ("Soy alérgica a los frutos secos.", "user allergy frutos secos"),
    ("Tengo alergia al polen.", "user allergy polen"),
    ("Ya no soy alérgico a los gatos.", "user allergy gatos changed denied"),
    ("Mi color favorito es el azul.", "user favorite-color azul"),
    ("Mi número de teléfono es el 612 345 678.", "user phone-number 612345678"),
    ("Mi correo es lucia@example.org.", "user email lucia@example.org"),
    ("Mi cumpleaños es el 3 de mayo.", "birthday date 3 May"),
    ("Mi hermana Lucía vive en Cádiz.", "Lucía residence Cádiz"),
    ("Mi cita con el dentista es el 3 de diciembre.", "cita con el dentista date 3 December"),
    ("J'habite à Lyon.", "user residence Lyon"),
    ("J'habite de nouveau à Lyon.", "user residence Lyon"),
    ("J'ai déménagé à Nantes.", "user residence Nantes changed"),
    ("Je n'habite plus à Lyon.", "user residence Lyon changed denied"),
    ("Je travaille chez Airbus.", "user employer Airbus"),
    ("J'ai changé de travail, je suis chez Thales.", "user employer Thales changed"),
    ("Je travaille comme infirmière au CHU de Nantes.", "user role infirmière; user employer CHU de Nantes"),
    ("Ma femme s'appelle Claire.", "user wife Claire"),
    ("Mon chef est Paul Martin.", "user boss Paul Martin"),
    ("Je m'appelle Luc et j'habite à Lille.", "user name Luc; user residence Lille"),
    ("Je suis végétarienne.", "user diet vegetarian"),
    ("Je ne suis plus végane.", "user diet vegan changed denied"),
    ("Je suis allergique aux noix.", "user allergy noix"),
    ("Ma couleur préférée est le vert.", "user favorite-color vert"),
    ("Mon numéro de téléphone est le 06 12 34 56 78.", "user phone-number 0612345678"),
    ("Mon anniversaire est le 3 mai.", "birthday date 3 May"),
    ("j'habite a Geneve", "user residence Geneve"),
    ("Mon rendez-vous chez le dentiste est le 3 décembre.", "rendez-vous chez le dentiste date 3 December"),
    ("Vivo a Torino.", "user residence Torino"),
    ("Mi sono trasferito a Milano.", "user residence Milano changed"),
    ("Lavoro per Ferrero.", "user employer Ferrero"),
    ("Mia moglie si chiama Giulia.", "user wife Giulia"),
    ("Sono vegetariana.", "user diet vegetarian"),
    ("Sono allergico alle noci.", "user allergy noci"),
    ("Il mio colore preferito è il verde.", "user favorite-color verde"),
    ("Moro em Lisboa.", "user residence Lisboa"),
    ("Mudei-me para o Porto.", "user residence Porto changed"),
    ("Me mudei para Recife.", "user residence Recife changed"),
    ("Trabalho na Petrobras.", "user employer Petrobras"),
    ("A minha mulher chama-se Rita.", "user wife Rita"),
    ("Sou vegetariano.", "user diet vegetarian"),
    ("Sou alérgica a amendoim.", "user allergy amendoim"),
    ("Vivo en España.", "user country España"),
    ("La cita con el dentista del 3 de mayo se ha cancelado.", "cita con el dentista date 3 May changed denied"),
    ("La réunion a été déplacée au 5 mai.", "réunion date 5 May changed"),
)
NOTHING = (
    "Trabajo en El Salvador.",
    "Trabalho no Rio de Janeiro.",
    "Je travaille au Mans.",
    "Soy vegetariano los lunes.",
    "Il mio capo e Mario Rossi sono amici.",
    "Mi hermano se mudó a Oslo.",
    "¿Vivo en Madrid?",
    "No vivo en Madrid.",
    "Vivo en una casa con jardín.",
    "Vivimos en una sociedad desigual.",
    "Trabajo en un proyecto nuevo.",
    "Juan dice que vivo en Madrid.",
    "Si vivo en Madrid, pago menos.",
    "Quizá me mude a Lima.",
    "Viviría en Roma.",
    "Trabajo de noche.",
    "Mi hermana es médica.",
    "Mi jefa es muy simpática.",
    "Mi hermana vive en Sevilla y escribe una novela.",
    "Vivo en paz.",
    "Trabajo en casa.",
    "Trabajo en Python.",
    "Mi cumpleaños es mañana.",
    "Mi mujer es Capricornio y yo Leo, ¿encajamos?",
    "J'habite dans une maison.",
    "Je travaille chez moi.",
    "Je travaille chez des amis.",
    "J'habite à côté du parc.",
    "J'habitais à Lyon quand j'étais petit.",
    "Je vis à la campagne.",
    "Peut-être que je vais déménager à Nantes.",
    "Ma femme est médecin.",
    "Je suis chez ma mère.",
    "Est-ce que j'habite à Lyon ?",
    "Elle habite à Lyon.",
    "Vivo a pochi passi dal mare.",
    "Lavoro da casa.",
    "Vive a Torino.",
    "Moro em um apartamento.",
    "Trabalho em casa.",
    "Trabalho na área de vendas.",
    "Ella vive en Madrid.",
    "Me mudé a un piso más grande.",
    "J'ai changé de travail.",
    "Soy de Madrid.",
    "Estoy en Madrid.",
    "Je suis en Italie.",
)


def facts_of(text: str) -> str:
    found = find_facts(text)
    marks = [f"{' changed' * one.changed}{' denied' * one.denied}" for one in found]
    return "; ".join(f"{one.subject} {one.attribute} {one.value}{mark}" for one, mark in zip(found, marks, strict=True))


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_a_sentence_states_facts(text: str, expected: str) -> None:
    assert facts_of(text) == expected


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_accents_that_are_characters_of_their_own_change_nothing(text: str, expected: str) -> None:
    assert facts_of(unicodedata.normalize("NFD", text)) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_other_sentences_state_none(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Vivo en Madrid.", "Me mudé a Sevilla."),
        ("Je travaille chez Airbus.", "J'ai changé de travail, je suis chez Thales."),
        ("Trabajo en Telefónica.", "He cambiado de trabajo, ahora trabajo en Inditex."),
        ("I live in Madrid.", "Ahora vivo en Sevilla."),
        ("Ich wohne in Genf.", "J'ai déménagé à Lyon."),
        ("Mi jefa es Pilar Ortega.", "Mi nueva jefa es Ana Ruiz."),
        ("Mi color favorito es el azul.", "Mi color favorito es el verde."),
        ("Soy vegetariana.", "Ya no soy vegetariana."),
        ("Mi número de teléfono es 612 345 678.", "Mi nuevo número de teléfono es 699 000 111."),
        ("Vivo a Torino.", "Mi sono trasferita a Milano."),
        ("Moro em Lisboa.", "Mudei-me para o Porto."),
        ("La réunion est le 3 mai.", "La réunion a été déplacée au 5 mai."),
    ],
)
def test_a_newer_value_contradicts_the_older_one(old: str, new: str) -> None:
    assert any(certainty(one, two) for one in find_facts(old) for two in find_facts(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Tengo cita con el dentista el 3 de mayo.", "Tengo cita con el dentista el 5 de junio."),
        ("Mi vuelo es el 3 de mayo.", "Mi vuelo es el 9 de mayo."),
        ("Mi hermana se llama Ana.", "Mi hermana se llama Eva."),
        ("Mon vol est le 3 mai.", "Mon vol est le 9 mai."),
        ("Mon rendez-vous chez le dentiste est le 3 mai.", "Mon rendez-vous chez le dentiste est le 9 juin."),
        ("Ma sœur s'appelle Ana.", "Ma sœur s'appelle Eva."),
        ("Soy alérgica al polen.", "Soy alérgica a los gatos."),
        ("Vivo en Madrid.", "Vivo en el centro de Madrid."),
        ("Vivo en Madrid.", "Mi hermana vive en Sevilla."),
        ("Mi perro se llama Trueno.", "Mi perro se llama Luna."),
        ("J'habite à Genève.", "j'habite a Geneve"),
        ("Vivo en Málaga.", "vivo en malaga"),
        ("Vivo en España.", "Vivo en Madrid."),
    ],
)
def test_what_may_both_be_true_contradicts_nothing(old: str, new: str) -> None:
    assert {certainty(one, two) for one in find_facts(old) for two in find_facts(new)} <= {None}
