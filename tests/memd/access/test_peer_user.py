"""The user at the other end of the unix socket, on platforms that report it and on those that do not."""

import os
import socket

import pytest

from memd.access.authentication.peer_user import peer_user


def test_the_user_of_the_other_end_is_known() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peer_user(ours) == os.geteuid()


def test_a_platform_without_peer_credentials_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "SO_PEERCRED")
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peer_user(ours) is None
