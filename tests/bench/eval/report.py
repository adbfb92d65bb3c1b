"""Results as Markdown, as JSON, and as the section of docs/benchmarks.md between its two markers."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.eval.measures import Interval, Result, bootstrap, pooled, wilson
from tests.bench.eval.workbench import BM25, EMBEDDER, MEMD

BEGIN, END = "<!-- make eval: begin -->", "<!-- make eval: end -->"
HEADINGS = ("set", "data", "questions", "R@k", "memd", "BM25", "embedder", "memd − best other", "any-hit")


def table(results: Iterable[Result], *, each: bool = False) -> str:
    """One line for each set and folder; with `each` one for each file of questions."""
    rows = [_row(result) for result in (results if each else pooled(results))]
    lines = [HEADINGS, ["---"] * len(HEADINGS), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(result: Result) -> Sequence[str]:
    own = result.shares(MEMD)
    others = [result.shares(system) for system in (BM25, EMBEDDER) if system in result.found]
    best = max(others, key=lambda values: values.mean(), default=None)
    name = result.folder if result.data in {"all", result.folder} else f"{result.folder}/{result.data}"
    return (
        result.set,
        name if result.key == "original" else f"{name}, {result.key} key",
        f"{len(own):,}",
        f"R@{result.depth}",
        _interval(bootstrap(own)),
        *(f"{values.mean():.3f}" for values in others),
        *[""] * (2 - len(others)),
        _interval(bootstrap(own - best), signed=True) if best is not None else "",
        _interval(wilson(result.hits(MEMD))),
    )


def _interval(found: Interval, *, signed: bool = False) -> str:
    form = "+.3f" if signed else ".3f"
    return f"{found.mean:{form}} [{found.low:{form}}, {found.high:{form}}]"


def to_json(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Every result and every pool of several, with all intervals."""
    pools = [result for result in pooled(results) if result.data == "all"]
    return [_object(result) for result in [*results, *pools]]


def _object(result: Result) -> dict[str, Any]:
    return {
        "set": result.set,
        "folder": result.folder,
        "data": result.data,
        "key": result.key,
        "depth": result.depth,
        "questions": len(result.evidence),
        "systems": {
            system: {
                "recall": _bounds(bootstrap(result.shares(system))),
                "anyHit": _bounds(wilson(result.hits(system))),
            }
            for system in result.found
        },
        "differences": {
            system: _bounds(bootstrap(result.shares(MEMD) - result.shares(system)))
            for system in result.found
            if system != MEMD
        },
    }


def _bounds(found: Interval) -> dict[str, float]:
    return {"mean": round(found.mean, 4), "low": round(found.low, 4), "high": round(found.high, 4)}


def write_section(page: Path, text: str) -> None:
    """Replace what stands between the markers; the rest of the page stays."""
    head, rest = page.read_text().split(BEGIN)
    _, tail = rest.split(END)
    page.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}")
