"""An edit of the content alone names the title that stays: it may say what is no longer so (contract 6.3, 17.4)."""

import pytest

from tests.support.mcp import structured
from tests.support.service import TestUser


@pytest.mark.rule("6.3 reply")
async def test_an_edit_of_the_content_alone_names_the_title_that_stays(user: TestUser) -> None:
    stored = await structured(user, "capture", title="Ana lives in Oslo", content="Ana lives in Oslo.")
    moved = await structured(user, "update", memoryId=stored["id"], content="Ana lives in Rome.")
    assert moved["titleKept"] == "Ana lives in Oslo"
    titled = await structured(user, "update", memoryId=stored["id"], content="Ana lives in Bonn.", title="Home of Ana")
    assert "titleKept" not in titled
    tagged = await structured(user, "update", memoryId=stored["id"], tags=["people"])
    assert "titleKept" not in tagged
