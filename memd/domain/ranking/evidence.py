"""How well a row answers a query: meaning, words, word pairs, names and context in one number (contract 11.2, evidence).

Rows are weighed together, as arrays. Which words and word pairs of the query a row holds are sets of bits: bit i is
word i of the search, or pair i.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from memd.domain.ranking.word_pairs import WordPair
from memd.domain.text.names import COMMON_WORDS
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS

WEAK_BELOW: Final = 0.35
"""A row with less evidence is weak: it is barely related to the query."""
CLOSE_FROM: Final = 0.2
"""Evidence of weak rows that are shown, marked, when no row is relevant."""
UNKNOWN_CHARACTERS: Final = 0.5
"""The share of its idf for which a pair of characters that no row has counts."""
BACKGROUND_ROW: Final = 12
"""The place, by cosine, of the row whose cosine unrelated rows have, too. The vector lane is never less deep."""
BACKGROUND_SHARE: Final = 0.75
"""The least background among many rows, as a share of the cosine that unrelated rows may have in the query's language.

Measured with minilm on questions in German that the rows do not answer: 433 of 450 have no row that is not weak, 421
without it, and the answers to 228 others stay as they are; with 1 two of these are weak."""
CONTEXT_ROWS: Final = 40
"""The number of best rows whose neighbours in time are read."""

_WORD: Final = re.compile(r"[^\W_]{2,}")
Floats = npt.NDArray[np.float64]
Bits = npt.NDArray[np.int64]
Neighbours = Mapping[int, Sequence[int]]
"""For a row, by its index, the rows stored just before and after it that are known."""


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """The numbers of contract 11.2.

    `meaning_alone` and `words_alone` count where the other one cannot: a query without lexemes, a row without a vector.
    `words_together` and `neighbour` are the two parts of the context. The gate opens from `gate_from` over
    `gate_width`, and only where successors are more alike by `gate_certainty` standard errors (one-sided 5 %), so not
    by chance.
    """

    meaning: float = 0.5
    words: float = 0.5
    meaning_alone: float = 1.0
    words_alone: float = 1.0
    pairs: float = 0.1
    names: float = 0.1
    facts: float = 0.4
    paraphrase: float = 0.5
    sources: float = 0.5
    words_together: float = 0.7
    neighbour: float = 0.3
    gate_from: float = 0.05
    gate_width: float = 0.1
    gate_certainty: float = 1.65


DEFAULT_EVIDENCE_WEIGHTS: Final = EvidenceWeights()


class RowScores(NamedTuple):
    """The values of one row for a query: the cosine (None without a vector), words and pairs as bits, a shared name.

    `states` is how far it states the attribute that the query asks for, 0..1.
    """

    cosine: float | None
    words: int
    pairs: int
    named: bool
    states: float = 0.0


class Evidence(NamedTuple):
    """The components of the evidence of one row.

    `words` includes the lift by the words of its neighbours. `context` is what is added: for its better neighbour, for the
    attribute that it states (`facts` alone), for a cosine that stands out where words are missing (`paraphrase` alone), and
    for the messages that the row was made from (`sources` alone).
    The two weights of cosine and words are those that applied to this row.
    """

    total: float
    words: float = 0.0
    pairs: float = 0.0
    names: float = 0.0
    context: float = 0.0
    meaning_weight: float = DEFAULT_EVIDENCE_WEIGHTS.meaning
    words_weight: float = DEFAULT_EVIDENCE_WEIGHTS.words
    facts: float = 0.0
    paraphrase: float = 0.0
    sources: float = 0.0

    @property
    def weak(self) -> bool:
        """Whether the row is barely related to the query."""
        return self.total < WEAK_BELOW


NO_EVIDENCE: Final = Evidence(0.0)


@dataclass(frozen=True, slots=True)
class EvidenceQuery:
    """The query's side: the idf of each of its words among the rows in scope, and its pairs of neighbouring words.

    `character_pairs` are those of its words, as bits, that are pairs of characters of a script without blanks.
    `unrelated` is the cosine that unrelated rows may have in its language. `asks_only_fact`: the query asks for an
    attribute and nothing more, so a row that states it has all that the words ask for.
    """

    rarities: Sequence[float] = ()
    pairs: Sequence[WordPair] = ()
    character_pairs: int = 0
    unrelated: float = 0.0
    asks_only_fact: bool = False

    def word_weights(self, known_words: int) -> Floats:
        """The weight of each word: its idf, of which a pair of characters that no row has keeps half.

        `known_words` are those that any row has, as bits. About half of the pairs of a run span two words, and a row
        that says the same in another order holds none of those.
        """
        halved = self.character_pairs & ~known_words
        indexes = np.arange(len(self.rarities))
        return np.asarray(self.rarities, np.float64) * np.where(halved >> indexes & 1, UNKNOWN_CHARACTERS, 1.0)

    def pair_shares(self, held: Bits, known_words: int) -> Floats:
        """For each row the share 0..1 of the query's pairs that it holds, each weighted by the idf of both words.

        A pair with a word that is not among `known_words` (bits), those that any row has, does not count: no row can
        hold it, and the weight of such a rare word would leave nothing for the pairs that tell rows apart.
        """
        weights = [
            self.rarities[pair.first] + self.rarities[pair.second]
            if known_words >> pair.first & known_words >> pair.second & 1
            else 0.0
            for pair in self.pairs
        ]
        return _shares(held, np.array(weights, np.float64))


def weigh(
    rows: Sequence[RowScores],
    query: EvidenceQuery,
    neighbours: Neighbours | None = None,
    gate: float = 0.0,
    weights: EvidenceWeights = DEFAULT_EVIDENCE_WEIGHTS,
) -> list[Evidence]:
    """The evidence of each row (contract 11.2).

    evidence = 0.5 × cosine + 0.5 × words + 0.1 × pairs + 0.1 × names + context, at least 0. `neighbours` lift words by
    0.7 × gate × (share held together − own share). Context is the sum of 0.3 × gate × the better neighbour's
    ½ cosine + ½ words, of 0.4 × how far the row states the attribute that the query asks for, and of the paraphrase.
    Words are 1 for a row that states it, where the query asks for nothing more: "I moved to Vienna" answers "where do I
    live?" as well as words can.
    """
    if not rows:
        return []
    held = np.array([row.words for row in rows], np.int64)
    known = int(np.bitwise_or.reduce(held))
    word_weights = query.word_weights(known)
    words = _shares(held, word_weights)
    pairs = query.pair_shares(np.array([row.pairs for row in rows], np.int64), known)
    names = np.array([row.named for row in rows], np.float64)
    meaning, meaning_weight, words_weight = _meaning(rows, lexemes=bool(len(query.rarities)), weights=weights)
    facts = weights.facts * np.array([row.states for row in rows], np.float64)
    paraphrase = weights.paraphrase * _missing(word_weights, known) * above_background(meaning, query.unrelated)
    context = facts + paraphrase
    if neighbours and gate > 0:
        words = _lifted(words, held, word_weights, neighbours, weights.words_together * gate)
        fits = meaning_weight * meaning + words_weight * words
        for row, adjacent in neighbours.items():
            lifted: float = context[row] + weights.neighbour * gate * max(fits[near] for near in adjacent)
            context[row] = lifted
    if query.asks_only_fact:
        words = np.where(facts > 0, 1.0, words)
    total = meaning_weight * meaning + words_weight * words + weights.pairs * pairs + weights.names * names + context
    parts = (np.maximum(total, 0.0), words, pairs, names, context, meaning_weight, words_weight, facts, paraphrase)
    return [Evidence(*values) for values in zip(*(part.tolist() for part in parts), strict=True)]


def lifted_by_source(evidence: Evidence, score: float, weights: EvidenceWeights = DEFAULT_EVIDENCE_WEIGHTS) -> Evidence:
    """The evidence of a row made from a message that the same query finds with this score, 0..1 (contract 11.2).

    Extraction shortens what was said; the message still has the words and the neighbours by which it is found.
    """
    lift = weights.sources * score
    return evidence._replace(total=evidence.total + lift, context=evidence.context + lift, sources=lift)


def gate(adjacent: float | None, baseline: float | None, weights: EvidenceWeights = DEFAULT_EVIDENCE_WEIGHTS) -> float:
    """The weight of context, 0..1: 1 where neighbours belong together, 0 where they are unrelated.

    `adjacent` (a) is the mean cosine of a hit to its successor, `baseline` (r) to the successor of another hit, two places
    away in time: clip((c − 0.05) / 0.1, 0, 1) with c = (a − r) / (1 − r) (contract 11.2).
    """
    if adjacent is None or baseline is None or not isfinite(adjacent + baseline) or baseline >= 1:
        return 0.0
    coherence = (adjacent - baseline) / (1 - baseline)
    return min(1.0, max(0.0, (coherence - weights.gate_from) / weights.gate_width))


def name_test(query: str, language: Language = Language.ENGLISH) -> Callable[[str], bool]:
    """A test for whether a title shares a capitalised word with the query that is no stop word of English or the query's language."""
    capitalised = {word for word in _WORD.findall(query) if word[0].isupper()}
    stop_words = STOP_WORDS.get(language, frozenset())
    names = {word for word in capitalised if word.lower() not in COMMON_WORDS and word.lower() not in stop_words}
    if not names:
        return _shares_nothing
    shared = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, sorted(names)))})(?![^\W_])").search
    return lambda title: shared(title) is not None


