"""How a query looks for its words in rows of several languages (contract 11.2, lexemes in any language)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Final

from memd.domain.text.word_forms import word_forms
from memd.domain.text_analysis.arabic import related_stems
from memd.domain.text_analysis.detection import detect
from memd.domain.text_analysis.folding import fold
from memd.domain.text_analysis.german import number_forms, verb_forms
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.question_words import asking_characters, asking_idiom, asks
from memd.domain.text_analysis.russian import alternating_stems, irregular_stems
from memd.domain.text_analysis.stemming import lexemes_of, stem
from memd.domain.text_analysis.tokens import Part, parts, tokens

MAX_FORMS: Final = 12
"""Lexemes that count as one word of a query."""
MAX_POSITIONS: Final = 1_000
"""Positions of a query that are read."""


@dataclass(slots=True)
class QueryWord:
    """A word of a query: the lexemes that match it, those of the query's own language first, and its positions.

    A word that is a stop word in any language of the rows is `common`: a row may hold it and not show it.
    """

    forms: tuple[str, ...] = ()
    positions: list[int] = field(default_factory=list[int])
    common: bool = False


def query_language(text: str, default: Language, of_rows: Collection[Language] = ()) -> Language:
    """The language of a query on rows of these languages."""
    return detect(tokens(text), default, frozenset(of_rows))


def read_query(text: str, default: Language, of_rows: Collection[Language] = ()) -> list[QueryWord]:
    """The words of a query in its order, each once; `of_rows` are the languages of the rows that it searches.

    Stop words of the query's own language, and words that only make it a question, are left out and keep their position.
    A query of nothing but the latter is searched for them.
    """
    own = query_language(text, default, of_rows)
    languages = tuple(dict.fromkeys((own, default, *sorted(of_rows))))
    shown = partial(parts, hidden=partial(asking_characters, own))
    idiom = asking_idiom(own, text)
    asking = None if idiom is None else len(tokens(text[:idiom]))
    asked = (
        part
        for position, token in enumerate(tokens(text))
        for part in ((Part(None),) if position == asking else shown(token))
    )
    content = (Part(None) if part.word is not None and asks(own, part.word) else part for part in asked)
    words = _words(content, languages, default)
    return words or _words((part for token in tokens(text) for part in parts(token)), languages, default)


def _words(found: Iterable[Part], languages: Sequence[Language], default: Language) -> list[QueryWord]:
    """The words of these parts; the first of the languages is that of the query."""
    own = languages[0]
    words: dict[tuple[str, ...], QueryWord] = {}
    for position, part in enumerate(islice(found, MAX_POSITIONS), start=1):
        lexemes = part.forms if part.word is None else _related(own, part.word)
        if lexemes:
            word = words.setdefault(lexemes, QueryWord(lexemes))
            word.positions.append(position)
            if part.word is not None:
                _add_forms(word, part.word, languages[1:], default)
    return list(words.values())


def _related(language: Language, word: str) -> tuple[str, ...]:
    """The lexemes of a word with those of forms that its stemmer takes for others: `went` for `go`, `марк` for `марок`."""
    lexemes = _stems(language, word)
    if language is Language.ENGLISH and len(lexemes) == 1:
        return word_forms(lexemes[0])
    further: list[str] = []
    if language is Language.GERMAN and lexemes:
        further = [other for form in verb_forms(word) for other in lexemes_of(language, form)]
    elif language is Language.RUSSIAN:
        further = [other for stem in lexemes for other in (*alternating_stems(stem), *irregular_stems(stem))]
    elif language is Language.ARABIC and lexemes and not word.isascii():
        further = list(related_stems(fold(word)))
    return tuple(dict.fromkeys((*lexemes, *further)))


def _stems(language: Language, word: str) -> tuple[str, ...]:
    """The lexemes of a word, in German also those without or with a final `s`."""
    lexemes = tuple(lexemes_of(language, word))
    if language is not Language.GERMAN:
        return lexemes
    return tuple(dict.fromkeys(form for lexeme in lexemes for form in number_forms(lexeme)))


def _add_forms(word: QueryWord, spelled: str, languages: Sequence[Language], default: Language) -> None:
    """The lexemes of a word in the other languages, and those of rows that have not been indexed by this analysis yet."""
    forms = list(word.forms)
    for language in languages:
        lexemes = _stems(language, spelled)
        word.common |= not lexemes
        forms += lexemes
    if not spelled.isascii():
        forms += [spelled, stem(default, spelled)]
    word.forms = tuple(dict.fromkeys(forms))[:MAX_FORMS]
