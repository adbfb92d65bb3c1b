"""Agreement of English verbs with a name as their subject: `I have` → `Ann has`, `I love` → `Ann loves`."""

import re
from typing import Final

_IRREGULAR: Final = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}
_MODALS: Final = """
    can could will would shall should may might must ought used is has does can't couldn't won't wouldn't
"""
_ONE_FORM: Final = "put set cut hit let quit cost shut hurt bet cast spread read split"
_PAST: Final = """
    was did had went got saw met made took bought found came began won lost ran gave felt heard told wrote built left spent
    taught brought been gone seen taken done given became thought knew kept said grew drew drove rode ate drank slept spoke
    stood sat sold sent held led paid wore woke broke chose fell flew forgot hid threw understood caught fought sought
    swam sang hung shot stuck dug sprang blew froze stole tore bent lent dealt meant dreamt learnt fed fled
"""
_BASES: Final = """
    had:have has:have went:go goes:go gone:go did:do got:get saw:see met:meet made:make took:take bought:buy found:find came:come
    began:begin won:win lost:lose ran:run gave:give felt:feel told:tell wrote:write built:build left:leave spent:spend
    taught:teach brought:bring knew:know kept:keep grew:grow drew:draw drove:drive rode:ride ate:eat drank:drink spoke:speak
    sold:sell sent:send held:hold led:lead paid:pay wore:wear flew:fly threw:throw caught:catch sang:sing swam:swim dug:dig
"""
_BASES_IN_ED: Final = "need feed speed seed bleed breed succeed proceed exceed embed shed wed"
_ADVERBS: Final = """
    just also still always never often usually even already sometimes both all kinda now only once ever soon almost
    really totally definitely actually finally recently lately probably certainly currently either too then not sure
"""
_NO_ADVERBS: Final = "early daily family only apply rely reply supply multiply comply fly ally"
_COMMON: Final = """
    am have do go take make get give see try want like enjoy hope think feel find keep know believe write read eat drink
    run swim listen relax live add use
"""
_AFTER_NOW: Final = "work teach lead manage rent own study drive play ride help sell build speak regret"
_BEFORE_COMPLEMENT: Final = """
    work commute carry travel study teach lead manage rent own drive play help sell build speak cook train volunteer coach
    maintain earn pay walk cycle
"""
_COMPLEMENTS: Final = """
    a an the my our two three in at for as to from with on by between remotely mostly mainly part full now there
"""
_PARTICIPLES: Final = """
    been gone seen taken done given become had better never heard always already just forgotten written chosen known
"""

COMMON_VERBS: Final = frozenset(_COMMON.split())
"""Verbs in the present tense that are rarely another part of speech; they identify a second verb after `and`."""
AFTER_NOW: Final = COMMON_VERBS | frozenset(_AFTER_NOW.split())
"""Verbs that identify a second verb after `and now`, where a noun is less likely."""
_BEFORE_COMPLEMENT_SET: Final = frozenset(_BEFORE_COMPLEMENT.split())
_COMPLEMENT_SET: Final = frozenset(_COMPLEMENTS.split())
_PAST_SET: Final = frozenset(_PAST.split())
ONE_FORM: Final = frozenset(_ONE_FORM.split())
"""Verbs whose past and participle are the base form."""
_UNCHANGED: Final = _PAST_SET | ONE_FORM | frozenset(_MODALS.split())
"""Forms that stay as they are after a name."""
_BASE_OF: Final = {past: base for past, _, base in (pair.partition(":") for pair in _BASES.split())}
_ENDS_IN_ED: Final = frozenset(_BASES_IN_ED.split())
_ADVERB_SET: Final = frozenset(_ADVERBS.split())
_NO_ADVERB_SET: Final = frozenset(_NO_ADVERBS.split())
_PARTICIPLE_SET: Final = frozenset(_PARTICIPLES.split())
_SIBILANT: Final = re.compile(r"(?:s|x|z|ch|sh|o)$")
_CONSONANT_Y: Final = re.compile(r"[^aeiou]y$")


def is_adverb(word: str) -> bool:
    """Whether the word may be between a subject and its verb."""
    return word in _ADVERB_SET or (word.endswith("ly") and word not in _NO_ADVERB_SET)


def is_second_verb(word: str, following: str) -> bool:
    """Whether a word after `and` is a second verb, by the word that follows: `lives in Graz and commute to Vienna`."""
    shown = following.lower() in _COMPLEMENT_SET or following[:1].isupper()
    return word in COMMON_VERBS or (shown and word in _BEFORE_COMPLEMENT_SET)


def third_person(verb: str) -> str:
    """The verb as it follows a name: `love` → `loves`, `have` → `has`; past tenses and modals stay as they are."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _UNCHANGED or low.endswith("ing") or _is_regular_past(low) or not low.isalpha():
        return verb
    if _CONSONANT_Y.search(low):
        return verb[:-1] + "ies"
    return verb + ("es" if _SIBILANT.search(low) else "s")


def is_past_form(verb: str) -> bool:
    """Whether the verb is in the past tense, and not a present or a modal as well."""
    low = verb.lower()
    return low in _PAST_SET or _is_regular_past(low)


def base_form(verb: str) -> str:
    """The base of an irregular form in lower case: `ran` → `run`; any other word as it is."""
    return _BASE_OF.get(verb, verb)


def is_participle(word: str) -> bool:
    """Whether `'d` before the word is `had`, not `would`."""
    return word.lower() in _PARTICIPLE_SET or _is_regular_past(word.lower())


def _is_regular_past(word: str) -> bool:
    return word.endswith("ed") and word not in _ENDS_IN_ED
