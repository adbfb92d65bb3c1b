"""The processes of `memd serve`: one that answers requests, and worker processes that it starts and restarts."""
