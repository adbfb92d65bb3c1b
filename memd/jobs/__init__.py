"""Background jobs: the queue and the worker."""
