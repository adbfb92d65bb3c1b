"""What a process frees after a burst goes back to the system."""

import subprocess
import sys

import pytest

BURST = """
import asyncio, sys, threading
from pathlib import Path
from memd.processes.allocator import trimming

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

def burst():
    barrier.wait()
    blocks = [b'x' * 60_000 for _ in range(700)]
    kept.append(bytes(1_000))
    peaks.append(resident())
    barrier.wait()

async def wait_for_trim(start):
    async with trimming(interval_s=0.05, work_s=float(sys.argv[1])):
        await asyncio.sleep(0)  # the trims begin
        threads = [threading.Thread(target=burst) for _ in range(6)]
        [each.start() for each in threads]
        [each.join() for each in threads]
        for _ in range(200):
            await asyncio.sleep(0.05)
            if resident() - start < 20:
                break

start, kept, peaks, barrier = resident(), [], [], threading.Barrier(6)
asyncio.run(wait_for_trim(start))
print(max(peaks) - start, resident() - start)
"""
"""Six threads that hold 40 MB each at the same time, free them, and keep a little in between."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process from /proc")
@pytest.mark.parametrize("work_s", [0.0, 1000.0])
def test_memory_freed_by_many_threads_goes_back_to_the_system(work_s: float) -> None:
    """However little work the burst was, once the process is quiet again."""
    command = [sys.executable, "-c", BURST, str(work_s)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    peak, kept = map(int, run.stdout.split())

    assert peak > 160
    assert kept < 20, f"{kept} MiB of {peak} stay with the process"
