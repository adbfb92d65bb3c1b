"""A child that has been asked to end drains, however often it is asked again."""

import subprocess
import sys

CHILD = """
import asyncio, sys
from memd.processes.signals import ignore_stop_signals, on_stop_signal

async def main():
    stopped = asyncio.Event()
    with on_stop_signal(lambda _number: stopped.set()):
        print("serves", flush=True)
        await stopped.wait()
    ignore_stop_signals()
    print("drains", flush=True)
    sys.stdin.read()

asyncio.run(main())
"""


def test_a_second_stop_signal_does_not_end_a_child_that_drains() -> None:
    command = [sys.executable, "-c", CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for state in ("serves", "drains"):
            assert child.stdout.readline() == f"{state}\n"
            child.terminate()
        child.stdin.close()
        assert child.wait() == 0
