"""Who is served next of those that wait for a connection."""

from contextvars import copy_context

from memd.db.connections.fair_queue import CALLER, FairQueue


def add(queue: FairQueue[str], *items: str) -> None:
    """Append as the caller that the first letter names."""
    for item in items:
        context = copy_context()
        context.run(CALLER.set, item[0])
        context.run(queue.append, item)


def served(queue: FairQueue[str], count: int) -> str:
    return " ".join(queue.popleft() for _ in range(count))


def test_callers_take_turns_and_each_is_served_in_the_order_of_arrival() -> None:
    queue = FairQueue[str]()
    add(queue, "a1", "a2", "a3", "a4", "b1", "b2", "c1")
    assert served(queue, 7) == "a1 b1 c1 a2 b2 a3 a4"
    assert len(queue) == 0


def test_a_caller_that_comes_later_takes_its_first_turn_at_once_and_has_saved_none_up() -> None:
    queue = FairQueue[str]()
    add(queue, *(f"a{number}" for number in range(8)))
    assert served(queue, 3) == "a0 a1 a2"
    add(queue, "b1", "b2", "b3", "a8")
    assert served(queue, 9) == "b1 a3 b2 a4 b3 a5 a6 a7 a8"


def test_who_has_left_the_queue_gains_and_loses_nothing() -> None:
    queue = FairQueue[str]()
    add(queue, "a1", "a2", "b1")
    queue.clear()
    add(queue, "a3", "b2", "a4")
    assert served(queue, 3) == "a3 b2 a4"
