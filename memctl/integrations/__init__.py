"""memd as the memory of agent frameworks; each module needs its framework only, and none is imported here."""
