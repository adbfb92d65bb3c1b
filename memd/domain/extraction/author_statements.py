"""What users say of themselves, of what is theirs and of what they do: `I drive to work`, `My car is a Skoda`.

The patterns are English and match from the start of a sentence.
"""

import re
from typing import Final

from memd.domain.dates.weekdays import WEEKDAY
from memd.domain.extraction.trouble import STUCK
from memd.domain.text.alternatives import any_of, either

_ADVERB: Final = any_of(
    """
    also usually mostly often always never only still currently now just already both all do really typically normally
    mainly rarely hardly_ever sometimes no_longer
    """
)
_ADVERBS: Final = rf"(?:{_ADVERB} )*"
_NO_OBJECT: Final = either(
    any_of(r"it(?!_when\b) that this them these those you your one so like") + r"\b",
    r"\Z",
    rf"{any_of('a an the no another any some the_same')} (?:\w+ )?"
    rf"{any_of('question idea problem issue error trouble feeling doubt answer suggestion look')}s?\b",
    "trouble",
    "no (?:idea|clue|time)",
)
_OBJECT: Final = rf"(?! *{_NO_OBJECT})"
"""After a verb: no word for something that was said before, and nothing of the task at hand."""
_ABILITY: Final = any_of(
    """
    drive drink smoke vape swim cook dance ski snowboard surf gamble cycle bike climb knit sew garden stutter snore
    """
)
"""Verbs that say something without an object: `I don't drive`."""
_AILMENT: Final = any_of(
    """
    migraines? headaches? heartburn hives rashes nosebleeds panic_attacks (?:sea|car|motion)_?sick
    """
)
_PLAIN_DEED: Final = any_of(
    rf"""
    use(?!_to\b) run host deploy store keep support rely depend ship have(?!_to\b) own drive live work study teach play
    speak eat drink like love hate prefer enjoy read write get_up wake_up go_to bike cycle walk sell build make offer
    serve employ pay charge meet commute collect wear take sleep start finish bill invoice release review merge train
    stand tolerate smoke grew_up graduated owe target cook grow rent share buy sing swim ride earn spend celebrate launch
    believe_in belong report back_up log lead manage head direct coordinate supervise maintain handle look_after
    take_care_of kneel climb swim breathe bend squash(?!_merge)(?:-merge)? rebase lift fly travel ski dance bake volunteer
    expect(?=_(?:about_|around_|over_|under_)?\d)
    (?:force-)?push(?=_(?:to|straight|directly)\b) open(?=_(?:an?|all)_(?:prs?|(?:pull|merge)_requests?)\b)
    call_(?:the|our)_(?:\w+_){{1,3}}?(?=(?-i:[A-Z]))(?!{WEEKDAY})
    """
)
_PRACTICE: Final = any_of(
    r"""
    development deploy(?:ment)?s? releases? reviews? retros? stand-?ups? scrum kanban tdd bdd ci/cd pair_programming
    crossfit yoga pilates karate judo boxing gymnastics sports? cardio shifts payroll bookkeeping consulting
    """
)
_IN_FREE_TIME: Final = any_of("coach mentor foster breed hike camp sail fish hunt brew blog farm")
_OF_REPOSITORY: Final = any_of(
    "branches commits releases tags migrations files variables tables endpoints images dependencies tests"
)
_MOSTLY: Final = "(?:most|all|half|much|some) (?:of )?(?:my|our)"
_DEED: Final = either(
    _PLAIN_DEED,
    rf"get (?:[a-z]+ )?{_AILMENT}",
    _IN_FREE_TIME,
    rf"(?:name|tag|prefix|format|lint|pin|version|sign|document) (?:(?:our|all|every) )?{_OF_REPOSITORY}",
    r"go by(?= (?-i:[A-Z]))",
    rf"(?:do|get) {_MOSTLY}",
)
"""What somebody does that lasts: `I do most of my work in neovim`, `We tag releases with the date`."""
_NOT_DONE: Final = any_of("smoked eaten drunk driven worked flown exercised touched been_to had")
_FOR_HOW_LONG: Final = any_of(
    r"""
    since in_(?:\d+|an?|\w+)_(?:years?|months?|weeks?|decades?) for_(?:\d+|\w+)_(?:years?|months?|weeks?)
    """
)
_SOMETHING_SAID: Final = any_of(r"to\b it\b this\b that\b th[eo] you")
_ENTIRELY: Final = any_of("at_all ever anywhere in_general any_?more")
_DOES: Final = re.compile(
    either(
        rf"(?:i|we) {_ADVERBS}(?:(?:don't|do not|can't|cannot|can) {_ADVERBS})?{_ABILITY}(?=\W*\Z|,| {any_of('so because since and but')}\b)",
        rf"(?:i|we)(?:'ve| have) got\b{_OBJECT}",
        rf"(?:i|we)(?:'ve| have) (?:never|always) \w+ed\b{_OBJECT}",
        r"(?:i|we)(?:'d| would) (?:rather|prefer)\b",
        rf"(?:i|we) (?:don't|do not|never) want (?!{_SOMETHING_SAID})[\w' /-]{{2,60}}? {_ENTIRELY}\W*\Z",
        r"i(?:'ll| will) be (?:in|at|on|away|out)\b",
        rf"(?:i|we) {_ADVERBS}(?:(?:don't|do not) {_ADVERBS})?"
        rf"do (?:(?!{any_of('it this that the your')}\b)[\w-]+ ){{0,2}}?{_PRACTICE}\b",
        rf"(?:i|we) {_ADVERBS}(?:(?:don't|do not|can't|cannot|won't|can) {_ADVERBS})?{_DEED}\b{_OBJECT}",
        rf"(?:i|we) (?:haven't|have not) {_NOT_DONE}\b{_OBJECT}.*?\b{_FOR_HOW_LONG}\b",
    ),
    re.IGNORECASE,
)
_OF_THE_MOMENT: Final = any_of(
    rf"""
    also sure here there confused done ready back sorry glad happy excited
    getting(?!_(?:married|divorced|engaged)\b)
    on_the_(?:\w+_)?(?:page|screen|tab|site|form|step|line) trying running looking wondering seeing
    {STUCK} lost aware afraid(?!_of\b) good fine ok okay almost going asking talking
    using_(?:this|that|it) curious interested_in_(?:this|that) thinking having
    doing(?!_(?:an?|my)_(?:ph\.?d|doctorate|master|bachelor|degree|course|apprenticeship|internship|residency|diploma|boot_?camp))
    not so very too just about able supposed sick_of tired hoping assuming guessing missing close in_a_hurry on_it
    with_you impressed surprised worried new_to_this new_here referring speaking saying telling unsure certain right
    wrong late busy free open at_a_loss
    """
)
_IS: Final = re.compile(
    r"(?:i|we)(?:'m|'re| am| are|'ve been| have been) "
    rf"(?:{any_of('also both all now still currently really actually not originally usually')} )*"
    rf"(?!{_OF_THE_MOMENT}\b)\w",
    re.IGNORECASE,
)
_OF_THE_TALK: Final = any_of(
    """
    god goodness gosh pleasure fault question problem issue code bug point guess idea bad mistake thoughts? conversation
    apologies intention goal_here script program query prompt text last_message screen
    """
)
_OF_SOMEBODY: Final = any_of(r"at on in from an? called named due turning coming getting moving allergic \d")
"""After `my sister's`, where it means `my sister is`."""
_PREDICATE: Final = any_of(
    r"""
    is are was were has have had need use run happen go start end expire live work cost take leave close told said gave
    got went came made took bought found sent left met won lost \w{3,}s \w{2,}ed
    """
)
_HAS: Final = re.compile(
    rf"(?:my|our) (?!{_OF_THE_TALK}\b)"
    + either(
        rf"(?:[\w-]+ ){{0,3}}?[\w-]+'s {_OF_SOMEBODY}\b",
        rf"(?:[\w'’.-]+,? ){{1,8}}?{_PREDICATE}\b",
    ),
    re.IGNORECASE,
)
_ROLE: Final = any_of(
    r"""
    teacher developer programmer engineer designer manager nurse doctor physician lawyer student parent mother father mom
    mum dad beginner vegan vegetarian muslim christian jew freelancer founder researcher scientist writer translator
    musician photographer accountant architect analyst consultant librarian pharmacist therapist diabetic pensioner
    retiree tenant landlord wheelchair_user night_owl (?:non-)?native_speaker
    """
)
_AS: Final = re.compile(
    rf"as (?P<role>an? (?:[\w-]+ ){{0,2}}?{_ROLE})(?P<further>(?: (?:of|with|in|at|from|for) (?:[\w-]+ ){{0,3}}?[\w-]+)?)(?:,|\Z| (?=(?:i|we)\b))",
    re.IGNORECASE,
)
"""What somebody is, before what follows from it: `As a nurse I often work nights`."""
_MEANS: Final = re.compile(r"(?:by|when (?:i|we) say) [\"“][^\"“”]{1,40}[\"”],? (?:i|we) mean\b", re.IGNORECASE)


def is_about_author(sentence: str) -> bool:
    """Whether a sentence says what its author does, is or has, or means by a word."""
    return any(pattern.match(sentence) for pattern in (_DOES, _IS, _HAS, _AS, _MEANS))


def in_first_person(sentence: str) -> str:
    """`As a vegan` as `I'm a vegan`; any other sentence as it is."""
    stated = _AS.fullmatch(sentence)
    return f"I'm {stated['role']}{stated['further']}" if stated else sentence
