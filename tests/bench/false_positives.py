"""`python -m tests.bench.false_positives [FILES]`: which honest texts the content policy would refuse.

Reads the question sets of MEMD_EVAL_DIR and FILES (2,000 by default) files of documentation that are installed on this
machine, in pieces as long as a chunk may be. Every block is listed; the exit code is 1 when there is one.
"""

import gzip
import json
import os
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from memd.domain.policy.content_policy import PolicyRules, evaluate
from memd.policy.rules import load_rules

EVAL: Final = Path(os.environ.get("MEMD_EVAL_DIR", Path(__file__).parents[2] / ".." / "shared" / "eval"))
PIECE: Final = 50_000
MAX_BYTES: Final = 400_000
ROOTS: Final = (
    *(Path(sys.prefix) / "lib", Path(sys.base_prefix) / "lib"),
    *map(Path, ("/usr/share/doc", "/usr/share/man", "/usr/lib", "/usr/local/lib", "/usr/share/perl")),
)
RECORDED: Final = "awscli/examples"
"""Recorded replies of a cloud's interface: they hold the very tokens, keys and payloads that rules are for."""
NAME: Final = re.compile(r"(?i)readme.*|metadata|.*\.(?:md|rst|html)|(?:news|changelog|changes).*|.*\.[1-8]\.gz")


def evaluation_texts() -> Iterator[tuple[str, str]]:
    """Every text of the evaluation data, with its place."""
    for file in sorted(EVAL.rglob("*.jsonl")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            text = " ".join(value for value in json.loads(line).values() if isinstance(value, str))
            yield f"{file}:{number}", text


def documentation(count: int, roots: Sequence[Path] = ROOTS, seed: int = 7) -> Iterator[tuple[str, str]]:
    """Pieces of this many different files of installed documentation, in an order that the seed makes."""
    files = sorted(
        {
            Path(folder, name)
            for root in roots
            for folder, _, names in os.walk(root)
            for name in names
            if NAME.fullmatch(name) and RECORDED not in folder
        }
    )
    random.Random(seed).shuffle(files)
    seen = set[str]()
    for file in files:
        text = _read(file)
        if text is None or text in seen:
            continue
        seen.add(text)
        for start in range(0, len(text), PIECE):
            yield f"{file}:{start}", text[start : start + PIECE]
        if len(seen) == count:
            return


def _read(file: Path) -> str | None:
    """The text of a file that is no more than one; None for what is no text, empty or huge."""
    try:
        if not file.is_file() or not 0 < file.stat().st_size <= MAX_BYTES:
            return None
        data = file.read_bytes()
        return (gzip.decompress(data) if file.suffix == ".gz" else data).decode()
    except (OSError, EOFError, UnicodeDecodeError):
        return None


def blocks(rules: PolicyRules, texts: Iterator[tuple[str, str]]) -> tuple[int, list[str]]:
    """How many texts there were, and what was blocked: rule and place."""
    count, found = 0, list[str]()
    for place, text in texts:
        count += 1
        verdict = evaluate(rules, "", text)
        if verdict.blocked is not None:
            found.append(f"{verdict.blocked.threat_id}: {place}")
    return count, found


def main() -> None:
    """Print the figures and the blocked texts."""
    rules = load_rules(None)
    failed = False
    for name, texts in (
        ("evaluation texts", evaluation_texts()),
        ("pieces of documentation", documentation(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)),
    ):
        count, found = blocks(rules, texts)
        print(f"{count:,} {name}: {len(found)} blocked", *found, sep="\n  ")
        failed = failed or bool(found)
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
