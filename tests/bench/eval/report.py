"""Results as Markdown, as JSON, and as the section of docs/benchmarks.md between its two markers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.eval.measures import Interval, Rate, Result, bootstrap, pooled, pooled_rates, wilson
from tests.bench.eval.workbench import BM25, EMBEDDER, MEMD

BEGIN, END = "<!-- make eval: begin -->", "<!-- make eval: end -->"
HEADINGS = ("set", "data", "questions", "R@k", "memd", "BM25", "embedder", "memd − best other", "any-hit")


RATE_HEADINGS = ("questions", "memories", "counted", "number", "share")


def markdown(results: Sequence[Result | Rate], *, each: bool = False) -> str:
    """The tables; `each` gives a line to every file of questions instead of every folder."""
    found = [result for result in results if isinstance(result, Result)]
    rates = [rate for rate in results if isinstance(rate, Rate)]
    tables = [
        _table(HEADINGS, [_row(result) for result in (found if each else pooled(found))]) if found else "",
        _table(RATE_HEADINGS, [_rate_row(rate) for rate in (rates if each else pooled_rates(rates))]) if rates else "",
    ]
    return "\n\n".join(text for text in tables if text)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _rate_row(rate: Rate) -> Sequence[str]:
    name = _name_of(rate)
    return (rate.set, name, rate.what, f"{len(rate.values):,}", _interval(wilson(rate.values)))


def _name_of(result: Result | Rate) -> str:
    whole = result.data in {"all", result.folder}
    return result.folder if whole else f"{result.folder}/{result.data}"


def _row(result: Result) -> Sequence[str]:
    own = result.shares(MEMD)
    others = [result.shares(system) for system in (BM25, EMBEDDER) if system in result.found]
    best = max(others, key=lambda values: values.mean(), default=None)
    name = _name_of(result)
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


def to_json(results: Sequence[Result | Rate]) -> dict[str, Any]:
    """Every result and rate and every pool of several, with all intervals."""
    found = [result for result in results if isinstance(result, Result)]
    rates = [rate for rate in results if isinstance(rate, Rate)]
    pools = [result for result in pooled(found) if result.data == "all"]
    pooled_shares = [rate for rate in pooled_rates(rates) if rate.data == "all"]
    return {
        "results": [_object(result) for result in [*found, *pools]],
        "rates": [_rate_object(rate) for rate in [*rates, *pooled_shares]],
    }


def _rate_object(rate: Rate) -> dict[str, Any]:
    names = {"set": rate.set, "folder": rate.folder, "data": rate.data, "counted": rate.what}
    return {**names, "number": len(rate.values), "share": _bounds(wilson(rate.values))}


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
