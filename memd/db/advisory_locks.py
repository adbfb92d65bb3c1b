"""Every advisory lock that memd takes: one list, so that no two kinds of lock have a key in common."""

from enum import IntEnum, unique


@unique
class Seed(IntEnum):
    """Seeds of `hashtextextended`, which makes the key of a lock out of text. The text begins with the user, unless said."""

    CONTENT = 0
    """The content of a memory."""
    MEMORY_KEY = 1
    """Namespace and key of a memory."""
    MESSAGE = 2
    """The content of a message."""
    REFLECTION = 3
    """The memories of one channel and project that a reflection reads."""
    NAMED = 4
    """Text that begins with a name of its own, such as `graph:`; the functions of the database take these locks, too."""


@unique
class Fixed(IntEnum):
    """Locks of the whole database, by their key."""

    LEADER = 7_377_001
    """Held by the process that runs the schedule."""
    MIGRATION = 73_770_001
    """Held while the schema is migrated."""
    MODEL = 73_770_002
    """Held while the current embedding model is chosen."""
