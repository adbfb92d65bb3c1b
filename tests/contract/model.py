"""Memories, archive, knowledge bases and counters as plain dictionaries: what the service has to equal at every step."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Row:
    """A memory, or a chunk when `base` is set."""

    content: str
    store: str = "semantic"
    channel: str | None = None
    base: str | None = None
    key: str | None = None
    archived_by: str | None = None
    successor: str | None = None

    @property
    def active(self) -> bool:
        return self.archived_by is None


@dataclass(slots=True)
class Model:
    """Rows by id, and for each knowledge base whether it is archived."""

    rows: dict[str, Row] = field(default_factory=dict[str, Row])
    bases: dict[str, bool] = field(default_factory=dict[str, bool])

    def duplicate(self, row: Row, but: str | None = None) -> str | None:
        """The active ordinary memory that a new or changed one would repeat."""
        twins = [
            row_id
            for row_id, other in self.rows.items()
            if row_id != but
            and other.base is None
            and other.active
            and (other.content, other.store, other.channel) == (row.content, row.store, row.channel)
        ]
        return twins[0] if twins else None

    def chunks(self, base: str) -> dict[str, Row]:
        return {row_id: row for row_id, row in self.rows.items() if row.base == base}

    def keyed(self, base: str, key: str) -> str | None:
        """The active chunk that has the key."""
        return next((row_id for row_id, row in self.chunks(base).items() if row.active and row.key == key), None)

    def forget(self, row_id: str, *, permanent: bool) -> None:
        row = self.rows[row_id]
        if permanent:
            del self.rows[row_id]
        elif row.archived_by in {None, "knowledge_base"}:
            row.archived_by = "user"

    def archive(self, base: str) -> int:
        """Archive a knowledge base; how many chunks went along."""
        self.bases[base] = True
        moved = [row for row in self.chunks(base).values() if row.active]
        for row in moved:
            row.archived_by = "knowledge_base"
        return len(moved)

    def unarchive(self, base: str) -> int:
        """Take it back with the chunks that went along; what was added meanwhile comes as well."""
        added = self.archive(base)
        self.bases[base] = False
        moved = [row for row in self.chunks(base).values() if row.archived_by == "knowledge_base"]
        for row in moved:
            row.archived_by = None
        assert added <= len(moved)
        return len(moved)

    def clear(self, base: str) -> tuple[int, int]:
        """Delete all chunks of a knowledge base; how many, and how many of them were active."""
        gone = self.chunks(base)
        for row_id in gone:
            del self.rows[row_id]
        return len(gone), sum(row.active for row in gone.values())

    def active(self) -> dict[str, tuple[str, str | None, str | None]]:
        """Every active row as the export shows it: content, knowledge base, key."""
        return {row_id: (row.content, row.base, row.key) for row_id, row in self.rows.items() if row.active}

    def stored(self) -> dict[str, tuple[str, str | None, str | None, str | None, str | None]]:
        """Every row: content, knowledge base, key, who archived it, what took its place."""
        return {
            row_id: (row.content, row.base, row.key, row.archived_by, row.successor)
            for row_id, row in self.rows.items()
        }

    def totals(self) -> tuple[int, int]:
        """Active and archived ordinary memories."""
        ordinary = [row.active for row in self.rows.values() if row.base is None]
        return sum(ordinary), len(ordinary) - sum(ordinary)

    def counters(self) -> dict[str, tuple[int, int, bool]]:
        """Active chunks, their characters and whether it is archived, for each knowledge base."""
        result: dict[str, tuple[int, int, bool]] = {}
        for base, archived in self.bases.items():
            chunks = [row for row in self.chunks(base).values() if row.active]
            result[base] = (len(chunks), sum(len(row.content) for row in chunks), archived)
        return result
