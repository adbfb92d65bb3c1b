"""Which memories say what is now in the place of what others state (contract 11.2, conflictBoost)."""

import pytest

from tests.domain.ranking.test_updates import Memory, found


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        # the newer one names the older value, and says in another clause who or what is in its place
        ("Aylin does our social media.", "Aylin left; Tarek does the social media from now on.", "who does social media?"),
        ("Aylin draws the logos and does our social media.", "Aylin left; Tarek does the social media.", "who does social media?"),
        ("We drive a Kangoo for deliveries.", "We sold the Kangoo and lease a Combo for deliveries.", "what do we deliver with?"),
        ("Rosa is on call for payments.", "Rosa is on leave, so Viktor is on call for payments.", "who is on call for payments?"),
        ("Hannah writes the grant reports.", "Hannah moved on. Grant reports are written by Luis.", "who writes grant reports?"),
        ("Tim fährt mit dem Auto zur Arbeit.", "Tim hat das Auto verkauft und fährt mit dem Rad zur Arbeit.", "wie kommt Tim zur Arbeit?"),
        ("Die Praxis wird von Blitzblank geputzt.", "Blitzblank ist gekündigt, die Praxis putzt Frau Sommer.", "wer putzt die Praxis?"),
        ("Vamos al trabajo en una Citroën.", "Vendimos la Citroën y vamos al trabajo en una Ford.", "¿en qué vamos al trabajo?"),
        ("Camille gère les réseaux sociaux.", "Camille est partie ; Hugo gère les réseaux sociaux.", "qui gère les réseaux sociaux ?"),
        # it says that it was not always so, and has another name or day in the same role
        ("Mila goes to Lindenhof school.", "Mila switched schools, she's at the Waldorf school now.", "which school does Mila go to?"),
        ("The team moved from Slack to Mattermost.", "The team went back to Slack.", "where does the team chat?"),
        ("The retro is on Thursdays in room 3.", "The retro in room 3 is back to Wednesdays.", "when is the retro?"),
        ("Unser Kassenwart im Verein ist Dieter.", "Kassenwart im Verein ist jetzt Bettina.", "wer ist Kassenwart im Verein?"),
        ("Lucía estudia en San Marcos.", "Lucía ahora estudia en el instituto Cervantes.", "¿dónde estudia Lucía?"),
    ],
)  # fmt: skip
def test_what_says_who_or_what_is_now_in_its_place_is_an_update(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.9), Memory(newer, 3, 0.5, 0.4)) == [(1, 0)]
    assert found(query, Memory(older, 60, 1.3, facts=0.4), Memory(newer, 3, 0.5, 0.4)) == [(1, 0)]
    assert found(query, Memory(older, 60, 1.3), Memory(newer, 3, 0.5, 0.4)) == []
    assert found(query, Memory(older, 3, 0.9), Memory(newer, 3, 0.5, 0.4)) == []


@pytest.mark.rule("11.2 conflictBoost")
@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        # the question is about what the older one alone says, or about what both name
        ("Aylin draws and does our social media.", "Aylin left; Tarek does the social media.", "does Aylin draw?"),
        ("Ben's birthday is on 3 May.", "Ben called; Anna's birthday is on 4 May.", "when is Ben's birthday?"),
        ("Tim takes the car to work in Bonn.", "Tim left the car in Bonn; Lea takes the bus to work.", "how does Tim get to work?"),
        ("Anna works with Ben in Graz.", "Ben got a dog; Carl works in Vienna now.", "where does Anna work?"),
        # the question is about the past, or the newer one about what happened once
        ("Aylin does our social media.", "Aylin left; Tarek does the social media from now on.", "who did the social media?"),
        ("Carmen lleva las redes.", "Carmen se fue; Diego lleva las redes.", "¿quién llevaba las redes?"),
        ("Grandpa plays chess with Otto.", "Otto was ill. Grandpa played chess with Leon.", "who does Grandpa play chess with?"),
        # the newer one says the same, and more
        ("Mia plays chess with Tom.", "Mia plays go with Ben and chess with Tom.", "who does Mia play chess with?"),
        # another role, or no other value
        ("Lucía studies with Ben in Rome.", "Lucía now studies at home in Rome.", "who does Lucía study with?"),
    ],
)  # fmt: skip
def test_what_is_in_another_place_or_not_asked_for_is_no_update(older: str, newer: str, query: str) -> None:
    assert found(query, Memory(older, 60, 0.9), Memory(newer, 3, 0.6, 0.8)) == []


@pytest.mark.rule("11.2 conflictBoost")
def test_a_memory_whose_content_has_no_word_is_read() -> None:
    older = Memory("☕ …", 60, title="Aylin does the social media")
    assert found("who does it?", older, Memory("Aylin left; Tarek does the social media now.", 3)) == []
