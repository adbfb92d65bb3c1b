"""`memctl profile` says whose profile there is when a name is not the whole one, and knows the user as `me`."""

import json

from memd.context import Services
from tests.memctl.conftest import Terminal
from tests.support.jobs import done
from tests.support.service import TestUser
from tests.support.wire import capture


async def test_a_part_of_a_name_is_told_whose_profiles_there_are(
    terminal: Terminal, user: TestUser, services: Services
) -> None:
    assert (await terminal(user, "profile")).stderr == "no facts are known\n"
    for name in ("Ana Ruiz", "Ben Okafor"):
        await capture(user, content=f"{name} lives in Oslo.")
    await done(services, user)
    result = await terminal(user, "profile", "ruiz")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "no facts are known about ruiz; there are Ana Ruiz\n"
    assert (await terminal(user, "profile", "Zoe")).stderr == "no facts are known about Zoe\n"


async def test_me_is_the_user(terminal: Terminal, user: TestUser, services: Services) -> None:
    await capture(user, content="I live in Vienna.")
    await done(services, user)
    output = (await terminal(user, "profile", "user")).stdout
    assert "residence: Vienna" in output
    assert (await terminal(user, "profile", "Me")).stdout == output


async def test_an_attribute_is_named_in_words(terminal: Terminal, user: TestUser, services: Services) -> None:
    await capture(user, content="The user's dentist appointment is on 14 December 2026 at 9:30.")
    await done(services, user)
    assert "dentist appointment: on 14 December 2026" in (await terminal(user, "profile", "me")).stdout
    (profile,) = json.loads((await terminal(user, "profile", "me", "--json")).stdout)["profiles"]
    assert profile["facts"][0]["attribute"] == "dentist-appointment"
