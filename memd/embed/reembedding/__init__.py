"""Changing the model of what is stored."""
