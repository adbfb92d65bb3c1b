"""`make eval`: quality of retrieval on every question set that is found, compared with BM25 and the embedder alone.

`python -m tests.bench.eval memories chunks --only conv-26` measures some sets on some data. `--lasting FOLDER` keeps the
memd and the texts it holds, so that the next run only asks. `--set MEMD_…=…` gives the memd a setting.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import get_args

from memd.embed.providers.choose import BuiltIn
from tests.bench.eval import sets
from tests.bench.eval.context_budgets import context, random_budgets
from tests.bench.eval.data import Sets, discover
from tests.bench.eval.extraction import extraction
from tests.bench.eval.generated import identifiers
from tests.bench.eval.handbook import handbook
from tests.bench.eval.measures import Rate, Result
from tests.bench.eval.report import markdown, to_json, write_section
from tests.bench.eval.unanswerable import unanswerable
from tests.bench.eval.workbench import MEMD, Workbench, evaluation_folder, workbench

PAGE = Path(__file__).parents[3] / "docs" / "benchmarks.md"
MEASUREMENTS: dict[str, Callable[[Workbench, Sets], Iterator[Result] | Iterator[Rate]]] = {
    "messages": sets.messages,
    "memories": sets.memories,
    "shuffled": sets.shuffled,
    "chunks": sets.chunks,
    "passages": sets.passages,
    "paragraphs": sets.paragraphs,
    "identifiers": identifiers,
    "unanswerable": unanswerable,
    "handbook": handbook,
    "context": context,
    "random-budgets": random_budgets,
    "extraction": extraction,
}


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.eval", description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(MEASUREMENTS)}; all when absent")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="data sets or folders")
    parser.add_argument("--folder", type=Path, help="the question sets; MEMD_EVAL_DIR when absent")
    parser.add_argument("--model", type=_model, default="minilm", help="minilm, wordllama or a model folder")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="settings")
    parser.add_argument("--lasting", type=Path, metavar="FOLDER", help="keep memd's data here and use it again")
    parser.add_argument("--each", action="store_true", help="a line for each file of questions")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    parsed = parser.parse_args(given)
    for name in parsed.sets:
        if name not in MEASUREMENTS:
            parser.error(f"no set is called {name}; there are {', '.join(MEASUREMENTS)}")
    return parsed


def _model(name: str) -> BuiltIn | Path:
    return next((built_in for built_in in get_args(BuiltIn) if built_in == name), Path(name))


def _measure(arguments: argparse.Namespace, found: Sets) -> Iterator[Result | Rate]:
    settings = dict(setting.split("=", 1) for setting in arguments.settings)
    with workbench(arguments.model, settings, arguments.lasting) as bench:
        for name in arguments.sets or MEASUREMENTS:
            begin = time.monotonic()
            for result in MEASUREMENTS[name](bench, found):
                sys.stderr.write(f"  {_progress(result)}\n")
                yield result
            sys.stderr.write(f"{name}: {time.monotonic() - begin:.0f} s\n")


def _progress(result: Result | Rate) -> str:
    if isinstance(result, Rate):
        return f"{result.set}, {result.data}: {result.what} {result.values.mean():.3f}"
    return f"{result.set}, {result.data}: R@{result.depth} {result.shares(MEMD).mean():.3f}"


def main(given: Sequence[str]) -> int:
    """Measure and report; the exit code."""
    arguments = _arguments(given)
    folder = arguments.folder or evaluation_folder()
    if folder is None:
        sys.stderr.write("No question sets: name their folder in MEMD_EVAL_DIR.\n")
        return 2
    results = list(_measure(arguments, discover(folder, arguments.only)))
    shown = markdown(results, each=arguments.each)
    sys.stdout.write((json.dumps(to_json(results), indent=1) if arguments.json else shown) + "\n")
    if arguments.write:
        write_section(PAGE, shown)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
