"""The share of permissive extractions that the test of junk finds (contract 17.9), and its cost (needs the evaluation data).

Each conversation is judged with weights learned from the others. The permissive ones are one memory for each message in
its words, and one for each sentence in the third person. A turn has a fact when the authors of the data saw one in it;
a sentence states one when it has a quarter of its content words.

`python -m tests.bench.junk` prints the shares.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from memd.domain.distilling.features import content_words
from memd.domain.distilling.wording import worded
from memd.domain.extraction import statements
from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.extraction.extract import extract
from memd.domain.extraction.junk import AFTER, BEFORE, SourceReading, junk_reason
from memd.domain.text.sentences import sentences
from tests.bench.eval.data import Conversation, discover
from tests.bench.eval.workbench import evaluation_folder
from tests.bench.extraction_weights import SHARE, examples, learn, share, windows

Read = Callable[[SourceMessage], SourceReading]


@dataclass(frozen=True, slots=True)
class Judged:
    """A memory: which extraction made it, whether its turn has a fact, whether it states one, whether it is junk."""

    made_by: str
    on_fact: bool
    tells: bool
    junk: bool


def judged(data: Conversation) -> Iterator[Judged]:
    """The memories that the present extraction makes of a conversation, and those of the permissive ones."""
    read = _reader([window for window, _ in windows(data)])
    for window, turns in windows(data):
        for one in extract(window):
            sources = [window.messages[at] for at in one.source_indexes]
            yield Judged("present", on_fact=True, tells=True, junk=_is_junk(one.content, sources, read))
        for message in window.messages:
            yield from _permissive(data, window, message, turns, read)


def _permissive(
    data: Conversation, window: ConversationWindow, message: SourceMessage, turns: Mapping[UUID, str], read: Read
) -> Iterator[Judged]:
    facts = data.facts.get(turns[message.id], ())
    speakers = {one.speaker for one in window.messages if one.speaker}
    names = {word for speaker in speakers for word in content_words(speaker)}
    speaker = message.speaker or ""
    whole = _is_junk(f"{speaker}: {message.content}", [message], read)
    yield Judged("every message", on_fact=bool(facts), tells=bool(facts), junk=whole)
    day = datetime.fromtimestamp(message.timestamp / 1000, UTC).date()
    for sentence in sentences(message.content):
        tells = any(share(content_words(sentence), content_words(fact) - names) >= SHARE for fact in facts)
        junk = _is_junk(worded([sentence], speaker, day, speakers - {speaker}), [message], read)
        yield Judged("every sentence", on_fact=bool(facts), tells=tells, junk=junk)


def _reader(talk: Sequence[ConversationWindow]) -> Read:
    """Reads a message of the conversation again, each one once."""
    sessions: dict[str | None, list[SourceMessage]] = {}
    for window in talk:
        sessions.setdefault(window.messages[0].session_key, []).extend(window.messages)
    known: dict[tuple[str | None, int, str], SourceReading] = {}

    def read(message: SourceMessage) -> SourceReading:
        key = (message.session_key, message.timestamp, message.content)
        if key not in known:
            said = sessions[message.session_key]
            at = next(at for at, one in enumerate(said) if (one.timestamp, one.content) == key[1:])
            known[key] = SourceReading(said[at], said[max(0, at - BEFORE) : at + AFTER + 1])
        return known[key]

    return read


def _is_junk(content: str, sources: Sequence[SourceMessage], read: Read) -> bool:
    return junk_reason(content, [read(one) for one in sources]) is not None


def _lines(found: Sequence[Judged]) -> Iterator[str]:
    yield "memories | junk of all | on a turn without a fact | on a turn with one | that state one"
    for made_by in ("present", "every message", "every sentence"):
        rows = [one for one in found if one.made_by == made_by]
        parts = (
            rows,
            [one for one in rows if not one.on_fact],
            [one for one in rows if one.on_fact],
            [one for one in rows if one.tells],
        )
        shares = (f"{sum(one.junk for one in part)}/{len(part)} {_share_of(part):.3f}" for part in parts)
        yield f"{made_by} | {' | '.join(shares)}"


def _share_of(part: Sequence[Judged]) -> float:
    return sum(one.junk for one in part) / max(1, len(part))


def main() -> int:
    """Judge every conversation and print the shares; the exit code."""
    folder = evaluation_folder()
    talks = [data for data in discover(folder).conversations if data.facts] if folder else []
    if len(talks) < 2:
        sys.stderr.write("Not two conversations with observations: name their folder in MEMD_EVAL_DIR.\n")
        return 2
    found: list[Judged] = []
    for data in talks:
        weights, bias = learn([example for other in talks if other is not data for example in examples(other)])
        statements.__dict__.update(WEIGHTS=weights, BIAS=bias)
        found += judged(data)
    sys.stdout.writelines(f"{line}\n" for line in _lines(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
