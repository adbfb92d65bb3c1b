"""The command line and the typed client of memd."""
