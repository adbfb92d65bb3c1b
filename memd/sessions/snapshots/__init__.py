"""Snapshots: the messages of a session, kept as one document."""
