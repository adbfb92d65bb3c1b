"""Messages: log, turn, recent, search."""
