"""The languages that text analysis distinguishes: those with a Snowball stemmer in Postgres, and some that need none."""

from enum import StrEnum
from typing import Final


class Language(StrEnum):
    """A text search configuration of Postgres, or a language without one that is identified by its script.

    `SIMPLE` is any other: its words are indexed unchanged.
    """

    ARABIC = "arabic"
    ARMENIAN = "armenian"
    BASQUE = "basque"
    CATALAN = "catalan"
    DANISH = "danish"
    DUTCH = "dutch"
    ENGLISH = "english"
    ESTONIAN = "estonian"
    FINNISH = "finnish"
    FRENCH = "french"
    GERMAN = "german"
    GREEK = "greek"
    HINDI = "hindi"
    HUNGARIAN = "hungarian"
    INDONESIAN = "indonesian"
    IRISH = "irish"
    ITALIAN = "italian"
    LITHUANIAN = "lithuanian"
    NEPALI = "nepali"
    NORWEGIAN = "norwegian"
    PORTUGUESE = "portuguese"
    ROMANIAN = "romanian"
    RUSSIAN = "russian"
    SERBIAN = "serbian"
    SPANISH = "spanish"
    SWEDISH = "swedish"
    TAMIL = "tamil"
    TURKISH = "turkish"
    YIDDISH = "yiddish"

    BURMESE = "burmese"
    CHINESE = "chinese"
    JAPANESE = "japanese"
    KHMER = "khmer"
    KOREAN = "korean"
    LAO = "lao"
    THAI = "thai"

    SIMPLE = "simple"

    @property
    def has_stemmer(self) -> bool:
        """Whether Postgres has a Snowball configuration of this name."""
        return self not in _UNSTEMMED


_UNSTEMMED: Final = frozenset(
    {
        Language.BURMESE,
        Language.CHINESE,
        Language.JAPANESE,
        Language.KHMER,
        Language.KOREAN,
        Language.LAO,
        Language.THAI,
        Language.SIMPLE,
    }
)
