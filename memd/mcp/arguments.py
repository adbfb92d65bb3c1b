"""The arguments that several tools share, in words for a model. Every word here costs tokens in each tool that uses it."""

from typing import Any, Final

from memd.mcp.declaration import MIN_WORDS, Argument

_MOMENT: Final[dict[str, Any]] = {"anyOf": None, "type": "string"}
"""One type, since strict clients warn of several; epoch milliseconds and JSON texts are accepted all the same."""

WHERE: Final = {
    "channel": Argument("Your channel, if known."),
    "agentId": Argument("Your id, if known."),
}
WINDOW: Final = {
    "fromMs": Argument("From: ISO date or datetime (UTC).", _MOMENT),
    "toMs": Argument("Until.", _MOMENT),
}
AS_OF: Final = {"asOf": Argument("As it was known then.", _MOMENT)}
WINDOW_ALIASES: Final = (
    *("startDate", "sinceMs", "after", "from", "since"),
    *("endDate", "before", "beforeMs", "to", "until"),
)
"""Other names of the bounds (contract 7.0), accepted and not listed."""
MOMENTS: Final = ("validAt", "knownAt", "includeEnded")
"""The other times of a question (contract 17.5), accepted and not listed."""
PERIOD: Final = {
    "validFrom": Argument("Past ISO date since which it is true.", {"anyOf": None, "type": "string"}),
    "validUntil": Argument("Its last day.", {"anyOf": None, "type": "string"}),
}
"""When a memory is true (contract 17.5), listed by capture alone."""
ALL_MOMENTS: Final = ("asOf", *MOMENTS)
COMPACT: Final = Argument("false: full texts.")
STORES: Final = Argument("Only these kinds.")
TAGS: Final = Argument("Only with all these tags.")
MEMORY_ID: Final = Argument("mem_….")
KNOWLEDGE_BASE_ID: Final = Argument("kb_….", {"type": "string"})
KNOWLEDGE_BASE_NAME: Final = Argument("Its name instead of the id.", {"type": "string"})

DETAILS: Final = {
    "store": Argument(
        "episodic: happened; semantic: is true; procedural: how to; prospective: planned; sensory: fleeting."
    ),
    "category": Argument("What it is about."),
    "tags": Argument("Labels to filter by."),
    "metadata": Argument("Your own data, returned unchanged.", {"anyOf": None, "type": "object"}),
    "confidence": Argument("How certain, 0 to 1."),
    "valence": Argument("Bad to good, -1 to 1."),
    "arousal": Argument("Intensity, 0 to 1."),
    "actionTriggers": Argument("Tools before whose use to show this."),
}


def words(text: str) -> Argument:
    """The query of a recall, where a word or two is not enough to find anything."""
    return Argument(text, {"type": "string", "minLength": MIN_WORDS})
