"""Every citation of the wire contract, in code, tests and documentation, points to a section or rule that exists."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "docs" / "contract.md"
_CITATION = re.compile(r"\bcontract(?:'s| section| sections)? (\d+(?:\.\d+){0,2}(?:(?:,| and|;) \d+(?:\.\d+){1,2})*)")
_HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?)[. ]", re.MULTILINE)
_RULE = re.compile(r"^(?:(\d+)\. |\| (\d+) \|)", re.MULTILINE)


def citations() -> Iterator[tuple[str, str]]:
    """(where, number) of each citation: `contract 8.4`, `contract 6.2, 11.1`, `contract 1.6.2` for rule 2 of 1.6."""
    files = [
        file
        for folder in ("memd", "memctl", "tui", "migrations", "tests", "docs")
        for file in (ROOT / folder).rglob("*")
    ]
    for file in [*files, ROOT / "README.md"]:
        if file.suffix not in {".py", ".md", ".toml", ".sql"} or file == CONTRACT:
            continue
        text = file.read_text("utf-8")
        for match in _CITATION.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            for number in re.findall(r"\d+(?:\.\d+)*", match[1]):
                yield f"{file.relative_to(ROOT)}:{line}", number


def sections() -> dict[str, set[str]]:
    """Each section's number and the numbers of its rules and table rows."""
    text = CONTRACT.read_text("utf-8")
    starts = list(_HEADING.finditer(text))
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return {
        match[1]: {first or second for first, second in _RULE.findall(text[match.end() : end])}
        for match, end in zip(starts, ends, strict=True)
    }


def test_every_citation_resolves() -> None:
    known = sections()
    assert len(known) > 70
    dangling = [
        f"{where}: contract {number}"
        for where, number in citations()
        if number not in known and number.rpartition(".")[2] not in known.get(number.rpartition(".")[0], set())
    ]
    assert dangling == []


def test_there_are_citations_to_check() -> None:
    assert sum(1 for _ in citations()) > 250
