"""The text index of a row: its language and its lexemes; the same for memories, chunks and messages."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from memd.db.tsvector import TsVector, tsvector
from memd.domain.text_analysis.analysis import analyse
from memd.domain.text_analysis.language import Language


class TextIndex(NamedTuple):
    """The columns `language` and `tsv` of a narrow row."""

    language: Language
    tsv: TsVector


def text_index(user_id: UUID, fields: Sequence[str], labels: Sequence[str], default: Language) -> TextIndex:
    """The text index of a row of a user, from its fields and labels; `default` if no language is detected.

    The owner is a lexeme too: a search for it with any word reads the postings of one user only.
    """
    analysed = analyse(fields, labels, default)
    return TextIndex(analysed.language, tsvector(analysed.lexemes, owner_lexeme(user_id)))


def owner_lexeme(user_id: UUID) -> str:
    """The lexeme that all rows of a user have, and no others; no text has it, as no word holds a colon."""
    return f"u:{user_id}"
