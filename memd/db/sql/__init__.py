"""Conditions and other parts of SQL that the statements of several rooms share."""
