"""Alembic migrations of memd; `memd migrate` runs them."""
