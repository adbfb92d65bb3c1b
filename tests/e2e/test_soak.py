"""The short form of `make soak`: mixed load by several users leaves no error, no job and no failed job."""

import pytest

from tests.soak.caller import OPERATIONS, Caller
from tests.soak.memory import FIGURES, Sample, growth, quarters
from tests.soak.run import soak
from tests.support.daemon import Daemon

pytestmark = pytest.mark.e2e
SECONDS = 0.5
KEPT = 10


def test_after_mixed_load_there_is_no_error_and_the_queue_is_empty(daemon: Daemon) -> None:
    daemon.environment["MEMD_EXTRACTION_DELAY_S"] = "0"
    daemon.start()
    every = Caller(daemon.url, daemon.key, seed=1, rate=1, kept=KEPT)
    every.prepare()
    for operation in OPERATIONS:
        operation(every)
    every.close()
    found = soak(daemon, SECONDS, rate=20, users=2, kept=KEPT)
    assert (found.errors, found.logged, found.waiting, found.failed) == ([], [], 0, 0)
    assert found.calls.total() >= 2
    assert all(figure(sample) > 1 for sample in found.samples for figure in FIGURES.values())


def test_growth_is_the_last_quarter_over_the_second() -> None:
    samples = [
        Sample(at_s, memd, 1, 0, 0, 0, 0, 0) for at_s, memd in enumerate((900, 500, 200, 210, 300, 250, 400, 420, 410))
    ]
    medians = quarters(samples, FIGURES["memd"])
    assert medians == [700, 205, 275, 410]
    assert growth(medians) == 2
