"""Two programs that change the config file at the same time: both changes are in it."""

import threading
from pathlib import Path

import pytest

from memctl import config_file
from memctl.config_file import set_profile
from memctl.new_file import replace_file
from memctl.settings import read_config


def test_two_profiles_that_are_made_at_once_are_both_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second program begins when the first one has read the file and not written it yet."""
    path = tmp_path / "memctl" / "config.toml"
    second = threading.Thread(target=set_profile, args=(path, "home", "http://home.example", "k2"))

    def replace(target: Path, content: bytes, mode: int) -> None:
        if second.ident is None:
            second.start()
            second.join(0.5)
        replace_file(target, content, mode)

    monkeypatch.setattr(config_file, "replace_file", replace)
    assert set_profile(path, "work", "http://work.example", "k1")
    second.join()
    found = read_config(path)
    assert {name: profile.api_key for name, profile in found.profiles.items()} == {"work": "k1", "home": "k2"}
    assert found.chosen == "work"
    assert [each.name for each in path.parent.iterdir()] == ["config.toml"]
