"""The arguments that several tools share, in words for a model."""

from typing import Any, Final

from memd.mcp.declaration import LEAST_WORDS, Argument

_MOMENT: Final[dict[str, Any]] = {"anyOf": [{"type": "integer"}, {"type": "string"}]}

WHERE: Final = {
    "channel": Argument(
        "Where you are working, e.g. a project or chat. Only what is visible from there is used; leave it out unless "
        "your host names one."
    ),
    "agentId": Argument("Your own agent id, if your host gave you one."),
}
WINDOW: Final = {
    "fromMs": Argument(
        "Earliest time: epoch milliseconds, ISO date or ISO datetime (no zone = UTC), inclusive.", _MOMENT
    ),
    "toMs": Argument("Latest time, in the same forms, inclusive; a bare date means the end of that day.", _MOMENT),
    **{name: Argument("Another name of fromMs.", _MOMENT) for name in ("startDate", "sinceMs", "after")},
    **{name: Argument("Another name of fromMs.", _MOMENT) for name in ("from", "since")},
    "endDate": Argument("Another name of toMs.", _MOMENT),
    "before": Argument("Another name of toMs; a bare date means the beginning of that day.", _MOMENT),
    "beforeMs": Argument("As before.", _MOMENT),
    **{name: Argument("Another name of toMs.", _MOMENT) for name in ("to", "until")},
}
COMPACT: Final = Argument("false: the text shows memories word for word instead of in their compact form.")
STORES: Final = Argument(
    "Kinds of memory to look in: sensory (fleeting), episodic (what happened), semantic (what is true), procedural "
    "(how to), prospective (what is planned). Leave out for all."
)
TAGS: Final = Argument("Only memories that have all these tags.")
MEMORY_ID: Final = Argument("The id of a memory, mem_…, as the other tools return it.")
KNOWLEDGE_BASE_ID: Final = Argument("The id of the knowledge base, kb_….", {"type": "string"})
KNOWLEDGE_BASE_NAME: Final = Argument(
    "Its name instead of the id, compared without case; several knowledge bases of that name are an error.",
    {"type": "string"},
)

DETAILS: Final = {
    "store": Argument(
        "What kind of memory: episodic (something that happened), semantic (something that is true), procedural (how "
        "to do something), prospective (something planned), sensory (a fleeting impression)."
    ),
    "category": Argument("What it is about."),
    "tags": Argument("Words to filter by later; stored in lower case, at most 32."),
    "metadata": Argument("Your own data about it, an object or a string; comes back unchanged."),
    "confidence": Argument("How sure it is, 0 to 1."),
    "valence": Argument("How good or bad it felt, -1 to 1."),
    "arousal": Argument("How much it mattered at the moment, 0 to 1."),
    "actionTriggers": Argument("Names of tools before whose use this should be read again (see triggers)."),
}


def words(text: str) -> Argument:
    """What a recall is about, where a word or two is not enough to find anything."""
    return Argument(text, {"type": "string", "minLength": LEAST_WORDS})
