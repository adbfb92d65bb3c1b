"""Forms of English words that no stemmer brings together: `went` for `go`, `children` for `child`.

A search for one form finds the others. The forms are stems as the `english` text search of Postgres makes them, so
`choos` stands for choose, chooses and choosing.
"""

from typing import Final

_GROUPS: Final = """
becom becam / begin began begun / bite bit bitten / break broke broken / bring brought / build built / buy bought
catch caught / choos chose chosen / come came / deal dealt / draw drew drawn / dream dreamt / drink drank drunk
drive drove driven / eat ate eaten / fall fell fallen / feed fed / feel felt / fight fought / find found
fli flew flown / forget forgot forgotten / forgiv forgav forgiven / freez froze frozen / get got gotten
give gave given / go goe went gone / grow grew grown / hang hung / hear heard / hide hid hidden / hold held
keep kept / know knew known / lead led / learn learnt / leav left / lend lent / light lit / lose lost / make made
mean meant / meet met / pay paid / ride rode ridden / ring rang rung / rise rose risen / run ran / say said
see saw seen / seek sought / sell sold / send sent / shake shook shaken / shoot shot / show shown / sing sang sung
sit sat / sleep slept / speak spoke spoken / spend spent / stand stood / steal stole stolen / swear swore sworn
swim swam swum / take took taken / teach taught / tear tore torn / tell told / think thought / throw threw thrown
understand understood / wake woke woken / wear wore worn / win won / write wrote written
child children / foot feet / man men / mous mice / person peopl / tooth teeth / woman women
first 1st / second 2nd / third 3rd
"""


def _form_table() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for group in _GROUPS.replace("\n", " / ").split("/"):
        forms = tuple(group.split())
        table.update(dict.fromkeys(forms, forms))
    return table


_FORMS: Final = _form_table()


def word_forms(stem: str) -> tuple[str, ...]:
    """All stems of the word that `stem` belongs to, in a fixed order; the stem alone for a regular word."""
    return _FORMS.get(stem, (stem,))
