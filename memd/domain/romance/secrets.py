"""Romance sentences that say what a password, a PIN or another secret is (`extraction.stated_secrets`)."""

import re
from typing import Final

from memd.domain.romance.text import plain

_NAMED: Final = (
    r"\b(?:contrasenas?|claves?(?: de (?:acceso|wifi|seguridad|la \w+))?|pin|numero secreto|codigos? (?:pin|secreto|de (?:acceso|seguridad|desbloqueo|verificacion|la (?:alarma|puerta|caja)\b)|del? (?:portal|garaje|wifi|caja|candado|alarma))"
    r"|combinacion|(?:clave|llave|token|cle)s? (?:de |d'|del )?(?:api|acceso|acces|ssh|licencia|licence|wifi|wi-fi|secrete)|token|secret|credenciales|mots? de passe|mdp|codes? (?:pin|secret|confidentiel|wifi|d'acces|de (?:securite|verification|deverrouillage|la (?:porte|alarme)|l'(?:alarme|immeuble|entree))|du (?:coffre|portail|garage|wifi|cadenas))"
    r"|digicode|identifiants|phrase secrete|passwords?|parola d'ordine|codic[ei] (?:pin|segreto|di (?:accesso|sicurezza|sblocco|verifica)|d[ei]l(?:la|l')? ?(?:porta|cassaforte|cancello|allarme|garage|lucchetto))|chiave (?:api|ssh|di accesso|del wifi)|credenziali|palavras?-passe|senhas?|codigo (?:do|da) (?:porta|alarme|cofre|portao|predio|wifi)|chave (?:api|ssh|de acesso))"
)
_OF_IT: Final = r"(?: (?:de la|de los|della|dello|dell'|do|da|no|na|nel|per il|per la|para o|para a|del|de|para el|para la|para|en|du|des|de l'|d'|pour le|pour la|pour|a) ?(?:[\w'.-]+ ){0,3}?[\w'.-]+)?"
_BE: Final = r"(?: (?:es|son|era|sera|est|sont|etait|devient|reste|e|sono|sao|foi)(?: (?:adesso|ora|ancora|agora|ainda|ahora|todavia|aun|siempre|simplemente|maintenant|toujours|encore|desormais))?:?|\s*[:=])\s*"
_NO_VALUE: Final = (
    r"(?!(?:molto|troppo|non|sicur[ao]|lung[ao]|scritt[ao]|salvat[ao]|scadut[ao]|nel|nella|muito|demasiado|nao|fort[ei]|guardada|expirada|errad[ao]|sbagliat[ao]|corrett[ao]|la stessa|a mesma|muy|tan|no|la|el|los|las|un|una|de|en|mas|demasiado|segur[oa]|insegur[oa]|correct[oa]|incorrect[oa]|valid[oa]|invalid[oa]|secret[oa]|larg[oa]|cort[oa]|facil|dificil|debil|fuerte|importante|obligatori[oa]|necesari[oa]|unic[oa]|igual|distint[oa]|nuev[oa]|viej[oa]|mi|tu|su|esa|esta|ese|este"
    r"|tres|trop|pas|le|les|une|dans|sur|chez|plus|sure?|valide|correcte?|incorrecte?|faux|fausse|secrete?|long|longue|court|courte|facile|difficile|faible|fort|forte|important|obligatoire|necessaire|unique|different|nouveau|vieux|mon|ma|ton|son|celui|stocke\w*|change\w*|note\w*|ecrit\w*|expire\w*|stat[ao]|guardad\w*|apuntad\w*|escrit\w*|caducad\w*|pintad\w*"
    r"|\d+ (?:caracteres|digitos|cifras|letras|dias|meses|caracteres|chiffres|jours|mois))\b)"
)
_VALUE: Final = (
    r"(?:[\"'«“](?=\S)[^\"'»”]{3,}[\"'»”]|(?=\S*[\d_@#$%^&*!~+=/\\-])\S{3,}|\S{3,}(?=[\s.,;:!?)»”]*(?:\Z|[,;.!?]\s)))"
)
_STATES: Final = re.compile(rf"{_NAMED}{_OF_IT}{_BE}{_NO_VALUE}{_VALUE}", re.IGNORECASE)
_BESIDE: Final = re.compile(rf"{_NAMED}\s+[\"'«“]?(?=\S*\d)[^\s\"'»”]{{4,}}", re.IGNORECASE)
_MENTIONS: Final = re.compile(
    r"contrase|clave|pin\b|numero secreto|codigo|code|combinacion|token|secret|cle |cles |credencial|pass|mdp|identifiant|codic|senha|chave|chiave|parola|credenz",
    re.IGNORECASE,
)


def contains_romance_secret(text: str) -> bool:
    """Whether a Spanish, French, Italian or Portuguese text says what a secret is: `La clave es 4471`, not `La clave está en la caja`."""
    folded = plain(text)
    return bool(_MENTIONS.search(folded)) and any(form.search(folded) for form in (_STATES, _BESIDE))
