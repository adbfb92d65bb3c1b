"""Background jobs: the queue and what it runs."""
