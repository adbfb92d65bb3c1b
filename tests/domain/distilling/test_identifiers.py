"""Names of things in code and on the network, and titles, stay as they are said, also with an `i`, `my` or `us` in them."""

from datetime import date

import pytest

from memd.domain.distilling.wording import worded

SAID = (
    ("Our regions are eu-central-1 and us-east-2", "The user's regions are eu-central-1 and us-east-2"),
    ("My bucket is in me-central-1", "The user's bucket is in me-central-1"),
    ("My email is me@example.org", "The user's email is me@example.org"),
    ("Our domain is my.acme.io", "The user's domain is my.acme.io"),
    ("My site is ray.me", "The user's site is ray.me"),
    ("We keep my_utils in lib/our-team/my-service", "The user keeps my_utils in lib/our-team/my-service"),
    ("We deploy with `make my-target`", "The user deploys with `make my-target`"),
    ("I use https://my.example.com/our/path", "The user uses https://my.example.com/our/path"),
    ("I keep my notes in /home/me", "The user keeps their notes in /home/me"),
    ("Our code is in ~/our and ../us/x", "The user's code is in ~/our and ../us/x"),
    ("I keep my files in C:\\Users\\me\\docs", "The user keeps their files in C:\\Users\\me\\docs"),
    ("My handle is @me", "The user's handle is @me"),
    ("I live with Ann /my wife in Rome", "The user lives with Ann /their wife in Rome"),
    ("I take the I-95 to work", "The user takes the I-95 to work"),
    ("I use tabs, i.e. four spaces", "The user uses tabs, i.e. four spaces"),
    ("I live with me/my wife in Rome", "The user lives with them/their wife in Rome"),
    ("I'm reading My Brilliant Friend", "The user is reading My Brilliant Friend"),
    ("My favourite band is My Chemical Romance", "The user's favourite band is My Chemical Romance"),
    ("I played Among Us with my sister", "The user played Among Us with their sister"),
    ("my favourite show is How I Met Your Mother", "The user's favourite show is How I Met Your Mother"),
    ("and My brother lives in Rome", "The user's brother lives in Rome"),
    ("We use im-server for chat", "The user uses im-server for chat"),
    ("Our branch is dont-touch", "The user's branch is dont-touch"),
    ("I moved home-my mother needs help", "The user moved home-their mother needs help"),
)


@pytest.mark.parametrize(("said", "statement"), SAID)
def test_only_words_are_put_into_the_third_person(said: str, statement: str) -> None:
    assert worded([said], "the user", date(2026, 5, 4), named=False, lasting=True) == f"{statement}."
