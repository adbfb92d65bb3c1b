"""Messages that only acknowledge another one: "OK.", "Noted!", "Alles klar, danke", "好的".

They share the score of their neighbours in a conversation, but say nothing that answers a query. `Yes`, `no`, `sure` and
`done` are not among them: as the answer to a question they say something.
"""

import re
from typing import Final

from memd.domain.text.alternatives import any_of

MAX_READ: Final = 80
"""Characters of a message; a longer one says more."""
_PHRASES: Final = any_of(
    r"""
    ok okay k noted got_it i_see i'll_remember(?:_(?:it|that))? i'll_keep_(?:it|that)_in_mind understood saved updated
    thanks(?:_a_lot)? thank_you(?:_(?:so|very)_much)? thx ty cheers you're_welcome no_(?:problem|worries) alright
    all_right great nice cool perfect awesome good(?:_(?:choice|idea|point|to_know))? sounds_good makes_sense h?mm+ ah oh
    wow ha(?:ha)+ lol
    alles_klar notiert verstanden danke(?:_(?:schön|sehr|dir))? vielen_dank gut prima super in_ordnung gemerkt gespeichert
    d'accord (?:c'est_)?noté compris merci(?:_beaucoup)? très_bien parfait
    vale entendido anotado (?:muchas_)?gracias perfecto de_acuerdo muy_bien
    va_bene capito annotato grazie(?:_mille)? perfetto d'accordo entendi obrigad[oa] perfeito
    хорошо ок ладно понял[аи]? понятно принято записал[аи]? запомнил[аи]? спасибо отлично
    """
)
_CHINESE: Final = r"(?:好的?|知道了|明白了?|收到|记[下住]了|谢谢你?|了解|没问题)"
_BARE: Final = re.compile(rf"[\W_]*(?:(?:(?:\b{_PHRASES}\b)|{_CHINESE})[\W_]*){{1,4}}", re.IGNORECASE)


def is_bare_acknowledgement(text: str) -> bool:
    """Whether a message says nothing but that another one was read."""
    plain = text.strip().replace("’", "'")
    return len(plain) <= MAX_READ and _BARE.fullmatch(plain) is not None
