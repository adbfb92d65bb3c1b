"""The compact form of a memory's text that is put into prompts: at most 600 characters, the same for the same text.

Words that carry no content are left out, everything that looks like a name, a number, an identifier or a negation
is kept (contract 11.8). Only words are dropped: what stays is written and ordered as in the source.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import compress, pairwise
from typing import Final

from memctl.wire.limits import RECALL_TEXT_MAX
from memd.domain.dates.months import ABBREVIATIONS, MONTHS
from memd.domain.prompts.verb_particles import belongs_to_verb
from memd.domain.prompts.word_roles import kept_indexes, may_have_role
from memd.domain.text.sentences import first_words
from memd.domain.text.verbs import ONE_FORM, is_adverb, is_past_form
from memd.domain.text.word_cache import WordCache

_EDGES: Final = ".,;:!?\"'()[]{}*_-–—…“”‘’«»/"
_MARK: Final = re.compile(r"[\d_@:./#%&\\$+<=>^`|~]")
_CONTRACTED: Final = frozenset({"m", "re", "s", "ve"})
"""Of auxiliaries that are dropped; `'ll` and `'d` are will and would, which stay."""

_ARTICLES: Final = "a an the"
# Could, might, may, must, should, will and would stay: without them a wish, a doubt, an obligation or a plan reads as a
# fact.
_AUXILIARIES: Final = "am is are was were be been being do does did doing have has had having shall can"
# Prepositions that turn the sense (before, until, without, against, under, off …) count as content and stay.
_PREPOSITIONS: Final = (
    "of in on at by for from to with into onto about as through between among within upon via per toward towards "
    "across along around"
)
# He, she, it and they stay in both cases: without them what was said of others reads as said of the speaker.
_PRONOUNS: Final = (
    "i me my mine myself you your yours yourself yourselves his himself hers herself its itself we us "
    "our ours ourselves their theirs themselves this that these those who whom whose which there"
)
_OTHERS: Final = frozenset({"he", "him", "she", "her", "it", "they", "them"})
_FILLERS: Final = (
    "just really very quite rather basically actually literally simply so well anyway ok okay um uh er erm hmm oh ah eh "
    "yeah somewhat honestly obviously"
)
_POLITE: Final = "please kindly thanks thank sorry hello hi hey dear cheers regards greetings pardon"
_DROPPED: Final = frozenset(f"{_ARTICLES} {_AUXILIARIES} {_PREPOSITIONS} {_PRONOUNS} {_FILLERS} {_POLITE}".split())
_DEPENDENT: Final = frozenset({"well", "actually", "be"})
"""Dropped words that stay in some places, as prepositions and polite words do."""
_BETWEEN_NUMBERS: Final = frozenset(_PREPOSITIONS.split())
_POLITE_WORDS: Final = frozenset(_POLITE.split())
_MODALS: Final = frozenset(
    {"cannot", "will", "would", "can't", "could", "may", "might", "must", "shall", "should", "won't"}
)
"""Words that precede a verb: "your sleep will thank you" does not thank anybody."""
_CORRECTING: Final = frozenset({"it", "it's", "that", "that's", "he's", "she's", "make", "no"})
"""Words after "Actually" that correct an earlier statement."""
_SET_PHRASES: Final = {
    "on": frozenset({"call", "duty", "foot", "hold", "holiday", "leave", "sale", "strike", "time", "vacation"}),
    "at": frozenset({"home", "least", "most", "risk", "school", "work"}),
    "in": frozenset({"advance", "charge", "person", "stock"}),
    "by": frozenset({"default", "email", "hand", "mail", "phone"}),
}
"""Prepositions that mean something with the word after them: "is on call" does not say that somebody calls."""
_SENTENCE_END: Final = (".", "!", "?", "…", ":", ";")
_NUMBER_LIST: Final = """
    two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety
    hundred half
