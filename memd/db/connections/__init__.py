"""Connections to Postgres: the pool, who waits for one, and what becomes of those that fail."""
