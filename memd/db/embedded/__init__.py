"""The embedded Postgres: its files, its processes and the system user that runs them."""
