"""From the first person to the third: the speaker's name for `I`, `my` and `we`, the listener's for `you`.

The speaker is named once in a statement; further mentions are `they`, which keeps the verbs of `I` and `we`. Gender is
never guessed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.domain.text.identifiers import IDENTIFIER, in_names
from memd.domain.text.other_people import other_people
from memd.domain.text.verbs import (
    AFTER_NOW,
    COMMON_VERBS,
    is_adverb,
    is_participle,
    is_past_form,
    is_second_verb,
    third_person,
)

_TOKEN: Final = re.compile(rf"{IDENTIFIER}|[^\W_]+(?:'[a-z]+)?|\s+|[^\w\s]|_", re.IGNORECASE)
_SUBJECT: Final = frozenset({"i", "we"})
_POSSESSIVE: Final = frozenset({"my", "our"})
_OWN: Final = frozenset({"mine", "ours"})
_JOINED: Final = re.compile(r"\bjoin(?:s|ed|ing)?\s+\Z", re.IGNORECASE)
"""Before `us`: who joins a group joins none of its members."""
_OBJECT: Final = frozenset({"me", "us"})
_BOTH: Final = {"we": "they", "our": "their", "ours": "theirs", "us": "them"}
_REFLEXIVE: Final = {"myself": "themself", "ourselves": "themselves"}
_FIRST_PERSON: Final = _SUBJECT | _POSSESSIVE | _OWN | _OBJECT | _REFLEXIVE.keys()
_ENDINGS: Final = {"m": ("is", "are"), "re": ("is", "are"), "ve": ("has", "have"), "ll": ("will", "will")}
"""Verbs that contract with the subject: the form after a name and after a plural."""
_NO_VERB: Final = frozenset({"and", "or", "but", "who", "as", "with", "the"})
_GENERIC_YOU: Final = re.compile(
    r"\b(?:when|if|once|as|before|after|makes?|helps?|lets?|gives?|gets?|takes?|keeps?|brings?|shows?|teaches|reminds?"
    r"|whatever|whenever|where|because) you\b|\byou (?:know|can|have to|need|never|just|gotta|don't|'ll)\b"
    r"|\byourself\b|\byou(?:'re|'ll|'ve|'d)",
    re.IGNORECASE,
)
_YOU: Final = frozenset({"you", "your", "yours"})


_PLURAL_AMONG: Final = re.compile(r"\b(?:they|them|their|theirs)\b", re.IGNORECASE)
"""Other people or things are `they` in the sentence, so the speaker is not."""
_BE_AND_HAVE: Final = frozenset({"is", "are", "was", "were", "has", "have", "had"})
_PLURAL_BE: Final = {"was": "were", "am": "are", "wasn't": "weren't"}
_NEGATED: Final = re.compile(r"(do|have|am|were)n't", re.IGNORECASE)
_AGREES_WITH_YOU: Final = frozenset({"are", "were", "have", "do"})
_MAX_BETWEEN: Final = 8
"""Tokens between a subject and its verb, blanks included."""
_SHORT_PHRASE: Final = 4
_NOW: Final = frozenset({"now", "still", "currently"})
"""Adverbs before a verb in the present tense."""
_WITH_INFINITIVE: Final = frozenset({"helped", "made", "saw", "heard", "watched", "felt", "had"})
"""Verbs in the past before an infinitive without `to`: `helped Tom move and write`."""
_BEFORE_NOUN: Final = frozenset({"allergic", "married", "engaged", "related", "close", "next", "new"})
"""Words after which `to` begins no infinitive."""
_WITH_GERUND: Final = frozenset({"like", "love", "enjoy", "hate", "prefer", "do"})
"""Verbs before nouns that look like verbs: `love food and travel`."""
_NO_LONGER: Final = frozenset({"no", "longer"})
PROGRAM: Final = "the assistant"
"""The speaker of what a program says without a name; its `we` is the user as well."""
_IN_COMPANY: Final = {PROGRAM: "the user and the assistant"}


@dataclass(slots=True)
class _Rewriting:
    """A sentence that is being rewritten: its tokens, who speaks to whom, and whether the speaker was named already.

    `always` names the speaker each time; `plural` says that the company of the speaker was mentioned. Without `company`,
    `we` is the speaker alone. `people` are the places of other persons: after one of them the speaker is named again, `last`
    is where that was. `together`: the speaker and somebody else were the subject, so that `we` and `our` are `they` and `their`.
    """

    tokens: list[str]
    speaker: str
    listener: str | None
    always: bool
    company: bool
    named: bool = False
    plural: bool = False
    people: frozenset[int] = frozenset()
    last: int = -1
    together: bool = False

    def mention(self, index: int, *, plural: bool = False) -> str:
        """The speaker by name, alone or in company."""
        self.named, self.last = True, index
        self.plural |= plural
        return _IN_COMPANY.get(self.speaker, f"{self.speaker} and others") if plural else self.speaker

    def known(self, index: int, *, plural: bool = False, owns: bool = False) -> bool:
        """Whether a pronoun is enough; `owns`: as who has something, which may be the one named last."""
        start = self.last if owns else -1
        unclear = any(start < other < index for other in self.people)
        return self.named and not self.always and not unclear and (self.plural or not plural)


def in_third_person(sentence: str, speaker: str, listener: str | None = None, *, company: bool = True) -> str:
    """The sentence with names for the first person, and for `you` when a listener is given and is meant.

    `I just bought my first car` of Ann becomes `Ann just bought their first car`. Without `company`, `we` is the speaker
    alone, and a speaker who is mentioned after somebody else is named again: `she reports to me` becomes `she reports to Ann`.
    """
    text = sentence.replace("’", "'")
    tokens = _TOKEN.findall(text)
    addressee = None if _GENERIC_YOU.search(text) else listener
    rewriting = _Rewriting(tokens, speaker, addressee, always=bool(_PLURAL_AMONG.search(text)), company=company)
    if not company:
        rewriting.people = other_people(tokens)
    unchanged = _quoted(tokens) | in_names(tokens)
    return "".join(
        part
        for index, token in enumerate(tokens)
        for part in ((token,) if index in unchanged else _in_third_person(rewriting, index))
    )


def _quoted(tokens: list[str]) -> set[int]:
    """The places between quotation marks: another person's words, with a first person of their own."""
    marks = [index for index, token in enumerate(tokens) if any(mark in token for mark in '"“”')]
    return {index for start, end in zip(marks[::2], marks[1::2], strict=False) for index in range(start, end)}


