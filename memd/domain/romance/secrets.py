"""Romance sentences that say what a password, a PIN or another secret is (`extraction.stated_secrets`)."""

import re
from typing import Final

from memd.domain.romance.text import plain
from memd.domain.text.alternatives import any_of, either

_SPANISH: Final = any_of(
    r"""
    contrasenas? claves?(?:_de_(?:acceso|wifi|seguridad|la_\w+))? pin numero_secreto codigos?_(?:pin|secreto)
    codigos?_de_(?:acceso|seguridad|desbloqueo|verificacion|la_(?:alarma|puerta|caja)\b)
    codigos?_del?_(?:portal|garaje|wifi|caja|candado|alarma) combinacion credenciales
    """
)
_FRENCH: Final = any_of(
    r"""
    mots?_de_passe mdp codes?_(?:pin|secret|confidentiel|wifi|d'acces)
    codes?_de_(?:securite|verification|deverrouillage|la_(?:porte|alarme)|l'(?:alarme|immeuble|entree))
    codes?_du_(?:coffre|portail|garage|wifi|cadenas) digicode identifiants phrase_secrete
    """
)
_ITALIAN: Final = any_of(
    r"""
    parola_d'ordine codic[ei]_(?:pin|segreto) codic[ei]_di_(?:accesso|sicurezza|sblocco|verifica)
    codic[ei]_d[ei]l(?:la|l')?_?(?:porta|cassaforte|cancello|allarme|garage|lucchetto)
    chiave_(?:api|ssh|di_accesso|del_wifi) credenziali
    """
)
_PORTUGUESE: Final = any_of(
    "palavras?-passe senhas? codigo_d[oa]_(?:porta|alarme|cofre|portao|predio|wifi) chave_(?:api|ssh|de_acesso)"
)
_ANYWHERE: Final = any_of(
    r"""
    (?:clave|llave|token|cle)s?_(?:de_|d'|del_)?(?:api|acceso|acces|ssh|licencia|licence|wifi|wi-fi|secrete)
    token secret passwords?
    """
)
_NAMED: Final = rf"\b{either(_SPANISH, _FRENCH, _ITALIAN, _PORTUGUESE, _ANYWHERE)}"
_BEFORE_OWNER: Final = any_of(
    """
    de_la de_los della dello dell' da do no na nel per_il per_la para_o para_a del de para_el para_la para en du des
    de_l' d' pour_le pour_la pour a
    """
)
_OF_IT: Final = rf"(?: {_BEFORE_OWNER} ?(?:[\w'.-]+ ){{0,3}}?[\w'.-]+)?"
_IS: Final = any_of("es son era sera est sont etait devient reste e sono sao foi")
_STILL: Final = any_of(
    """
    adesso ora ancora agora ainda ahora todavia aun siempre simplemente maintenant toujours encore desormais
    """
)
_BE: Final = rf"(?: {_IS}(?: {_STILL})?:?|\s*[:=])\s*"
_NO_SECRET: Final = any_of(
    r"""
    muy tan no la el los las un una de en mas demasiado segur[oa] insegur[oa] correct[oa] incorrect[oa] valid[oa]
    invalid[oa] secret[oa] larg[oa] cort[oa] facil dificil debil fuerte importante obligatori[oa] necesari[oa] unic[oa]
    igual distint[oa] nuev[oa] viej[oa] mi tu su esa esta ese este guardad\w* apuntad\w* escrit\w* caducad\w* pintad\w*
    expirada
    tres trop pas le les une dans sur chez plus sure? valide correcte? incorrecte? faux fausse secrete? long longue court
    courte facile difficile faible forte? important obligatoire necessaire unique different nouveau vieux mon ma ton son
    celui stocke\w* change\w* note\w* ecrit\w* expire\w*
    molto troppo non sicur[ao] lung[ao] scritt[ao] salvat[ao] scadut[ao] nel nella fort[ei] sbagliat[ao] corrett[ao]
    la_stessa stat[ao]
    muito nao errad[ao] a_mesma
    \d+_(?:caracteres|digitos|cifras|letras|dias|meses|chiffres|jours|mois)
    """
)
_NO_VALUE: Final = rf"(?!{_NO_SECRET}\b)"
_VALUE: Final = (
    r"(?:[\"'«“](?=\S)[^\"'»”]{3,}[\"'»”]|(?=\S*[\d_@#$%^&*!~+=/\\-])\S{3,}|\S{3,}(?=[\s.,;:!?)»”]*(?:\Z|[,;.!?]\s)))"
)
_STATES: Final = re.compile(rf"{_NAMED}{_OF_IT}{_BE}{_NO_VALUE}{_VALUE}", re.IGNORECASE)
_BESIDE: Final = re.compile(rf"{_NAMED}\s+[\"'«“]?(?=\S*\d)[^\s\"'»”]{{4,}}", re.IGNORECASE)
_MENTIONS: Final = re.compile(
    any_of(
        r"""
        contrase clave pin\b numero_secreto codigo code combinacion token secret cle_ cles_ credencial pass mdp
        identifiant codic senha chave chiave parola credenz
        """
    ),
    re.IGNORECASE,
)


def contains_romance_secret(text: str) -> bool:
    """Whether a Spanish, French, Italian or Portuguese text says what a secret is: `La clave es 4471`, not `La clave está en la caja`."""
    folded = plain(text)
    return bool(_MENTIONS.search(folded)) and any(form.search(folded) for form in (_STATES, _BESIDE))
