"""Prompts that only answer or greet the agent: "yes", "fix it", "good morning", "thanks, that's it for today".

What they mean is in the conversation. A look-up of their words would find what was said after a "yes" in other
sessions, and one for "today" everything of the day, which is no context.
"""

import re
from typing import Final

MAX_READ: Final = 60
"""Characters of a prompt that are read; a longer one says more."""
_WORD: Final = re.compile(r"(?:(?<!\w)/)?\w+[+#]*")
"""A word with what makes it another one: `c++` and `c#` are no choice of `c`, and `/undo` is a command."""
_ENGLISH: Final = (
    "a again ahead all alright and b both c continue cool correct course d do done exactly fine first fix go good "
    "great hm hmm i it k keep lgtm looks me more n nice no nope now of ok okay on one option perfect please "
    "proceed retry right second so stop sure thank thanks that the them then third this thx to too try undo very "
    "wait well why y yeah yep yes you"
)
_GERMAN: Final = (
    "alles bitte danke das dann doch es genau gut ist ja jetzt klar mach mache mal nein noch nochmal passt sehr "
    "stopp super und warum warte weiter"
)
_FRENCH: Final = "bien ça continuez d accord encore fais le merci non oui parfait plaît pourquoi s il te vas vous"
_SPANISH: Final = "adelante bien eso favor gracias hazlo otra perfecto por sí sigue vale vez ya"
_GREETINGS: Final = (
    "afternoon bye call cheers day evening for goodbye hello hey hi later let morning night s see today tomorrow "
    "tonight us "
    "abend auf bis bye das für guten gute hallo heute moin morgen nacht reicht schluss tag tschüss war wars "
    "aujourd bonjour bonne bonsoir c demain est hui journée nuit pour salut soirée tout à "
    "adiós buenas buenos días es eso esto hasta hola hoy luego mañana noches tardes todo"
)
"""Words of greetings and farewells in the four languages."""
_WORDS: Final = frozenset(f"1 2 3 4 5 6 7 8 9 {_ENGLISH} {_GERMAN} {_FRENCH} {_SPANISH} {_GREETINGS}".split())


def is_only_an_answer(prompt: str) -> bool:
    """Whether a prompt only answers or greets: it has no word of its own to look for."""
    plain = prompt.strip().lower()
    return len(plain) <= MAX_READ and _WORDS.issuperset(_WORD.findall(plain))