def has_first_person(sentence: str) -> bool:
    """Whether the sentence mentions its speaker."""
    tokens = _TOKEN.findall(sentence.replace("’", "'"))
    names = in_names(tokens)
    words = (token.lower().split("'")[0] for index, token in enumerate(tokens) if index not in names)
    return any(word in _FIRST_PERSON for word in words)


def _in_third_person(rewriting: _Rewriting, index: int) -> Iterator[str]:
    """The token in the third person; after `my brother and I`, `we` is `they`."""
    low, _, ending = rewriting.tokens[index].lower().partition("'")
    if rewriting.together and low in _BOTH and not rewriting.always:
        yield _BOTH[low] + _contracted(rewriting.tokens, index, ending, single=False)
    else:
        yield from _rewritten(rewriting, index)


def _rewritten(rewriting: _Rewriting, index: int) -> Iterator[str]:
    token = rewriting.tokens[index]
    low, _, ending = token.lower().partition("'")
    if low in _SUBJECT:
        yield from _subject(rewriting, index, plural=low == "we" and rewriting.company, ending=ending)
    elif ending:
        yield token
    elif low in _POSSESSIVE:
        yield "their" if rewriting.known(index, owns=True) else f"{rewriting.mention(index)}'s"
    elif low in _OBJECT:
        yield _object(rewriting, index, us=low == "us")
    elif low in _OWN:
        yield "theirs" if rewriting.known(index, owns=True) else f"{rewriting.mention(index)}'s"
    elif rewriting.listener and low in _YOU:
        yield _you(rewriting, index, rewriting.listener)
    else:
        yield _REFLEXIVE.get(low, token)


def _object(rewriting: _Rewriting, index: int, *, us: bool) -> str:
    """`me` or `us`; who `joined us` joined the team of the speaker."""
    plural = us and rewriting.company
    joined = us and _JOINED.search("".join(rewriting.tokens[:index]))
    if rewriting.known(index, plural=plural):
        return "their team" if joined else "them"
    return rewriting.mention(index, plural=plural) + ("'s team" if joined else "")


def _subject(rewriting: _Rewriting, index: int, *, plural: bool, ending: str) -> Iterator[str]:
    """The subject and the verb contracted with it; a verb that follows is changed to agree."""
    joined = not plural and _joined(rewriting.tokens, index)
    rewriting.together |= joined
    pronoun = rewriting.known(index, plural=plural) and not joined
    single = not (pronoun or plural or joined)
    yield "they" if pronoun else rewriting.mention(index, plural=plural)
    yield _contracted(rewriting.tokens, index, ending, single=single)
    if not ending:
        _agree(rewriting.tokens, index, single=single)
    elif ending == "m" and single:
        _agree_present(rewriting.tokens, index + 1)


