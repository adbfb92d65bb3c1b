"""Measures of a set: recall and hits at a depth, against other systems on the same texts; and shares of questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
RESAMPLES = 4_000
SEED = 20_261_122
NORMAL_95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Result:
    """The findings of each system for each question of a set, best first; evidence and findings are ids of the set.

    `folder` and `data` say which files the questions are from, `key` which answer key (`original`, `corrected`).
    """

    set: str
    folder: str
    data: str
    depth: int
    key: str
    evidence: Sequence[frozenset[str]]
    found: Mapping[str, Sequence[Sequence[str]]]

    def shares(self, system: str) -> Values:
        """For each question the share of its evidence among the first `depth` (strict)."""
        pairs = zip(self.evidence, self.found[system], strict=True)
        return np.array([len(wanted & set(ids[: self.depth])) / len(wanted) for wanted, ids in pairs])

    def hits(self, system: str) -> Values:
        """For each question 1 when any of its evidence is among the first `depth`, else 0."""
        return (self.shares(system) > 0).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something was so: ones and zeros, for each question, or whatever `what` counts."""

    set: str
    folder: str
    data: str
    what: str
    values: Values


def pooled_rates(rates: Iterable[Rate]) -> list[Rate]:
    """One rate for each set, folder and thing that is counted, over all its files."""
    groups: dict[tuple[str, str, str], list[Rate]] = {}
    for rate in rates:
        groups.setdefault((rate.set, rate.folder, rate.what), []).append(rate)
    return [
        replace(
            group[0],
            data="all" if len(group) > 1 else group[0].data,
            values=np.concatenate([rate.values for rate in group]),
        )
        for group in groups.values()
    ]


def pooled(results: Iterable[Result]) -> list[Result]:
    """One result for each set, folder, depth and key, over the questions of all its files."""
    groups: dict[tuple[str, str, int, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.set, result.folder, result.depth, result.key), []).append(result)
    return [_pool(group) for group in groups.values()]


def _pool(group: Sequence[Result]) -> Result:
    return replace(
        group[0],
        data="all" if len(group) > 1 else group[0].data,
        evidence=[evidence for result in group for evidence in result.evidence],
        found={system: [row for result in group for row in result.found[system]] for system in group[0].found},
    )


def bootstrap(values: Values) -> Interval:
    """Mean over questions; percentile bootstrap. For differences of two systems on the same questions it is paired."""
    rng = np.random.default_rng(SEED)
    means = [values[rng.integers(0, len(values), len(values))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(values.mean()), float(low), float(high))


def wilson(values: Values) -> Interval:
    """Share of ones among zeros and ones; Wilson score interval, which stays right near 0 and 1."""
    n, share = len(values), float(values.mean())
    z2 = NORMAL_95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = NORMAL_95 / (1 + z2 / n) * float(np.sqrt(share * (1 - share) / n + z2 / (4 * n * n)))
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))
