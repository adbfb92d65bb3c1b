"""The database: one Postgres, embedded or outside, reached through one pool."""
