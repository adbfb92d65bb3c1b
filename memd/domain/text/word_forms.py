"""Forms of English words that no stemmer conflates: `went` for `go`, `colour` for `color`, `kid` for `child`.

A search for one form finds the others: irregular inflections, British and American spellings, short and familiar forms.
They are stems as the `english` text search of Postgres makes them, so `choos` stands for choose, chooses and choosing.
"""

from typing import Final

_IRREGULAR: Final = """
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
foot feet / man men / mous mice / person peopl / tooth teeth / woman women
first 1st / second 2nd / third 3rd
"""
_SPELLINGS: Final = """
airplan aeroplan / aluminum aluminium / analyz analys analysi / apolog apologis / armor armour / artifact artefact
behavior behaviour / calib calibr / catalog catalogu / categor categoris / center centr / color colour / cozi cosi
custom customis / defens defenc / dialog dialogu / donut doughnut / emphas emphasis / endeavor endeavour / fiber fibr
final finalis / flavor flavour / gray grey / harbor harbour / honor honour / humor humour / initi initialis
jewelri jewelleri / labor labour / licens licenc / liter litr / maneuv manoeuvr / maxim maximis / memor memoris
meter metr / minim minimis / mustach moustach / neighbor neighbour / normal normalis / odor odour / offens offenc
optim optimis / organiz organis / pajama pyjama / plow plough / practic practis / priorit prioritis / program programm
realiz realis / recogn recognis / rumor rumour / serial serialis / skeptic sceptic / standard standardis
summar summaris / theater theatr / tumor tumour / util utilis / vapor vapour / visual visualis / whiskey whiski
yogurt yoghurt
"""
_SHORT_AND_FAMILIAR: Final = """
child children kid / dad daddi father / mom mum mommi mother / grandma granni grandmoth / grandpa granddad grandfath
hubbi husband
ad advert advertis / admin administr / auth authent / bike bicycl / config configur / db databas / dir directori
doc document / env environ / exam examin / fave favorit favourit / fridg refriger / gym gymnasium / info inform
lab laboratori / math mathemat / mic microphon / movi film / phone telephon / photo photograph pic pictur
repo repositori / sync synchron synchronis / tv televis / veggi veget / vet veterinarian
"""


def _form_table() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for group in f"{_IRREGULAR}/{_SPELLINGS}/{_SHORT_AND_FAMILIAR}".replace("\n", "/").split("/"):
        forms: tuple[str, ...] = tuple(group.split())
        table.update(dict.fromkeys(forms, forms))
    return table


_FORMS: Final = _form_table()


def word_forms(stem: str) -> tuple[str, ...]:
    """All stems of the word that `stem` belongs to, in a fixed order; the stem alone for a regular word."""
    return _FORMS.get(stem, (stem,))
