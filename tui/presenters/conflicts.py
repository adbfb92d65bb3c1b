"""Contradictions between memories as rows, and both sides of one."""

from rich.text import Text

from memctl.text import age, attribute_words, moment, one_line, printable
from memctl.wire.conflicts import MemoryConflict
from memctl.wire.memories import MemoryDetail

from ..colors import of_score
from .cells import TableRow, cell, number


def conflict_row(conflict: MemoryConflict, now: int) -> TableRow:
    """Age, certainty, subject, attribute, the older and the newer value, state."""
    return TableRow(
        conflict.id,
        (
            cell(age(conflict.created_at, now), "dim"),
            number(conflict.certainty, of_score(conflict.certainty)),
            cell(conflict.subject, "bold"),
            cell(attribute_words(conflict.attribute)),
            cell(conflict.old_value, "diff.removed"),
            cell(conflict.new_value, "diff.added"),
            cell(conflict.state, "dim"),
        ),
    )


def sides_named(conflict: MemoryConflict) -> dict[str, str]:
    """The attribute and both memories as a question names them: by title and value, since titles may be equal."""
    sides = (("old", conflict.old_title, conflict.old_value), ("new", conflict.new_title, conflict.new_value))
    named = {side: f"“{one_line(title, 40)}” ({one_line(value, 40)})" for side, title, value in sides}
    return {"what": one_line(f"{conflict.subject}, {attribute_words(conflict.attribute)}", 60), **named}


def side(title: str, value: str, memory: MemoryDetail | None, style: str) -> Text:
    """One side: the value it gives, and the memory in full (a content that is the title once); None when it is gone."""
    if memory is None:
        return Text.assemble((printable(value), style), ("\n\nthis memory no longer exists", "dim"))
    state = "superseded" if memory.superseded_by_memory_id else "archived" if memory.archived else "active"
    facts = f"{memory.store} · {memory.category} · {moment(memory.created_at)} · {state}"
    return Text.assemble(
        (printable(value), style),
        "\n\n",
        (printable(title), "bold"),
        (f"\n{facts}", "dim"),
        "" if memory.content == title else f"\n\n{printable(memory.content)}",
    )
