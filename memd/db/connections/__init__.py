"""Connections to Postgres: the pool, the order in which callers get one, and replacing those that fail."""
