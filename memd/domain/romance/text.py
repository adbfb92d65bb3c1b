"""Whether a text is in Spanish, French, Italian or Portuguese, and its spelling without accents, which chats often leave out."""

import re
from typing import Final

from memd.domain.dates.weekdays import FRENCH_WEEKDAYS, ITALIAN_WEEKDAYS, PORTUGUESE_WEEKDAYS, SPANISH_WEEKDAYS
from memd.domain.text_analysis.detection import MAX_TOKENS, detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS
from memd.domain.text_analysis.tokens import tokens

_PLAIN: Final = str.maketrans(
    "áàâäãéèêëíìîïóòôöõúùûüñçÁÀÂÄÃÉÈÊËÍÌÎÏÓÒÔÖÕÚÙÛÜÑÇ’‘\u00a0\u202f",
    "aaaaaeeeeiiiiooooouuuuncAAAAAEEEEIIIIOOOOOUUUUNC''  ",
)
_WEEKDAYS: Final = {
    Language.SPANISH: SPANISH_WEEKDAYS,
    Language.FRENCH: FRENCH_WEEKDAYS,
    Language.ITALIAN: ITALIAN_WEEKDAYS,
    Language.PORTUGUESE: (*PORTUGUESE_WEEKDAYS, *(name.removesuffix("-feira") for name in PORTUGUESE_WEEKDAYS)),
}
_WORDS: Final = {
    Language.SPANISH: """
        soy estoy tengo tenemos llamo llama llaman llamamos vivimos trabajo trabajamos nací naci mudé mudamos me gusta gustan encanta
        encantan prefiero preferimos detesto uso usamos utilizo utilizamos hemos decidimos dejé deje odio nuestro nuestra nuestros
        nuestras hermano hermana hermanos hijo hija hijos mujer marido esposo esposa novio novia jefe jefa perro gato abuela abuelo
        recuerda recuérdame recuerdame apunta ten llámame llamame suelo solemos cumpleaños ya nunca siempre estudio bebo como vivo
        mi mis mamá mama papá papa color favorito favorita mudarnos mudarme mude mudado mudamos quisiera puedo podemos comer tomar el los las voy vamos
        vuelto
    """,
    Language.FRENCH: """
        je j suis sommes habite habitons vis vivons travaille travaillons mon ma mes notre nos nous on préfère prefere préférons
        adore déteste deteste aime aimons avons allergique étudie etudie mari femme frère frere sœur soeur mère mere père pere chien
        chat fille fils désormais desormais dorénavant rappelle souviens retiens oublie ne plus anniversaire utilise le les
        décidé decide avec chez depuis toujours jamais
        vais allons
    """,
    Language.ITALIAN: """
        vivo viviamo abito abitiamo lavoro lavoriamo chiamo chiama sono siamo mi piace piacciono preferisco adoro odio detesto uso usiamo
        moglie marito sorella fratello figlio figlia figli madre padre cane gatto gatta capo capa ricorda ricordami rispondi compleanno
        a d ora poi rispondi rispondimi consigli bevo mangio mai più sempre decido deciso colore preferito preferita trasferito trasferita comunque devo ogni
        il la le
    """,
    Language.PORTUGUESE: """
        sou moro moramos vivo vivemos trabalho trabalhamos chamo chama gosto gostamos adoro prefiro odeio detesto uso usamos decidimos decidi
        mulher esposa marido irmã irma irmão irmao filho filha filhos mãe mae pai cão cao cachorro gata chefe lembra lembre responde
        bebo como nunca já ja sempre cor favorita favorito mudei aniversário aniversario nasci terças tercas quintas
        feira o a
    """,
}
"""Words of statements that users make of themselves, some of them shared with a related language."""
_TELLING_WORDS: Final = {
    Language.SPANISH: """
        soy estoy tengo tenemos llamo trabajo trabajamos nuestro nuestra nuestros nuestras prefiero preferimos hemos gustan encantan
        hermano hermana hijo hija mujer jefa perro recuerda recuérdame recuerdame llámame llamame cumpleaños suelo solemos mudamos alquiler cuesta mudé mude mudado vuelto
    """,
    Language.FRENCH: """
        suis sommes habite habitons travaillons nous préfère préférons déteste avons allergique étudie frère sœur soeur désormais
        dorénavant anniversaire notre mes appelle appellent décidé avec chez depuis toujours
    """,
    Language.ITALIAN: """
        abito abitiamo lavoriamo chiamo moglie sorella fratello figlia preferisco piacciono compleanno ricordami nostro nostra
        abbiamo sono trasferito trasferita rispondimi usiamo
    """,
    Language.PORTUGUESE: """
        moro moramos trabalhamos chamo-me meu minha nosso nossa gosto sou prefiro irmã irmão aniversário mudei nasci tenho usamos decidimos
        lembra-te já
    """,
}
"""Words of which one is enough: few texts in other languages have them."""
_SIGNS: Final = {
    Language.SPANISH: re.compile(r"[¿¡ñ]|\bno (?:como|bebo|fumo|tengo|puedo|soporto)\b", re.IGNORECASE),
    Language.FRENCH: re.compile(r"\bj['’](?=[aeéèêhiouyæœ])", re.IGNORECASE),
    Language.ITALIAN: re.compile(r"\b(?:vivo|abito) ad? (?=[A-Z])", re.IGNORECASE),
    Language.PORTUGUESE: re.compile("[ãõ]", re.IGNORECASE),
}
"""Letters, marks and words that few other languages have."""
_SEVERAL: Final = 2
_ENGLISH: Final = STOP_WORDS[Language.ENGLISH]
_TELLING: Final = {language: frozenset(words.split()) for language, words in _TELLING_WORDS.items()}
_KNOWN: Final = {
    language: STOP_WORDS[language].union(words.split(), days, (day.translate(_PLAIN) for day in days))
    for (language, words), days in zip(_WORDS.items(), _WEEKDAYS.values(), strict=True)
}
_SUPPORTING: Final = {language: words - _ENGLISH for language, words in _KNOWN.items()}
_AGAINST: Final = {language: _ENGLISH - words for language, words in _KNOWN.items()}


def romance_language(text: str) -> Language | None:
    """The Romance language of which the words at the beginning of a text clearly are; else None."""
    words = tokens(text)[:MAX_TOKENS]
    own = {
        language: sum(map(_SUPPORTING[language].__contains__, words)) + _has_sign(language, text) for language in _WORDS
    }
    likely = max(own, key=lambda language: own[language])
    return likely if _is_in(likely, words, own[likely]) else None


def _has_sign(language: Language, text: str) -> bool:
    return language in _SIGNS and _SIGNS[language].search(text) is not None


def _is_in(language: Language, words: list[str], own: int) -> bool:
    """Whether a text of these words, `own` of them known in the language, is clearly in it."""
    if own <= sum(map(_AGAINST[language].__contains__, words)):
        return False
    if own < _SEVERAL and _TELLING[language].isdisjoint(words):
        return False
    return detect(words, language) is language


def plain(text: str) -> str:
    """The text without accents, each character in its place, with straight apostrophes and ordinary blanks."""
    return text.translate(_PLAIN)