def _contracted(tokens: list[str], index: int, ending: str, *, single: bool) -> str:
    """The verb that is contracted with the subject, after a blank, as it follows a name (`single`) or a plural."""
    if ending == "d":
        return " had" if is_participle(_next_word(tokens, index)) else " would"
    return f" {_ENDINGS[ending][not single]}" if ending in _ENDINGS else ""


def _joined(tokens: list[str], index: int) -> bool:
    """Whether the subject is the last of several: `my kids and I`."""
    if index < 3 or tokens[index - 2].lower() != "and":
        return False
    before = "".join(tokens[: index - 3]).split(",")[-1].split()
    not_a_noun = _SUBJECT | _BE_AND_HAVE
    if not 0 < len(before) <= _SHORT_PHRASE or any(word.lower().split("'")[0] in not_a_noun for word in before):
        return False
    return before[0].lower() in {"my", "the", "our"} or before[0][:1].isupper()


def _agree(tokens: list[str], index: int, *, single: bool) -> None:
    """Change the verb after the subject to agree with a name (`single`) or a plural."""
    verb_index = _verb_index(tokens, index + 1)
    if verb_index is None:
        return
    if not single:
        tokens[verb_index] = _PLURAL_BE.get(tokens[verb_index].lower(), tokens[verb_index])
    elif negated := _NEGATED.fullmatch(tokens[verb_index]):
        tokens[verb_index] = third_person(negated[1]) + "n't"
    else:
        verb = tokens[verb_index].lower()
        agreed = third_person(tokens[verb_index])
        changed, tokens[verb_index] = agreed != tokens[verb_index], agreed
        if verb == "am":
            _agree_present(tokens, verb_index + 1)
        elif changed:
            _agree_second(tokens, verb_index + 1, only_common=verb in _WITH_GERUND)
        elif is_past_form(tokens[verb_index]) and tokens[verb_index].lower() not in _WITH_INFINITIVE:
            _agree_present(tokens, verb_index + 1)


def _agree_second(tokens: list[str], start: int, *, only_common: bool) -> None:
    """Change the next verb that `and` joins to one that was changed: `runs and swims`, but `wants to run and swim`."""
    for index in range(start, len(tokens) - 2):
        if tokens[index].lower() == "to" or not (tokens[index].isspace() or tokens[index][0].isalnum()):
            return
        if tokens[index].lower() == "and":
            second = _verb_index(tokens, index + 1)
            if second is not None and _is_second_verb(tokens, second, only_common=only_common):
                tokens[second] = third_person(tokens[second])
            return


def _agree_present(tokens: list[str], start: int) -> None:
    """Change a verb in the present tense that `and` joins to one in the past: `moved to Leeds and now works`.

    After an infinitive only behind an adverb such as `now`: `wanted to run and swim`, `wanted to run and now swims`.
    """
    infinitive = False
    for index in range(start, len(tokens) - 2):
        low = tokens[index].lower()
        if not (low.isspace() or low[0].isalnum()):
            return
        is_to = low == "to" and tokens[index - 2].lower() not in _BEFORE_NOUN
        infinitive |= low in COMMON_VERBS or (is_to and _next_word(tokens, index).islower())
        if low == "and":
            second = _verb_index(tokens, index + 1)
            is_now = second is not None and bool(_NOW & set(tokens[index:second]))
            if second is not None and (
                tokens[second] in AFTER_NOW if is_now else _is_second_verb(tokens, second) and not infinitive
            ):
                tokens[second] = third_person(tokens[second])
            return


def _is_second_verb(tokens: list[str], index: int, *, only_common: bool = False) -> bool:
    return tokens[index] in COMMON_VERBS if only_common else is_second_verb(tokens[index], _next_word(tokens, index))


def _verb_index(tokens: list[str], start: int) -> int | None:
    """The first word that is not an adverb; None when a conjunction or a mark comes first."""
    for index in range(start, min(start + _MAX_BETWEEN, len(tokens))):
        word = tokens[index].lower()
        if not (word.isspace() or is_adverb(word) or word in _NO_LONGER):
            return index if word[0].isalpha() and word not in _NO_VERB else None
    return None


def _next_word(tokens: list[str], index: int) -> str:
    return next((token for token in tokens[index + 1 :] if token[0].isalpha()), "")


def _you(rewriting: _Rewriting, index: int, listener: str) -> str:
    if rewriting.tokens[index].lower() != "you":
        return f"{listener}'s"
    if _next_word(rewriting.tokens, index).lower() in _AGREES_WITH_YOU:
        _agree(rewriting.tokens, index, single=True)
    return listener
