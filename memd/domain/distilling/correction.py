"""A correction of something the speaker said before."""

from dataclasses import dataclass

from memd.domain.distilling.values import Sort, Value


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction: the new value, and the old one if it is named.

    `new`: the value that holds; `before`: the preposition or label before it (`at`, `port`), blank without one; `old`:
    the words that it replaces, blank when they are not said; `subject`: content words of the clause that it ends, e.g.
    of "the budget is 40,000". `firm`: the words themselves say that something is corrected, as "I meant" does and
    "Sorry, " does not. `refuses`: it only says "No" to what somebody else has said. `text` is the sentence without what
    opens it. `hour`: the time of day given with a new day, as in "16 July at 11 am"; `pronoun`: its subject, as in
    "he's 12" and "he lives in Gent"; blank without one. `tentative`: the name may not be a correction at all: "Sorry,
    Dr. Kline" may address her, and "Sorry, in Python" ask for something. `equates`: it says what "it" is, as "Actually,
    it's Dr. Kline" does. `verb`: what the new name does, as in "It's Lars who owns it". `predicate`: all that is said
    of the pronoun, if that is where one lives or works, or the like.
    """

    new: Value
    before: str
    old: str
    subject: frozenset[str]
    firm: bool
    refuses: bool
    text: str
    hour: Value | None = None
    pronoun: str = ""
    tentative: bool = False
    equates: bool = False
    verb: str = ""
    predicate: str = ""

    @property
    def clear(self) -> bool:
        """Whether its words say what it corrects: that, and not a question of somebody else."""
        return self.firm or bool(self.subject) or self.new.sort is Sort.PREDICATE

    @property
    def values(self) -> tuple[Value, ...]:
        """All values that hold."""
        return (self.new,) if self.hour is None else (self.new, self.hour)
