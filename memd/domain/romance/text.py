"""Whether a text is in Spanish or in French, and its spelling without accents, which chats often leave out."""

import re
from typing import Final

from memd.domain.text_analysis.detection import MAX_TOKENS, detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS
from memd.domain.text_analysis.tokens import tokens

_WORDS: Final = {
    Language.SPANISH: """
        soy estoy tengo tenemos llamo llama llaman llamamos vivimos trabajo trabajamos nací naci mudé mudamos me gusta gustan encanta
        encantan prefiero preferimos detesto uso usamos utilizo utilizamos hemos decidimos dejé deje odio nuestro nuestra nuestros
        nuestras hermano hermana hermanos hijo hija hijos mujer marido esposo esposa novio novia jefe jefa perro gato abuela abuelo
        recuerda recuérdame recuerdame apunta ten llámame llamame suelo solemos cumpleaños ya nunca siempre estudio bebo como vivo
        mi mis mamá mama papá papa color favorito favorita mudarnos mudarme el los las voy vamos
        lunes martes miércoles miercoles jueves viernes sábado sabado domingo
    """,
    Language.FRENCH: """
        je j suis sommes habite habitons vis vivons travaille travaillons mon ma mes notre nos nous on préfère prefere préférons
        adore déteste deteste aime aimons avons allergique étudie etudie mari femme frère frere sœur soeur mère mere père pere chien
        chat fille fils désormais desormais dorénavant rappelle souviens retiens oublie ne plus anniversaire utilise le les
        vais allons lundi mardi mercredi jeudi vendredi samedi dimanche
    """,
}
"""Words of statements that users make of themselves, some of them shared with a related language."""
_TELLING_WORDS: Final = {
    Language.SPANISH: """
        soy estoy tengo tenemos llamo trabajo trabajamos nuestro nuestra nuestros nuestras prefiero preferimos hemos gustan encantan
        hermano hermana hijo hija mujer jefa perro recuerda recuérdame recuerdame llámame llamame cumpleaños suelo solemos mudamos alquiler cuesta
    """,
    Language.FRENCH: """
        suis sommes habite habitons travaillons nous préfère préférons déteste avons allergique étudie frère sœur soeur désormais
        dorénavant anniversaire notre mes appelle appellent
    """,
}
"""Words of which one is enough: few texts in other languages have them."""
_FRENCH_I: Final = re.compile(r"\bj['’](?=[aeéèêhiouyæœ])", re.IGNORECASE)
"""`j'`, which no other language has."""
_SEVERAL: Final = 2
_OPENING_MARKS: Final = re.compile("[¿¡ñ]", re.IGNORECASE)
_ENGLISH: Final = STOP_WORDS[Language.ENGLISH]
_TELLING: Final = {language: frozenset(words.split()) for language, words in _TELLING_WORDS.items()}
_SUPPORTING: Final = {
    language: (STOP_WORDS[language] | frozenset(words.split())) - _ENGLISH for language, words in _WORDS.items()
}
_AGAINST: Final = {language: _ENGLISH - STOP_WORDS[language] for language in _WORDS}
_PLAIN: Final = str.maketrans(
    "áàâäãéèêëíìîïóòôöõúùûüñçÁÀÂÄÃÉÈÊËÍÌÎÏÓÒÔÖÕÚÙÛÜÑÇ’‘\u00a0\u202f",
    "aaaaaeeeeiiiiooooouuuuncAAAAAEEEEIIIIOOOOOUUUUNC''  ",
)


def romance_language(text: str) -> Language | None:
    """Spanish or French if the words at the beginning of a text are of that language; else None."""
    words = tokens(text)[:MAX_TOKENS]
    own = {language: sum(map(_SUPPORTING[language].__contains__, words)) for language in _WORDS}
    likely = max(own, key=lambda language: own[language])
    return likely if _is_in(likely, text, words, own[likely]) else None


def _is_in(language: Language, text: str, words: list[str], own: int) -> bool:
    """Whether a text of these words, `own` of them known in the language, is clearly in it."""
    if own <= sum(map(_AGAINST[language].__contains__, words)):
        return False
    sign = _OPENING_MARKS if language is Language.SPANISH else _FRENCH_I
    if own < _SEVERAL and _TELLING[language].isdisjoint(words) and not sign.search(text):
        return False
    return detect(words, language) is language


def plain(text: str) -> str:
    """The text without accents, each character in its place, with straight apostrophes and ordinary blanks."""
    return text.translate(_PLAIN)
