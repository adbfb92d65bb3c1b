"""Reflection: summaries, lessons and decisions of the memories of some hours."""
