"""The languages that are read, each with its forms of statements and of facts."""

from collections.abc import Mapping
from typing import Final

from memd.domain.romance.fact_forms import FactForms
from memd.domain.romance.forms import Forms
from memd.domain.romance.french import FRENCH
from memd.domain.romance.french_facts import FRENCH_WORDS
from memd.domain.romance.italian import ITALIAN
from memd.domain.romance.italian_facts import ITALIAN_WORDS
from memd.domain.romance.portuguese import PORTUGUESE
from memd.domain.romance.portuguese_facts import PORTUGUESE_WORDS
from memd.domain.romance.spanish import SPANISH
from memd.domain.romance.spanish_facts import SPANISH_WORDS
from memd.domain.text_analysis.language import Language

FORMS: Final[Mapping[Language, Forms]] = {
    Language.SPANISH: SPANISH,
    Language.FRENCH: FRENCH,
    Language.ITALIAN: ITALIAN,
    Language.PORTUGUESE: PORTUGUESE,
}
FACTS: Final[Mapping[Language, FactForms]] = {
    Language.SPANISH: FactForms(SPANISH_WORDS),
    Language.FRENCH: FactForms(FRENCH_WORDS),
    Language.ITALIAN: FactForms(ITALIAN_WORDS),
    Language.PORTUGUESE: FactForms(PORTUGUESE_WORDS),
}
