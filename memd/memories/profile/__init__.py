"""Profiles of people and things: the current facts with their evidence."""
