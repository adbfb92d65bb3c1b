"""The list of memories for people who browse it: filtered, sorted, counted (contract 17.2)."""
