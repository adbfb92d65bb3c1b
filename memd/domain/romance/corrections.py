"""Romance words of corrections (`memd.domain.text.corrections`): `No, perdón, el martes`, `Je voulais dire mardi`."""

import re
from typing import Final

from memd.domain.romance.languages import FACTS
from memd.domain.romance.text import plain
from memd.domain.romance.vocabulary import CAPITALISED
from memd.domain.text.alternatives import any_of
from memd.domain.text.corrections import AMOUNT, CorrectionForms
from memd.domain.text_analysis.language import Language

_NAME: Final = rf"{CAPITALISED}(?: (?:(?:de|del|da|do|di) )?{CAPITALISED})?"
_NO_UNITS: Final = r"(?!(?:y|e|et|o|ou|en|a|de|con|avec|com|pero|mais|ma|mas|como|comme|come|in|em|desde|depuis|da|los|las|h)\b)[^\W\d_]+"


def _sorts(language: Language, clock: str) -> dict[str, str]:
    words = FACTS[language].words
    month, weekday = any_of(words.months), any_of(words.weekdays)
    short = rf"|(?:{'|'.join(name.removesuffix('-feira') for name in words.weekdays.split() if '-' in name)})\b"
    return {
        "day": rf"(?:\d{{1,2}}|1er) (?:{words.of} )?{month}\b(?: (?:{words.of} )?\d{{4}}\b)?|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b",
        "weekday": rf"{weekday}\b{short if '-' in words.weekdays else ''}",
        "clock": clock,
        "month": rf"{month}\b(?: (?:{words.of} )?\d{{4}}\b)?",
        "amount": rf"{AMOUNT}(?: ?(?:€|%|{_NO_UNITS}))?",
    }


def _forms(
    language: Language,
    clock: str,
    *,
    refusal: str,
    fault: str,
    meant: str,
    still: str,
    be: str,
    before: str,
    not_so: str,
    closing: str,
    mark: str,
) -> CorrectionForms:
    return CorrectionForms(
        sorts=_sorts(language, clock),
        refusal=refusal,
        fault=fault,
        meant=meant,
        still=still,
        be=be,
        before=before,
        instead=not_so,
        but_not=not_so,
        closing=closing,
        name=_NAME,
        unit=re.compile(r"[^\W\d_]|[€%]"),
        units={"€": "euro", "eur": "euro", "%": "por ciento"},
        mark=mark,
        folded=plain,
    )


ROMANCE_CORRECTIONS: Final = {
    Language.SPANISH: _forms(
        Language.SPANISH,
        r"las? \d{1,2}(?::\d\d)?(?: y (?:media|cuarto)| menos cuarto)?\b|\d{1,2}:\d\d\b",
        refusal=r"(?:(?:ay|uy|ah|oh|ups),? )?(?:(?:no|espera|perdon|perdona|perdone|disculpa|lo siento|mejor dicho|quiero decir),? )?(?:no|perdon|perdona|perdone|disculpa|disculpe|espera|ups|lo siento|mejor dicho|digo)",
        fault=r"(?:correccion|rectifico|me he (?:equivocado|confundido)|me (?:equivoque|confundi)|error mio|fue un error|es un error|no es correcto)",
        meant=r"(?:quise decir|queria decir|me referia a|quiero decir|en realidad)",
        still=r"(?:sino|mejor)",
        be=r"(?:(?:el|la|eso|esto|ella|yo)? ?(?:es|son|era|sera|cuesta|empieza|sale|vive|vivo|trabaja|trabajo|se llama|tiene|tengo) )",
        before=r"(?:(?:a|al|en|de|del|para|para el|desde|hasta|por|el dia|el|la|los) )?",
        not_so="y no|no|en vez de|en lugar de",
        closing="perdon|perdona|disculpa|gracias|por favor|claro",
        mark="Corrección",
    ),
    Language.FRENCH: _forms(
        Language.FRENCH,
        r"\d{1,2} ?h(?:eures?)?(?: ?\d\d)?\b|\d{1,2}:\d\d\b|midi\b|minuit\b",
        refusal=r"(?:(?:ah|oh|euh|oups|mince),? )?(?:(?:non|attends|pardon|desolee?),? )?(?:non|pardon|desolee?|excuse-moi|excusez-moi|attends|oups|plutot|enfin)",
        fault=r"(?:correction|rectification|erreur(?: de ma part)?|je me suis trompee?|c'est une erreur|c'est faux)",
        meant=r"(?:je voulais dire|je veux dire|je voulais plutot dire|en fait)",
        still=r"(?:plutot|mais)",
        be=r"(?:(?:c'est|c'etait|ce sera|(?:il|elle) (?:est|habite|vit|travaille|s'appelle|part|commence|coute)|j'habite|je travaille|j'ai) )",
        before=r"(?:(?:a|au|aux|en|de|du|pour le|pour|chez|le|la|les|vers|des) )?",
        not_so="et pas|et non|pas|non|au lieu de",
        closing="pardon|desolee?|merci|s'il te plait|plutot",
        mark="Rectification",
    ),
    Language.ITALIAN: _forms(
        Language.ITALIAN,
        r"(?:alle|le) \d{1,2}(?:[:.]\d\d)?(?: e mezza)?\b|\d{1,2}:\d\d\b",
        refusal=r"(?:(?:ah|oh|ops),? )?(?:(?:no|aspetta|scusa),? )?(?:no|scusa|scusami|scusi|aspetta|ops|anzi|pardon)",
        fault=r"(?:correzione|mi sono sbagliat[oa]|ho sbagliato|errore mio|e sbagliato)",
        meant=r"(?:volevo dire|intendevo|voglio dire|in realta)",
        still=r"(?:bensi|piuttosto)",
        be=r"(?:(?:e|era|sara|sono|costa|inizia|parte|vive|abita|lavora|si chiama|vivo|abito) )",
        before=r"(?:(?:a|ad|al|in|il|la|di|del|per il|per|da|verso) )?",
        not_so="e non|non|invece di|invece che",
        closing="scusa|scusami|grazie|per favore",
        mark="Correzione",
    ),
    Language.PORTUGUESE: _forms(
        Language.PORTUGUESE,
        r"as \d{1,2}(?:h\d\d|h|:\d\d)?(?: horas)?\b|\d{1,2}(?:h\d\d|h|:\d\d)(?!\w)",
        refusal=r"(?:(?:ah|oh|ops),? )?(?:(?:nao|espera|desculpa|desculpe|perdao),? )?(?:nao|desculpa|desculpe|perdao|espera|ops|alias|ou melhor)",
        fault=r"(?:correcao|enganei-me|me enganei|errei|erro meu|foi engano|esta errado)",
        meant=r"(?:queria dizer|quis dizer|quero dizer|na verdade)",
        still=r"(?:sim|antes)",
        be=r"(?:(?:e|era|sera|sao|custa|comeca|sai|mora|vive|trabalha|chama-se|se chama|moro|vivo) )",
        before=r"(?:(?:a|as|ao|em|no|na|no dia|o|os|de|do|da|para|para o|dia) )?",
        not_so="e nao|nao|em vez de",
        closing="desculpa|desculpe|obrigad[oa]|por favor",
        mark="Correção",
    ),
}
"""For each language how its speakers correct themselves."""
