"""Sentences that only agree to a request: they refer to the action as `it` or `that`.

"Sure, I'll do that", "Okay, I plan on doing it this week", "Looking forward to it!". What is meant is in another
message, so on its own such a sentence says nothing.
"""

import re
from typing import Final

_CONFIRMS: Final = re.compile(
    r"(?:(?:ok(?:ay)?|alright|sure|great|perfect|thanks|done|got it)[,.!: –—-]+)*"
    r"(?:noted|got it|understood|recorded|saved|stored|remembered|logged|updated|confirmed|added|(?:decision|fact|preference) (?:noted|recorded|saved)"
    r"|(?:i'll|i will|i have|i've|i) (?:remember(?:ed)?|note[d]?|keep in mind|saved?|recorded?|updated?|stored?)(?: it| this)?(?: that)?)\b[\s,.!:–—-]*",
    re.IGNORECASE,
)
"""How a program confirms what a user has told it: `Noted: `, `Got it. I'll remember that `."""
MAX_READ: Final = 160
"""Characters of a sentence that are read; a longer one says more."""
_YES: Final = (
    r"(?:(?:yes|yeah|yep|yup|sure(?: thing)?|ok(?:ay)?|alright|all right|right|great|good(?: idea| point| plan)?|fine|cool|perfect|well"
    r"|no(?: problem| worries)?|thanks|thank you|please|got it|noted|understood|of course|will do|sounds (?:good|great|fine)|agreed"
    r"|absolutely|definitely|certainly|oh|ah|hm+|and|so|then|but|that's (?:fine|good|great))\b[\s,.;:!–—-]*){0,5}"
)
_PRONOUN: Final = r"(?:it|that|this|them|these|those|so|both|one|the same)(?: one| all)?"
_ADVERB: Final = r"(?:(?:also|just|still|really|definitely|certainly|probably|gladly|happily|now|then|already|surely|so|totally|rather) )*"
_WISH: Final = (
    r"(?:(?:(?:am|are|be|been|'m|'re) )?(?:going|gonna|want(?:ed|s|ing)?|wish|need(?:ed)?|have|got|love|like|hop(?:e|ing)|plan(?:s|ned|ning)?"
    r"|intend(?:ing)?|try(?:ing)?|aim(?:ing)?|agreed?|decided|promised?|happy|glad|ready|excited|supposed|able|willing|thinking)"
    r" ?(?:to|on|of|about)? ){0,3}"
)
_DEED: Final = (
    r"(?:[a-z]+(?:ing)? (?:(?:right |all )?(?:to|into|on|onto|in|about|of|with|for|at|after|over|through|by|up|out|down|off|forward to|care of|"
    r"rid of|back to|back on|part in) )?)"
)
_WHEN: Final = (
    r"(?:,? (?:then|now|too|as well|soon|later|today|tonight|tomorrow|next|first|again|instead|asap|right away|at once|immediately|myself"
    r"|together|for (?:you|sure|now)|if i can|when i can|(?:this|next|later this|later next) (?:week|weekend|month|morning|afternoon|evening)"
    r"|over the weekend|in a (?:bit|moment|minute|while)|one day|some day|thanks|thank you|please|very much|a lot|though|actually))*"
)
_SENSE: Final = r"(?:\W+(?:that |it )?(?:makes? (?:\w+ )?sense|(?:explains|helps|clarifies) (?:it|that|things|a lot)|will do|no (?:problem|worries)))?"
_FORMS: Final = (
    rf"(?:(?:i|we)(?:'ve)? )?got (?:it|that|you|the (?:point|idea|picture))(?: working)?{_SENSE}",
    r"(?:i|we) have (?:no (?:further |other |more |strong )?(?:objections?|preferences?|questions?|concerns?|comments?)|nothing (?:else )?to add)",
    r"(?:i'm|we're|i am|we are) (?:all )?(?:in|on board|listening|ears|good|fine)",
    rf"(?:i|we)(?:'ll|'m|'re|'d|'ve| will| am| are| would| have| can| should| could| must)? {_ADVERB}{_WISH}{_DEED}{_PRONOUN}",
    rf"(?:i|we)(?:'ll|'m|'re|'d| will| am| are| would| do)? {_ADVERB}(?:{_WISH})(?:want|love|like|going|have|need|plan|hope|happy|glad) to",
    rf"(?:let's|let us) {_ADVERB}{_DEED}{_PRONOUN}",
    rf"{_ADVERB}(?:looking forward to|working on|can't wait (?:for|to [a-z]+)|thinking about|happy to [a-z]+|on) {_PRONOUN}",
)
_ACKNOWLEDGEMENT: Final = tuple(re.compile(rf"{_YES}{form}{_WHEN}\W*\Z", re.IGNORECASE) for form in _FORMS)


def confirmed_words(sentence: str) -> str | None:
    """What a program repeats of a user's words after `Noted: ` and the like; None for a sentence that confirms nothing."""
    plain = sentence.replace("’", "'").strip()
    opening = _CONFIRMS.match(plain)
    return plain[opening.end() :] if opening else None


def is_acknowledgement(sentence: str) -> bool:
    """Whether a sentence only agrees to do, or says that its author will do, what another message names."""
    plain = sentence.replace("’", "'").strip()
    return len(plain) <= MAX_READ and any(form.match(plain) for form in _ACKNOWLEDGEMENT)