"""
_NUMBER_WORDS: Final = frozenset(_NUMBER_LIST.split())
_BEFORE_NUMBERS: Final = frozenset({"about", "around", "between", "by", "within"})
_BEFORE_DAYS: Final = frozenset(["the", *map(str.lower, MONTHS), *ABBREVIATIONS, "sept"])
"""Words between such a preposition and its number: "by December 18", "by the 18th"."""
_DIGIT: Final = re.compile(r"\d")
NEAR: Final = 3
"""How many words after a number another one belongs to it: "3 April to 17 April"."""
_CONJUNCTIONS: Final = frozenset({"although", "and", "because", "but", "if", "or", "than", "though", "whereas"})
"""Conjunctions that mean nothing at the end of a sentence: "because of that" would leave a bare "because"."""
_STAYS, _SAYS, _BY_PLACE, _NUMBER, _NUMBER_WORD, _ROLE, _JOINS = 1, 2, 4, 8, 16, 32, 64
"""A word's marks: it stays, it stays and says something by itself, its place decides, it has a digit, it is a number
word, it may say who did what to whom, it joins what follows."""
_FITTING: Final = re.compile(rf"\S.{{0,{RECALL_TEXT_MAX - 1}}}(?!\S)", re.DOTALL)


def recall_text(text: str) -> str:
    """The compact form of `text`, at most 600 characters, cut at the end of a word.

    When every word would be removed, the source text is used (cut the same way). Empty only for blank text.
    """
    return _cut(" ".join(_enough(text)) or text.strip())


def begins_with_title(text: str, title: str) -> bool:
    """Whether a text begins with its title in any case, so that the title adds nothing; white space does not count."""
    words = title.split()
    start = " ".join(words).rstrip("….!?").casefold()
    return first_words(text, len(words)).casefold().startswith(start)


def _enough(text: str) -> Iterator[str]:
    """The words that stay, up to the one that fills the limit."""
    length = 0
    words = text.split()
    for word in compress(words, _flags(words)):
        yield word
        length += len(word) + 1
        if length > RECALL_TEXT_MAX + 1:
            return


def _flags(words: Sequence[str]) -> list[int]:
    """Which words stay (not 0): none where only pronouns and `will` would be left."""
    marks = list(map(_MARKS.__getitem__, words))
    found = 0
    for mark in marks:
        found |= mark
    if not found & _SAYS:
        return [0] * len(words)
    flags = [mark & _STAYS for mark in marks]
    for index in _kept_by_place(words, marks, found):
        flags[index] = _STAYS
    if found & _JOINS:
        _drop_loose_ends(words, marks, flags)
    return flags


def _drop_loose_ends(words: Sequence[str], marks: Sequence[int], flags: list[int]) -> None:
    """Drop the conjunctions after which nothing of their sentence stays."""
    leads_on = False
    for index in reversed(range(len(words))):
        if words[index].endswith(_SENTENCE_END):
            leads_on = False
        if marks[index] & _JOINS and not leads_on:
            flags[index] = 0
        leads_on = leads_on or bool(flags[index])


def _kept_by_place(words: Sequence[str], marks: Sequence[int], found: int) -> Iterator[int]:
    """The indexes of words that stay because of the words around them; `found` are the marks of all words together."""
    if found & _BY_PLACE:
        dependent = (index for index, mark in enumerate(marks) if mark & _BY_PLACE)
        yield from (index for index in dependent if _stays_here(words, index))
    if found & _ROLE:
        yield from kept_indexes(words)
    if found & _NUMBER_WORD:
        in_words = (index for index, mark in enumerate(marks) if mark & _NUMBER_WORD)
        yield from (index - 1 for index in in_words if index and words[index - 1].lower() in _BEFORE_NUMBERS)
    if found & _NUMBER:
        yield from _at_numbers(words, [index for index, mark in enumerate(marks) if mark & _NUMBER])


def _at_numbers(words: Sequence[str], numbers: Sequence[int]) -> Iterator[int]:
    """The indexes of words that make the numbers what they are; `numbers` are the words with digits.

    A bound or an estimate ("about 340", "within 5 days", "between December 18 and January 4"), `am` after a time, and the
    preposition between two numbers, as in "from 3 to 17 April" and "2 of 5".
    """
    for index in numbers:
        before = index - 2 if index > 1 and words[index - 1].strip(_EDGES).lower() in _BEFORE_DAYS else index - 1
        if before >= 0 and words[before].lower() in _BEFORE_NUMBERS:
            yield before
        if index + 1 < len(words) and _bare(words[index + 1]).lower() == "am":
            yield index + 1
    for before, after in pairwise(numbers):
        if 1 < after - before <= NEAR and words[after - 1].lower() in _BETWEEN_NUMBERS:
            yield after - 1


def _stays_here(words: Sequence[str], index: int) -> bool:
    """Whether a word that is mostly dropped stays where it is.

    As in "stand in for", "to her", "on call", "took it well", "will thank", "may be moved", and "Service A".
    """
    core = words[index].strip(_EDGES).lower()
    if core in _BETWEEN_NUMBERS:
        after = _bare(words[index + 1]).lower() if index + 1 < len(words) else ""
        return belongs_to_verb(words, index) or after in _OTHERS or after in _SET_PHRASES.get(core, ())
    before = words[index - 1] if index else ""
    starts_sentence = not before or before.endswith(_SENTENCE_END)
    if core == "a":
        return not starts_sentence
    if core == "actually":
        return starts_sentence and index + 1 < len(words) and _bare(words[index + 1]).lower() in _CORRECTING
    if core == "well":
        return not starts_sentence and before.lower() != "as" and not words[index].endswith(",")
    if core == "be":
        return _is_passive(words, index)
    return before.lower() in _MODALS


def _is_passive(words: Sequence[str], index: int) -> bool:
    """Whether `be` belongs to a modal and a participle: "must not be moved", "will never be done"."""
    before = next((low for word in reversed(words[:index]) if not is_adverb(low := _bare(word).lower())), "")
    after = next((low for word in words[index + 1 :] if not is_adverb(low := _bare(word).lower())), "")
    return before in _MODALS and (is_past_form(after) or after in ONE_FORM)


def _marks(word: str) -> int:
    """What a word is by itself, as the sum of the marks."""
    if word.isdecimal():
        return _STAYS | _SAYS | _NUMBER
    core = word.strip(_EDGES).lower()
    depends = word == "A" or core in _DEPENDENT or core in _BETWEEN_NUMBERS or core in _POLITE_WORDS
    stays = _stays(word)
    return (
        (_STAYS if stays else _BY_PLACE if depends else 0)
        | (_SAYS if stays and _has_content(word) else 0)
        | (_NUMBER if _DIGIT.search(word) else 0)
        | (_NUMBER_WORD if _bare(word).lower() in _NUMBER_WORDS else 0)
        | (_ROLE if may_have_role(word) else 0)
        | (_JOINS if core in _CONJUNCTIONS else 0)
    )


def _bare(word: str) -> str:
    return word.strip(_EDGES).replace("’", "'")


def _stays(word: str) -> bool:
    core = _bare(word)
    return _is_distinctive(core) or not _is_dropped(core.lower())


def _has_content(word: str) -> bool:
    """Whether a word that stays says something by itself: he, it'll and will do not."""
    head, _, tail = _bare(word).lower().partition("'")
    is_empty = head in _OTHERS or head == "will" or (head in _DROPPED and tail != "t")
    return _is_distinctive(_bare(word)) or not is_empty


_MARKS: Final = WordCache(_marks)


def _is_distinctive(core: str) -> bool:
    """Whether the bare word has a digit, an inner mark or capital, or a symbol; `May` is taken for the month."""
    if core == "May" or core[1:] != core[1:].lower() or _MARK.search(core):
        return True
    return not core.isascii() and any(unicodedata.category(char)[0] in "NS" for char in core)


def _is_dropped(lowered: str) -> bool:
    """Whether a lower-case word is a dropped one, bare or with an auxiliary (`it's`, `we'll`); `can't` is a negation."""
    head, apostrophe, tail = lowered.partition("'")
    return head in _DROPPED and (not apostrophe or tail in _CONTRACTED)


def _cut(text: str) -> str:
    """The longest run of whole words of `text` within the limit; one endless word is cut inside."""
    if len(text) <= RECALL_TEXT_MAX:
        return text
    fitting = _FITTING.match(text)
    return fitting.group().rstrip() if fitting else text[:RECALL_TEXT_MAX]