def _shares_nothing(_title: str) -> bool:
    return False


def _shares(held: Bits, weights: Floats) -> Floats:
    """For each row the weights of its bits over the weights of all bits, 0..1."""
    total = weights.sum()
    if total <= 0:
        return np.zeros(len(held))
    return (held[:, None] >> np.arange(len(weights)) & 1) @ weights / total


def _missing(weights: Floats, known_words: int) -> float:
    """The share 0..1 of the query's words, by weight, that no row holds."""
    total = float(weights.sum())
    return 1 - float(_shares(np.array([known_words], np.int64), weights)[0]) if total > 0 else 0.0


def above_background(meaning: Floats, unrelated: float = 0.0) -> Floats:
    """How far the cosine of each row is above that of the twelfth nearest row, or above `unrelated` where there are fewer.

    Words that no row has cannot distinguish rows, so the meaning counts in their place. How near an unrelated row
    comes depends on the number of rows and on the embedder; the twelfth nearest shows it, but among a few dozen rows
    many unrelated ones are nearer, so the background is at least `BACKGROUND_SHARE` of `unrelated`.
    """
    if len(meaning) < BACKGROUND_ROW:
        return np.maximum(0.0, meaning - unrelated)
    background = float(np.partition(meaning, -BACKGROUND_ROW)[-BACKGROUND_ROW])
    return np.maximum(0.0, meaning - max(background, BACKGROUND_SHARE * unrelated))


def _meaning(rows: Sequence[RowScores], *, lexemes: bool, weights: EvidenceWeights) -> tuple[Floats, Floats, Floats]:
    """The cosine of each row cut to 0..1, and the weights of cosine and words."""
    known = np.array([row.cosine is not None for row in rows])
    meaning = np.clip(np.array([row.cosine or 0.0 for row in rows], np.float64), 0.0, 1.0)
    if not lexemes:
        return meaning, np.full(len(rows), weights.meaning_alone), np.zeros(len(rows))
    return meaning, np.where(known, weights.meaning, 0.0), np.where(known, weights.words, weights.words_alone)


def _lifted(words: Floats, held: Bits, weights: Floats, neighbours: Neighbours, lift: float) -> Floats:
    """The words of rows with neighbours, lifted towards the share that they hold together."""
    lifted = list(neighbours)
    together = held[lifted]
    for index, row in enumerate(lifted):
        for near in neighbours[row]:
            words_of_both: np.int64 = together[index] | held[near]
            together[index] = words_of_both
    raised = words.copy()
    raised[lifted] += lift * (_shares(together, weights) - words[lifted])
    return raised
