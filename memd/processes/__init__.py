"""The processes of `memd serve`: the one that supervises and answers requests, more of the latter, and workers."""
