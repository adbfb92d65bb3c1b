"""Facts that texts state, and which of them contradict each other (contract 17.5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.facts.facts import certainty, find_facts


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value"),
    [
        ("Ana lives in Oslo.", "Ana", "residence", "Oslo"),
        ("Ana has recently moved from Oslo to Rome.", "Ana", "residence", "Rome"),
        ("Ben Ray works at Acme since 2020.", "Ben Ray", "employer", "Acme"),
        ("The billing service is owned by Cleo.", "billing service", "owner", "Cleo"),
        ("The release is scheduled for 3 May.", "release", "date", "3 May"),
        ("The release was postponed to 10 May because of tests.", "release", "date", "10 May"),
        ("Ana's phone number is 555-1234.", "Ana", "phone-number", "555-1234"),
        ("The budget of project Kite is 40,000 euros.", "project Kite", "budget", "40,000 euros"),
        ("Ana joined Bolt on the 5th of May.", "Ana", "employer", "Bolt"),
        ("The cable costs 3.50 euros.", "cable", "price", "3.50 euros"),
        ("The team now uses Redis.", "team", "uses", "Redis"),
        ("Ana no longer lives in Oslo.", "Ana", "residence", "Oslo"),
        ("Ana is allergic to nuts and shellfish (3 May 2026).", "Ana", "allergy", "nuts and shellfish"),
        ("The user is allergic to penicillin and they hope for the best.", "user", "allergy", "penicillin"),
        ("The user's wife Marta will join them on 10 April 2027.", "user", "wife", "Marta"),
        ("The user is Priya, but tired.", "user", "name", "Priya"),
        ("The user is vegetarian (3 May 2026).", "user", "diet", "vegetarian"),
        ("Ana speaks German, English and Polish.", "Ana", "language", "German, English and Polish"),
        ("The user prefers short answers.", "user", "preference", "short answers"),
        ("Ana really enjoys opera.", "Ana", "likes", "opera"),
        ("Ana doesn't like cilantro.", "Ana", "dislikes", "cilantro"),
    ],
)
def test_a_sentence_states_a_fact(text: str, subject: str, attribute: str, value: str) -> None:
    (fact,) = find_facts(text)
    assert (fact.subject, fact.attribute) == (subject, attribute)
    assert fact.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ana moved to Oslo in June 2026.", "Oslo"),
        ("Ana moved to Rome yesterday.", "Rome"),
        ("Ana moved to Rome from Oslo.", "Rome"),
        ("Ana moved back to Rome.", "Rome"),
        ("Ana moved back from Oslo to Rome.", "Rome"),
        ("Ana lives in Rome once more.", "Rome"),
        ("Ana moved to Rome two weeks ago.", "Rome"),
        ("Ana moved to Rome last summer.", "Rome"),
        ("Ana moved to Rome on Monday.", "Rome"),
        ("Ana moved to Rome on 3 May 2026.", "Rome"),
        ("Ana moved to Rome on May 3rd.", "Rome"),
        ("Ana moved to Rome in 2026-05.", "Rome"),
        ("Ana joined Bolt in early 2024.", "Bolt"),
        ("Ana joined March Labs.", "March Labs"),
        ("Ana works at Studio 2024.", "Studio 2024"),
        ("Ana works at House of Winter.", "House of Winter"),
        ("The release is scheduled for Monday in May.", "Monday in May"),
    ],
)
def test_when_a_value_began_is_no_part_of_it(text: str, value: str) -> None:
    assert [fact.value for fact in find_facts(text)] == [value]


@pytest.mark.parametrize(
    "text", ["Does Ana live in Oslo?", "She lives in Oslo.", "Ana lived in Oslo.", "We had lunch.", "", "It costs 3."]
)
def test_other_sentences_state_none(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Ana lives in Oslo.", "Ana moved to Rome.", 0.95),
        ("Ana lives in Oslo.", "Ana lives in Rome.", 0.9),
        ("Ana lives in Oslo.", "Ana no longer lives in Oslo.", 0.95),
        ("Ana's phone number is 555.", "Ana's phone number is now 777.", 0.95),
        ("Ana works at Acme.", "Ana works for Bolt.", 0.85),
        ("Ana works at Acme.", "Ana joined Bolt.", 0.95),
        ("The team uses Redis.", "The team uses Kafka.", None),
        ("The team uses Redis.", "The team now uses Kafka.", 0.6),
        ("Ana lives in Oslo.", "Ana lives in central Oslo.", None),
        ("Ana lives in Oslo.", "ana lives in oslo", None),
        ("Ana lives in Oslo.", "Ben lives in Rome.", None),
        ("Ana lives in Oslo.", "Ana no longer lives in Rome.", None),
        ("Unit 12 costs 30 euros.", "Unit 13 costs 40 euros.", None),
        ("Ana lives in Oslo.", "Ana works at Rome.", None),
    ],
)
def test_another_value_of_one_attribute_contradicts(old: str, new: str, expected: float | None) -> None:
    (before,), (after,) = find_facts(old), find_facts(new)
    assert certainty(before, after) == expected


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The user prefers tea and they live in Bonn.", [("preference", "tea"), ("residence", "Bonn")]),
        (
            "The user is Priya, they work as a backend engineer at Lumen in Lisbon.",
            [("name", "Priya"), ("role", "a backend engineer"), ("employer", "Lumen")],
        ),
        ("Ana's sister Eva moved to Graz.", [("sister", "Eva"), ("residence", "Graz")]),
    ],
)
def test_a_sentence_may_state_several(text: str, facts: list[tuple[str, str]]) -> None:
    assert [(fact.attribute, fact.value) for fact in find_facts(text)] == facts


@pytest.mark.parametrize(
    "text",
    [
        "Since I moved to Ulm in May, I cycle.",
        "Since Lea joined Bosch, she commutes.",
        "After Paul moves to Bonn he will work at Telekom.",
        "Tom's passport is valid until May.",
        "The audit is due today.",
    ],
)
def test_a_subordinate_clause_a_state_and_a_day_that_passes_are_no_facts(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize("text", ["Ana wants to use Redis.", "The user's manager is fine with it, Joana said."])
def test_what_is_wanted_or_said_is_no_fact(text: str) -> None:
    assert find_facts(text) == []


@pytest.mark.parametrize("attribute", ["likes", "prefers", "is allergic to", "speaks", "uses"])
def test_several_things_can_be_true_of_what_somebody_likes_uses_or_speaks(attribute: str) -> None:
    (first,), (second,) = find_facts(f"Ana {attribute} alpha."), find_facts(f"Ana {attribute} beta.")
    assert (first.attribute, first.value, second.value) == (second.attribute, "alpha", "beta")
    assert certainty(first, second) is None


@given(st.text(max_size=300))
def test_any_text_has_few_facts(text: str) -> None:
    assert len(find_facts(text)) <= 12


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user's manager is Paul.", "Sofia is the user's new manager."),
        ("Marc's manager is Paul.", "Marc's new manager is Sofia."),
        ("Ana's landlord is Karl Ott.", "Ben Maier is now Ana's landlord."),
        ("Ana's dentist is Ruiz.", "Ana's new dentist is Weber."),
        ("Paul is Ana's boss.", "Ida is Ana's new boss."),
        ("The budget is 340,000 euros.", "The budget was cut to 290,000 euros."),
        ("The 2026 budget is 340,000 euros.", "The 2026 budget was cut to 290,000 euros."),
        ("The project is called Orca.", "The project is now called Beluga."),
        ("The app is called Nimbus.", "The app was renamed to Stratus."),
        ("The cat of Ida is named Tiger.", "The cat of Ida is now named Felix."),
        ("Ana works at Foo.", "Ana started a new job at Bar."),
        ("The user works at Foo.", "The user got a job at Bar as a nurse."),
    ],
)
def test_the_words_state_a_change_of_the_same_attribute(old: str, new: str) -> None:
    (before,), (after,) = find_facts(old), find_facts(new)
    assert certainty(before, after) == 0.95


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ana's manager is Paul.", "Ana's former manager is Sofia."),
        ("The place is called Zeit.", "The place is called Kaffee 9."),
        ("The 2026 budget is 340,000 euros.", "The 2027 budget is 290,000 euros."),
        ("Ana's dentist is Ruiz.", "Weber is Ben's new dentist."),
        ("Dentist appointment on 3 December at 9:00.", "Dentist appointment on 15 March at 10:00."),
        ("The dentist appointment is on 3 December.", "The dentist appointment is on 15 March."),
    ],
)
def test_what_is_no_change(old: str, new: str) -> None:
    assert [certainty(one, two) for one in find_facts(old) for two in find_facts(new)] in ([None], [])


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Helga works at Nordlicht as head of finance.", [("Helga", "employer", "Nordlicht")]),
        ("Helga joined Nordlicht as its head of finance in May.", [("Helga", "employer", "Nordlicht")]),
        ("Ben reports to Ida as team lead.", [("Ben", "manager", "Ida")]),
        ("Priya joined us as QA lead on Monday, she reports to me.", []),
        ("Priya joined Marc's team as QA lead on Monday.", []),
        ("Ben works for her.", []),
        ("Ana reports to him.", []),
        ("Tom is allergic to peanuts by the way.", [("Tom", "allergy", "peanuts")]),
        ("Ana prefers tea, by the way.", [("Ana", "preference", "tea")]),
        ("Ida lives in Bonn as well.", [("Ida", "residence", "Bonn")]),
        ("The 2026 budget is 340,000 euros.", [("2026 budget", "budget", "340,000 euros")]),
        ("The Q3 budget is 5,000 euros.", [("Q3", "budget", "5,000 euros")]),
        ("The office of Nordlicht moved to Speicherstadt.", [("office of Nordlicht", "location", "Speicherstadt")]),
        ("The warehouse relocated to Gent.", [("warehouse", "location", "Gent")]),
    ],
)
def test_subjects_and_values_are_what_they_seem(text: str, stated: list[tuple[str, str, str]]) -> None:
    assert [(fact.subject, fact.attribute, fact.value) for fact in find_facts(text)] == stated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Bremen", [("user", "residence", "Bremen")]),
        ("We use Jenkins", [("user", "uses", "Jenkins")]),
        ("My manager is Paul.", [("user", "manager", "Paul")]),
        ("I'm allergic to nuts", [("user", "allergy", "nuts")]),
        ("Our CI is GitHub Actions now.", [("user", "ci", "GitHub Actions")]),
        ("I think we are late", []),
        ("My sister is 30.", []),
        ("I have a dog", []),
    ],
)
def test_the_first_person_is_the_user_as_in_questions(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(fact.subject, fact.attribute, fact.value) for fact in find_facts(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hanne's email is hanne.vogt@lighthouse.example.", [("Hanne", "email", "hanne.vogt@lighthouse.example")]),
        ("Anna moved to Linz in the week of 1 June 2026.", [("Anna", "residence", "Linz")]),
        ("Omar joined Bosch around 22 June 2026.", [("Omar", "employer", "Bosch")]),
        ("Lena drinks black tea and is allergic to peanuts.", []),
        ("The user prefers tea and they always use zsh.", [("user", "preference", "tea"), ("user", "uses", "zsh")]),
        ("Ana's manager Marta retired", []),
        (
            "The user's favourite place is Osteria Nuova, and they hate coriander.",
            [("user", "favourite-place", "Osteria Nuova"), ("user", "dislikes", "coriander")],
        ),
        ("My dentist is Dr. Falk.", [("user", "dentist", "Dr. Falk")]),
        ("My sister Dr. Anna Weiss works at St. Mary's Hospital.", [("user", "sister", "Dr. Anna Weiss")]),
        ("Ana lives in St. Gallen.", [("Ana", "residence", "St. Gallen")]),
        ("Don't forget that the demo for Acme is on 3 December.", [("demo for Acme", "date", "3 December")]),
        ("Sven joined the design team.", []),
        ("The backups live in the blue cabinet.", [("backups", "location", "the blue cabinet")]),
        ("Sven joined Acme in May; his manager is Maya.", [("Sven", "employer", "Acme"), ("Sven", "manager", "Maya")]),
        (
            "We migrated the billing service from MySQL to Postgres.",
            [("billing service", "uses", "Postgres"), ("billing service", "uses", "MySQL")],
        ),
        ("The billing service was migrated to Postgres.", [("billing service", "uses", "Postgres")]),
        ("We replaced Jenkins with GitLab in our CI.", [("CI", "uses", "GitLab"), ("CI", "uses", "Jenkins")]),
        ("We switched the meeting from Monday to Friday.", []),
        ("We replaced the sofa with a new one in the hall.", []),
        ("We have not migrated the billing service to Postgres.", []),
        ("If we migrated the billing service to Postgres, it would scale.", []),
        ("We replaced Tom with Anna on the team.", []),
        ("We switched the lights to red.", []),
        ("Ana works with Tom; his manager is Maya.", []),
        ("Sven has a dog; his name is Rex.", []),
        ("The user's wife works, and they hate coriander.", []),
        ("Sven's friend Mr. Smith died.", []),
        ("Kim moved to an apartment in Oslo.", [("Kim", "residence", "an apartment in Oslo")]),
        ("Greta ordered 60 stars, they cost 2,400 in all", []),
    ],
)
def test_values_and_subjects_end_where_they_end(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(fact.subject, fact.attribute, fact.value) for fact in find_facts(text)] == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Sam is vegetarian.", "Sam is now vegan."),
        ("Sam is vegetarian.", "Sam is no longer vegetarian."),
        ("Paul is allergic to nuts.", "Paul is not allergic to nuts."),
        ("I live in Bremen.", "I moved to Kiel last month."),
        ("Ana's wage is 195 kroner.", "Ana's wage was raised to 210 kroner."),
        ("The launch budget is 9,000 euros.", "The launch budget went from 9,000 to 9,500 euros."),
        ("Lena's rent is 1,400 euros.", "Lena's rent rose to 1,450 euros."),
        ("Sven joined Acme in May; his manager is Maya.", "Sven now reports to Ingrid."),
        ("The rent of the shop is 900 euros.", "The rent of the shop is 950 euros from 1 March."),
    ],
)
def test_these_changes_are_conflicts(old: str, new: str) -> None:
    found = [certainty(one, two) for one in find_facts(old) for two in find_facts(new)]
    assert any(value is not None and value > 0 for value in found)


@pytest.mark.parametrize(
    "statement",
    [
        "Lena is the user's sister",
        "Paul is Ana's boss",
        "We replaced Jenkins with GitLab in our CI",
        "Dentist appointment on 3 December at 9:00",
        "Die Miete beträgt 900 Euro kalt",
    ],
)
def test_the_day_behind_a_statement_is_not_part_of_it(statement: str) -> None:
    assert find_facts(f"{statement}.") != []
    assert find_facts(f"{statement} (28 November 2026).") == find_facts(f"{statement}.")
