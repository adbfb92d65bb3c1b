"""Bodies that are still arriving hold a bounded number of bytes, in all and of each caller."""

import pytest

from memd.access.body_bytes import MAX_BYTES, MAX_BYTES_OF_CALLER, BodyBytes
from memd.db.fair_queue import CALLER
from memd.errors import ServerBusy


def test_one_caller_holds_a_part_and_all_together_the_whole() -> None:
    bodies = BodyBytes()
    with bodies.receiving() as first:
        CALLER.set("greedy")
        with bodies.receiving() as greedy:
            greedy.add(MAX_BYTES_OF_CALLER)
            with bodies.receiving() as more, pytest.raises(ServerBusy):
                more.add(1)
            first.add(MAX_BYTES_OF_CALLER)
            for number in range(MAX_BYTES // MAX_BYTES_OF_CALLER - 2):
                CALLER.set(number)
                bodies.receiving().__enter__().add(MAX_BYTES_OF_CALLER)
            CALLER.set("last")
            with bodies.receiving() as last, pytest.raises(ServerBusy):
                last.add(1)
        with bodies.receiving() as last:
            last.add(MAX_BYTES_OF_CALLER)
    CALLER.set(None)
