"""What statements say is over (contract 11.2, conflictBoost)."""

import pytest

from memd.domain.ranking.endings import ended_things, is_named, may_end
from memd.domain.ranking.statement_words import stems_of


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("statement", "thing"),
    [
        ("The trip to Rome is called off.", "trip Rome"),
        ("Clara and Paul called off the wedding.", "Clara Paul wedding"),
        ("The party at the lake was cancelled because of the flood.", "party lake"),
        ("The offsite in Porto has been called off, the budget is frozen.", "offsite Porto"),
        ("Ben quit the gym.", "Ben gym"),
        ("Dad gave up smoking his pipe.", "Dad smoking pipe"),
        ("Mum stopped taking the yoga class.", "Mum taking yoga class"),
        ("We dropped the plan to buy a boat.", "buy boat"),
        ("We gave up Jenkins; nightly builds run on Buildkite.", "Jenkins"),
        ("Mia no longer eats meat.", "Mia eats meat"),
        ("Mia does not eat meat any more.", "Mia eat meat"),
        ("Karl doesn't sing in the choir anymore.", "Karl sing choir"),
        ("Mia doesn't eat meat any more.", "Mia eat meat"),
        ("Ben isn’t a member of the gym anymore.", "Ben member gym"),
        ("There is no longer a retrospective.", "retrospective"),
        ("Die Reise nach Rom ist abgesagt.", "Reise Rom"),
        ("Ben hat das Fitnessstudio gekündigt.", "Ben Fitnessstudio"),
        ("Die Feier im Seehaus fällt wegen des Hochwassers aus.", "Feier Seehaus"),
        ("Die Vorlesung am Freitag findet nicht statt.", "Vorlesung Freitag"),
        ("Das Konzert am 9. Mai wurde abgesagt.", "Konzert 9 Mai"),
        ("Wir nutzen Jenkins nicht mehr, die Builds laufen auf Buildkite.", "Jenkins"),
        ("Mia isst kein Fleisch mehr.", "Mia isst Fleisch"),
        ("Lea hurt her knee and had to withdraw from the Berlin marathon.", "Lea Berlin marathon"),
        ("Ben left the choir.", "Ben choir"),
        ("The trip to Rome isn't happening.", "trip Rome"),
        ("The trip to Rome fell through.", "trip Rome"),
        ("Papa hat aufgehört zu rauchen.", "Papa rauchen"),
        ("Lisa läuft den Halbmarathon doch nicht.", "Lisa läuft Halbmarathon"),
        ("Der Umzug nach Leipzig hat sich erledigt.", "Umzug Leipzig"),
        ("Se ha suspendido la boda de Inés.", "boda Inés"),
        ("Hemos dejado el mercado de los sábados.", "mercado sábados"),
        ("Bruno dejó de fumar.", "Bruno fumar"),
        ("Le voyage à Venise est annulé.", "voyage Venise"),
        ("Julien ne fume plus.", "Julien fume"),
        ("Léa n'habite plus à Nantes.", "Léa habite Nantes"),
        ("Léa a arrêté la piscine.", "Léa piscine"),
        ("Le concert au théâtre n'aura pas lieu.", "concert théâtre"),
        ("El viaje a Roma está cancelado.", "viaje Roma"),
        ("Bruno ya no va al gimnasio.", "Bruno va gimnasio"),
        ("The swimming lessons are cancelled until further notice.", "swimming lessons"),
        ("Das Sommerfest fällt dieses Jahr aus.", "Sommerfest"),
        ("Opa hat aufgehört, mit dem Rad zu fahren.", "Opa Rad fahren"),
    ],
)
def test_a_statement_may_say_that_something_is_over(statement: str, thing: str) -> None:
    assert ended_things(statement) == (stems_of(thing),)


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("form", "words", "thing"),
    [
        ("The fair {}.", "was canceled/got scrapped/is abandoned/has been discontinued/is off/will not happen", "fair"),
        ("The fair {}.", "isn't taking place/won't take place", "fair"),
        ("The fair is {} held.", "no longer/not any longer", "fair held"),
        ("Anna {} the fair.", "got rid of/pulled out of/dropped out of/withdrew from", "Anna fair"),
        ("Anna {} the fair.", "cancelled/canceled/scrapped/abandoned/dropped", "Anna fair"),
        ("Die Messe {}.", "ist storniert/wurde aufgegeben/ist abbestellt/ist ausgefallen/wurde gestrichen", "Messe"),
        ("Die Messe {}.", "wurde abgeblasen/ist geplatzt/fiel aus/entfällt/entfiel", "Messe"),
        ("La feria {}.", "se anuló/se ha suspendido/está anulada/fue cancelada", "feria"),
        ("Ana {} la feria.", "dejó/ha dejado/anuló", "Ana feria"),
        ("La foire {}.", "est supprimée/a été abandonnée/est tombée à l'eau", "foire"),
        ("Anne {} la foire.", "a quitté/a annulé/a supprimé/a abandonné", "Anne foire"),
    ],
)
def test_an_end_may_be_said_in_many_words(form: str, words: str, thing: str) -> None:
    said = {each: ended_things(form.format(each)) for each in words.split("/")}
    assert {each: found for each, found in said.items() if found != (stems_of(thing),)} == {}


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    "statement",
    [
        "The trip to Rome is not called off.",
        "The trip to Rome has not been called off.",
        "The trip to Rome hasn't been called off.",
        "The trip to Rome may be called off.",
        "The trip to Rome might have been called off.",
        "Mia does not drink any more than two cups.",
        "If it rains, the trip to Rome is cancelled.",
        "Orders that were cancelled are refunded.",
        "Cancelled orders are refunded.",
        "Ben wants to quit the gym.",
        "Ben never quit the gym.",
        "We stopped at the gym.",
        "Tom plays not only chess but also go.",
        "Tom no longer only plays chess.",
        "Tom spielt nicht nur Schach, sondern auch Go.",
        "Tom spielt nicht mehr nur Schach.",
        "Das Formular hat nicht mehr als fünf Seiten.",
        "Die Reise nach Rom muss nicht abgesagt werden.",
        "Wenn es regnet, fällt die Feier aus.",
        "Tom hat Anna eingestellt.",
        "Il n'y a plus que trois places.",
        "Le voyage n'est pas annulé.",
        "Ben left the keys on the table.",
        "Si llueve, se canceló el viaje.",
        "Murat hat gekündigt.",
    ],
)
def test_what_is_denied_possible_or_of_another_meaning_is_not_over(statement: str) -> None:
    assert ended_things(statement) == ()


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("thing", "statement", "is_about"),
    [
        ("trip Rome", "We plan a trip to Rome in May.", True),
        ("trip Rome May", "We plan a trip to Rome.", True),
        ("trip Rome May", "We plan a trip to Rome in June.", False),
        ("concert 9 May", "The concert on 3 March is in the town hall.", False),
        ("trip Vienna", "We plan a trip to Rome in May.", False),
        ("May", "We plan a trip to Rome.", False),
        ("Rita working Fridays", "Rita works for the city council.", False),
    ],
)
def test_a_statement_about_an_ended_thing_has_its_words_and_no_other_date(
    thing: str, statement: str, *, is_about: bool
) -> None:
    assert is_named(stems_of(thing), stems_of(statement)) is is_about


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("statement", "ends"),
    [
        ("Ben goes to the gym on Mondays.", True),
        ("We planned a trip to Rome.", True),
        ("Wir haben einen Stand auf der Messe gebucht.", True),
        ("Ben met Carla at the gym.", False),
        ("Anna hat für die Reise ein Zelt gekauft.", False),
        ("Anna compró una tienda para el viaje.", False),
        ("Camille a acheté une valise pour le voyage.", False),
        ("Léa a trois enfants.", True),
        ("Hemos reservado un viaje a Roma.", True),
        ("Nous avons prévu un voyage.", True),
    ],
)
def test_what_happened_does_not_end(statement: str, *, ends: bool) -> None:
    assert may_end(statement) is ends
