"""The command line and the typed client of memd."""

__version__ = "0.8.20"
