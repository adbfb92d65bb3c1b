"""Which texts the embedding model cannot read, said to the user with the command that changes the model."""

from collections.abc import Mapping
from typing import Final

from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.scripts import LANGUAGES_OF, Script, is_mostly_latin
from memd.embed.providers.provider import Embedder

_CHANGE: Final = "Other languages: MEMD_EMBED_MODEL=wordllama memd reembed, then start memd with that setting"
_LATIN: Final = frozenset({Language.SIMPLE, *LANGUAGES_OF[Script.LATIN]})
"""Languages in Latin script; `simple` is any unknown one."""
_LEARNED_FROM: Final = frozenset({Language.ENGLISH, Language.SIMPLE})
UNRELATED_COSINE: Final = 0.4
"""The cosine that unrelated short texts have in a language that the model did not learn from: measured with minilm, .35
in German and .43 in Spanish, .05 in English."""


def unrelated_cosine(embedder: Embedder, language: Language) -> float:
    """The cosine that rows unrelated to a query in this language may have; 0 where it says that they are related.

    A model for Latin script only is one that learned from English: it sees other languages by their spelling.
    """
    return UNRELATED_COSINE if embedder.latin_only and language not in _LEARNED_FROM else 0.0


def reads(embedder: Embedder, query: str) -> bool:
    """Whether the model's vector of a query means anything; if not, words alone find more than with a random vector."""
    return not embedder.latin_only or is_mostly_latin(query)


def query_note(embedder: Embedder, query: str, language: Language) -> str | None:
    """Why a query finds little in texts of another language, and what helps; None where the model relates the languages.

    A query in a script that the model does not read has no vector at all, although nothing failed.
    """
    if not reads(embedder, query):
        seen = "reads Latin script only, so this answer is by words alone"
        return f"The embedding model {embedder.name} {seen}: ask in the language of what is stored, too. {_CHANGE}"
    if embedder.latin_only and language not in _LEARNED_FROM:
        seen = "learned from English, so other languages find English texts mostly by shared words"
        return f"The embedding model {embedder.name} {seen}: ask in the language of what is stored, too. {_CHANGE}"
    return None


def rows_note(embedder: Embedder, languages: Mapping[str, int]) -> str | None:
    """That most of a user's rows are in languages that the model does not read; None otherwise.

    `languages` has the number of rows of each language.
    """
    unread = {name: rows for name, rows in languages.items() if name not in _LATIN}
    rows, unread_rows = sum(languages.values()), sum(unread.values())
    if not embedder.latin_only or 2 * unread_rows <= rows:
        return None
    names = ", ".join(name.capitalize() for name in sorted(unread, key=lambda name: -unread[name])[:3])
    return (
        f"{100 * unread_rows // rows} % of the rows are in {names}, but the embedding model {embedder.name} reads Latin script "
        f"only: they are found by words alone. {_CHANGE}"
    )
