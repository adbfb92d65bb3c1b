"""Changing, archiving, restoring and removing knowledge bases."""
