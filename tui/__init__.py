"""The terminal browser of memd."""
