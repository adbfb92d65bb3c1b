"""Erasing everything of a user."""
