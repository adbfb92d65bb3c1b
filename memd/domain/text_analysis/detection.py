"""The language of a text, by its script and its function words (contract 11.2, lexemes in any language)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.scripts import (
    LANGUAGES_OF,
    UNSEGMENTED,
    UNSEGMENTED_CLASS,
    WRITTEN_IN,
    Script,
    script_of,
)
from memd.domain.text_analysis.stop_words import STOP_WORDS

MAX_TOKENS: Final = 100
"""The number of tokens of a text that are read."""
MAX_SHORT: Final = 9
"""Words of a short text, which needs a larger share of function words."""
MIN_CLEAR: Final = 3
CLEAR_SHARE: Final = 0.3
"""This many function words of the default language, and this fraction of them, are conclusive."""
SHORT_SHARE: Final = 0.3
LONG_SHARE: Final = 0.1
FOREIGN_SHARE: Final = 0.15
"""Share of words with letters beyond ASCII from which on a text without function words is of no known language."""
KANA_SHARE: Final = 0.05
"""Share of Kana among the characters of a Japanese text."""
_KANA: Final = re.compile("[\u3041-\u30ff]+")
_UNSEGMENTED: Final = re.compile(f"[{UNSEGMENTED_CLASS}]")
_EAST_ASIAN: Final = frozenset({Script.HAN, Script.KANA})

_NONE: Final[frozenset[str]] = frozenset()
_TYPICAL: Final = {
    Language.GERMAN: "äöüß",
    Language.SPANISH: "ñ",
    Language.PORTUGUESE: "ãõç",
    Language.FRENCH: "œêèç",
    Language.HUNGARIAN: "őűöü",
    Language.TURKISH: "ğşıöüç",
    Language.ROMANIAN: "țșăâ",
    Language.SWEDISH: "åäö",
    Language.FINNISH: "äö",
    Language.ESTONIAN: "äöüõ",
    Language.DANISH: "æøå",
    Language.NORWEGIAN: "æøå",
    Language.LITHUANIAN: "ėųįšž",
}
"""Frequent letters of a language; words with them support a language whose function words were found."""
_OTHER_LETTERS: Final = {
    Script.CYRILLIC: (
        (re.compile("[јљњђћџ]"), Language.SERBIAN),
        (re.compile("[іїєґўѓќѕәғқңөұүһҷҳҡ]"), Language.SIMPLE),
    ),
    Script.ARABIC: ((re.compile("[پچژگکیےٹڈڑۆێ]"), Language.SIMPLE),),
}
"""Letters that the default language of a script lacks, with the languages that have them."""


def _by_word(languages: Iterable[Language]) -> dict[str, tuple[Language, ...]]:
    table: defaultdict[str, list[Language]] = defaultdict(list)
    for language in languages:
        for word in STOP_WORDS[language]:
            table[word].append(language)
    return {word: tuple(owners) for word, owners in table.items()}


_OWNERS: Final = {script: _by_word(languages) for script, languages in LANGUAGES_OF.items()}
"""For each script the languages of each function word."""
_LETTER_OWNERS: Final = {
    letter: tuple(language for language, letters in _TYPICAL.items() if letter in letters)
    for letter in "".join(_TYPICAL.values())
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for the languages of one script in `words` words."""

    words: int
    hits: Counter[Language]
    distinct: Counter[Language]
    weight: dict[Language, float]

    def best(self) -> Language | None:
        """The language with the most function words; of several the one to which most of them belong alone."""
        return max(self.hits, key=lambda language: (self.hits[language], self.weight[language]), default=None)

    def share(self, language: Language) -> float:
        """Share 0..1 of the words that speak for the language."""
        return self.hits[language] / self.words if self.words else 0.0


