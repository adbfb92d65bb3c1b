"""What a user says to a program in French: which sentences become memories, in the words that were said."""

import pytest

from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.types import Category
from tests.domain.extraction.test_user_statements import read

pytestmark = pytest.mark.rule("11.6 method")

KEPT = (
    "Je suis de retour chez Renault.",
    "Nous avons annulé le voyage en Islande.",
    "Finalement, nous ne prenons pas le chien.",
    "j'ai ouvert une boulangerie à Lyon en mars",
    "on a décidé de réécrire le backend en Rust",
    "bon tant pis. de toute façon je vais au travail à vélo tous les jours",
    "Dans ce projet, on utilise Poetry.",
    "Mon fils passe le permis en mars.",
    "Je mesure 1 m 80.",
    "Je m'appelle Camille Roussel et j'habite à Nantes.",
    "Je suis infirmier à l'hôpital de Rennes.",
    "J'habite à Lyon depuis 2019.",
    "Je travaille dans une librairie à Lille.",
    "Je suis allergique aux arachides.",
    "Je suis intolérante au lactose.",
    "Mon frère Hugo étudie le droit à Toulouse.",
    "J'ai deux enfants, Léa et Tom.",
    "Ma femme s'appelle Sophie.",
    "Ma sœur s'appelle Claire.",
    "J'habite à Lyon et j'écris un roman.",
    "Je préfère les réponses courtes.",
    "Je n'aime pas la coriandre.",
    "J'adore le jazz.",
    "Notre chien s'appelle Biscotte.",
    "Je ne bois plus de café le soir.",
    "Nous avons déménagé à Bordeaux en septembre.",
    "Je suis végétarienne depuis dix ans.",
    "Je suis marié et père de trois filles.",
    "Mon chef s'appelle Bruno Delmas.",
    "Je suis né à Genève en 1979.",
    "J'ai rendez-vous chez le dentiste le 14 décembre.",
    "Au fait, mon anniversaire est le 3 mai.",
    "Le mardi, je vais à la piscine.",
    "Ma mère vit à Marseille.",
    "Nous avons décidé de passer à Postgres.",
    "N'oublie pas que je ne peux pas manger de gluten.",
    "À partir de maintenant, réponds-moi toujours en français.",
    "Je travaille comme professeure et mon mari est pompier.",
    "On utilise Django pour le backend.",
    "Je vis seule à Paris.",
    "Je déteste les réunions le lundi matin.",
    "J'aime les romans de Georges Simenon.",
    "je suis vegan et j'habite a lyon",
    "J'ai 2 chats et un lapin.",
    "Je dois rendre le rapport vendredi.",
    "Tutoie-moi s'il te plaît.",
)

LEFT = (
    "Finalement, je ne comprends pas la question.",
    "Je suis de retour.",
    "Je suis triste.",
    "Je suis mécontent.",
    "Écris une histoire : ma sœur vit à Lyon.",
    "Où est-ce que j'habite ?",
    "Peux-tu m'aider avec ce texte ?",
    "J'ai besoin d'une recette de quiche.",
    "Écris un poème sur la mer.",
    "Paul dit qu'il habite à Paris.",
    "Selon l'article, l'entreprise a 300 salariés.",
    "Je crois que j'habite trop loin.",
    "Si j'habitais à Rome, j'apprendrais l'italien.",
    "Je vais peut-être déménager à Lille.",
    "Je ne sais pas si je suis allergique.",
    "Merci, tu m'as bien aidé.",
    "Mon code ne marche pas.",
    "J'aime bien ta réponse.",
    "Imagine que je suis astronaute.",
    "Traduis : « Je m'appelle Pierre et j'habite à Metz. »",
    "J'ai une question sur les impôts.",
    "J'ai un problème avec l'imprimante.",
    "Je cherche un hôtel à Rome.",
    "Le héros habite à Bruxelles et travaille comme détective.",
    "Résume le texte : Anne vit à Dakar et a deux enfants.",
    "Je veux que tu fasses un tableau.",
    "Je suis conscient que c'est difficile.",
    "J'aimerais en savoir plus.",
    "La capitale de la Mongolie est Oulan-Bator.",
    "Ma question est simple.",
    "Aide-moi à écrire un mail à ma cheffe.",
    "Mon mot de passe est Rosier1985!",
    "Ma mère est à l'hôpital en ce moment.",
    "J'ai trois pommes et j'en mange une, combien en reste-t-il ?",
    "Je préfère que ce soit plus court.",
    "Nous vivons dans une société inégale.",
    "Mon prof veut une dissertation de 500 mots sur Hugo.",
    "Traduis en anglais. J'habite à Lyon et j'ai deux enfants.",
    "Je suis d'accord avec toi.",
    "Je suis en train de lire un livre.",
    "Ik woon in Utrecht en je bent lief.",
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
    assert said("J'ai un chien. Il s'appelle Biscotte.") == ["J'ai un chien. Il s'appelle Biscotte."]


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("Je voudrais une recette, je suis végétarien.", ["Je suis végétarien."]),
        ("Je suis végétarien et je voudrais une recette.", ["Je suis végétarien"]),
        ("J'habite à Lyon et je voudrais trouver un club de judo.", ["J'habite à Lyon"]),
        ("Je voudrais habiter à Rome.", []),
        ("Je voudrais savoir si j'habite en zone inondable.", []),
        ("J'habite à Nice, tu connais un bon dentiste ?", ["J'habite à Nice"]),
        ("Bonjour, je suis Diane, j'habite à Nice. Peux-tu m'aider ?", ["Je suis Diane, j'habite à Nice."]),
        ("Trouve-moi un hôtel, je suis allergique à la poussière.", ["Je suis allergique à la poussière."]),
        ("Au fait, ma mère vit à Brest.", ["Ma mère vit à Brest."]),
    ],
)
def test_what_a_request_says_of_its_author_is_kept(message: str, kept: list[str]):
    assert said(message) == kept


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("Je suis allergique aux arachides.", Category.FACT),
        ("Mon frère Hugo étudie le droit à Toulouse.", Category.PERSON),
        ("J'ai rendez-vous chez le dentiste le 14 décembre.", Category.EVENT),
        ("Nous avons décidé de passer à Postgres.", Category.DECISION),
        ("À partir de maintenant, réponds-moi toujours en français.", Category.RULE),
        ("Rappelle-moi d'appeler le plombier lundi.", Category.GOAL),
    ],
)
def test_a_statement_has_its_category(message: str, category: Category):
    assert [memory.category for memory in read(message)] == [category]


@pytest.mark.parametrize(
    "text", ["Le code de l'immeuble est 48A21.", "Le mot de passe du wifi est tournesol", "Mon code PIN : 4471"]
)
def test_a_secret_is_recognised(text: str):
    assert contains_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "Le mot de passe est noté au tableau.",
        "Le mot de passe doit contenir douze caractères.",
        "Le mot de passe est trop court.",
    ],
)
def test_where_a_secret_is_kept_is_none(text: str):
    assert not contains_secret(text)
