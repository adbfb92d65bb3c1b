"""Acting for end users of an application from the terminal, against the real service."""

from memd.domain.types import KeyScope
from tests.memctl.conftest import Terminal
from tests.support.service import MakeUser, TestUser

REFUSED = (
    "memctl: this key may not act for the end user ann: it lacks the scope act_as; see `memctl keys create --help`\n"
)


async def test_a_key_that_may_not_act_for_end_users_is_told_the_scope(terminal: Terminal, user: TestUser) -> None:
    for command in (("recall", "shoes"), ("capture", "Shoes", "Size 38"), ("keys", "list")):
        done = await terminal(user, "--as", "ann", *command)
        assert (done.exit_code, done.stdout, done.stderr) == (4, "", REFUSED), command


async def test_a_service_key_that_lacks_another_scope_is_told_its_scopes(
    terminal: Terminal, make_user: MakeUser
) -> None:
    service = await make_user(scopes=(KeyScope.READ, KeyScope.ACT_AS))
    done = await terminal(service, "--as", "ann", "capture", "Shoes", "Size 38")
    assert (done.exit_code, "it may read, act_as;" in done.stderr) == (4, True)


async def test_erasing_an_unknown_end_user_names_the_list(terminal: Terminal, make_user: MakeUser) -> None:
    service = await make_user(scopes=(KeyScope.READ, KeyScope.WRITE, KeyScope.ACT_AS))
    done = await terminal(service, "account", "users", "erase", "bob", "--yes")
    assert (done.exit_code, done.stderr) == (5, "memctl: no end user bob; see `memctl account users list`\n")
