"""Editing and superseding memories."""
