"""The list of advisory locks is complete: statements take no seed from anywhere else."""

import re
from pathlib import Path

from memd.db.advisory_locks import Fixed, Seed

ROOT = Path(__file__).parents[3]
SEED = re.compile(r"hashtextextended\(.*?, (\d+|\{[\w.]+\})\)")


def test_every_seed_of_a_statement_is_in_the_list() -> None:
    listed = {str(seed.value) for seed in Seed} | {f"{{Seed.{seed.name}}}" for seed in Seed}
    files = [*(ROOT / "memd").rglob("*.py"), *(ROOT / "migrations").rglob("*.py")]
    used = {seed for file in files for seed in SEED.findall(file.read_text("utf-8"))}
    assert used
    assert used <= listed


def test_no_two_locks_have_a_number_in_common() -> None:
    numbers = [*(seed.value for seed in Seed), *(lock.value for lock in Fixed)]
    assert len(numbers) == len(set(numbers))
