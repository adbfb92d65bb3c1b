"""Messages that wait for one server, end user or key never go to another, whatever becomes the default meanwhile."""

from pathlib import Path

import pytest

from memctl.hooks.state import State, queue_of
from memctl.settings import Options, resolve
from tests.support.agents import Agent, Gate, gate, has_failed
from tests.support.service import TestUser
from tests.support.waiting import until

PROFILES = """profile = "{chosen}"
[profiles.one]
url = "{one}"
api_key = "{key}"
[profiles.two]
url = "{two}"
api_key = "{key}"
"""


async def test_turns_that_wait_do_not_follow_a_change_of_profile(agent: Agent, way: Gate, user: TestUser) -> None:
    del agent.variables["MEMCTL_URL"], agent.variables["MEMCTL_API_KEY"]
    config = agent.home / "config.toml"
    agent.variables["MEMCTL_CONFIG"] = str(config)
    async with gate(way.to) as other:

        def choose(name: str) -> None:
            config.write_text(PROFILES.format(chosen=name, one=way.url, two=other.url, key=user.key))

        choose("one")
        way.is_open = False
        await agent.hook("turn-end", {"session_id": "s1", "last_assistant_message": "For one."})
        await until(lambda: has_failed(agent))
        choose("two")
        await agent.hook("turn-end", {"session_id": "s2", "last_assistant_message": "For two."})
        await until(lambda: "claude-code delivery of turn ok" in agent.log)
        assert len(agent.waiting) == 1
        agent.variables["MEMCTL_STATE_DIR"] = str(agent.home / "state")
        assert f"1 for {way.url}\n" in await agent.memctl("hooks", "status")
        way.is_open = True
        agent.options = ("--profile", "one")
        await agent.hook("session-start", {"session_id": "s3", "hook_event_name": "SessionStart"})
        await agent.delivered()
    reply = await user.http.post("/api/mcp/recent-messages", json={"limit": 10, "allChannels": True})
    assert sorted(row["content"] for row in reply.json()["messages"]) == ["For one.", "For two."]


def queue(tmp_path: Path, options: Options, **variables: str) -> Path:
    environment = {"MEMCTL_CONFIG": str(tmp_path / "none.toml"), "MEMD_DATA_DIR": str(tmp_path / "data"), **variables}
    if options.data_dir:
        environment["MEMD_DATA_DIR"] = options.data_dir
    return queue_of(State(tmp_path), resolve(options, environment), environment)


KEY, OTHER_KEY = "ab" * 32, "cd" * 32


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Options(as_user="alice"), Options(as_user="bob")),
        (Options(as_user="alice"), Options()),
        (Options(url="http://127.0.0.1:1"), Options(url="http://127.0.0.1:2")),
        (Options(data_dir="/one"), Options(data_dir="/two")),
        (Options(api_key=KEY), Options(api_key=OTHER_KEY)),
        (Options(api_key=KEY), Options()),
    ],
)
def test_another_server_end_user_or_key_has_another_queue(tmp_path: Path, one: Options, other: Options) -> None:
    assert queue(tmp_path, one) != queue(tmp_path, other)
    assert queue(tmp_path, one) == queue(tmp_path, one)


def test_the_same_connection_has_the_same_queue_however_it_is_named(tmp_path: Path) -> None:
    assert queue(tmp_path, Options(as_user="alice")) == queue(tmp_path, Options(), MEMCTL_AS="alice")
    assert queue(tmp_path, Options(url="http://h:1", api_key=KEY)) == queue(
        tmp_path, Options(), MEMCTL_URL="http://h:1/", MEMCTL_API_KEY=KEY
    )
    assert queue(tmp_path, Options(data_dir=str(tmp_path / "data"))) == queue(tmp_path, Options())


def test_a_data_directory_without_a_memd_is_not_served_by_the_chosen_profile(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(PROFILES.format(chosen="one", one="http://127.0.0.1:7377", two="http://h", key=KEY))
    target = resolve(Options(data_dir=str(tmp_path)), {"MEMCTL_CONFIG": str(config)})
    assert target.is_guess
