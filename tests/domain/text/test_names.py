import pytest

from memd.domain.text.names import proper_names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met Ada Lovelace in London.", ("Ada Lovelace", "London")),
        ("PostgreSQL replaced the old store.", ("PostgreSQL",)),
        ("It went to the Bank of England.", ("Bank of England",)),
        ("Maria owns billing.", ("Maria",)),
        ("Thanks, Mel! See you on Monday in May.", ("Mel",)),
        ("Painting is fun. Running helps.", ()),
        ("I think You and He should go.", ()),
        ("Hey Joanna! Long time no see.", ("Joanna",)),
        ("We like Björk and Łódź.", ("Björk", "Łódź")),
        ("Melanie's kids love it; we saw Melanie's house.", ("Melanie",)),
        ("nothing here", ()),
        ("", ()),
    ],
)
def test_capitalised_words_that_name_somebody_are_names(text, expected):
    assert proper_names(text) == expected


def test_a_name_is_listed_once_in_order_of_appearance():
    assert proper_names("Ask Priya, then Tom, then Priya.") == ("Priya", "Tom")
