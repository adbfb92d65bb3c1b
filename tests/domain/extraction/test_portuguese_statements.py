"""What a user says to a program in Portuguese: which sentences become memories, in the words that were said."""

import pytest

from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.types import Category
from tests.domain.extraction.test_spanish_statements import said
from tests.domain.extraction.test_user_statements import read

pytestmark = pytest.mark.rule("11.6 method")

KEPT = (
    "Neste projeto usamos sempre pnpm.",
    "Meu nome é Ana e vivo em Lisboa com a minha mulher.",
    "Sou enfermeira no hospital de Braga.",
    "Moro em São Paulo desde 2019.",
    "Trabalho numa empresa de logística.",
    "Sou alérgica a amendoim.",
    "A minha irmã vive no Porto.",
    "Tenho dois filhos, Nora e Mateus.",
    "Minha esposa se chama Clara.",
    "Prefiro respostas curtas.",
    "Não gosto de coentros.",
    "O nosso cão chama-se Trovão.",
    "Tenho consulta com o dermatologista no dia 14 de dezembro.",
    "Sou vegetariano há dez anos.",
    "Meu aniversário é 3 de maio.",
    "Lembra-te de que não posso comer glúten.",
    "Decidimos mudar para Postgres.",
    "Eu adoro café sem açúcar.",
)

LEFT = (
    "Escreve um conto: a minha irmã vive em Lisboa.",
    "Onde moro?",
    "Podes ajudar-me com este texto?",
    "Preciso de uma receita.",
    "O João diz que vive em Faro.",
    "Acho que vivo numa simulação.",
    "Se eu vivesse em Paris, aprendia francês.",
    "Talvez me mude para o Porto.",
    "Obrigado, ajudaste muito.",
    "Gosto da tua resposta.",
    "Imagina que sou um astronauta.",
    "Tenho uma dúvida sobre impostos.",
    "O protagonista vive em Lisboa e trabalha como detetive.",
    'Traduz: "Chamo-me Pedro e vivo em Faro."',
    "Quero que faças uma tabela.",
    "A minha palavra-passe é Rosa1985!",
)


@pytest.mark.parametrize("message", KEPT)
def test_what_users_say_of_themselves_is_kept(message: str) -> None:
    assert len(said(message)) == 1


@pytest.mark.parametrize("message", LEFT)
def test_questions_requests_doubts_and_the_words_of_others_are_left(message: str) -> None:
    assert read(message) == []


def test_what_belongs_to_somebody_in_the_sentence_before_is_kept_with_it() -> None:
    assert said("Tenho um cão. Chama-se Trovão e tem quatro anos.") == [
        "Tenho um cão. Chama-se Trovão e tem quatro anos."
    ]


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("Moro em Recife, me recomenda uma academia?", "Moro em Recife"),
        ("Recomenda-me um restaurante em Braga, sou vegetariano.", "Sou vegetariano."),
        ("Moro em Lisboa e gostaria de um ginásio perto.", "Moro em Lisboa"),
    ],
)
def test_what_a_request_says_of_its_author_is_kept(message: str, kept: str) -> None:
    assert said(message) == [kept]


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("Sou alérgica a amendoim.", Category.FACT),
        ("A minha irmã vive no Porto.", Category.PERSON),
        ("Tenho consulta com o dermatologista no dia 14 de dezembro.", Category.EVENT),
        ("Decidimos mudar para Postgres.", Category.DECISION),
        ("A partir de agora responde-me sempre em português.", Category.RULE),
        ("Lembra-me de pagar a renda no dia 1 de dezembro.", Category.GOAL),
    ],
)
def test_a_statement_has_its_category(message: str, category: Category) -> None:
    assert [memory.category for memory in read(message)] == [category]


@pytest.mark.parametrize(
    "text", ["A minha palavra-passe é Rosa1985!", "O código da porta é 4471.", "A senha do wifi é girassol"]
)
def test_a_secret_is_recognised(text: str) -> None:
    assert contains_secret(text)


@pytest.mark.parametrize("text", ["A senha do wifi está no quadro.", "A senha é muito longa."])
def test_where_a_secret_is_kept_is_none(text: str) -> None:
    assert not contains_secret(text)
