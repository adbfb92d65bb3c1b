"""How the rows that a search found are scored, ordered and selected."""