def detect(tokens: Sequence[str], default: Language, known: frozenset[Language] = frozenset()) -> Language:
    """The language of normalised tokens. In Latin script `default` as long as nothing speaks clearly for another.

    A language in `known` wins with one more function word than the default.
    """
    sample = tokens[:MAX_TOKENS]
    of_default = sum(map(STOP_WORDS.get(default, _NONE).__contains__, sample))
    if of_default >= MIN_CLEAR and of_default >= CLEAR_SHARE * len(sample):
        return default
    script = _script(sample)
    if script in UNSEGMENTED or script not in LANGUAGES_OF:
        return WRITTEN_IN[script]
    words = [token for token in sample if script_of(token[0]) is script]
    if script is Script.LATIN:
        return _latin(words, default, known)
    return _by_letters(words, script) or _by_function_words(words, script)


def _script(sample: Sequence[str]) -> Script:
    """The script of most words; each character of an unsegmented script counts as one, also behind others: `Git是什么`."""
    counts: Counter[Script] = Counter()
    for token in sample:
        unsegmented = () if token.isascii() else _UNSEGMENTED.findall(token)
        counts.update(map(script_of, unsegmented))
        counts[script_of(token[0])] += not (unsegmented or token[0].isdigit())
    if not counts.total():
        return Script.LATIN
    script = max(counts, key=lambda script: counts[script])
    if script in _EAST_ASIAN:
        kana = sum(map(len, _KANA.findall(" ".join(sample))))
        characters = counts[Script.HAN] + counts[Script.KANA]
        return Script.KANA if kana >= KANA_SHARE * characters else Script.HAN
    return script


def _latin(words: Sequence[str], default: Language, known: frozenset[Language]) -> Language:
    evidence = _evidence(words, Script.LATIN)
    best = evidence.best()
    if best is not None and best is not default and _outweighs(evidence, best, default, known):
        return best
    if evidence.words > MAX_SHORT and evidence.share(default) < LONG_SHARE:
        foreign = sum(not word.isascii() for word in words)
        return Language.SIMPLE if foreign >= FOREIGN_SHARE * evidence.words else default
    return default


def _outweighs(evidence: Evidence, best: Language, default: Language, known: frozenset[Language]) -> bool:
    """Whether the function words of a language speak clearly enough against the default."""
    hits, of_default = evidence.hits[best], evidence.hits[default]
    if best in known and hits > of_default:
        return True
    minimum = SHORT_SHARE if evidence.words <= MAX_SHORT else LONG_SHARE
    ahead = evidence.distinct[best] > 1 and hits >= of_default + 2
    own = evidence.distinct[best] > 2 and evidence.weight[best] > 2 * evidence.weight[default]
    return (ahead or own) and hits >= 1.5 * of_default and evidence.share(best) >= minimum


def _evidence(words: Sequence[str], script: Script) -> Evidence:
    """The function words of each language; typical letters support the languages that have any."""
    owners = _OWNERS[script]
    evidence = Evidence(len(words), Counter(), Counter(), defaultdict(float))
    counts = Counter(words)
    for word, count in counts.items():
        for language in owners.get(word, ()):
            evidence.hits[language] += count
            evidence.distinct[language] += 1
            evidence.weight[language] += count / len(owners[word])
    for word, count in counts.items():
        if not word.isascii() and word not in owners:
            supported = {language for letter in word for language in _LETTER_OWNERS.get(letter, ())}
            for language in supported & evidence.hits.keys():
                evidence.hits[language] += count
                evidence.distinct[language] += 1
    return evidence


def _by_letters(words: Sequence[str], script: Script) -> Language | None:
    """The language of which at least a twentieth of the words have letters that the default one lacks."""
    for letters, language in _OTHER_LETTERS.get(script, ()):
        if 20 * sum(letters.search(word) is not None for word in words) > len(words):
            return language
    return None


def _by_function_words(words: Sequence[str], script: Script) -> Language:
    """The language of the script with the most function words; the usual one for a text with none, if it is short."""
    evidence = _evidence(words, script)
    best = evidence.best()
    usual = WRITTEN_IN[script]
    if best is None:
        return usual if evidence.words <= MAX_SHORT else Language.SIMPLE
    return best if usual is not Language.SIMPLE or evidence.share(best) >= SHORT_SHARE else usual
